import { codec, response, type ResponseDeclaration } from "@scope/api";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { assertRefused } from "../support/assert_refused.ts";

const usual = {
  json: "application/json",
  text: "text/plain;charset=UTF-8",
  bytes: "application/octet-stream",
  empty: undefined,
  problem: "application/problem+json",
  stream: "application/octet-stream",
} as const;
const kinds = ["json", "text", "bytes", "empty", "problem", "stream"] as const;
const itemTypes = { ndjson: "application/x-ndjson", sse: "text/event-stream" } as const;

/** `response[kind]()` for whichever kind, which no one signature states. */
function declare(
  kind: typeof kinds[number] | "ndjson" | "sse" | "raw",
  ...given: readonly unknown[]
): ResponseDeclaration {
  return (response[kind] as (...given: readonly unknown[]) => ResponseDeclaration)(...given);
}

const schema = type("unknown");
const headers = type({ etag: "string" });

Deno.test("response has a helper for each representation", () => {
  assertEquals(Object.keys(response), [...kinds, "ndjson", "sse", "raw", "as", "socket", "statuses"].toSorted());
  assertThrows(() => Object.assign(response, { json: undefined }), TypeError);
});

for (const kind of kinds) {
  Deno.test(`response.${kind}() declares the default content type`, () => {
    const declared = declare(kind);
    assertEquals([declared.kind, declared.contentType], [kind, usual[kind]]);
    assertEquals([declared.schema, declared.headers, declared.description], [undefined, undefined, undefined]);
    assert(Object.isFrozen(declared));
  });

  Deno.test(`response.${kind}() accepts headers and a description`, () => {
    const declared = declare(kind, { headers, description: "Its own" });
    assert(declared.headers === headers);
    assertEquals(declared.description, "Its own");
    assertEquals(declared.contentType, usual[kind]);
  });

  Deno.test(`response.${kind}() refuses headers that are not a schema`, () => {
    for (const value of [null, true, "etag", {}, { etag: "string" }, [], () => true, new Headers()]) {
      assertRefused(() => declare(kind, { headers: value }), `response.${kind}()`, "headers", "Standard Schema");
    }
  });

  Deno.test(`response.${kind}() refuses a first argument that is neither a schema nor options`, () => {
    for (const value of [null, true, 7, "string", [], () => true, new Map(), { "~standard": {} }, { id: "string" }]) {
      assertRefused(() => declare(kind, value), `response.${kind}()`);
      assertRefused(
        () => declare(kind, value, {}),
        `response.${kind}()`,
        "the first argument must be a Standard Schema (Zod, Valibot, ArkType, …), got ",
      );
    }
  });
}

for (const kind of ["json", "text", "bytes", "problem"] as const) {
  Deno.test(`response.${kind}() accepts a schema, options or both`, () => {
    const options = { contentType: "application/x-own", headers };
    assert(declare(kind, schema).schema === schema);
    assertEquals(declare(kind, options).schema, undefined);
    const both = declare(kind, schema, options);
    assert(both.schema === schema && both.headers === headers);
    assertEquals(both.contentType, "application/x-own");
  });
}

Deno.test("response.empty() refuses a schema and a content type", () => {
  assertRefused(() => declare("empty", schema), "response.empty()", "a schema is not supported here; remove it");
  assertRefused(() => declare("empty", { contentType: "text/plain" }), "response.empty()", '"contentType"');
});

for (const kind of ["ndjson", "sse"] as const) {
  Deno.test(`response.${kind}() accepts a schema of its items, and options`, () => {
    const declared = declare(kind, schema);
    assertEquals([declared.kind, declared.contentType, declared.headers], [kind, itemTypes[kind], undefined]);
    assert(declared.schema === schema);
    const own = declare(kind, schema, { contentType: "application/x-own", headers, description: "Its own" });
    assert(own.headers === headers);
    assertEquals([own.contentType, own.description], ["application/x-own", "Its own"]);
  });

  Deno.test(`response.${kind}() requires a schema`, () => {
    for (const given of [[], [{}], [{ description: "No schema" }]]) {
      assertRefused(() => declare(kind, ...given), `response.${kind}()`, "a schema is required; pass one for an item");
    }
    assertRefused(
      () => declare(kind, undefined),
      `response.${kind}()`,
      "the first argument must be a Standard Schema (Zod, Valibot, ArkType, …), got ",
    );
  });
}

Deno.test("response.stream() refuses a schema", () => {
  assertRefused(() => declare("stream", schema), "response.stream()", "a schema is not supported here; remove it");
});

Deno.test("response.raw() accepts only a description", () => {
  const declared = declare("raw", { description: "Its own" });
  assertEquals([declared.kind, declared.contentType, declared.description], ["raw", undefined, "Its own"]);
  assertRefused(() => declare("raw", schema), "response.raw()", "a schema is not supported here; remove it");
  assertRefused(() => declare("raw", { contentType: "text/plain" }), "response.raw()", '"contentType"');
  assertRefused(() => declare("raw", { headers }), "response.raw()", '"headers"');
});

Deno.test("response.json() accepts the schemas of every library for body and headers", () => {
  const ofZod = response.json(z.object({}).describe("not an option"), { headers: z.object({ etag: z.string() }) });
  const ofValibot = response.json(v.object({}), { headers: v.object({ etag: v.string() }) });
  for (const { schema, headers } of [ofZod, ofValibot]) assert(schema && headers);
  assertEquals(ofZod.description, undefined);
});

Deno.test("response.text() accepts a codec for body and headers", () => {
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
