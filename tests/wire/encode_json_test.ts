/** JSON encodes a value faithfully, or encoding fails: no value silently becomes `null` or `{}`. */
import { codec, defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { listen } from "../support/mount_route.ts";
import { anything } from "../support/hostile_schemas.ts";
import { encodeJson } from "../../src/wire/json.ts";
import { tries } from "../support/tries.ts";
import { assertTypeError } from "../support/assert_refused.ts";

/** The message of the error that encoding throws. */
function refusalOf(value: unknown): string {
  return assertTypeError(() => encodeJson(value));
}

// proves json | Numbers that are not finite are rejected, not sent as `null` | RFC 8259, 6
Deno.test("encodeJson() refuses numbers that are not finite, and names their place", () => {
  for (const number of [NaN, Infinity, -Infinity]) {
    const state = "it would become null";
    assertEquals(refusalOf(number), `JSON cannot encode ${number}: ${state}`);
    assertEquals(
      refusalOf({ items: [{ price: 1 }, { "a/b~c": number }] }),
      `JSON cannot encode ${number} at /items/1/a~1b~0c: ${state}`,
    );
    assertEquals(refusalOf([null, new Number(number)]), `JSON cannot encode ${number} at /1: ${state}`);
    assertEquals(refusalOf({ a: { toJSON: () => ({ b: number }) } }), `JSON cannot encode ${number} at /a/b: ${state}`);
    class Money {
      readonly amount = 1;
      toJSON(): number {
        return this.amount * number;
      }
    }
    assertEquals(refusalOf({ price: new Money() }), `JSON cannot encode ${number} at /price: ${state}`);
    const shared = { fine: 1 };
    assertEquals(
      refusalOf([shared, [shared, shared], shared, { number }]),
      `JSON cannot encode ${number} at /3/number: ${state}`,
    );
  }
});

Deno.test("encodeJson() refuses values that would become null in a list, or {}", () => {
  class Tagged {
    readonly #secret = 1;
    get [Symbol.toStringTag](): string {
      return `Tagged${this.#secret}`;
    }
  }
  const refused: [unknown, string][] = [
    [[undefined], "undefined in an array at /0: it would become null"],
    [{ a: [[], Array(1)] }, "undefined in an array at /a/1/0: it would become null"],
    [[() => 1], "function in an array at /0: it would become null"],
    [[Symbol("a")], "symbol in an array at /0: it would become null"],
    [[{ toJSON: () => undefined }], "undefined in an array at /0: it would become null"],
    [{ at: new Date(NaN) }, "an invalid Date at /at: it would become null"],
    [new Map([["a", 1]]), "a Map: it would become {}"],
    [{ tags: new Set([1]) }, "a Set at /tags: it would become {}"],
    [{ user: Promise.resolve(1) }, "a Promise at /user: it would become {}"],
    [[/a/], "a RegExp at /0: it would become {}"],
    [{ error: new Error("a") }, "a Error at /error: it would become {}"],
    [{ bytes: new ArrayBuffer(2) }, "a ArrayBuffer at /bytes: it would become {}"],
    [{ query: new URLSearchParams("a=1") }, "a URLSearchParams at /query: it would become {}"],
    [{ tagged: new Tagged() }, "a Tagged1 at /tagged: it would become {}"],
  ];
  for (const [value, state] of refused) assertEquals(refusalOf(value), `JSON cannot encode ${state}`);
});

Deno.test("encodeJson() writes all other values like JSON.stringify", () => {
  class Point {
    readonly x = 1;
    readonly none = undefined;
    method(): void {}
  }
  let deep: unknown = null;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  const values = [
    null,
    [null, {}, [], "null", "{}", "NaN", ""],
    { a: undefined, b: (): number => 1, c: Symbol("c"), d: null },
    { at: new Date(0), none: null },
    { own: { toJSON: () => null }, empty: { toJSON: () => ({}) }, text: { toJSON: () => "a" } },
    [new Point(), new (class {})(), Object.create(null), Object.create({ inherited: NaN })],
    [new String(""), new Boolean(false), new Number(1), null],
    [Number.MAX_VALUE, Number.MIN_VALUE, -0, null],
    deep,
  ];
  for (const value of values) assert(encodeJson(value) === JSON.stringify(value));
});

Deno.test("encodeJson() returns the JSON text of a value, or fails if one of its parts would be lost", () => {
  const leaf = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom<unknown>(NaN, Infinity, undefined, null, "null", "{}", {}, [], 1.5),
    fc.constantFrom<() => unknown>(
      () => new Map(),
      () => new Set([1]),
      () => new Date(0),
      () => new Date(NaN),
      () => () => 1,
    )
      .map((make) => make()),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "__proto__", "null"), tie("value"), { maxKeys: 3 }),
      tie("value").map((value) => ({ toJSON: () => value })),
    ),
  }));
  /** Whether JSON has a word for a value, as the rules are written in the documentation. */
  const isCarried = (value: unknown, inList: boolean): boolean => {
    if (value instanceof Date) return !Number.isNaN(value.getTime());
    const written = (value as { toJSON?: () => unknown } | undefined | null)?.toJSON
      ? (value as { toJSON: () => unknown }).toJSON()
      : value;
    if (typeof written === "number") return Number.isFinite(written);
    if (written === undefined || typeof written === "function") return !inList;
    if (typeof written !== "object" || written === null) return true;
    if (written instanceof Map || written instanceof Set) return false;
    if (Array.isArray(written)) return [...written].every((part) => isCarried(part, true));
    return !(written instanceof Date) && Object.values(written).every((part) => isCarried(part, false));
  };
  fc.assert(
    fc.property(value, (value) => {
      const text = JSON.stringify(value);
      if (text !== undefined && isCarried(value, false)) assertEquals(encodeJson(value), text);
      else assertThrows(() => encodeJson(value), TypeError, "JSON cannot encode");
    }),
    tries(1_000),
  );
});

