/** The `responses` of routes, routers and contracts: valid and invalid values, and the call that each message names. */
import { defineContract, request, response, type Responses, route, router } from "@scope/api";
import { assertEquals } from "@std/assert";
import * as z from "zod";
import { assertRefused } from "../support/assert_refused.ts";

const health = route.get("/health", { responses: { 200: response.empty() } });

/** Every call that takes responses. */
const declaring: Readonly<Record<string, (responses: unknown) => { readonly responses: Responses }>> = {
  'route.post("/here")': (responses) => route.post("/here", { responses: responses as never }),
  'router("/here")': (responses) => router("/here", { routes: { health }, responses: responses as never }),
  "defineContract()": (responses) => defineContract({ routes: { health }, responses: responses as never }),
};

const refused: readonly (readonly [name: string, responses: unknown, parts: readonly string[]])[] = [
  ["null", null, ['"responses"', "must be a plain object like { key: … }, got null"]],
  ["an array", [response.empty()], ['"responses"', "must be a plain object like { key: … }, got an array"]],
  ["a function", () => ({ 200: response.empty() }), [
    '"responses"',
    "must be a plain object like { key: … }, got a function",
  ]],
  ["a string", "200", ['"responses"', 'must be a plain object like { key: … }, got "200"']],
  ["a Map", new Map([[200, response.empty()]]), [
    '"responses"',
    "must be a plain object like { key: … }, got an instance of a class",
  ]],
  ["a schema", z.object({ id: z.string() }), ['"responses"', "must be a plain object like { key: … }, got a schema"]],
  ["a __proto__ literal", { __proto__: { 200: response.empty() } }, ['"responses"', '["__proto__"]']],
  ["status 99", { 99: response.empty() }, ['"99"', "from 200 to 599"]],
  ["status 600", { 600: response.empty() }, ['"600"', "from 200 to 599"]],
  ["status 0", { 0: response.empty() }, ['"0"', "from 200 to 599"]],
  ["status 100", { 100: response.empty() }, ['"100"', "from 200 to 599"]],
  ["status 199", { 199: response.empty() }, ['"199"', "from 200 to 599"]],
  ["status -200", { "-200": response.empty() }, ['"-200"', "from 200 to 599"]],
  ["status 2000", { 2000: response.empty() }, ['"2000"', "from 200 to 599"]],
  ["status 200.5", { 200.5: response.empty() }, ['"200.5"', "from 200 to 599"]],
  ["status 2xx", { "2xx": response.empty() }, ['"2xx"', "from 200 to 599"]],
  ["status 0200", { "0200": response.empty() }, ['"0200"', "from 200 to 599"]],
  ["status +200", { "+200": response.empty() }, ['"+200"', "from 200 to 599"]],
  ["status 2e2", { "2e2": response.empty() }, ['"2e2"', "from 200 to 599"]],
  ["a status with a space", { "200 ": response.empty() }, ['"200 "', "from 200 to 599"]],
  ["a status with a line feed", { "200\n": response.empty() }, ['"200\\n"', "from 200 to 599"]],
  ["a status in other digits", { "２００": response.empty() }, ['"２００"', "from 200 to 599"]],
  ["the status __proto__", { ["__proto__"]: response.empty() }, ['"__proto__"', "from 200 to 599"]],
  ["the status default", { default: response.empty() }, ['"default"', "from 200 to 599"]],
  ["101", { 101: response.empty() }, ['"101"', "(101 is allowed for response.raw())"]],
  ["a bad status after a good one", { 200: response.empty(), 700: response.empty() }, ['"700"']],
  ["no response at a status", { 200: undefined }, ["response 200", "response.json("]],
  ["null at a status", { 200: null }, ["response 200", "response.json("]],
  ["true at a status", { 200: true }, ["response 200", "response.json("]],
  ["a helper that was not called", { 200: response.empty }, ["response 200", "response.json("]],
  ["a native Response", { 200: new Response() }, ["response 200", "response.json("]],
  ["a request declaration", { 200: request.json() }, ["response 200", "response.json("]],
  ["a copy of a declaration", { 200: { ...response.empty() } }, ["response 200", "response.json("]],
  ...[204, 205, 304].flatMap((status) =>
    [response.json(), response.text(), response.bytes(), response.problem(), response.stream()].map((declared) =>
      [`a ${declared.kind} response at ${status}`, { [status]: declared }, [`${status}`, "response.empty()"]] as const
    )
  ),
];

for (const [where, declare] of Object.entries(declaring)) {
  for (const [name, responses, parts] of refused) {
    Deno.test(`${where} refuses responses with ${name}`, () => {
      assertRefused(() => declare(responses), where, ...parts);
    });
  }

  Deno.test(`${where} accepts every status from 200 to 599`, () => {
    const empty = response.empty();
    const statuses = Array.from({ length: 400 }, (_, index) => 200 + index);
    const { responses } = declare(Object.fromEntries(statuses.map((status) => [status, empty])));
    assertEquals(Object.keys(responses).map(Number), statuses);
  });

  Deno.test(`${where} accepts raw responses for statuses without a body and, as the only ones, for 101`, () => {
    const raw = response.raw();
    assertEquals(Object.keys(declare({ 101: raw, 200: raw, 204: raw, 205: raw, 304: raw }).responses).length, 5);
  });

  Deno.test(`${where} accepts responses without a prototype`, () => {
    const { responses } = declare(Object.assign(Object.create(null), { 200: response.empty() }));
    assertEquals(Object.keys(responses), ["200"]);
  });
}

Deno.test("route.get() refuses responses that are missing or empty", () => {
  assertRefused(
    () => route.get("/here", {} as never),
    'route.get("/here")',
    '"responses" must declare at least one status, like { 200: response.json(…) }',
  );
  assertRefused(
    () => route.get("/here", { responses: undefined as never }),
    '"responses" must declare at least one status',
  );
  assertRefused(
    () => route.get("/here", { responses: {} }),
    'route.get("/here")',
    '"responses" must declare at least one status, like { 200: response.json(…) }',
  );
});

Deno.test("responses are optional for router() and defineContract()", () => {
  assertEquals(router("/here", { routes: { health } }).responses, {});
  assertEquals(router("/here", { routes: { health }, responses: {} }).responses, {});
  assertEquals(defineContract({ routes: { health } }).responses, {});
});
