import { codec, defineContract, request, response, route, router } from "@scope/api";
import { type CallOptions, type Client, createClient, unwrap } from "@scope/api/client";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { assertType, type IsAny, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const Moment = codec(type({ at: "string" }), type({ at: "Date" }), {
  decode: ({ at }) => ({ at: new Date(at) }),
  encode: ({ at }) => ({ at: at.toISOString() }),
});
const ok = { 200: response.empty() };

const contract = defineContract({
  basePath: "/api",
  responses: { 401: response.json(type({ reason: "string" })) },
  routes: {
    health: route.get("/health", { responses: { 200: response.text() } }),
    raw: route.get("/raw/:a/:b", { responses: ok }),
    inputs: router("/inputs/:id", {
      routes: {
        arktype: route.put("/a", {
          params: type({ id: "string.integer.parse" }),
          query: type({ "page?": "string", tags: "string[]" }),
          body: type({ name: "string", "note?": "string" }),
          responses: ok,
        }),
        zod: route.put("/b", {
          params: z.object({ id: z.string() }),
          query: z.object({ page: z.coerce.number().default(1), sort: z.enum(["up", "down"]).optional() }),
          body: z.object({ n: z.number().default(0) }),
          responses: ok,
        }),
        valibot: route.put("/c", {
          params: v.object({ id: v.pipe(v.string(), v.transform(Number)) }),
          query: v.object({ page: v.optional(v.string(), "1") }),
          body: v.object({ n: v.optional(v.number(), 0) }),
          responses: ok,
        }),
      },
    }),
    optional: route.get("/optional", { query: type({ "q?": "string" }), responses: ok }),
    headers: route.get("/headers", { headers: type({ "x-trace": "string", "x-user?": "string" }), responses: ok }),
    codec: route.post("/codec", {
      query: Moment,
      body: request.json(Moment),
      responses: { 200: response.json(Moment) },
    }),
    text: route.post("/text", { body: request.text(), responses: ok }),
    bytes: route.post("/bytes", { body: request.bytes(), responses: ok }),
    typed: route.post("/typed", { body: request.json<{ n: number }>(), responses: ok }),
    untyped: route.post("/untyped", { body: request.json(), responses: ok }),
    form: route.post("/form", { body: request.form(type({ a: "string", "tags?": "string[]" })), responses: ok }),
    formCodec: route.post("/form-codec", { body: request.form(Moment), responses: ok }),
    coercedForm: route.post("/coerced", { body: request.form(z.object({ n: z.coerce.number() })), responses: ok }),
    formData: route.post("/form-data", {
      body: request.formData(type({ file: "File", "note?": "string" })),
      responses: ok,
    }),
    formDataCodec: route.post("/form-data-codec", { body: request.formData(Moment), responses: ok }),
    nativeFormData: route.post("/native", { body: request.formData(), responses: ok }),
    stream: route.post("/stream", { body: request.stream(), responses: ok }),
    optionalBodies: router("/optional", {
      routes: {
        json: route.post("/json", { body: request.json(type({ n: "number" }), { optional: true }), responses: ok }),
        stream: route.post("/stream", { body: request.stream({ optional: true }), responses: ok }),
        form: route.post("/form", { body: request.form(type({ a: "string" }), { optional: true }), responses: ok }),
        typed: route.post("/typed", { body: request.json<{ n: number }>({ optional: true }), responses: ok }),
      },
    }),
    results: route.get("/results", {
      responses: {
        200: response.json(type({ id: "string", n: "string.integer.parse" })),
        201: response.json(z.object({ n: z.number().default(0) })),
        202: response.json(v.object({ n: v.optional(v.number(), 0) })),
        203: response.text(type("'a' | 'b'")),
        204: response.empty({ headers: type({ etag: "string", "x-left?": "string", "set-cookie?": "string[]" }) }),
        206: response.bytes(),
        404: response.text(),
      },
    }),
    peek: route.head("/peek", { responses: { 200: response.json(type({ id: "string" })) } }),
  },
});
const client = createClient(contract, { baseUrl: "https://api.example.com" });
type Calls = typeof client;

/** The arguments of a call. */
type Given<Call> = Call extends (...given: infer Arguments) => unknown ? Arguments : never;
/** The first argument of a call, and its slots. */
type Input<Call> = NonNullable<Given<Call>[0]>;
type Slot<Call, Name extends string> = Input<Call> extends { readonly [Key in Name]?: infer Value } ? Value
  : "no such slot";
/** The result of a call, for one status. */
type Results<Call> = Call extends (...given: never) => Promise<infer Result> ? Result : never;
type ResultAt<Call, Status> = Extract<Results<Call>, { readonly status: Status }>;

Deno.test("CallArguments accepts only options if no slot is declared", () => {
  assertType<IsExact<Given<Calls["health"]>, [options?: CallOptions]>>(true);
  assertType<IsExact<Parameters<Calls["health"]["url"]>, []>>(true);
  assertType<IsExact<Given<Calls["health"]["request"]>, [options?: CallOptions]>>(true);
});

Deno.test("CallArguments requires an input if a slot is required", () => {
  assertType<IsExact<Given<Calls["raw"]>["length"], 1 | 2>>(true);
  assertType<IsExact<Given<Calls["headers"]>["length"], 1 | 2>>(true);
  assertType<IsExact<Given<Calls["text"]>["length"], 1 | 2>>(true);
  assertType<IsExact<Given<Calls["raw"]>[1], CallOptions | undefined>>(true);
});

Deno.test("CallArguments allows an input to be omitted if every slot is optional", () => {
  assertType<IsExact<Given<Calls["optional"]>["length"], 0 | 1 | 2>>(true);
  assertType<[] extends Parameters<Calls["optional"]["url"]> ? true : false>(true);
  assertType<Record<never, never> extends Input<Calls["optional"]> ? true : false>(true);
  assertType<IsExact<Slot<Calls["optional"], "query">, { readonly q?: string | undefined } | undefined>>(true);
});

Deno.test("CallInput has raw params with the names of the full path", () => {
  type Value = string | number | bigint | boolean;
  assertType<IsExact<Slot<Calls["raw"], "params">, { readonly a: Value; readonly b: Value }>>(true);
});

Deno.test("CallInput has each schema's input", () => {
  type ArkType = Calls["inputs"]["arktype"];
  assertType<IsExact<Slot<ArkType, "params">, { id: string }>>(true);
  assertType<IsExact<Slot<ArkType, "query">, { readonly page?: string | undefined; readonly tags: string[] }>>(true);
  assertType<IsExact<Slot<ArkType, "body">, { name: string; note?: string }>>(true);
  type Valibot = Calls["inputs"]["valibot"];
  assertType<IsExact<Slot<Valibot, "params">, { id: string }>>(true);
  assertType<IsExact<Slot<Valibot, "query">, { readonly page?: string | undefined } | undefined>>(true);
  assertType<IsExact<Slot<Valibot, "body">, { n?: number | undefined }>>(true);
  type Zod = Calls["inputs"]["zod"];
  assertType<IsExact<Slot<Zod, "params">, { id: string }>>(true);
  assertType<IsExact<NonNullable<Slot<Zod, "query">>["sort"], "up" | "down" | undefined>>(true);
  assertType<IsExact<Slot<Zod, "body">, { n?: number | undefined }>>(true);
});

Deno.test("CallInput accepts any value that becomes text if a schema coerces", () => {
  type Value = string | number | bigint | boolean;
  type Page = NonNullable<Slot<Calls["inputs"]["zod"], "query">>["page"];
  assertType<IsExact<Page, Value | readonly Value[] | undefined>>(true);
});

Deno.test("CallInput has each representation's value", () => {
  assertType<IsExact<Slot<Calls["text"], "body">, string>>(true);
  assertType<IsExact<Slot<Calls["bytes"], "body">, Uint8Array | ArrayBuffer | Blob>>(true);
  assertType<IsExact<Slot<Calls["typed"], "body">, { n: number }>>(true);
  assertType<IsExact<Slot<Calls["untyped"], "body">, unknown>>(true);
  assertType<
    IsExact<Slot<Calls["headers"], "headers">, { readonly "x-trace": string; readonly "x-user"?: string | undefined }>
  >(
    true,
  );
});

Deno.test("CallInput has the fields, files and streams of a body", () => {
  type Value = string | number | bigint | boolean;
  type Field<Part> = Part | readonly Part[] | undefined;
  interface Upload {
    readonly file: File;
    readonly note?: string | undefined;
  }
  assertType<IsExact<Slot<Calls["form"], "body">, { readonly a: string; readonly tags?: string[] | undefined }>>(true);
  assertType<IsExact<Slot<Calls["formCodec"], "body">, { at: Date }>>(true);
  assertType<IsExact<Slot<Calls["coercedForm"], "body">["n"], Field<Value>>>(true);
  assertType<IsExact<Exclude<Slot<Calls["formData"], "body">, FormData>, Upload>>(true);
  assertType<FormData extends Slot<Calls["formData"], "body"> ? true : false>(true);
  assertType<IsExact<Slot<Calls["formDataCodec"], "body">, { at: Date }>>(true);
  assertType<
    IsExact<Exclude<Slot<Calls["nativeFormData"], "body">, FormData>, Readonly<Record<string, Field<Value | Blob>>>>
  >(true);
  assertType<IsExact<Slot<Calls["stream"], "body">, Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>>>(
    true,
  );
});

Deno.test("CallInput allows an optional body to be omitted or undefined", () => {
  type Optional = Calls["optionalBodies"];
  assertType<IsExact<Given<Optional["json"]>["length"], 0 | 1 | 2>>(true);
  assertType<IsExact<Given<Optional["stream"]>["length"], 0 | 1 | 2>>(true);
  assertType<IsExact<Given<Calls["stream"]>["length"], 1 | 2>>(true);
  assertType<IsExact<Given<Calls["form"]>["length"], 1 | 2>>(true);
  assertType<IsExact<Slot<Optional["json"], "body">, { n: number } | undefined>>(true);
  assertType<IsExact<Slot<Optional["typed"], "body">, { n: number } | undefined>>(true);
  assertType<IsExact<Slot<Optional["form"], "body">, { a: string } | undefined>>(true);
});

Deno.test("CallInput has a codec's application value", () => {
  assertType<IsExact<Slot<Calls["codec"], "query">, { at: Date }>>(true);
  assertType<IsExact<Slot<Calls["codec"], "body">, { at: Date }>>(true);
});

Deno.test("UrlArguments accepts only params and query", () => {
  type Url = Parameters<Calls["inputs"]["arktype"]["url"]>;
  assertType<IsExact<keyof Url[0], "params" | "query">>(true);
  assertType<IsExact<Url["length"], 1>>(true);
  assertType<IsExact<Url[0]["params"], { id: string }>>(true);
  assertType<IsExact<Parameters<Calls["text"]["url"]>, []>>(true);
  assertType<IsExact<ReturnType<Calls["raw"]["url"]>, string>>(true);
  assertType<IsExact<ReturnType<Calls["raw"]["request"]>, Promise<Request>>>(true);
});

Deno.test("ClientResult is a union by status, including inherited ones", () => {
  type Status = Results<Calls["results"]>["status"];
  assertType<IsExact<Status, 200 | 201 | 202 | 203 | 204 | 206 | 401 | 404>>(true);
  assertType<IsExact<ResultAt<Calls["results"], 401>["body"], { reason: string }>>(true);
  assertType<IsExact<keyof ResultAt<Calls["results"], 401>, "status" | "body" | "headers" | "response">>(true);
  assertType<IsExact<ResultAt<Calls["results"], 401>["response"], Response>>(true);
});

Deno.test("ClientResult has each body as it was sent", () => {
  type Call = Calls["results"];
  assertType<IsExact<ResultAt<Call, 200>["body"], { id: string; n: number }>>(true);
  assertType<IsExact<ResultAt<Call, 201>["body"], { n: number }>>(true);
  assertType<IsExact<ResultAt<Call, 202>["body"], { n: number }>>(true);
  assertType<IsExact<ResultAt<Call, 203>["body"], "a" | "b">>(true);
  assertType<IsExact<ResultAt<Call, 204>["body"], undefined>>(true);
  assertType<IsExact<ResultAt<Call, 206>["body"], Uint8Array<ArrayBuffer>>>(true);
  assertType<IsExact<ResultAt<Call, 404>["body"], string>>(true);
  assertType<IsExact<ResultAt<Calls["codec"], 200>["body"], { at: Date }>>(true);
  assertType<IsExact<ResultAt<Calls["peek"], 200>["body"], undefined>>(true);
});

Deno.test("ClientResult has typed headers if they are declared", () => {
  type Declared = ResultAt<Calls["results"], 204>["headers"];
  assertType<IsExact<Declared["etag"], string>>(true);
  assertType<IsExact<Declared["x-left"], string | undefined>>(true);
  assertType<IsExact<Declared["set-cookie"], readonly string[] | undefined>>(true);
  assertType<IsExact<ResultAt<Calls["results"], 200>["headers"], Headers>>(true);
});

Deno.test("unwrap() returns the bodies of the 2xx results", () => {
  const use = (results: Results<Calls["results"]>, health: Results<Calls["health"]>): void => {
    const body = unwrap(results);
    assertType<
      IsExact<
        typeof body,
        { id: string; n: number } | { n: number } | "a" | "b" | undefined | Uint8Array<ArrayBuffer>
      >
    >(true);
    const text = unwrap(health);
    assertType<IsExact<typeof text, string>>(true);
  };
  void use;
});

Deno.test("Client has the contract's keys", () => {
  assertType<IsExact<Calls, Client<typeof contract.routes>>>(true);
  assertType<IsExact<keyof Calls, keyof Omit<typeof contract.routes, `~scope/${string}`>>>(true);
  assertType<IsExact<keyof Calls["inputs"], "arktype" | "zod" | "valibot">>(true);
});

Deno.test("ClientResult and CallInput do not contain any", () => {
  assertType<IsAny<Results<Calls["results"]>>>(false);
  assertType<IsAny<ResultAt<Calls["results"], 200>["body"]>>(false);
  assertType<IsAny<ResultAt<Calls["results"], 200>["headers"]>>(false);
  assertType<IsAny<Given<Calls["raw"]>[0]>>(false);
  assertType<IsAny<Slot<Calls["inputs"]["zod"], "query">>>(false);
  assertType<IsAny<Slot<Calls["untyped"], "body">>>(false);
});

Deno.test("CallInput allows undefined for optional values, because it is omitted", () => {
  type Headers = Slot<Calls["headers"], "headers">;
  const given: Headers = { "x-trace": "1", "x-user": undefined };
  // @ts-expect-error -- required values must be passed
  const missing: Headers = { "x-trace": undefined, "x-user": undefined };
  assertEquals(Object.keys({ ...given, ...missing }), ["x-trace", "x-user"]);
});

Deno.test("callers may pass numbers if the input of a text slot's schema contains numbers, and handlers receive numbers", () => {
  const Integer = {
    zod: z.coerce.number<string | number>().int(),
    ark: type("string.integer.parse | number.integer"),
    valibot: v.pipe(v.union([v.string(), v.number()]), v.toNumber(), v.integer()),
  };
  const numbers = defineContract({
    routes: {
      zod: route.get("/zod/:id", { params: z.object({ id: Integer.zod }), responses: ok }),
      ark: route.get("/ark/:id", { params: type({ id: Integer.ark }), responses: ok }),
      valibot: route.get("/valibot/:id", { params: v.object({ id: Integer.valibot }), responses: ok }),
      zodDefault: route.get("/zod", { query: z.object({ page: Integer.zod.default(1) }), responses: ok }),
      arkDefault: route.get("/ark", { query: type({ page: Integer.ark.default(1) }), responses: ok }),
      valibotDefault: route.get("/valibot", {
        query: v.object({ page: v.optional(Integer.valibot, 1) }),
        responses: ok,
      }),
    },
  });
  type Calls = Client<typeof numbers.routes>;
  type Params<Key extends "zod" | "ark" | "valibot"> = Parameters<Calls[Key]>[0]["params"]["id"];
  type Page<Key extends "zodDefault" | "arkDefault" | "valibotDefault"> = NonNullable<
    NonNullable<Parameters<Calls[Key]>[0]>["query"]
  >["page"];
  assertType<IsExact<[Params<"zod">, Params<"ark">, Params<"valibot">], Repeat<string | number>>>(true);
  assertType<
    IsExact<[Page<"zodDefault">, Page<"arkDefault">, Page<"valibotDefault">], Repeat<string | number | undefined>>
  >(true);

  defineServer(numbers).implement({
    zod: ({ params, response }) => (assertType<IsExact<typeof params.id, number>>(true), response(200)),
    ark: ({ params, response }) => (assertType<IsExact<typeof params.id, number>>(true), response(200)),
    valibot: ({ params, response }) => (assertType<IsExact<typeof params.id, number>>(true), response(200)),
    zodDefault: ({ query, response }) => (assertType<IsExact<typeof query.page, number>>(true), response(200)),
    arkDefault: ({ query, response }) => (assertType<IsExact<typeof query.page, number>>(true), response(200)),
    valibotDefault: ({ query, response }) => (assertType<IsExact<typeof query.page, number>>(true), response(200)),
  });
});

type Repeat<Value> = [Value, Value, Value];
