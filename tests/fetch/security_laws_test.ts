/** The laws of security: who is accepted, after which verifier, and what a refusal reveals. */
import { defineContract, request, response, route, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { fieldTexts } from "../support/field_texts.ts";
import { listen } from "../support/mount_route.ts";
import { parseChallenges } from "../support/parse_challenges.ts";
import { tries } from "../support/tries.ts";

/** A part of every credential, and of no response. */
const canary = "c4n4ry";

const bearer = (text: string) => ({ authorization: `Bearer ${text}-${canary}` });
const basic = (username: string) => ({ authorization: `Basic ${btoa(`${username}-${canary}:password`)}` });
const session = (text: string) => ({ cookie: `theme=dark; session=${text}-${canary}` });
const key = (text: string) => ({ "x-key": `${text}-${canary}` });
const custom = (text: string) => ({ "x-custom": `${text}-${canary}` });
const malformedBearer = { authorization: `Bearer ${canary} ${canary}` };
const malformedBasic = { authorization: `Basic ${canary}` };
const malformedSession = { cookie: `session=good-${canary}; session=${canary}` };
const elsewhere = (headers: object) => ({
  ...headers,
  "sec-fetch-site": "cross-site",
  origin: "https://evil.example",
});

interface Mounted {
  readonly ask: (line: string, headers: HeadersInit, body?: BodyInit) => Promise<Response>;
  /** The verifiers that ran. */
  readonly asked: string[];
  /** The other code of the application that ran. */
  readonly touched: string[];
}

/** Mounts routes of which each responds with the scheme of its caller. */
function mount(realm = "api"): Mounted {
  const [asked, touched]: string[][] = [[], []];
  const schemes = {
    token: security.bearer("token", { scopes: ["read", "write"], realm }),
    basic: security.basic("basic", { realm }),
    session: security.cookie("session", { cookie: "session", realm }),
    key: security.apiKey("key", { header: "x-key" }),
    custom: security.custom("custom", { challenge: 'Custom a="b, c"', openapi: {} }),
  };
  const { none } = security;
  const any = [schemes.custom, schemes.session, schemes.token, schemes.basic, schemes.key] as const;
  const responses = { 200: response.text() };
  const query = type({ "n?": "string" }).pipe((query) => (touched!.push("schema"), query));
  const body = request.json(type("unknown").pipe((body) => (touched!.push("schema"), body)));
  const contract = defineContract({
    routes: {
      token: route.get("/token", { security: [schemes.token], query, responses }),
      scoped: route.post("/scoped", { security: [schemes.token.scoped("read", "write")], query, body, responses }),
      basic: route.post("/basic", { security: [schemes.basic], query, body, responses }),
      session: route.get("/session", { security: [schemes.session], query, responses }),
      change: route.post("/session", { security: [schemes.session], query, body, responses }),
      key: route.post("/key", { security: [schemes.key], query, body, responses }),
      custom: route.post("/custom", { security: [schemes.custom], query, body, responses }),
      any: route.get("/any", { security: any, query, responses }),
      changeAny: route.post("/any", { security: any, query, body, responses }),
      optional: route.post("/optional", { security: [schemes.session, schemes.token, none], query, body, responses }),
      lenient: route.get("/lenient", { security: [schemes.custom, none], query, responses }),
    },
  });
  const find = (by: string, text: string | null) => {
    asked!.push(by);
    if (!text?.startsWith("good") && !text?.startsWith("reader")) return null;
    return { by, scopes: text.startsWith("good") ? ["write", "read"] : ["read"] };
  };
  const it = ({ caller }: { readonly caller?: { readonly by: string } | undefined }) => {
    touched!.push("handler");
    return { status: 200, body: caller?.by ?? "nobody" } as const;
  };
  const server = defineServer(contract, {
    security: [
      verify(schemes.token, ({ token }) => find("token", token)),
      verify(schemes.basic, ({ username }) => find("basic", username)),
      verify(schemes.session, async ({ value }) => await find("session", value)),
      verify(schemes.key, ({ key }) => find("key", key)),
      verify(schemes.custom, ({ request }) => find("custom", request.headers.get("x-custom"))),
    ],
    context: () => (touched!.push("context"), {}),
  }).use(({ next }) => (touched!.push("middleware"), next()));
  const changing = { scoped: it, basic: it, change: it, key: it, custom: it, changeAny: it, optional: it };
  const { heard, onError } = listen();
  const handler = createFetchHandler(
    server.implement({ ...changing, token: it, session: it, any: it, lenient: it }),
    { onError },
  );
  const ask: Mounted["ask"] = async (line, fields, body = "{}") => {
    const [method = "", path] = line.split(" ");
    const headers = new Headers(fields);
    if (method === "POST") headers.set("content-type", "application/json");
    const init = { method, headers, ...(method === "POST" && { body }) };
    const answer = await handler(new Request(`http://localhost${path}`, init));
    assertEquals(heard, []);
    return answer;
  };
  return { ask, asked: asked!, touched: touched! };
}

/** A request; its status, with the scheme of the caller that the handler received; and the verifier that ran. */
type Row = readonly [name: string, line: string, headers: HeadersInit, outcome: string, asked?: string];

const rows: readonly Row[] = [
  ["a valid token", "GET /token", bearer("good"), "200 token", "token"],
  ["an invalid token", "GET /token", bearer("bad"), "401", "token"],
  ["a malformed token", "GET /token", malformedBearer, "401"],
  ["no credential", "GET /token", {}, "401"],
  ["the credential of another scheme", "GET /token", basic("good"), "401"],
  ["an escaped path without a credential", "GET /%74ok%65n", {}, "401"],
  ["an escaped path", "GET /%74ok%65n", bearer("good"), "200 token", "token"],
  ["all scopes", "POST /scoped", bearer("good"), "200 token", "token"],
  ["some of the scopes", "POST /scoped", bearer("reader"), "403", "token"],
  ["a token from another site", "POST /scoped", elsewhere(bearer("good")), "200 token", "token"],
  ["a valid password", "POST /basic", basic("good"), "200 basic", "basic"],
  ["an invalid password", "POST /basic", basic("bad"), "401", "basic"],
  ["a malformed password", "POST /basic", malformedBasic, "401"],
  ["a password from another site", "POST /basic", elsewhere(basic("good")), "403"],
  ["a valid cookie", "POST /session", session("good"), "200 session", "session"],
  ["an invalid cookie", "POST /session", session("bad"), "401", "session"],
  ["a cookie that occurs twice", "POST /session", malformedSession, "401"],
  ["a cookie from another site", "POST /session", elsewhere(session("good")), "403"],
  ["a malformed cookie from another site", "POST /session", elsewhere(malformedSession), "403"],
  ["a safe request from another site", "GET /session", elsewhere(session("good")), "200 session", "session"],
  ["a valid key", "POST /key", key("good"), "200 key", "key"],
  ["an invalid key", "POST /key", key("bad"), "401", "key"],
  ["a valid custom credential", "POST /custom", custom("good"), "200 custom", "custom"],
  ["no custom credential", "POST /custom", {}, "401", "custom"],
  ["several credentials: the first in the list", "GET /any", { ...key("good"), ...session("bad") }, "401", "session"],
  ["several credentials: a malformed first one", "GET /any", { ...key("good"), ...malformedBearer }, "401"],
  ["several credentials: custom ones are last", "GET /any", { ...custom("good"), ...key("good") }, "200 key", "key"],
  ["a custom credential alone", "GET /any", custom("good"), "200 custom", "custom"],
  ["optional, no credential", "POST /optional", elsewhere({}), "200 nobody"],
  ["optional, a valid token", "POST /optional", bearer("good"), "200 token", "token"],
  ["optional, an invalid token", "POST /optional", bearer("bad"), "401", "token"],
  ["optional, a malformed token", "POST /optional", malformedBearer, "401"],
  ["optional, an expired cookie", "POST /optional", session("bad"), "200 nobody", "session"],
  ["optional, a malformed cookie", "POST /optional", malformedSession, "200 nobody"],
  ["optional, a cookie from another site", "POST /optional", elsewhere(session("good")), "403"],
  ["optional, no custom credential", "GET /lenient", {}, "200 nobody", "custom"],
];

// proves promises | On a route with security, the handler runs only after exactly one verifier of the route returned a
//   caller
Deno.test("security accepts exactly the callers that the design accepts, and runs at most one verifier", async (test) => {
  for (const [name, line, headers, outcome, ...verifiers] of rows) {
    await test.step(name, async () => {
      const { ask, asked, touched } = mount();
      const answer = await ask(line, headers);
      const text = await answer.text();
      assertEquals([answer.status === 200 ? `200 ${text}` : String(answer.status), asked], [outcome, verifiers]);
      assertEquals(touched.filter((what) => what === "handler").length, outcome.startsWith("200") ? 1 : 0);
      assert(!`${text} ${JSON.stringify([...answer.headers])}`.includes(canary));
    });
  }
});

Deno.test("a request with any fields is accepted or refused after at most one verifier", async () => {
  const lines = fc.constantFrom(...new Set(rows.map(([, line]) => line)));
  const names = ["authorization", "cookie", "x-key", "x-custom"];
  const fields = fc.subarray(names).chain((names) =>
    fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), fieldTexts)))
  );
  await fc.assert(
    fc.asyncProperty(lines, fields, async (line, fields) => {
      const { ask, asked, touched } = mount();
      const answer = await ask(line, fields);
      const caller = answer.status === 200 ? await answer.text() : "refused";
      assert(answer.status === 200 || answer.status === 401, String(answer.status));
      assert(asked.length <= 1);
      assertEquals(touched.includes("handler"), caller !== "refused");
      if (caller !== "refused" && caller !== "nobody") assertEquals([caller], asked);
      if (caller === "nobody") assert(line === "POST /optional" || line === "GET /lenient", line);
    }),
    tries(400),
  );
});

