import { request, response } from "@scope/api";
import { assert, assertEquals, assertFalse, assertStrictEquals } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { assertRefused } from "./assert_refused.ts";

const usual = { json: "application/json", text: "text/plain", bytes: "application/octet-stream" } as const;
const kinds = ["json", "text", "bytes"] as const;

/** `request[kind]()` for whichever kind, which no one signature states. */
function declare(kind: typeof kinds[number], ...given: readonly unknown[]): ReturnType<typeof request.json> {
  return (request[kind] as (...given: readonly unknown[]) => ReturnType<typeof request.json>)(...given);
}

Deno.test("request has a helper for each representation", () => {
  assertEquals(Object.keys(request), [...kinds]);
  assert(Object.isFrozen(request));
});

for (const kind of kinds) {
  const schema = type("unknown");

  Deno.test(`request.${kind}() declares the usual content type`, () => {
    const declared = declare(kind);
    assertEquals([declared.kind, declared.contentType], [kind, usual[kind]]);
    assertEquals([declared.schema, declared.description], [undefined, undefined]);
    assert(Object.isFrozen(declared));
  });

  Deno.test(`request.${kind}() takes a schema, options, both or neither`, () => {
    const options = { contentType: "application/x-own", description: "Its own" };
    assertFalse(Object.isFrozen(options));
    assert(declare(kind, schema).schema === schema);
    for (const declared of [declare(kind, options), declare(kind, schema, options)]) {
      assertEquals([declared.contentType, declared.description], ["application/x-own", "Its own"]);
    }
    assertEquals(declare(kind, options).schema, undefined);
    assert(declare(kind, schema, options).schema === schema);
  });

  Deno.test(`request.${kind}() refuses a first argument that is neither a schema nor options`, () => {
    for (const value of [null, true, 7, "string", [], () => true, new Map(), { "~standard": {} }, { id: "string" }]) {
      assertRefused(() => declare(kind, value), `request.${kind}()`);
      assertRefused(() => declare(kind, value, {}), `request.${kind}()`, "first argument is no Standard Schema");
    }
  });

  Deno.test(`request.${kind}() refuses options that are none`, () => {
    for (const value of [null, true, "string", [], schema]) {
      assertRefused(() => declare(kind, schema, value), `request.${kind}()`, "an object belongs");
    }
  });
}

Deno.test("request.json() knows the schemas of every library", () => {
  const ofZod = z.object({ id: z.string() }).describe("Zod schemas have a description, as options do");
  const ofValibot = v.object({ id: v.string() });
  assert(request.json(ofZod).schema === ofZod);
  assertEquals(request.json(ofZod).description, undefined);
  assert(request.json(ofValibot).schema === ofValibot);
});

Deno.test("request.json() does not see what becomes of its options", () => {
  const options = { description: "Before" };
  const declared = request.json(options);
  options.description = "After";
  assertStrictEquals(declared.description, "Before");
});

Deno.test("request.json() refuses an undefined that is written out, which may be a schema that got lost", () => {
  assertRefused(() => request.json(undefined as never), "request.json()", "first argument is no Standard Schema");
  assertRefused(() => response.text(undefined as never), "response.text()", "first argument is no Standard Schema");
});
