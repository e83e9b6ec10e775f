/** The types that are inferred for representations of the user's. Nothing here runs: the compiler is the test. */
import { codec, type CustomRepresentation, defineContract, representation, request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import * as requestDoor from "@scope/api/request";
import * as responseDoor from "@scope/api/response";
import { defineServer, type HandlersOf } from "@scope/api/server";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

type Rows = readonly Readonly<Record<string, string>>[];

const csv = representation<Rows>({ contentType: "text/csv", encode: String, decode: () => [] });
const anything = representation<unknown>({ contentType: "application/cbor", encode: String, decode: () => 1 });
const Names = type({ name: "string = ''", "+": "delete" }).array();
const headers = type({ etag: "string" });
const Moment = codec(type({ at: "string" }).array(), type({ at: "Date" }).array(), {
  decode: (rows) => rows.map(({ at }) => ({ at: new Date(at) })),
  encode: (rows) => rows.map(({ at }) => ({ at: at.toISOString() })),
});

const contract = defineContract({
  routes: {
    checked: route.post("/", {
      body: request.as(csv, Names),
      responses: { 200: response.as(csv, Names, { headers }) },
    }),
    typed: route.put("/", { body: request.as(csv), responses: { 200: response.as(csv, { headers }) } }),
    codec: route.patch("/", { body: request.as(csv, Moment), responses: { 200: response.as(csv, Moment) } }),
    optional: route.delete("/", {
      body: requestDoor.as(anything, type({ at: "Date" }), { optional: true }),
      responses: { 200: responseDoor.as(anything) },
    }),
    absent: route.query("/", { body: request.as(csv, { optional: true }), responses: { 200: response.as(csv) } }),
  },
});
const server = defineServer(contract);
type Handlers = HandlersOf<typeof server>;
type BodyOf<Key extends keyof Handlers> = Parameters<Handlers[Key]>[0]["body"];
const client = createClient(contract, { baseUrl: "https://api.example.com" });
type GivenTo<Key extends keyof Handlers> = NonNullable<Parameters<typeof client[Key]>[0]> extends
  { readonly body?: infer Body } ? Body
  : never;
type ResultOf<Key extends keyof Handlers> = Awaited<ReturnType<typeof client[Key]>>;

Deno.test("HandlerInput has the schema's output of a representation, or its values", () => {
  assertType<IsExact<BodyOf<"checked">, { name: string }[]>>(true);
  assertType<IsExact<BodyOf<"typed">, Rows>>(true);
  assertType<IsExact<BodyOf<"codec">, { at: Date }[]>>(true);
  assertType<IsExact<BodyOf<"optional">, { at: Date } | undefined>>(true);
  assertType<IsExact<BodyOf<"absent">, Rows | undefined>>(true);
});

Deno.test("Client accepts the schema's input of a representation, or its values", () => {
  assertType<IsExact<GivenTo<"checked">, { name?: string }[]>>(true);
  assertType<IsExact<GivenTo<"typed">, Rows>>(true);
  assertType<IsExact<GivenTo<"codec">, { at: Date }[]>>(true);
  assertType<IsExact<GivenTo<"optional">, { at: Date } | undefined>>(true);
  assertType<IsExact<GivenTo<"absent">, Rows | undefined>>(true);
});

Deno.test("ClientResult has the schema's output of a representation, or its values, and typed headers", () => {
  assertType<IsExact<ResultOf<"checked">["body"], { name: string }[]>>(true);
  assertType<IsExact<ResultOf<"checked">["headers"], { readonly etag: string }>>(true);
  assertType<IsExact<ResultOf<"typed">["body"], Rows>>(true);
  assertType<IsExact<ResultOf<"typed">["headers"], { readonly etag: string }>>(true);
  assertType<IsExact<ResultOf<"codec">["body"], { at: Date }[]>>(true);
  assertType<IsExact<ResultOf<"optional">["body"], unknown>>(true);
});

Deno.test("representation() infers its value; request.as() and response.as() replace any, which many decoders return, with unknown", () => {
  // deno-lint-ignore no-explicit-any
  const parse = (_: Uint8Array): any => 1;
  const numbers = representation({ contentType: "a/b", encode: (value: number) => `${value}`, decode: () => 1 });
  const inferred = representation({ contentType: "a/b", encode: (value) => JSON.stringify(value), decode: parse });

  assertType<IsExact<typeof numbers, CustomRepresentation<number>>>(true);
  const body = request.as(inferred);
  const sent = response.as(inferred);
  assertType<IsExact<NonNullable<typeof body.types>["received" | "sent"], unknown>>(true);
  assertType<IsExact<NonNullable<typeof sent.types>["received" | "sent"], unknown>>(true);
});

interface Row {
  readonly name: string;
}

Deno.test("request.as() and response.as() accept schemas whose wire side the representation can encode", () => {
  request.as(csv, z.array(z.custom<Row>())); // an interface does not have an index signature
  response.as(csv, v.array(v.object({ name: v.string() })));
  response.as(csv, z.array(z.object({ n: z.number().transform(String) })));
  request.as(csv, z.array(z.object({ n: z.string().transform(Number) })));
  request.as(csv, z.unknown());
  request.as(anything, type({ at: "Date", n: "bigint" }));
  // @ts-expect-error the number is on the wire
  response.as(csv, z.array(z.object({ n: z.string().transform(Number) })));
  // @ts-expect-error the number is on the wire
  request.as(csv, z.array(z.object({ n: z.number().transform(String) })));
  // @ts-expect-error a property may be absent, not undefined
  request.as(csv, z.array(z.object({ name: z.string().optional() })));
  // @ts-expect-error a single row is not rows
  request.as(csv, v.object({ name: v.string() }));
});