const Reading = type({ value: "number" });
const Dated = codec(type({ value: "number" }), type({ value: "number" }), { decode: (it) => it, encode: (it) => it });
const contract = defineContract({
  routes: {
    json: route.get("/json", { responses: { 200: response.json<{ value: number }>() } }),
    checked: route.get("/checked", { responses: { 200: response.json(anything<{ value: number }>()) } }),
    problem: route.get("/problem", { responses: { 400: response.problem() } }),
    lines: route.get("/lines", { responses: { 200: response.ndjson(anything<{ value: number }>()) } }),
    events: route.get("/events", { responses: { 200: response.sse(anything<{ value: number }>()) } }),
    send: route.post("/send", { body: request.json(Reading), responses: { 204: response.empty() } }),
    sendCodec: route.post("/send-codec", { body: request.json(Dated), responses: { 204: response.empty() } }),
  },
});

function mount(options: FetchOptions): ReturnType<typeof createFetchHandler> {
  const value = NaN;
  const server = defineServer(contract).implement({
    json: ({ response }) => response(200, { value }),
    checked: ({ response }) => response(200, { value }),
    problem: ({ response }) => response(400, { title: "No", value }),
    lines: ({ response }) => response(200, [{ value: 1 }, { value }]),
    events: ({ response }) => response(200, [{ data: { value: 1 } }, { data: { value } }]),
    send: ({ response }) => response(204),
    sendCodec: ({ response }) => response(204),
  });
  return createFetchHandler(server, options);
}

Deno.test("a body with NaN is a 500 in phase encode, whose error names its place", async () => {
  for (const path of ["json", "checked", "problem"]) {
    const { heard, onError } = listen();
    const answer = await mount({ onError })(new Request(`http://localhost/${path}`));
    assertEquals([answer.status, (await answer.json()).code], [500, "internal-error"]);
    assertEquals(heard.map(({ phase, error }) => [phase, (error as Error).message]), [
      ["encode", "JSON cannot encode NaN at /value: it would become null"],
    ]);
  }
});

Deno.test("an item with NaN cuts its stream off, and onError receives its place", async () => {
  for (const path of ["lines", "events"]) {
    const { heard, onError } = listen();
    const answer = await mount({ onError })(new Request(`http://localhost/${path}`));
    await assertRejects(() => answer.text());
    assertEquals(heard.map(({ phase, error }) => [phase, (error as Error).message]), [
      ["stream", "JSON cannot encode NaN at /value: it would become null"],
    ]);
  }
});

Deno.test("createClient() calls refuse NaN in a body before anything is sent", async () => {
  let sent = 0;
  const fetch = (): Promise<Response> => Promise.resolve(new Response(null, { status: sent++ ? 204 : 204 }));
  const client = createClient(contract, { baseUrl: "http://localhost", fetch });
  for (const call of [client.send, client.sendCodec]) {
    const error = await assertRejects(() => call({ body: { value: Infinity } }), ClientError);
    assertEquals(error.code, "invalid-input");
    assert(/Infinity/.test(error.message), error.message);
  }
  assertEquals(sent, 0);
});
