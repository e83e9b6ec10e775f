import { defineContract, request, response, route, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { assertProblem, mountRoute } from "../support/mount_route.ts";

const deprecated = { since: "2026-06-01", sunset: "2027-01-01", link: "https://example.com/migrate" };
const link = '<https://example.com/migrate>; rel="deprecation"';
const said = ["@1780272000", "Fri, 01 Jan 2027 00:00:00 GMT", link];

/** The fields of a response that say that its route is deprecated. */
function fieldsOf({ headers }: Response): (string | null)[] {
  return ["deprecation", "sunset", "link"].map((name) => headers.get(name));
}

async function ask(handler: FetchHandler, init: RequestInit = {}, path = "/"): Promise<Response> {
  const answer = await handler(new Request(`http://localhost${path}`, init));
  await answer.body?.cancel();
  return answer;
}

// proves http | Deprecation and Sunset give the dates of a resource | RFC 9745; RFC 8594
Deno.test("a response of a deprecated route contains its date, its sunset and its link", async () => {
  const handler = mountRoute(
    route.get("/", { deprecated, responses: { 204: response.empty() } }),
    ({ response }) => response(204),
  );
  assertEquals(fieldsOf(await ask(handler)), said);
  assertEquals(fieldsOf(await ask(handler, { method: "HEAD" })), said);
});

Deno.test("undeclared details are omitted: true and false send no fields", async () => {
  const fields = async (deprecated: boolean | { since: string; sunset?: string }): Promise<unknown> =>
    fieldsOf(
      await ask(
        mountRoute(
          route.get("/", { deprecated, responses: { 204: response.empty() } }),
          ({ response }) => response(204),
        ),
      ),
    );
  assertEquals(await fields(true), [null, null, null]);
  assertEquals(await fields(false), [null, null, null]);
  assertEquals(await fields({ since: "1969-12-31T23:59:58.500Z" }), ["@-2", null, null]);
  assertEquals(await fields({ since: "2026-06-01T12:00:00Z", sunset: "2026-06-01T12:00:01.9Z" }), [
    "@1780315200",
    "Mon, 01 Jun 2026 12:00:01 GMT",
    null,
  ]);
});

Deno.test("all responses of a deprecated route have the fields: refusals, failures, streams, 304 and raw responses", async () => {
  const token = security.bearer("token");
  const responses = { 200: response.text() };
  const contract = defineContract({
    deprecated,
    security: [],
    routes: {
      secured: route.get("/secured", { security: [token], responses }),
      checked: route.get("/checked", { query: type({ q: "string" }), responses }),
      body: route.post("/body", { body: request.text({ maxBytes: 1 }), responses }),
      fails: route.get("/fails", { responses }),
      stream: route.get("/stream", { responses: { 200: response.ndjson(type("number")) } }),
      tagged: route.get("/tagged", { responses }),
      raw: route.get("/raw", { responses: { 200: response.raw() } }),
      kept: route.get("/kept", { deprecated: false, responses }),
    },
  });
  const immutable = await fetch("data:text/plain,a");
  const implementation = defineServer(contract, { security: [verify(token, () => undefined)] }).implement({
    secured: ({ response }) => response(200, ""),
    checked: ({ response }) => response(200, ""),
    body: ({ response }) => response(200, ""),
    fails: () => Promise.reject(new Error("secret")),
    stream: ({ response }) => response(200, [1, 2]),
    tagged: ({ response }) => response(200, "a", { etag: '"1"' }),
    raw: ({ response }) => response(200, immutable),
    kept: ({ response }) => response(200, ""),
  });
  const handler = createFetchHandler(implementation, { onError: () => {} });
  const asked: readonly (readonly [status: number, path: string, init?: RequestInit])[] = [
    [401, "/secured"],
    [400, "/checked"],
    [413, "/body", { method: "POST", body: "12" }],
    [415, "/body", { method: "POST", body: new Blob([]) }],
    [500, "/fails"],
    [200, "/stream"],
    [304, "/tagged", { headers: { "if-none-match": '"1"' } }],
    [200, "/raw"],
  ];
  for (const [status, path, init] of asked) {
    const answer = await ask(handler, init, path);
    assertEquals([answer.status, ...fieldsOf(answer)], [status, ...said], path);
  }
  assertEquals(fieldsOf(await ask(handler, {}, "/kept")), [null, null, null]);
  for (const [path, init] of [["/nowhere", {}], ["/checked", { method: "PUT" }]] as const) {
    assertEquals(fieldsOf(await ask(handler, init, path)), [null, null, null]);
  }
});

Deno.test("a response that replaces a failure has the fields of a deprecated route", async () => {
  const declared = route.get("/", { deprecated, responses: { 200: response.text() } });
  const handler = mountRoute(declared, () => {
    throw new Error("secret");
  }, { onError: () => new Response("sorry", { status: 503 }) });
  const answer = await ask(handler);
  assertEquals([answer.status, ...fieldsOf(answer)], [503, ...said]);
});

Deno.test("the link is added once to the handler's own; the dates are the contract's", async () => {
  const declared = route.get("/", { deprecated, responses: { 200: response.text(), 204: response.raw() } });
  const handler = mountRoute(
    declared,
    ({ response }) => response(200, "", { link: ['</next>; rel="next"'], deprecation: "@1", sunset: "never" }),
  );
  assertEquals(fieldsOf(await ask(handler)), [...said.slice(0, 2), `</next>; rel="next", ${link}`]);

  const native = new Response(null, { status: 204 });
  const again = mountRoute(declared, ({ response }) => response(204, native));
  for (let time = 0; time < 3; time++) assertEquals(fieldsOf(await ask(again)), said);
});

Deno.test("a WebSocket upgrade is unchanged", async () => {
  const upgrade = Object.defineProperty(new Response(null), "status", { value: 101 });
  const handler = mountRoute(
    route.get("/", { deprecated, responses: { 101: response.raw() } }),
    () => ({ status: 101, body: upgrade }),
  );
  const answer = await handler(new Request("http://localhost/"));
  assert(answer === upgrade);
  assertEquals(fieldsOf(answer), [null, null, null]);
});

Deno.test("a client receives the fields of a deprecated route, and pages of other origins may read them", async () => {
  const contract = defineContract({
    routes: { old: route.get("/old", { deprecated, responses: { 200: response.text() } }) },
  });
  const implementation = defineServer(contract).implement({ old: ({ response }) => response(200, "a") });
  const handler = createFetchHandler(implementation, { cors: { origins: ["https://app.example"] } });
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
  assertEquals(fieldsOf((await client.old()).response), said);

  const answer = await ask(handler, { headers: { origin: "https://app.example" } }, "/old");
  const exposed = answer.headers.get("access-control-expose-headers")?.split(", ") ?? [];
  assertEquals(["deprecation", "sunset", "link"].filter((name) => !exposed.includes(name)), []);
});

Deno.test("deprecation neither delays a synchronous response nor changes a problem", async () => {
  const handler = mountRoute(
    route.get("/", { deprecated, responses: { 404: response.problem() } }),
    ({ response }) => response(404),
  );
  const answer = handler(new Request("http://localhost/"));
  assert(answer instanceof Response);
  assertEquals((await answer.json()).status, 404);
  const missing = await handler(new Request("http://localhost/nowhere"));
  await assertProblem(missing, 404, "Not Found", "not-found");
});
