import type { Case } from "../case.ts";

const origin = "https://app.example.com";

/** The status and the CORS headers of a response. */
async function ask(url: string, method: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(url, { method, headers });
  await response.body?.cancel();
  const fields = ["allow-origin", "allow-methods", "allow-headers", "expose-headers"];
  return [
    response.status,
    ...fields.map((name) => response.headers.get(`access-control-${name}`)),
    (response.headers.get("vary") ?? "").toLowerCase().includes("origin"),
  ];
}

export const cors: readonly Case[] = [
  {
    name: "a preflight response lists what the route accepts",
    run: (baseUrl) => ask(`${baseUrl}/api/method`, "OPTIONS", { origin, "access-control-request-method": "QUERY" }),
    gives: [204, origin, "PUT, DELETE, OPTIONS, QUERY", "content-type", null, true],
  },
  {
    name: "a page may read native responses, those of fetch, and errors",
    run: async (baseUrl) =>
      await Promise.all(
        ["raw", "fetched", "nowhere"].map((path) => ask(`${baseUrl}/api/${path}`, "GET", { origin })),
      ),
    gives: [
      [202, origin, null, null, "x-raw", true],
      [200, origin, null, null, null, true],
      [404, origin, null, null, null, true],
    ],
  },
  {
    name: "a page of another origin may read nothing",
    run: (baseUrl) => ask(`${baseUrl}/api/fetched`, "GET", { origin: "https://evil.example" }),
    gives: [200, null, null, null, null, true],
  },
];
