import { representation, request, response, route } from "@scope/api";
import { assert, assertEquals, assertFalse } from "@std/assert";
import { type } from "arktype";
import { assertRefused } from "../support/assert_refused.ts";

const valid = { contentType: "text/vnd.test;charset=utf-8", encode: String, decode: () => "" };
const custom = representation(valid);

/** `representation()` with anything in place of its options. */
function make(options: unknown): unknown {
  return representation(options as typeof valid);
}

Deno.test("representation() returns frozen data of its argument", () => {
  assertEquals({ ...custom }, { ...valid, structure: undefined });
  assertEquals(representation({ ...valid, structure: "json" }).structure, "json");
  assert(Object.isFrozen(custom));
});

Deno.test("representation() refuses unknown options, and suggests the nearest", () => {
  const where = "representation(): ";
  assertRefused(() => make({ ...valid, strukture: "json" }), `${where}unknown option "strukture"`, '"structure"?');
  assertRefused(() => make({ ...valid, headers: {} }), 'unknown option "headers"');
  for (const options of [undefined, null, [], "text/csv", type("string")]) {
    assertRefused(() => make(options), where, "the options must be a plain object like { key: … }, got ");
  }
});

Deno.test("representation() refuses missing functions and functions of another type", () => {
  for (const name of ["encode", "decode"]) {
    for (const given of [undefined, null, {}, "JSON"]) {
      assertRefused(() => make({ ...valid, [name]: given }), `representation(): "${name}" must be a function, got `);
    }
  }
});

Deno.test("representation() refuses a structure other than JSON's", () => {
  for (const structure of ["text", "", null, true, {}, "__proto__"]) {
    assertRefused(() => make({ ...valid, structure }), '"structure" must be "json" or omitted, got ');
  }
});

Deno.test("representation() refuses content types that are not one media type", () => {
  for (
    const contentType of [undefined, null, 1, "", "csv", "text/", "text/*", "*/*", "text/csv, text/plain", "a/b\n"]
  ) {
    assertRefused(() => make({ ...valid, contentType }), "representation()", '"contentType" must be a media type');
  }
});

Deno.test("representation() refuses content types of forms, events and NDJSON", () => {
  const refused = [
    "multipart/form-data",
    "multipart/mixed; boundary=x",
    "MultiPart/Related",
    "text/event-stream",
    "Text/Event-Stream;charset=utf-8",
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/json-lines",
    "application/json-seq",
    "application/geo+json-seq",
    "application/stream+json",
    "application/x-json-stream",
    "text/x-ndjson",
  ];
  for (const contentType of refused) {
    assertRefused(() => make({ ...valid, contentType }), JSON.stringify(contentType), "use request.formData()");
  }
  for (const contentType of ["application/json", "application/vnd.jsonlish", "text/x-multipart", "application/cbor"]) {
    assertEquals(representation({ ...valid, contentType }).contentType, contentType);
  }
});

Deno.test("request.as() and response.as() declare the representation with its schema and options", () => {
  const Text = type("string");
  const body = request.as(custom, Text, { description: "a body", optional: true });
  const { kind, contentType, schema, optional, description } = body;
  assertEquals([kind, contentType, optional, description], ["as", custom.contentType, true, "a body"]);
  assert(schema === Text);
  assertEquals(request.as(custom, { optional: true }).optional, true);
  assertFalse(request.as(custom).optional);

  const headers = type({ etag: "string" });
  const declared = response.as(custom, Text, { headers, description: "a response" });
  assertEquals([declared.kind, declared.contentType, declared.description], ["as", custom.contentType, "a response"]);
  assert(declared.schema === Text && declared.headers === headers);
  assert(response.as(custom, { headers }).headers === headers);
  for (const made of [body, declared]) assert(Object.isFrozen(made) && Object.isFrozen(made.representation));
});

Deno.test("request.as() and response.as() refuse a value that is not a representation", () => {
  for (const given of [undefined, null, "text/csv", {}, { ...custom }, valid, type("string"), request.as(custom)]) {
    const state = "the first argument must be made by representation(…), got ";
    assertRefused(() => request.as(given as never), `request.as(): ${state}`);
    assertRefused(() => response.as(given as never), `response.as(): ${state}`);
  }
});

Deno.test("request.as() and response.as() refuse another content type, unknown options and an undefined schema", () => {
  const declare = [request.as, response.as] as readonly ((...given: readonly unknown[]) => unknown)[];
  for (const as of declare) {
    assertRefused(() => as(custom, { contentType: "text/csv" }), '.as(): unknown option "contentType"', "description");
    assertRefused(() => as(custom, type("string"), { contentType: "text/csv" }), 'unknown option "contentType"');
    assertRefused(
      () => as(custom, undefined),
      "the second argument must be a Standard Schema (Zod, Valibot, ArkType, …), got ",
    );
    assertRefused(
      () => as(custom, "text"),
      "the second argument must be a Standard Schema (Zod, Valibot, ArkType, …), got ",
    );
    assertRefused(() => as(custom, null), "the options must be a plain object like { key: … }, got null");
  }
  assertRefused(
    () => request.as(custom, { optional: 1 } as never),
    "request.as()",
    '"optional" must be a boolean, got ',
  );
  assertRefused(
    () => response.as(custom, { headers: {} as never }),
    "response.as()",
    '"headers" must be a Standard Schema (Zod, Valibot, ArkType, …), got an object',
  );
});

Deno.test("a status without a body refuses response.as()", () => {
  for (const status of [204, 205, 304]) {
    assertRefused(
      () => route.get("/", { responses: { [status]: response.as(custom) } }),
      `response ${status} must not have a body; use response.empty() or response.raw()`,
    );
  }
});