// proves promises | Without a valid credential, the request is not read, and the response is the same for every body
Deno.test("without a valid credential the body is not read, and the response is the same for every body", async (test) => {
  for (const [name, line, headers, outcome] of rows) {
    if (!line.startsWith("POST") || outcome.startsWith("200")) continue;
    await test.step(name, async () => {
      const answers: unknown[] = [];
      for (const body of ["{}", "", "{", `"${"long".repeat(500_000)}"`]) {
        const { ask, touched } = mount();
        let pulls = 0;
        const stream = new ReadableStream({
          pull(controller): void {
            pulls++;
            controller.enqueue(new TextEncoder().encode(body));
            controller.close();
          },
        }, { highWaterMark: 0 });
        const answer = await ask(line, headers, stream);
        answers.push([answer.status, [...answer.headers], await answer.text()]);
        assertEquals([pulls, touched], [0, []]);
      }
      for (const answer of answers) assertEquals(answer, answers[0]);
    });
  }
});

// proves http | A 401 has at least one challenge that applies | 11.6.1, 15.5.2
Deno.test("each 401 has one challenge for each scheme of the route, and parses as such", async (test) => {
  const schemes: Readonly<Record<string, readonly string[]>> = {
    "/token": ["Bearer"],
    "/basic": ["Basic"],
    "/session": ["Cookie"],
    "/key": ["ApiKey"],
    "/custom": ["Custom"],
    "/any": ["ApiKey", "Basic", "Bearer", "Cookie", "Custom"],
    "/optional": ["Bearer", "Cookie"],
  };
  for (const realm of ["api", "", 'a "quoted" \\ realm', "a, Basic realm=b", '~ =;, "', "\\"]) {
    await test.step(`realm ${realm}`, async () => {
      for (const [name, line, headers, outcome] of rows) {
        const expected = schemes[line.split(" ")[1]!];
        if (outcome !== "401" || !expected) continue;
        const answer = await mount(realm).ask(line, headers);
        await answer.body?.cancel();
        const challenges = parseChallenges(answer.headers.get("www-authenticate")!);
        assertEquals(challenges.map(({ scheme }) => scheme).toSorted(), expected, name);
        for (const { scheme, parameters } of challenges) {
          if (scheme !== "ApiKey" && scheme !== "Custom") assertEquals(parameters.realm, realm, name);
          if (scheme !== "Bearer") assertEquals(parameters.error, undefined, name);
        }
      }
    });
  }
});

