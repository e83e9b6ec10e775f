import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertFalse, assertStrictEquals } from "@std/assert";
import { type } from "arktype";
import { type HandlerOf, mountRoute } from "../support/mount_route.ts";

const slots = ["params", "query", "headers", "body"] as const;
const Named = type({ "id?": "string" });
const responses = { 200: response.json<unknown>() };

/** Which slots are in a handler's input, by `in`. */
function slotsIn(input: object): { status: 200; body: string[] } {
  return { status: 200, body: slots.filter((slot) => slot in input) };
}

Deno.test("handler() receives exactly the declared slots", async () => {
  const cases = [
    [route.post("/", { responses }), []],
    [route.post("/:id", { responses }), ["params"]],
    [route.post("/:id", { params: Named, responses }), ["params"]],
    [route.post("/", { query: Named, responses }), ["query"]],
    [route.post("/", { headers: Named, responses }), ["headers"]],
    [route.post("/", { body: request.json(), responses }), ["body"]],
    [route.post("/:id", { query: Named, headers: Named, body: Named, responses }), [...slots]],
  ] as const;
  for (const [declared, expected] of cases) {
    const handler = mountRoute(declared, slotsIn);
    const url = declared.path === "/" ? "http://localhost/?id=1" : "http://localhost/1?id=1";
    const headers = { "content-type": "application/json" };
    const answer = await handler(new Request(url, { method: "POST", body: "{}", headers }));
    assertEquals(await answer.json(), expected);
  }
});

Deno.test("handler() receives only context, signal, route and response in addition", async () => {
  const inputs: Parameters<HandlerOf<typeof health>>[0][] = [];
  const health = route.get("/health", { responses });
  const handler = mountRoute(health, (input) => {
    inputs.push(input);
    return input.response(200, "seen");
  });
  assertEquals(await (await handler(new Request("http://localhost/health"))).json(), "seen");
  const [input] = inputs;
  assert(input);
  assertEquals([input.context, input.route], [{}, { key: "it", method: "GET", path: "/health" }]);
  assert(input.signal instanceof AbortSignal);
  assertEquals(Object.keys(input).sort(), ["context", "response", "route"]);
  assert("signal" in input);
});

Deno.test("handler() receives the decoded strings of the full path without a params schema", async () => {
  const contract = defineContract({
    basePath: "/v1",
    routes: { it: route.get("/:owner/:__proto__/:constructor", { responses }) },
  });
  const implementation = defineServer(contract).implement({
    it: ({ params, response }) => response(200, Object.entries(params)),
  });
  const answer = await createFetchHandler(implementation)(new Request("http://localhost/v1/1/caf%C3%A9/%2F"));
  assertEquals(await answer.json(), [["owner", "1"], ["__proto__", "café"], ["constructor", "/"]]);
});

Deno.test("handler() receives the output of a params schema", async () => {
  const handler = mountRoute(
    route.get("/:id", { params: type({ id: "string.numeric.parse" }), responses }),
    ({ params, response }) => response(200, params.id + 1),
  );
  assertEquals(await (await handler(new Request("http://localhost/41"))).json(), 42);
});

Deno.test("handler() receives a frozen route, the same for every request", async () => {
  const seen: object[] = [];
  const handler = mountRoute(route.get("/:id", { responses }), ({ route, response }) => {
    seen.push(route);
    return response(200, route.path);
  });
  for (const id of ["1", "2"]) await handler(new Request(`http://localhost/${id}`));
  assertEquals(seen[0], { key: "it", method: "GET", path: "/:id" });
  assert(Object.isFrozen(seen[0]));
  assertStrictEquals(seen[0], seen[1]);
});

Deno.test("handler() receives a signal that aborts with the request's", async () => {
  const client = new AbortController();
  const states: boolean[] = [];
  const handler = mountRoute(route.get("/", { responses }), ({ signal, response }) => {
    states.push(signal.aborted);
    client.abort();
    states.push(signal.aborted);
    return response(200, "late");
  });
  await handler(new Request("http://localhost/", { signal: client.signal }));
  assertEquals(states, [false, true]);
});

Deno.test("handler() that does not use its signal does not touch the request's", async () => {
  let reads = 0;
  const incoming = new Request("http://localhost/");
  const signal = incoming.signal;
  Object.defineProperty(incoming, "signal", { get: () => (reads++, signal) });
  const handler = mountRoute(route.get("/", { responses }), ({ response }) => response(200, 1));
  assertFalse((await handler(incoming)).bodyUsed);
  assertEquals(reads, 0);
});
