import {
  codec,
  defineContract,
  type EventReader,
  type ItemReader,
  type ItemSource,
  type Problem,
  type ReceivedEvent,
  response,
  route,
  type SentComment,
  type SentEvent,
  type SentId,
  type SentProblem,
} from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { type CreateResult, defineServer, type HandlersOf } from "@scope/api/server";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import { z } from "zod";

const Moment = codec(type("string"), type("Date"), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const contract = defineContract({
  responses: { 400: response.problem() },
  routes: {
    streams: route.get("/streams", {
      responses: {
        200: response.stream(),
        201: response.ndjson(type({ id: "string", "note?": "string" })),
        202: response.sse(z.object({ n: z.number().default(0) })),
        203: response.ndjson(Moment),
        206: response.sse(Moment, { headers: type({ "x-total": "string" }) }),
      },
    }),
    others: route.get("/others", {
      responses: {
        101: response.raw(),
        200: response.raw(),
        303: response.empty({ headers: type({ location: "string" }) }),
        404: response.problem(type({ title: "string", "detail?": "string" })),
      },
    }),
    head: route.head("/head", { responses: { 200: response.stream() } }),
  },
});
const server = defineServer(contract);
const client = createClient(contract, { baseUrl: "https://api.example.com" });

type Handlers = HandlersOf<typeof server>;
type Given<Key extends keyof Handlers, Status> = Extract<
  Awaited<ReturnType<Handlers[Key]>>,
  { readonly status: Status }
>;
type Result<Key extends keyof typeof client> = Awaited<ReturnType<(typeof client)[Key]>>;
type Seen<Key extends keyof typeof client, Status> = Extract<Result<Key>, { readonly status: Status }>;

Deno.test("a handler returns a producer of a stream's items, by the schema's input", () => {
  type Streams<Status> = Given<"streams", Status>["body"];
  assertType<IsExact<Streams<200>, ItemSource<Uint8Array>>>(true);
  assertType<IsExact<Streams<201>, ItemSource<{ id: string; note?: string }>>>(true);
  assertType<IsExact<Streams<202>, ItemSource<SentEvent<{ n?: number | undefined }> | SentId | SentComment>>>(true);
  assertType<IsExact<Streams<203>, ItemSource<Date>>>(true);
  assertType<IsExact<Streams<206>, ItemSource<SentEvent<Date> | SentId | SentComment>>>(true);
  assertType<IsExact<Given<"streams", 206>["headers"], { "x-total": string }>>(true);
  assertType<IsExact<Given<"others", 200>["body"], Response>>(true);
  assertType<IsExact<Given<"others", 400>["body"], SentProblem | undefined>>(true);
});

Deno.test("a client receives streams and iterables of the schema's output", () => {
  type Streams<Status> = Seen<"streams", Status>["body"];
  type Place = { readonly lastEventId: string; readonly reconnectionTime: number | undefined };
  assertType<IsExact<Streams<200>, ReadableStream<Uint8Array<ArrayBuffer>>>>(true);
  assertType<IsExact<Streams<201>, ItemReader<{ id: string; note?: string }>>>(true);
  assertType<IsExact<Streams<202>, EventReader<{ n: number }>>>(true);
  assertType<IsExact<Streams<203>, ItemReader<Date>>>(true);
  assertType<Streams<206> extends ItemReader<ReceivedEvent<Date>> ? true : false>(true);
  assertType<IsExact<Pick<Streams<206>, "lastEventId" | "reconnectionTime">, Place>>(true);
  assertType<"lastEventId" extends keyof Streams<203> ? false : true>(true);
  assertType<IsExact<Streams<206>, EventReader<Date>>>(true);
  assertType<IsExact<Seen<"streams", 206>["headers"], { readonly "x-total": string }>>(true);
  assertType<IsExact<Seen<"head", 200>["body"], undefined>>(true);
});

Deno.test("a client receives native responses, problems and the location of a redirect", () => {
  assertType<IsExact<Seen<"others", 101>["body"], Response>>(true);
  assertType<IsExact<Seen<"others", 200>["body"], Response>>(true);
  assertType<IsExact<Seen<"others", 200>["headers"], Headers>>(true);
  assertType<IsExact<Seen<"others", 303>["headers"]["location"], string>>(true);
  assertType<IsExact<Seen<"others", 400>["body"], Problem>>(true);
  assertType<IsExact<Seen<"others", 404>["body"], { title: string; detail?: string }>>(true);
});

/** Checked by the compiler, never run. */
function unused(_code: () => unknown): void {}

Deno.test("a loop over a client's stream has typed items", () => {
  unused(async () => {
    const result = await client.streams();
    if (result.status === 201) {
      for await (const item of result.body) assertType<IsExact<typeof item, { id: string; note?: string }>>(true);
    }
    if (result.status === 202) {
      for await (const { data, event, id, retry } of result.body) {
        assertType<IsExact<typeof data, { n: number }>>(true);
        assertType<IsExact<[typeof event, typeof id, typeof retry], [string?, string?, number?]>>(false);
        assertType<IsExact<typeof event, string | undefined>>(true);
        assertType<IsExact<typeof retry, number | undefined>>(true);
      }
    }
    const body = unwrap(await client.head());
    assertType<IsExact<typeof body, undefined>>(true);
  });
});

Deno.test("a handler may return every kind of producer", () => {
  unused(() => {
    const streams: Handlers["streams"] = ({ response }) => {
      const chunk = new Uint8Array(1);
      response(200, [chunk]);
      response(200, new Set([chunk]));
      response(200, new ReadableStream<Uint8Array<ArrayBuffer>>());
      response(
        201,
        (function* (): Generator<{ id: string }> {
          yield { id: "1" };
        })(),
      );
      response(203, [new Date()]);
      response(206, [{ data: new Date(), id: undefined }], { "x-total": "1" });
      return response(
        202,
        (async function* (): AsyncGenerator<SentEvent<{ n?: number }>> {
          yield { data: {}, event: "tick", id: "1", retry: 1 };
        })(),
      );
    };
    return streams;
  });
});

Deno.test("a handler of a stream passes its response to helpers, and its items may come from any generator", () => {
  const events = response.sse(z.object({ kind: z.enum(["a", "b"]) }));
  const gone = response.empty();
  const responses = { 200: events, 203: response.ndjson(z.object({ kind: z.enum(["a", "b"]) })), 410: gone };
  const ticking = defineServer(defineContract({ routes: { ticks: route.get("/", { responses }) } }));
  unused(() => {
    const anything: AsyncIterable<ReturnType<typeof JSON.parse>> = new ReadableStream();
    const tell = (response: CreateResult<{ 200: typeof events }>) => response(200, [{ data: { kind: "a" } }]);
    const leave = (response: CreateResult<{ 410: typeof gone }>) => response(410);
    async function* repeat<Item>(item: Item): AsyncGenerator<Item> {
      yield item;
    }
    ticking.implement({ ticks: ({ response }) => tell(response) });
    ticking.implement({ ticks: ({ response }) => leave(response) });
    ticking.implement({ ticks: ({ response }) => response(200, anything) });
    ticking.implement({ ticks: ({ response }) => response(200, repeat({ data: { kind: "a" }, id: "1" })) });
    ticking.implement({ ticks: ({ response }) => response(203, repeat({ kind: "b" }), { "x-total": "1" }) });
  });
});
