/** The name of a declaration's representation, and whether its schema is a codec, as literal types. */
import {
  codec,
  defineContract,
  representation,
  request,
  type RequestBody,
  response,
  type ResponseDeclaration,
  route,
} from "@scope/api";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const User = type({ name: "string" });
const Day = codec(type("string"), type("Date"), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const csv = representation<string>({ contentType: "text/csv", encode: String, decode: () => "" });
const fields = codec(type({ day: "string" }), type({ day: "Date" }), {
  decode: ({ day }) => ({ day: new Date(day) }),
  encode: ({ day }) => ({ day: day.toISOString() }),
});

type CodecOf<Declared extends { readonly types?: { readonly isCodec?: boolean } }> = NonNullable<
  Declared["types"]
>["isCodec"];

const bodies = {
  bare: request.json(),
  json: request.json(User),
  optional: request.json(Day, { optional: true }),
  text: request.text({ contentType: "text/*" }),
  encodedText: request.text(Day),
  bytes: request.bytes(),
  form: request.form(fields),
  formData: request.formData(User),
  stream: request.stream(),
  as: request.as(csv, Day),
};

const responses = {
  json: response.json(User),
  encodedJson: response.json(Day),
  bare: response.json(),
  text: response.text(Day),
  bytes: response.bytes(),
  empty: response.empty(),
  problem: response.problem(),
  stream: response.stream(),
  ndjson: response.ndjson(Day),
  sse: response.sse(User),
  raw: response.raw(),
  as: response.as(csv),
};

Deno.test("a request body has the name of its representation as a literal type", () => {
  type Kinds = { [Key in keyof typeof bodies]: typeof bodies[Key]["kind"] };
  assertType<
    IsExact<Kinds, {
      bare: "json";
      json: "json";
      optional: "json";
      text: "text";
      encodedText: "text";
      bytes: "bytes";
      form: "form";
      formData: "formData";
      stream: "stream";
      as: "as";
    }>
  >(true);
});

Deno.test("the type of a request body contains whether its schema is a codec", () => {
  type Codecs = { [Key in keyof typeof bodies]: CodecOf<typeof bodies[Key]> };
  assertType<
    IsExact<Codecs, {
      bare: false;
      json: false;
      optional: true;
      text: false;
      encodedText: true;
      bytes: false;
      form: true;
      formData: false;
      stream: false;
      as: true;
    }>
  >(true);
});

Deno.test("a response has the name of its representation as a literal type", () => {
  type Kinds = { [Key in keyof typeof responses]: typeof responses[Key]["kind"] };
  assertType<
    IsExact<Kinds, {
      json: "json";
      encodedJson: "json";
      bare: "json";
      text: "text";
      bytes: "bytes";
      empty: "empty";
      problem: "problem";
      stream: "stream";
      ndjson: "ndjson";
      sse: "sse";
      raw: "raw";
      as: "as";
    }>
  >(true);
});

Deno.test("the type of a response with a schema contains whether it is a codec", () => {
  assertType<IsExact<CodecOf<typeof responses.json>, false>>(true);
  assertType<IsExact<CodecOf<typeof responses.encodedJson>, true>>(true);
  assertType<IsExact<CodecOf<typeof responses.text>, true>>(true);
  assertType<IsExact<CodecOf<typeof responses.ndjson>, true>>(true);
  assertType<IsExact<CodecOf<typeof responses.sse>, false>>(true);
});

Deno.test("the nodes of a contract keep both", () => {
  const contract = defineContract({
    routes: {
      add: route.post("/", { body: Day, responses: { 200: response.sse(User), 404: response.json(Day) } }),
      typed: route.put("/", { body: request.form(User), responses: { 204: response.empty() } }),
    },
  });
  type Add = typeof contract.routes.add;
  assertType<IsExact<Add["body"]["kind"], "json">>(true);
  assertType<IsExact<CodecOf<Add["body"]>, true>>(true);
  assertType<IsExact<Add["responses"][200]["kind"], "sse">>(true);
  assertType<IsExact<CodecOf<Add["responses"][404]>, true>>(true);
  assertType<IsExact<typeof contract.routes.typed["body"]["kind"], "form">>(true);
});

Deno.test("a declaration without literals accepts all declarations, and one with literals accepts no other", () => {
  assertType<IsExact<typeof bodies[keyof typeof bodies] extends RequestBody ? true : false, true>>(true);
  assertType<IsExact<typeof responses[keyof typeof responses] extends ResponseDeclaration ? true : false, true>>(true);
  const json: typeof responses.json = response.json(User);
  const unchanged = (text: string): string => text;
  const encodedText = response.json(codec(type("string"), type("string"), { decode: unchanged, encode: unchanged }));
  // @ts-expect-error problems are another representation
  const problem: typeof responses.json = response.problem(User);
  // @ts-expect-error a codec is declared
  const encoded: typeof encodedText = response.json(type("string"));
  // @ts-expect-error a form is another representation
  const form: typeof bodies.json = request.form(User);
  void [json, problem, encoded, form];
});
