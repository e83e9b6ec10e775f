/**
 * In every slot and representation at once: one side decodes exactly the value that the other side's codec encoded,
 * whichever of its parts are asynchronous; a value that cannot be carried makes the call throw, and the handler does
 * not run.
 */
import { type Codec, codec, defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { atPace, type Pace } from "./plan.ts";
import { rejectionsOf } from "../support/rejections.ts";
import { schemaOf } from "../support/hostile_schemas.ts";

/** A value as applications have it. No wire carries a `Map`, so none that got through was left as it is. */
type Value = Map<"value", unknown>;

const pace = fc.constantFrom<Pace>("now", "now", "soon", "late", "thenable");
const paces = fc.record({ wire: pace, application: pace, encode: pace, decode: pace });
type Paces = typeof paces extends fc.Arbitrary<infer Given> ? Given : never;

/** A codec that converts values with `turn`, which is its own inverse; each of its four parts has its own pace. */
function codecOf(paces: Paces, turn: (value: unknown) => unknown): Codec {
  const checkValue = (value: unknown): { value: unknown } | { issues: { message: string }[] } =>
    value instanceof Map ? { value } : { issues: [{ message: "not an application's value" }] };
  return codec(
    schemaOf<unknown>((value) => atPace(paces.wire, () => ({ value })) as never),
    schemaOf<unknown>((value) => atPace(paces.application, () => checkValue(value)) as never),
    {
      decode: (wire) => atPace(paces.decode, () => new Map([["value", turn(wire)]])),
      encode: (value) => atPace(paces.encode, () => turn((value as Value).get("value"))) as never,
    },
  );
}

function turnText(text: unknown): string {
  return Array.from(text as string).reverse().join("");
}

/** Converts the texts of the fields of these names, and omits all others: a request has header fields of its own. */
function turnFields(...names: string[]): (fields: unknown) => unknown {
  return (fields) =>
    Object.fromEntries(
      Object.entries(fields as Record<string, string>)
        .filter(([name]) => names.includes(name))
        .map(([name, text]) => [name, turnText(text)]),
    );
}

function turnJson(value: unknown): unknown {
  return Array.isArray(value) ? value.map(turnJson).reverse() : typeof value === "string" ? turnText(value) : value;
}

function turnBytes(bytes: unknown): Uint8Array {
  return (bytes as Uint8Array).slice().reverse();
}

const wellFormed = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", " ", "+", "%", "&=", "\0", '"', "\uFEFF", "a\uFEFF", "é", "%2F", "/", "?", "#", "__proto__"),
);
const segmentText = wellFormed.filter((text) => text !== "");
const fieldText = fc.string({
  unit: fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f).map((code) => String.fromCharCode(code)),
});
const formDataText = wellFormed.filter((text) => !/[\r\n]/.test(text));
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));

/** The representations of request bodies and of response bodies. */
const ways = {
  json: { body: json, turn: turnJson },
  text: { body: wellFormed, turn: turnText },
  bytes: { body: fc.uint8Array(), turn: turnBytes },
  form: { body: fc.record({ a: wellFormed, b: wellFormed }), turn: turnFields("a", "b") },
  formData: { body: fc.record({ a: formDataText, b: formDataText }), turn: turnFields("a", "b") },
} as const;
const returns = {
  json: { body: json, turn: turnJson },
  text: { body: wellFormed, turn: turnText },
  bytes: { body: fc.uint8Array(), turn: turnBytes },
  problem: { body: fc.record({ title: wellFormed, detail: wellFormed }), turn: turnFields("title", "detail") },
  ndjson: { body: fc.array(json, { maxLength: 4 }), turn: turnJson },
  sse: { body: fc.array(json, { maxLength: 4 }), turn: turnJson },
} as const;

const exchange = fc.constantFrom(...Object.keys(ways) as (keyof typeof ways)[]).chain((way) =>
  fc.constantFrom(...Object.keys(returns) as (keyof typeof returns)[]).chain((back) =>
    fc.record({
      way: fc.constant(way),
      back: fc.constant(back),
      params: segmentText,
      query: fc.record({ q: wellFormed }),
      headers: fieldText,
      body: ways[way].body as fc.Arbitrary<unknown>,
      answer: returns[back].body as fc.Arbitrary<unknown>,
      answerHeaders: fieldText,
      paces: fc.array(paces, { minLength: 6, maxLength: 6 }),
      options: fc.constantFrom({}, { maxBodyBytes: 1_000_000 }, { preserveRequestBody: true }),
      hasSignal: fc.boolean(), // with which a client reads bodies by a reader of its own
    })
  )
);
type Exchange = typeof exchange extends fc.Arbitrary<infer Given> ? Given : never;

// proves promises | Decoding reverses encoding in every slot
Deno.test("codec() round-trips in every slot and representation, synchronously or not", async () => {
  const unhandled = await rejectionsOf(async () => {
    await fc.assert(fc.asyncProperty(exchange, check), tries(80));
  });
  assertEquals(unhandled, []);
});

async function check(
  { way, back, params, query, headers, body, answer, answerHeaders, paces, options, hasSignal }: Exchange,
): Promise<void> {
  const [ofParams, ofQuery, ofHeaders, ofBody, ofAnswer, ofAnswerHeaders] = paces as [
    Paces,
    Paces,
    Paces,
    Paces,
    Paces,
    Paces,
  ];
  const contract = defineContract({
    routes: {
      it: route.post("/it/:id", {
        params: codecOf(ofParams, turnFields("id")) as never,
        query: codecOf(ofQuery, turnFields("q")) as never,
        headers: codecOf(ofHeaders, turnFields("x-a")) as never,
        body: request[way as "json"](codecOf(ofBody, ways[way].turn)),
        responses: {
          200: response[back as "json"](codecOf(ofAnswer, returns[back].turn) as never, {
            headers: codecOf(ofAnswerHeaders, turnFields("x-b")) as never,
          }),
        },
      }),
    },
  });
  const wrap = (value: unknown): Value => new Map([["value", value]]);
  const items = (answer as unknown[]) ?? [];
  const given = back === "ndjson"
    ? items.map(wrap)
    : back === "sse"
    ? items.map((item) => ({ data: wrap(item) }))
    : wrap(answer);
  let seen: Record<string, unknown> | undefined;
  const implementation = defineServer(contract).implement({
    it: (({ params, query, headers, body }: Record<string, unknown>) => {
      seen = { params, query, headers, body };
      return { status: 200, body: given, headers: wrap({ "x-b": answerHeaders }) };
    }) as never,
  });
  const client = createClient(contract, {
    baseUrl: "http://localhost",
    fetch: createFetchHandler(implementation, options),
  });
  const input = {
    params: wrap({ id: params }),
    query: wrap(query),
    headers: wrap({ "x-a": headers }),
    body: wrap(body),
  };
  const call = hasSignal ? { signal: new AbortController().signal } : {};
  const called = await client.it(input as never, call).catch((error) => error);
  if (params === "." || params === "..") {
    assertInstanceOf(called, ClientError);
    assertEquals([called.code, seen], ["invalid-input", undefined]);
    return;
  }
  assert(!(called instanceof Error), String(called));
  assertEquals(seen, input);
  assertEquals(called.headers as unknown, wrap({ "x-b": answerHeaders }));
  const isStream = back === "ndjson" || back === "sse";
  assertEquals(isStream ? await Array.fromAsync(called.body as AsyncIterable<unknown>) : called.body, given);
}
