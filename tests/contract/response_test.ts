import { codec, response, type ResponseDeclaration } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { assertRefused } from "./assert_refused.ts";

const usual = {
  json: "application/json",
  text: "text/plain;charset=UTF-8",
  bytes: "application/octet-stream",
  empty: undefined,
} as const;
const kinds = ["json", "text", "bytes", "empty"] as const;

/** `response[kind]()` for whichever kind, which no one signature states. */
function declare(kind: typeof kinds[number], ...given: readonly unknown[]): ResponseDeclaration {
  return (response[kind] as (...given: readonly unknown[]) => ResponseDeclaration)(...given);
}

const schema = type("unknown");
const headers = type({ etag: "string" });

Deno.test("response has a helper for each representation", () => {
  assertEquals(Object.keys(response), [...kinds]);
  assert(Object.isFrozen(response));
});

for (const kind of kinds) {
  Deno.test(`response.${kind}() declares the usual content type`, () => {
    const declared = declare(kind);
    assertEquals([declared.kind, declared.contentType], [kind, usual[kind]]);
    assertEquals([declared.schema, declared.headers, declared.description], [undefined, undefined, undefined]);
    assert(Object.isFrozen(declared));
  });

  Deno.test(`response.${kind}() takes headers and a description`, () => {
    const declared = declare(kind, { headers, description: "Its own" });
    assert(declared.headers === headers);
    assertEquals(declared.description, "Its own");
    assertEquals(declared.contentType, usual[kind]);
  });

  Deno.test(`response.${kind}() refuses headers that are no schema`, () => {
    for (const value of [null, true, "etag", {}, { etag: "string" }, [], () => true, new Headers()]) {
      assertRefused(() => declare(kind, { headers: value }), `response.${kind}()`, "headers", "Standard Schema");
    }
  });

  Deno.test(`response.${kind}() refuses a first argument that is neither a schema nor options`, () => {
    for (const value of [null, true, 7, "string", [], () => true, new Map(), { "~standard": {} }, { id: "string" }]) {
      assertRefused(() => declare(kind, value), `response.${kind}()`);
      assertRefused(() => declare(kind, value, {}), `response.${kind}()`, "first argument is no Standard Schema");
    }
  });
}

for (const kind of ["json", "text", "bytes"] as const) {
  Deno.test(`response.${kind}() takes a schema, options or both`, () => {
    const options = { contentType: "application/x-own", headers };
    assert(declare(kind, schema).schema === schema);
    assertEquals(declare(kind, options).schema, undefined);
    const both = declare(kind, schema, options);
    assert(both.schema === schema && both.headers === headers);
    assertEquals(both.contentType, "application/x-own");
  });
}

Deno.test("response.empty() refuses a schema and a content type", () => {
  assertRefused(() => declare("empty", schema), "response.empty()", "no body for a schema to describe");
  assertRefused(() => declare("empty", { contentType: "text/plain" }), "response.empty()", '"contentType"');
});

Deno.test("response.json() takes the schemas of every library for body and headers", () => {
  const ofZod = response.json(z.object({}).describe("not an option"), { headers: z.object({ etag: z.string() }) });
  const ofValibot = response.json(v.object({}), { headers: v.object({ etag: v.string() }) });
  for (const { schema, headers } of [ofZod, ofValibot]) assert(schema && headers);
  assertEquals(ofZod.description, undefined);
});

Deno.test("response.text() takes a codec for body and headers", () => {
  const date = codec(type("string"), type("Date"), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });
  const expires = codec(type({ expires: "string" }), type({ expires: "Date" }), {
    decode: ({ expires }) => ({ expires: new Date(expires) }),
    encode: ({ expires }) => ({ expires: expires.toUTCString() }),
  });
  const declared = response.text(date, { headers: expires });
  assert(declared.schema === date && declared.headers === expires);
});
