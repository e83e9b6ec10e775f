import { representation, request, response } from "@scope/api";
import { assert, assertEquals, assertFalse, assertStrictEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { assertRefused } from "../support/assert_refused.ts";

const usual = {
  json: "application/json",
  text: "text/plain",
  bytes: "application/octet-stream",
  form: "application/x-www-form-urlencoded",
  formData: "multipart/form-data",
  stream: "application/octet-stream",
  ndjson: "application/x-ndjson",
} as const;
/** The helpers that take a schema or none, and any content type. */
const kinds = ["json", "text", "bytes"] as const;

/** `request[kind]()` for whichever kind, which no one signature states. */
function declare(kind: typeof kinds[number], ...given: readonly unknown[]): ReturnType<typeof request.json> {
  return (request[kind] as (...given: readonly unknown[]) => ReturnType<typeof request.json>)(...given);
}

Deno.test("request has a helper for each representation", () => {
  assertEquals(Object.keys(request), [...Object.keys(usual), "as"].toSorted());
  assertThrows(() => Object.assign(request, { json: undefined }), TypeError);
});

Deno.test("request has the default content type of each representation, and a required body", () => {
  const Fields = type({ name: "string" });
  const declared = [
    request.json(Fields),
    request.text(),
    request.bytes(),
    request.form(Fields),
    request.formData(Fields),
    request.stream(),
    request.ndjson(Fields),
  ];
  assertEquals(Object.fromEntries(declared.map(({ kind, contentType }) => [kind, contentType])), usual);
  assert(declared.every(({ optional }) => optional === false));
});

Deno.test("every helper of request accepts a boolean as optional", () => {
  const Fields = type({ name: "string" });
  const declared = [
    request.json({ optional: true }),
    request.json(Fields, { optional: true }),
    request.text({ optional: true }),
    request.bytes({ optional: true }),
    request.form(Fields, { optional: true }),
    request.formData({ optional: true }),
    request.formData(Fields, { optional: true }),
    request.stream({ optional: true }),
    request.ndjson(Fields, { optional: true }),
  ];
  for (const { optional } of declared) assertEquals(optional, true);
  assertEquals(request.text({ optional: false }).optional, false);
  for (const optional of [null, 1, "true", {}]) {
    assertRefused(() => request.text({ optional } as never), "request.text()", '"optional" must be a boolean, got ');
  }
});

Deno.test("every helper of request accepts a non-negative integer as maxBytes", () => {
  const Fields = type({ name: "string" });
  const lines = representation<string>({ contentType: "text/csv", encode: String, decode: () => "" });
  const declared = [
    request.json({ maxBytes: 0 }),
    request.json(Fields, { maxBytes: 0 }),
    request.text({ maxBytes: 0 }),
    request.bytes({ maxBytes: 0 }),
    request.form(Fields, { maxBytes: 0 }),
    request.formData({ maxBytes: 0 }),
    request.formData(Fields, { maxBytes: 0 }),
    request.stream({ maxBytes: 0 }),
    request.as(lines, { maxBytes: 0 }),
  ];
  for (const { maxBytes } of declared) assertEquals(maxBytes, 0);
  assertEquals(request.text({ maxBytes: 9_007_199_254_740_991 }).maxBytes, 9_007_199_254_740_991);
  assertEquals(request.text().maxBytes, undefined);
  for (const maxBytes of [-1, 1.5, NaN, Infinity, 2 ** 53, null, "5", 5n, {}]) {
    assertRefused(
      () => request.text({ maxBytes } as never),
      "request.text()",
      '"maxBytes" must be a non-negative integer, got ',
    );
  }
});

Deno.test("request.form() requires a schema", () => {
  for (const given of [[], [{}], [{ optional: true }]]) {
    assertRefused(
      () => (request.form as (...given: unknown[]) => unknown)(...given),
      "a schema is required; pass one for the fields of the form",
    );
  }
});

Deno.test("request.formData() refuses a content type, because the platform creates its boundary", () => {
  for (const contentType of ["multipart/form-data", "multipart/mixed", "multipart/form-data; boundary=b"]) {
    assertRefused(() => request.formData({ contentType } as never), 'unknown option "contentType"');
  }
});

Deno.test("request.stream() refuses a schema", () => {
  assertRefused(
    () => request.stream(type("unknown") as never),
    "request.stream()",
    "a schema is not supported here; remove it",
  );
});

for (const kind of kinds) {
  const schema = type("unknown");

  Deno.test(`request.${kind}() declares the default content type`, () => {
    const declared = declare(kind);
    assertEquals([declared.kind, declared.contentType], [kind, usual[kind]]);
    assertEquals([declared.schema, declared.description], [undefined, undefined]);
    assert(Object.isFrozen(declared));
  });

  Deno.test(`request.${kind}() accepts a schema, options, both or neither`, () => {
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
      assertRefused(
        () => declare(kind, value, {}),
        `request.${kind}()`,
        "the first argument must be a Standard Schema (Zod, Valibot, ArkType, …), got ",
      );
    }
  });

  Deno.test(`request.${kind}() refuses invalid options`, () => {
    for (const value of [null, true, "string", [], schema]) {
      assertRefused(
        () => declare(kind, schema, value),
        `request.${kind}()`,
        "the options must be a plain object like { key: … }, got ",
      );
    }
  });
}

Deno.test("request.json() accepts the schemas of every library", () => {
  const ofZod = z.object({ id: z.string() }).describe("Zod schemas have a description, as options do");
  const ofValibot = v.object({ id: v.string() });
  assert(request.json(ofZod).schema === ofZod);
  assertEquals(request.json(ofZod).description, undefined);
  assert(request.json(ofValibot).schema === ofValibot);
});

Deno.test("request.json() is not affected by later changes of its options", () => {
  const options = { description: "Before" };
  const declared = request.json(options);
  options.description = "After";
  assertStrictEquals(declared.description, "Before");
});

Deno.test("request.json() refuses an explicit undefined, which may be a missing schema", () => {
  assertRefused(
    () => request.json(undefined as never),
    "request.json()",
    "the first argument must be a Standard Schema (Zod, Valibot, ArkType, …), got ",
  );
  assertRefused(
    () => response.text(undefined as never),
    "response.text()",
    "the first argument must be a Standard Schema (Zod, Valibot, ArkType, …), got ",
  );
});
