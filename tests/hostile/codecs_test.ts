/**
 * In every slot and representation at once: one side decodes exactly the value that the other side's codec encoded,
 * whichever of its parts are asynchronous; a value that cannot be carried makes the call throw, and the handler does
 * not run.
 */
import { type Codec, codec, defineContract, request, response, route } from "@scope/api";
import { type ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { schemaOf } from "../support/hostile_schemas.ts";
import { atPace, paces } from "../support/paces.ts";
import { rejectionsOf } from "../support/rejections.ts";
import { tries } from "../support/tries.ts";

type Convert = (value: unknown) => unknown;

/** A value as applications have it. No wire carries a `Map`, so none that arrived was left as it is. */
const wrap = (value: unknown): Map<"value", unknown> => new Map([["value", value]]);

const reverseText: Convert = (text) => Array.from(text as string).reverse().join("");
const reverseBytes: Convert = (bytes) => (bytes as Uint8Array).toReversed();
const reverseJson: Convert = (value) =>
  Array.isArray(value) ? value.map(reverseJson).reverse() : typeof value === "string" ? reverseText(value) : value;

/** Reverses these fields, and omits all others: a request has header fields of its own. */
const reverseFields = (...names: string[]): Convert => (fields) =>
  Object.fromEntries(names.map((name) => [name, reverseText((fields as Record<string, string>)[name])]));

/** How codecs convert the bodies of each representation, in both directions, and a body with a text. */
const requests: Readonly<Record<string, readonly [Convert, (text: string) => unknown]>> = {
  json: [reverseJson, (text) => [text, [null, 1.5, [text, ""]], true]],
  text: [reverseText, (text) => text],
  bytes: [reverseBytes, (text) => new TextEncoder().encode(text)],
  form: [reverseFields("a", "b"), (text) => ({ a: text, b: "b" })],
  formData: [reverseFields("a", "b"), (text) => ({ a: text.replaceAll(/[\r\n]/g, "-"), b: "b" })],
};
const responses: typeof requests = {
  json: requests.json!,
  text: requests.text!,
  bytes: requests.bytes!,
  problem: [reverseFields("title", "detail"), (text) => ({ title: text, detail: "b" })],
  ndjson: [reverseJson, (text) => [text, null, [text, ""]]],
  sse: [reverseJson, (text) => [text, null, [text, ""]]],
};

const pace = fc.constantFrom(...paces);
const way = fc.record({
  takes: fc.constantFrom(...Object.keys(requests)),
  gives: fc.constantFrom(...Object.keys(responses)),
  /** The paces of the four parts of each codec. */
  paces: fc.array(fc.tuple(pace, pace, pace, pace), { minLength: 6, maxLength: 6 }),
  options: fc.constantFrom({}, { maxBodyBytes: 1_000_000 }, { preserveRequestBody: true }),
  call: fc.constantFrom({}, { signal: new AbortController().signal }), // with it, a client has a reader of its own
});
type Way = typeof way extends fc.Arbitrary<infer Given> ? Given : never;

function codecOf([wire, application, decode, encode]: Way["paces"][number], convert: Convert): Codec {
  const check = (value: unknown): { value: unknown } | { issues: { message: string }[] } =>
    value instanceof Map ? { value } : { issues: [{ message: "not an application's value" }] };
  return codec(
    schemaOf<unknown>((value) => atPace(wire, () => ({ value })) as never),
    schemaOf<unknown>((value) => atPace(application, () => check(value)) as never),
    {
      decode: (value) => atPace(decode, () => wrap(convert(value))),
      encode: (value) => atPace(encode, () => convert((value as ReturnType<typeof wrap>).get("value"))) as never,
    },
  );
}

/** Sends a text in every slot and back. Returns what each side sent, and what the other received. */
async function exchange(text: string, { takes, gives, paces, options, call }: Way): Promise<Record<string, unknown>> {
  const slots = [reverseFields("id"), reverseFields("q"), reverseFields("x-a"), requests[takes]![0]];
  const [params, query, headers, body, answer, answerHeaders] = [...slots, responses[gives]![0], reverseFields("x-b")]
    .map((convert, index) => codecOf(paces[index]!, convert)) as never[];
  const answers = { 200: response[gives as "json"](answer!, { headers: answerHeaders! }) };
  const it = route.post("/it/:id", {
    ...{ params: params!, query: query!, headers: headers!, body: request[takes as "json"](body!) },
    responses: answers,
  });
  const contract = defineContract({ routes: { it } });
  const field = text.replaceAll(/[^\x21-\x7e\x80-\xff]/g, "-");
  const input = {
    params: wrap({ id: text === "" ? "-" : text }),
    query: wrap({ q: text }),
    headers: wrap({ "x-a": field }),
    body: wrap(requests[takes]![1](text)),
  };
  const output = responses[gives]![1](text);
  const items = { ndjson: wrap, sse: (item: unknown) => ({ data: wrap(item) }) }[gives];
  const sent = {
    body: items ? (output as unknown[]).map((item) => items(item)) : wrap(output),
    headers: wrap({ "x-b": field }),
  };
  let heard: unknown;
  const implementation = defineServer(contract).implement({
    it: (({ params, query, headers, body }: Record<string, unknown>) => {
      heard = { params, query, headers, body };
      return { status: 200, ...sent };
    }) as never,
  });
  const fetch = createFetchHandler(implementation, options);
  const result = await createClient(contract, { baseUrl: "http://localhost", fetch }).it(input as never, call)
    .catch((error) => error);
  if (result instanceof Error) return { error: result, heard };
  const received = items ? await Array.fromAsync(result.body as AsyncIterable<unknown>) : result.body;
  return { input, heard, sent, received: { body: received, headers: result.headers } };
}

const texts = [
  ...["", " ", "a", "+", "%", "&=", "\0", '"', "\uFEFF", "a\uFEFF", "é", "💚", "%2F", "/", "?", "#", "__proto__"],
  ...fc.sample(fc.string({ unit: "binary" }).filter((text) => !/^\.\.?$/.test(text)), tries(3)),
  ...["a\nb", "\r\n", "\\", "..a", "a, b; c=d", "data: x", "\u2028"],
];

// proves promises | Decoding reverses encoding in every slot
Deno.test("codec() round-trips in every slot and representation, synchronously or not", async (test) => {
  for (const text of texts) {
    await test.step(JSON.stringify(text), async () => {
      const unhandled = await rejectionsOf(() =>
        fc.assert(
          fc.asyncProperty(way, async (way) => {
            const { error, input, heard, sent, received } = await exchange(text, way);
            assertEquals([error, heard, received], [undefined, input, sent]);
          }),
          tries(6),
        )
      );
      assertEquals(unhandled, []);
    });
  }
});

Deno.test("a call with a parameter that no URL carries rejects, and the handler does not run", async () => {
  for (const text of [".", ".."]) {
    await fc.assert(
      fc.asyncProperty(way, async (way) => {
        const { error, heard } = await exchange(text, way);
        assertEquals([(error as ClientError).code, heard], ["invalid-input", undefined]);
      }),
      tries(10),
    );
  }
});
