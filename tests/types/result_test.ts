import { codec, defineContract, type Problem, response, route, type SentProblem } from "@scope/api";
import { type ClientError, createClient } from "@scope/api/client";
import { defineServer, type HandlersOf, type ResponseHeaders } from "@scope/api/server";
import { assertType, type IsAny, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const Moment = codec(type({ at: "string" }), type({ at: "Date" }), {
  decode: ({ at }) => ({ at: new Date(at) }),
  encode: ({ at }) => ({ at: at.toISOString() }),
});

const contract = defineContract({
  responses: { 401: response.json(type({ reason: "string" })) },
  routes: {
    mixed: route.get("/mixed", {
      responses: {
        200: response.json(type({ id: "string", "note?": "string" })),
        201: response.empty({ headers: type({ location: "string" }) }),
        202: response.text({ headers: type({ "x-left?": "string" }) }),
        204: response.empty(),
        206: response.bytes(),
        404: response.text(type("'none'")),
      },
    }),
    libraries: route.get("/libraries", {
      responses: {
        200: response.json(z.object({ n: z.number().default(0) })),
        201: response.json(v.object({ n: v.optional(v.number(), 0) })),
        202: response.json<{ n: number }>(),
        203: response.json(),
        206: response.json(Moment),
      },
    }),
  },
});
const server = defineServer(contract);
type Handlers = HandlersOf<typeof server>;

type Input<Key extends keyof Handlers> = Parameters<Handlers[Key]>[0];
type Result<Key extends keyof Handlers> = Awaited<ReturnType<Handlers[Key]>>;
type ResultAt<Key extends keyof Handlers, Status> = Extract<Result<Key>, { readonly status: Status }>;
/** Whether a plain object is a result of a route. */
type Accepts<Key extends keyof Handlers, Value> = [Value] extends [Result<Key>] ? true : false;

Deno.test("ResultOf is a union discriminated by the declared and inherited statuses", () => {
  assertType<IsExact<Result<"mixed">["status"], 200 | 201 | 202 | 204 | 206 | 401 | 404>>(true);
  assertType<IsExact<ResultAt<"mixed", 200>["body"], { id: string; note?: string }>>(true);
  assertType<IsExact<ResultAt<"mixed", 202>["body"], string>>(true);
  assertType<IsExact<ResultAt<"mixed", 206>["body"], Uint8Array>>(true);
  assertType<IsExact<ResultAt<"mixed", 401>["body"], { reason: string }>>(true);
  assertType<IsExact<ResultAt<"mixed", 404>["body"], "none">>(true);
});

Deno.test("ResultOf accepts a schema's input and a codec's application value", () => {
  assertType<IsExact<ResultAt<"libraries", 200>["body"], { n?: number | undefined }>>(true);
  assertType<IsExact<ResultAt<"libraries", 201>["body"], { n?: number | undefined }>>(true);
  assertType<IsExact<ResultAt<"libraries", 202>["body"], { n: number }>>(true);
  assertType<IsExact<ResultAt<"libraries", 206>["body"], { at: Date }>>(true);
});

Deno.test("ResultOf accepts equal plain objects", () => {
  assertType<Accepts<"mixed", { status: 200; body: { id: string } }>>(true);
  assertType<Accepts<"mixed", { status: 200; body: { id: string }; headers: { etag: string } }>>(true);
  assertType<Accepts<"mixed", { status: 204 }>>(true);
  assertType<Accepts<"mixed", { status: 201; headers: { location: string } }>>(true);
  assertType<Accepts<"mixed", { status: 202; body: string }>>(true);
  assertType<Accepts<"mixed", { status: 202; body: string; headers: { "x-left": string } }>>(true);
});

Deno.test("ResultOf refuses undeclared results", () => {
  assertType<Accepts<"mixed", { status: 200 }>>(false);
  assertType<Accepts<"mixed", { status: 500; body: { id: string } }>>(false);
  assertType<Accepts<"mixed", { status: 200; body: { reason: string } }>>(false);
  assertType<Accepts<"mixed", { status: 204; body: string }>>(false);
  assertType<Accepts<"mixed", { status: 201 }>>(false);
  assertType<Accepts<"mixed", { status: 201; headers: { etag: string } }>>(false);
  assertType<Accepts<"mixed", Response>>(false);
});

Deno.test("ResultOf types header fields if they are declared", () => {
  assertType<IsExact<ResultAt<"mixed", 201>["headers"], { location: string }>>(true);
  assertType<IsExact<ResultAt<"mixed", 202>["headers"], { "x-left"?: string } | undefined>>(true);
  assertType<IsExact<ResultAt<"mixed", 200>["headers"], ResponseHeaders | undefined>>(true);
});

Deno.test("CreateResult accepts the body and headers of its status", () => {
  const use = ({ response }: Input<"mixed">): void => {
    void response;
    assertType<IsExact<ReturnType<typeof response<200>>["status"], 200>>(true);
    assertType<
      IsExact<
        Parameters<typeof response<200>>,
        [status: 200, body: { id: string; note?: string }, headers?: ResponseHeaders]
      >
    >(true);
    assertType<
      IsExact<Parameters<typeof response<201>>, [status: 201, body: undefined, headers: { location: string }]>
    >(true);
    assertType<
      IsExact<Parameters<typeof response<202>>, [status: 202, body: string, headers?: { "x-left"?: string }]>
    >(true);
    assertType<
      IsExact<Parameters<typeof response<204>>, [status: 204, body?: undefined, headers?: ResponseHeaders]>
    >(true);
    assertType<
      IsExact<Parameters<typeof response<404>>, [status: 404, body: "none", headers?: ResponseHeaders]>
    >(true);
  };
  void use;
});

Deno.test("CreateResult returns a result that its handler may return", () => {
  const use = ({ response }: Input<"mixed">): Result<"mixed"> => {
    const created = response(200, { id: "1" });
    assertType<IsExact<typeof created["status"], 200>>(true);
    assertType<IsExact<typeof created["body"], { id: string; note?: string }>>(true);
    return Math.random() > 0.5 ? created : response(204);
  };
  void use;
});

Deno.test("a problem without a schema may be omitted or partial; the client receives a complete Problem", () => {
  const problems = defineContract({
    routes: {
      it: route.get("/", {
        responses: {
          404: response.problem(),
          409: response.problem({ headers: type({ "retry-after": "string" }) }),
          422: response.problem(type({ field: "string" })),
        },
      }),
    },
  });
  const server = defineServer(problems);
  type Handle = HandlersOf<typeof server>["it"];
  type Given = Extract<Awaited<ReturnType<Handle>>, { readonly status: 404 }>;
  const use = async ({ response }: Parameters<Handle>[0]): Promise<Awaited<ReturnType<Handle>>> => {
    assertType<
      IsExact<
        Parameters<typeof response<404>>,
        [status: 404, body?: SentProblem | undefined, headers?: ResponseHeaders]
      >
    >(true);
    assertType<
      IsExact<Parameters<typeof response<422>>, [status: 422, body: { field: string }, headers?: ResponseHeaders]>
    >(true);
    const result = await createClient(problems, { baseUrl: "https://a.example" }).it();
    if (result.status === 404) assertType<IsExact<typeof result.body, Problem>>(true);
    if (result.status === 409) assertType<IsExact<typeof result.body, Problem>>(true);
    return Math.random() > 0.5
      ? response(404, { detail: "No such task", task: 7 })
      : response(409, undefined, { "retry-after": "1" });
  };
  void use;
  assertType<IsExact<Given["body"], SentProblem | undefined>>(true);
  assertType<Given extends unknown ? [{ readonly status: 404 }] extends [Given] ? true : false : never>(true);
});

Deno.test("a client sees only the declared members of a problem, and a handler can return what it received", () => {
  const upstream = createClient(
    defineContract({
      routes: {
        it: route.get("/", { responses: { 200: response.json(type({ boat: "string" })), 404: response.problem() } }),
      },
    }),
    { baseUrl: "https://a.example" },
  );
  const server = defineServer(
    defineContract({
      refusals: { 400: response.problem() },
      routes: { it: route.get("/", { responses: { 404: response.problem() } }) },
    }),
    {
      refuse: ({ problem, response }) =>
        problem.status === 400 ? response(400, { ...problem, hint: "Retry" }) : undefined,
    },
  );
  const use = (): unknown =>
    server.implement({
      it: async ({ response }) => {
        const result = await upstream.it();
        // @ts-expect-error the 404 is not handled
        void result.body.boat;
        if (result.status === 200) return response(404, { detail: result.body.boat, boat: 7 });
        // @ts-expect-error a mistyped member
        void result.body.detial;
        const boat = "boat" in result.body ? result.body.boat : undefined;
        assertType<IsExact<typeof boat, unknown>>(true);
        return Math.random() > 0.5 ? response(404, result.body) : response(404, { ...result.body, boat });
      },
    });
  const read = ({ problem }: ClientError): unknown[] => [
    problem?.detail,
    // @ts-expect-error an extension has no type
    problem?.balance,
    problem && "balance" in problem ? problem.balance : undefined,
  ];
  void [use, read];
});

Deno.test("ResultOf does not contain any", () => {
  assertType<IsAny<ResultAt<"mixed", 200>["body"]>>(false);
  assertType<IsAny<ResultAt<"mixed", 200>["headers"]>>(false);
  assertType<IsAny<ResultAt<"libraries", 202>["body"]>>(false);
  assertType<IsExact<ResultAt<"libraries", 203>["body"], unknown>>(true);
});