// proves promises | Concurrent callers never receive each other's responses
Deno.test("a thousand interleaved callers each receive their own response", async () => {
  const token = security.bearer("token", { scopes: ["even"] });
  const session = security.cookie("session", { cookie: "session" });
  const contract = defineContract({
    security: [token, session],
    routes: {
      all: route.get("/all/:id", { responses: { 200: response.text() } }),
      even: route.get("/even/:id", { security: [token.scoped("even")], responses: { 200: response.text() } }),
    },
  });
  const pause = (id: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, (id * 7919) % 13));
  const find = async (text: string) => {
    const id = Number(text);
    if (id % 3 > 0) await pause(id);
    return id % 5 === 0 ? null : { id, scopes: id % 2 === 0 ? ["even"] : [] };
  };
  const server = defineServer(contract, {
    security: [verify(token, ({ token }) => find(token)), verify(session, ({ value }) => find(value))],
    context: async ({ caller }) => {
      await pause(caller.id + 1);
      return { id: caller.id };
    },
  }).guard(({ caller }) => pause(caller.id + 2)).use(async ({ caller, next }) => {
    await pause(caller.id + 3);
    return next({ seen: caller.id });
  });
  const answer = (ids: readonly number[]) => ({ status: 200, body: ids.join() }) as const;
  const handler = createFetchHandler(server.implement({
    all: ({ caller, context }) => answer([caller.id, context.id, context.seen]),
    even: ({ caller, context }) => answer([caller.id, context.id, context.seen]),
  }));
  const ask = async (id: number): Promise<void> => {
    const key = id % 7 === 0 ? "even" : "all";
    const headers: HeadersInit = id % 4 === 1 && key === "all"
      ? { cookie: `session=${id}` }
      : { authorization: `Bearer ${id}` };
    const answer = await handler(new Request(`http://localhost/${key}/${id}`, { headers }));
    const expected = id % 5 === 0 ? 401 : key === "even" && id % 2 === 1 ? 403 : 200;
    assertEquals([id, answer.status], [id, expected]);
    const text = await answer.text();
    if (expected === 200) assertEquals(text, [id, id, id].join());
  };
  await Promise.all(Array.from({ length: 1_000 }, (_, id) => ask(id)));
});
