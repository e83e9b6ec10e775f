import { codec, defineContract, request, type RequestOptions, response, route, router } from "@scope/api";
import { type ContextInput, defineServer, type Handler, type HandlersOf } from "@scope/api/server";
import { assertType, type IsAny, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const ok = { 200: response.empty() };
const Moment = codec(type({ at: "string" }), type({ at: "Date" }), {
  decode: ({ at }) => ({ at: new Date(at) }),
  encode: ({ at }) => ({ at: at.toISOString() }),
});

const optional = { optional: true } as const;
const perhaps: RequestOptions = {};

const contract = defineContract({
  basePath: "/api",
  routes: {
    bare: route.get("/bare", { responses: ok }),
    tenants: router("/tenants/:tenant", {
      routes: {
        raw: route.get("/users/:id/", { responses: ok }),
        own: route.get("/", { responses: ok }),
        arktype: route.get("/a/:id", { params: type({ tenant: "string", id: "string.integer.parse" }), responses: ok }),
        zod: route.get("/b/:id", { params: z.object({ id: z.coerce.number() }), responses: ok }),
        valibot: route.get("/c/:id", {
          params: v.object({ id: v.pipe(v.string(), v.transform(Number)) }),
          responses: ok,
        }),
      },
    }),
    queries: router("/queries", {
      routes: {
        arktype: route.get("/a", { query: type({ "page?": "string.integer.parse", tags: "string[]" }), responses: ok }),
        zod: route.get("/b", { query: z.object({ page: z.coerce.number().default(1) }), responses: ok }),
        valibot: route.get("/c", { query: v.object({ page: v.optional(v.string(), "1") }), responses: ok }),
        codec: route.get("/d", { query: Moment, responses: ok }),
      },
    }),
    headers: route.get("/headers", { headers: type({ "x-trace": "string", "x-user?": "string" }), responses: ok }),
    bodies: router("/bodies", {
      routes: {
        json: route.post("/json", { body: request.json(type({ n: "number", "note?": "string" })), responses: ok }),
        bare: route.post("/bare", { body: type({ n: "number" }), responses: ok }),
        zod: route.post("/zod", { body: z.object({ n: z.number().default(0) }), responses: ok }),
        valibot: route.post("/valibot", { body: v.object({ n: v.optional(v.number(), 0) }), responses: ok }),
        typed: route.post("/typed", { body: request.json<{ n: number }>(), responses: ok }),
        untyped: route.post("/untyped", { body: request.json(), responses: ok }),
        text: route.post("/text", { body: request.text(), responses: ok }),
        checkedText: route.post("/checked-text", { body: request.text(type("'a' | 'b'")), responses: ok }),
        parsedText: route.post("/parsed-text", { body: request.text(type("string.integer.parse")), responses: ok }),
        bytes: route.post("/bytes", { body: request.bytes(), responses: ok }),
        codec: route.post("/codec", { body: request.json(Moment), responses: ok }),
        bareCodec: route.post("/bare-codec", { body: Moment, responses: ok }),
        form: route.post("/form", {
          body: request.form(type({ n: "string.integer.parse", tags: "string[]" })),
          responses: ok,
        }),
        formCodec: route.post("/form-codec", { body: request.form(Moment), responses: ok }),
        formData: route.post("/form-data", { body: request.formData(z.object({ file: z.file() })), responses: ok }),
        nativeFormData: route.post("/native-form-data", { body: request.formData(), responses: ok }),
        stream: route.post("/stream", { body: request.stream(), responses: ok }),
      },
    }),
    optional: router("/optional", {
      routes: {
        json: route.post("/json", { body: request.json(type({ n: "number" }), optional), responses: ok }),
        typed: route.post("/typed", { body: request.json<{ n: number }>(optional), responses: ok }),
        text: route.post("/text", { body: request.text(optional), responses: ok }),
        checkedText: route.post("/checked", { body: request.text(type("'a'"), optional), responses: ok }),
        bytes: route.post("/bytes", { body: request.bytes(optional), responses: ok }),
        codec: route.post("/codec", { body: request.json(Moment, optional), responses: ok }),
        form: route.post("/form", { body: request.form(type({ a: "string" }), optional), responses: ok }),
        formData: route.post("/form-data", { body: request.formData(type({ a: "File" }), optional), responses: ok }),
        nativeFormData: route.post("/native", { body: request.formData(optional), responses: ok }),
        stream: route.post("/stream", { body: request.stream(optional), responses: ok }),
        not: route.post("/not", { body: request.text({ optional: false, description: "" }), responses: ok }),
        perhaps: route.post("/perhaps", { body: request.json(type({ n: "number" }), perhaps), responses: ok }),
      },
    }),
    all: route.put("/all/:id", {
      params: type({ id: "string" }),
      query: type({ q: "string" }),
      headers: type({ h: "string" }),
      body: type({ b: "string" }),
      responses: ok,
    }),
  },
});

const server = defineServer(contract);
type Server = HandlersOf<typeof server>;

/** The input of a route's handler. */
type Input<Of> = Of extends (input: infer Given) => unknown ? Given : never;
type Tools = "context" | "signal" | "route" | "response";
type Slots<Of> = Exclude<keyof Input<Of>, Tools>;
/** The exact type of one slot of a handler's input. */
type Slot<Of, Name extends string> = Input<Of> extends { readonly [Key in Name]: infer Value } ? Value : "no such slot";

Deno.test("HandlerInput has only the declared slots", () => {
  assertType<IsExact<keyof Input<Server["bare"]>, Tools>>(true);
  assertType<IsExact<Slots<Server["all"]>, "params" | "query" | "headers" | "body">>(true);
  assertType<IsExact<Slots<Server["tenants"]["raw"]>, "params">>(true);
  assertType<IsExact<Slots<Server["headers"]>, "headers">>(true);
  assertType<IsExact<Slots<Server["bodies"]["text"]>, "body">>(true);
});

Deno.test("HandlerInput has raw params with the names of the full path", () => {
  type Users = Server["tenants"];
  assertType<IsExact<Slot<Users["raw"], "params">, { readonly tenant: string; readonly id: string }>>(true);
  assertType<IsExact<Slot<Users["own"], "params">, { readonly tenant: string }>>(true);
});

Deno.test("HandlerInput has the params schema's output", () => {
  type Users = Server["tenants"];
  assertType<IsExact<Slot<Users["arktype"], "params">, { tenant: string; id: number }>>(true);
  assertType<IsExact<Slot<Users["zod"], "params">, { readonly tenant: string; id: number }>>(true);
  assertType<IsExact<Slot<Users["valibot"], "params">, { readonly tenant: string; id: number }>>(true);
});

Deno.test("HandlerInput has the query schema's output", () => {
  type Queries = Server["queries"];
  assertType<IsExact<Slot<Queries["arktype"], "query">, { page?: number; tags: string[] }>>(true);
  assertType<IsExact<Slot<Queries["zod"], "query">, { page: number }>>(true);
  assertType<IsExact<Slot<Queries["valibot"], "query">, { page: string }>>(true);
  assertType<IsExact<Slot<Queries["codec"], "query">, { at: Date }>>(true);
});

Deno.test("HandlerInput has the headers schema's output", () => {
  assertType<IsExact<Slot<Server["headers"], "headers">, { "x-trace": string; "x-user"?: string }>>(true);
});

Deno.test("HandlerInput has the body of its representation", () => {
  type Bodies = Server["bodies"];
  assertType<IsExact<Slot<Bodies["json"], "body">, { n: number; note?: string }>>(true);
  assertType<IsExact<Slot<Bodies["bare"], "body">, { n: number }>>(true);
  assertType<IsExact<Slot<Bodies["zod"], "body">, { n: number }>>(true);
  assertType<IsExact<Slot<Bodies["valibot"], "body">, { n: number }>>(true);
  assertType<IsExact<Slot<Bodies["typed"], "body">, { n: number }>>(true);
  assertType<IsExact<Slot<Bodies["untyped"], "body">, unknown>>(true);
  assertType<IsExact<Slot<Bodies["text"], "body">, string>>(true);
  assertType<IsExact<Slot<Bodies["checkedText"], "body">, "a" | "b">>(true);
  assertType<IsExact<Slot<Bodies["parsedText"], "body">, number>>(true);
  assertType<IsExact<Slot<Bodies["bytes"], "body">, Uint8Array<ArrayBuffer>>>(true);
});

Deno.test("HandlerInput has the fields, files and streams of a body", () => {
  type Bodies = Server["bodies"];
  assertType<IsExact<Slot<Bodies["form"], "body">, { n: number; tags: string[] }>>(true);
  assertType<IsExact<Slot<Bodies["formCodec"], "body">, { at: Date }>>(true);
  assertType<IsExact<Slot<Bodies["formData"], "body">, { file: File }>>(true);
  assertType<IsExact<Slot<Bodies["nativeFormData"], "body">, FormData>>(true);
  assertType<IsExact<Slot<Bodies["stream"], "body">, ReadableStream<Uint8Array<ArrayBuffer>>>>(true);
});

Deno.test("HandlerInput has undefined only for an optional body", () => {
  type Bodies = Server["optional"];
  assertType<IsExact<Slot<Bodies["json"], "body">, { n: number } | undefined>>(true);
  assertType<IsExact<Slot<Bodies["typed"], "body">, { n: number } | undefined>>(true);
  assertType<IsExact<Slot<Bodies["text"], "body">, string | undefined>>(true);
  assertType<IsExact<Slot<Bodies["checkedText"], "body">, "a" | undefined>>(true);
  assertType<IsExact<Slot<Bodies["bytes"], "body">, Uint8Array<ArrayBuffer> | undefined>>(true);
  assertType<IsExact<Slot<Bodies["codec"], "body">, { at: Date } | undefined>>(true);
  assertType<IsExact<Slot<Bodies["form"], "body">, { a: string } | undefined>>(true);
  assertType<IsExact<Slot<Bodies["formData"], "body">, { a: File } | undefined>>(true);
  assertType<IsExact<Slot<Bodies["nativeFormData"], "body">, FormData | undefined>>(true);
  assertType<IsExact<Slot<Bodies["stream"], "body">, ReadableStream<Uint8Array<ArrayBuffer>> | undefined>>(true);
  assertType<IsExact<Slot<Bodies["not"], "body">, string>>(true);
  assertType<IsExact<Slot<Bodies["perhaps"], "body">, { n: number } | undefined>>(true);
});

Deno.test("HandlerInput has a codec's application value", () => {
  assertType<IsExact<Slot<Server["bodies"]["codec"], "body">, { at: Date }>>(true);
  assertType<IsExact<Slot<Server["bodies"]["bareCodec"], "body">, { at: Date }>>(true);
});

Deno.test("HandlerInput contains the type of its route", () => {
  type Route = Input<Server["tenants"]["raw"]>["route"];
  assertType<IsExact<Route["key"], "tenants.raw">>(true);
  assertType<IsExact<Route["method"], "GET">>(true);
  assertType<IsExact<Route["path"], "/api/tenants/:tenant/users/:id">>(true);
  assertType<IsExact<Input<Server["bare"]>["signal"], AbortSignal>>(true);
});

/** The context that the handlers of a server see. */
type Context<Defined> = HandlersOf<Defined> extends { readonly bare: infer Of extends (input: never) => unknown }
  ? Input<Of> extends { readonly context: infer Value } ? Value : never
  : never;

Deno.test("defineServer() infers the context", () => {
  const sync = defineServer(contract, { context: () => ({ user: "ada" as const }) });
  const async_ = defineServer(contract, { context: async () => await Promise.resolve({ user: 1 }) });
  const either = defineServer(contract, {
    context: ({ request }) => request.url === "" ? { n: 1 } : Promise.resolve({ n: 2 }),
  });

  assertType<IsExact<Context<typeof server>, Record<never, never>>>(true);
  assertType<IsExact<Context<typeof sync>, { user: "ada" }>>(true);
  assertType<IsExact<Context<typeof async_>, { user: number }>>(true);
  assertType<IsExact<Context<typeof either>, { n: number }>>(true);
});

Deno.test("defineServer() types an unannotated context factory by what every adapter passes", () => {
  defineServer(contract, {
    context: (input) => {
      assertType<IsExact<keyof typeof input, keyof ContextInput | "caller">>(true);
      assertType<IsExact<typeof input.request, Request>>(true);
      return {};
    },
  });
});

Deno.test("defineServer() requires the inputs of an annotated context factory", () => {
  const needing = defineServer(contract, {
    context: ({ ip, request }: { ip: string; request: Request }) => ({ from: `${ip} ${request.url}` }),
  });
  type Needs = Parameters<NonNullable<ReturnType<typeof needing.implement>["~needs"]>>[0];

  assertType<IsExact<Context<typeof needing>, { from: string }>>(true);
  assertType<IsExact<Needs["ip"], string>>(true);
});

Deno.test("Handler of one node is the handler in HandlersOf", () => {
  type Raw = typeof contract.routes.tenants.raw;
  assertType<IsExact<Server["tenants"]["raw"], Handler<Raw, Record<never, never>>>>(true);
  assertType<IsExact<keyof Server, keyof Omit<typeof contract.routes, `~scope/${string}`>>>(true);
});

Deno.test("HandlerInput does not contain any", () => {
  assertType<IsAny<Input<Server["bare"]>["context"]>>(false);
  assertType<IsAny<Input<Server["bare"]>["response"]>>(false);
  assertType<IsAny<Slot<Server["bodies"]["untyped"], "body">>>(false);
  assertType<IsAny<Slot<Server["bodies"]["json"], "body">>>(false);
  assertType<IsAny<Slot<Server["all"], "params">>>(false);
  assertType<IsAny<Slot<Server["all"], "query">>>(false);
  assertType<IsAny<Slot<Server["all"], "headers">>>(false);
});
