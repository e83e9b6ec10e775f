import {
  type Codec,
  codec,
  defineContract,
  type InputOf,
  type OutputOf,
  response,
  route,
  type Schema,
} from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertFalse, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { assertRefused } from "../support/assert_refused.ts";

const isoText = type("string.date.iso");
const date = codec(isoText, type("Date"), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const noon = "2030-01-01T12:00:00.000Z";

type Step = (value: number) => number;

/** A codec of numbers that writes down which step runs when. */
function synchronous(steps: string[]): Codec<Schema<number>, Schema<number>> {
  const step = (name: string): Step => (value) => (steps.push(name), value);
  const number = (name: string): Schema<number> => v.pipe(v.number(), v.transform(step(name)));
  return codec(number("wire"), number("application"), { decode: step("decode"), encode: step("encode") });
}

/** The same with every step asynchronous. */
function asynchronous(steps: string[]): Codec<Schema<number>, Schema<number>> {
  const step = (name: string) => (value: number): Promise<number> => Promise.resolve((steps.push(name), value));
  const number = (name: string): Schema<number> => v.pipeAsync(v.number(), v.transformAsync(step(name)));
  return codec(number("wire"), number("application"), { decode: step("decode"), encode: step("encode") });
}

Deno.test("codec() keeps its parts, marked and frozen", () => {
  const application = type("Date");
  const functions = { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() };
  const made = codec(isoText, application, functions);
  assert(made.wire === isoText && made.application === application);
  assert(made.decode === functions.decode && made.encode === functions.encode);
  assert(Object.isFrozen(made) && Object.isFrozen(made["~standard"]));
  assertFalse(Object.isFrozen(functions));
});

Deno.test("codec() is a Standard Schema that decodes", () => {
  const { version, vendor, validate } = date["~standard"];
  assertEquals([version, vendor], [1, "@scope/api"]);
  assertEquals(validate(noon), { value: new Date(noon) });
  assertType<IsExact<InputOf<typeof date>, string>>(true);
  assertType<IsExact<OutputOf<typeof date>, Date>>(true);
});

Deno.test("codec() decodes within an object of another library", () => {
  assertEquals<unknown>(type({ at: date })({ at: noon }), { at: new Date(noon) });
});

Deno.test("codec() decodes by wire schema, decode, application schema", () => {
  const steps: string[] = [];
  const checked = synchronous(steps)["~standard"].validate(7);
  assert(!(checked instanceof Promise));
  assertEquals<unknown>(checked, { typed: true, value: 7 });
  assertEquals(steps, ["wire", "decode", "application"]);
});

Deno.test("codec() decodes asynchronously if any part is asynchronous", async () => {
  const steps: string[] = [];
  const checked = asynchronous(steps)["~standard"].validate(7);
  assertInstanceOf(checked, Promise);
  assertEquals<unknown>(await checked, { typed: true, value: 7 });
  assertEquals(steps, ["wire", "decode", "application"]);
});

Deno.test("codec() stops at the wire schema's issues", () => {
  let decoded = 0;
  const counted = codec(isoText, type("Date"), { decode: (text) => (decoded++, new Date(text)), encode: String });
  const { issues } = counted["~standard"].validate("soon") as {
    readonly issues: readonly { readonly message: string }[];
  };
  assertEquals(issues.length, 1);
  assertEquals(decoded, 0);
});

Deno.test("codec() reports the application schema's issues", () => {
  const future = codec(isoText, type("Date > d'2020-01-01'"), {
    decode: (text) => new Date(text),
    encode: (at) => at.toISOString(),
  });
  const checked = future["~standard"].validate("1999-01-01T00:00:00.000Z");
  assert("issues" in checked && checked.issues?.length === 1);
});

Deno.test("codec() propagates errors of decode and encode", async () => {
  const broken = codec(type("string"), type("string"), {
    decode: () => {
      throw new RangeError("cannot decode");
    },
    encode: (text) => text,
  });
  assertThrows(() => broken["~standard"].validate("text"), RangeError, "cannot decode");
  const rejecting = codec(type("string"), type("string"), {
    decode: () => Promise.reject(new RangeError("cannot decode")),
    encode: (text) => text,
  });
  await assertRejects(() => Promise.resolve(rejecting["~standard"].validate("text")), RangeError, "cannot decode");
});

for (const traced of [synchronous, asynchronous]) {
  Deno.test(`codec() encodes by application schema, encode, wire schema, ${traced.name}`, async () => {
    const steps: string[] = [];
    const contract = defineContract({
      routes: { seven: route.get("/", { responses: { 200: response.json(traced(steps)) } }) },
    });
    const implementation = defineServer(contract).implement({ seven: ({ response }) => response(200, 7) });
    const handler = createFetchHandler(implementation);
    assertEquals(await (await handler(new Request("http://localhost/"))).json(), 7);
    assertEquals(steps, ["application", "encode", "wire"]);

    const client = createClient(contract, {
      baseUrl: "http://localhost",
      fetch: async (request) => await handler(new Request(request)),
    });
    steps.length = 0;
    assertEquals((await client.seven()).body, 7);
    assertEquals(steps, ["application", "encode", "wire", "wire", "decode", "application"]);
  });
}

Deno.test("codec() has the JSON Schema of its wire schema, if that has one", () => {
  type WithJsonSchema = {
    readonly jsonSchema?: { input(options: { target: string }): unknown; output(options: { target: string }): unknown };
  };
  const { jsonSchema } = date["~standard"] as WithJsonSchema;
  const target = { target: "draft-2020-12" };
  const ofWire = isoText["~standard"].jsonSchema;
  assertEquals(jsonSchema?.input(target), ofWire.input({ target: "draft-2020-12" }));
  assertEquals(jsonSchema?.output(target), ofWire.output({ target: "draft-2020-12" }));

  const ofValibot = codec(v.string(), v.date(), { decode: (text) => new Date(text), encode: (at) => at.toISOString() });
  assertFalse("jsonSchema" in ofValibot["~standard"]);
});

Deno.test("codec() refuses and names an argument that is not a schema", () => {
  const functions = { decode: (value: unknown) => value, encode: (value: unknown) => value };
  for (
    const value of [null, undefined, true, "string", {}, [], () => true, { "~standard": null }, { "~standard": {} }]
  ) {
    assertRefused(() => codec(value as never, isoText, functions as never), "codec()", "wire", "Standard Schema");
    assertRefused(
      () => codec(isoText, value as never, functions as never),
      "codec()",
      "application",
      "Standard Schema",
    );
  }
});

Deno.test("codec() refuses missing functions", () => {
  const decode = (text: string): string => text;
  for (const encode of [undefined, null, "encode", {}]) {
    assertRefused(() => codec(isoText, isoText, { decode, encode } as never), "codec()", "encode");
    assertRefused(() => codec(isoText, isoText, { encode: decode, decode: encode } as never), "codec()", "decode");
  }
  for (const functions of [undefined, null, [], decode, {}, { decode }]) {
    assertRefused(() => codec(isoText, isoText, functions as never), "codec()");
  }
});

Deno.test("codec() refuses a codec as one of its schemas", () => {
  const functions = { decode: (value: string) => value, encode: (value: string) => value };
  const inner = codec(type("string"), type("string"), functions);
  assertRefused(
    () => codec(inner, type("string"), functions),
    "codec()",
    '"wire" must not be a codec; write one codec that does both conversions',
  );
  assertRefused(
    () => codec(type("string"), inner, functions),
    "codec()",
    '"application" must not be a codec; write one codec that does both conversions',
  );
});
