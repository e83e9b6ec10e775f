import { type Case, problem, show } from "../case.ts";

const fields = ["www-authenticate", "cache-control"];
const url = (baseUrl: string): string => `${baseUrl}/api/secured`;

function add(baseUrl: string, headers: Readonly<Record<string, string>>, body = '{"title":"a"}'): Promise<Response> {
  return fetch(url(baseUrl), { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
}

const challenges = (error = ""): string =>
  `Bearer realm="api"${error}, Cookie name="session", ApiKey in="header", name="x-key"`;
const refused = (error = ""): object =>
  problem(401, "Unauthorized", error === "" ? "unauthorized" : "invalid-credential", {
    "www-authenticate": challenges(error),
    "cache-control": "no-store",
  });

export const security: readonly Case[] = [
  {
    name: "a caller is let in by any credential that the route accepts",
    run: async (baseUrl) =>
      await Promise.all(
        [{ authorization: "Bearer good" }, { cookie: "other=1; session=good" }].map(async (headers) =>
          await show(await add(baseUrl, headers), "cache-control")
        ),
      ),
    gives: [
      { status: 200, "cache-control": "no-store", body: "token adds a" },
      { status: 200, "cache-control": "no-store", body: "session adds a" },
    ],
  },
  {
    name: "who shows no valid credential is refused, whatever the body",
    run: async (baseUrl) =>
      await Promise.all([
        add(baseUrl, {}).then((response) => show(response, ...fields)),
        add(baseUrl, { authorization: "Bearer bad" }, "{").then((response) => show(response, ...fields)),
        add(baseUrl, { authorization: "Bearer good, Bearer good" }, "").then((response) => show(response, ...fields)),
      ]),
    gives: [refused(), refused(', error="invalid_token"'), refused(', error="invalid_token"')],
  },
  {
    name: "a cookie is refused where a page of another site may have sent it",
    run: async (baseUrl) =>
      await Promise.all(
        [
          { origin: "https://evil.example" },
          { "sec-fetch-site": "same-site" },
          { origin: baseUrl },
          { origin: "https://app.example.com", "sec-fetch-site": "cross-site" },
        ].map(async (headers) => {
          const response = await add(baseUrl, { cookie: "session=good", ...headers as Record<string, string> });
          await response.body?.cancel();
          return response.status;
        }),
      ),
    gives: [403, 403, 200, 200],
  },
  {
    name: "a body that a verifier reads is 500",
    run: async (baseUrl) =>
      await Promise.all(
        ["text", "part", "lock"].map(async (key) => await show(await add(baseUrl, { "x-key": key }))),
      ),
    gives: Array(3).fill(problem(500, "Internal Server Error", "internal-error")),
  },
];
