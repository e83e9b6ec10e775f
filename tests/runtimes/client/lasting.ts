import { codec, defineContract, request, response, route } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { follow, retry } from "@scope/api/retry";
import { json, requestText, responseText, slimContract } from "@scope/api/slim";
import { infiniteQueryOptions, mutationOptions, nextLinkQuery, queryOptions } from "@scope/api/tanstack-query";
import { MutationObserver, QueryClient } from "@tanstack/query-core";
import { type } from "arktype";
import type { Case } from "../case.ts";
import { clientOf, failure } from "./call.ts";

const lastingContract = defineContract({
  routes: {
    flaky: route.put("/flaky/:id", { body: request.bytes(), responses: { 200: response.text() } }),
    messages: route.get("/messages", {
      headers: type({ "last-event-id?": "string" }),
      responses: { 200: response.sse(type("string")) },
    }),
    numbers: route.get("/numbers", {
      query: type({ "after?": "string" }),
      responses: { 200: response.json(type("number[]")) },
    }),
  },
});

const Meeting = codec(type({ at: "string" }), type({ at: "Date" }), {
  decode: ({ at }) => ({ at: new Date(at) }),
  encode: ({ at }) => ({ at: at.toISOString() }),
});
const wholeContract = defineContract({
  basePath: "/api",
  routes: {
    note: route.post("/note", {
      body: type({ title: "string" }),
      responses: { 201: response.json(type({ title: "string" })), 409: response.json(type({ value: "string" })) },
    }),
    meeting: route.post("/meeting", { body: request.json(Meeting), responses: { 200: response.json(Meeting) } }),
    text: route.post("/text", { body: request.text(), responses: { 200: response.text() } }),
  },
});
const slim = slimContract<typeof wholeContract>({
  note: ["POST", "/api/note", { body: json }, { 201: json, 409: json }],
  meeting: ["POST", "/api/meeting", { body: [json, { schema: Meeting }] }, { 200: [json, { schema: Meeting }] }],
  text: ["POST", "/api/text", { body: requestText }, { 200: responseText }],
});

/** A query client that does not repeat queries, which is cleared when it was used: its timers keep a process alive. */
async function withQueries<Value>(use: (queries: QueryClient) => Promise<Value>): Promise<Value> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return await use(queries).finally(() => queries.clear());
}

/** Features that keep a client running: retries, events over many connections, slim contracts, queries. */
export const lasting: readonly Case[] = [
  {
    name: "retry() repeats a PUT that was answered 503 and cut off, as Retry-After says",
    run: async (baseUrl) => {
      const waits: number[] = [];
      const onRetry = ({ wait }: { readonly wait: number }): void => void waits.push(Math.floor(wait / 1000));
      const around = retry({ attempts: 4, onRetry });
      const client = createClient(lastingContract, { baseUrl: `${baseUrl}/odd/lasting`, around });
      const id = crypto.randomUUID();
      return [unwrap(await client.flaky({ params: { id }, body: new Uint8Array([1, 2]) })), waits];
    },
    gives: ["1,2 in attempt 3", [0, 0]],
  },
  {
    name: "retry() leaves a POST alone",
    run: async (baseUrl) => {
      let retries = 0;
      const around = retry({ onRetry: () => void retries++ });
      const client = createClient(wholeContract, { baseUrl: `${baseUrl}/odd/away`, around });
      return [await failure(client.text({ body: "x" })), retries];
    },
    gives: [{ code: "unexpected-status", status: 503 }, 0],
  },
  {
    name: "follow() reconnects with last-event-id after an end and after a cut, until 204",
    run: async (baseUrl) => {
      const { messages } = createClient(lastingContract, { baseUrl: `${baseUrl}/odd/lasting` });
      const seen: string[] = [];
      for await (const { id, data } of follow(messages)) seen.push(`${id}: ${data}`);
      return seen;
    },
    gives: ["1: after nothing", "2: after 1", "3: after 2"],
  },
  {
    name: "follow() ends with the signal, and a loop that is left closes the connection",
    run: async (baseUrl) => {
      const { messages } = createClient(lastingContract, { baseUrl: `${baseUrl}/odd/lasting` });
      const seen: string[] = [];
      for await (const { data } of follow(messages, { headers: { "last-event-id": "stuck" } })) {
        seen.push(data);
        break;
      }
      const leaving = new AbortController();
      const followed = async (): Promise<void> => {
        const events = follow(messages, { headers: { "last-event-id": "stuck" } }, { signal: leaving.signal });
        for await (const _ of events) leaving.abort();
      };
      return [seen, await failure(followed())];
    },
    gives: [["after stuck"], { code: "aborted", status: 200 }],
  },
  {
    name: "a slim contract has the results and errors of the whole one",
    run: async (baseUrl) => {
      const client = createClient(slim, { baseUrl });
      const [note, taken] = [
        await client.note({ body: { title: "a" } }),
        await client.note({ body: { title: "taken" } }),
      ];
      const { at } = unwrap(await client.meeting({ body: { at: new Date(0) } }));
      const refused = await failure(client.note({ body: { title: "" } }));
      return [
        note.body,
        taken.status,
        taken.body,
        at instanceof Date,
        unwrap(await client.text({ body: "é" })),
        refused,
      ];
    },
    gives: [{ title: "a" }, 409, { value: "taken" }, true, "é", { code: "unexpected-status", status: 400 }],
  },
  {
    name: "queryOptions() and mutationOptions() make queries and mutations of calls",
    run: (baseUrl) =>
      withQueries(async (queries) => {
        const { echo, note } = clientOf(baseUrl);
        const value = await queries.fetchQuery(queryOptions(echo, { params: { value: "x" } }));
        const save = new MutationObserver(queries, mutationOptions(note));
        const saved = await save.mutate({ body: { title: "a" } });
        return [value, saved, await failure(save.mutate({ body: { title: "taken" } }))];
      }),
    gives: [{ value: "x" }, { title: "a" }, { code: "unsuccessful", status: 409 }],
  },
  {
    name: "infiniteQueryOptions() follows link headers",
    run: (baseUrl) =>
      withQueries(async (queries) => {
        const { numbers } = createClient(lastingContract, { baseUrl: `${baseUrl}/odd/lasting` });
        const { pages } = await queries.fetchInfiniteQuery({
          ...infiniteQueryOptions(numbers, {
            next: (result) => nextLinkQuery(result)?.get("after"),
            input: (after) => ({ query: { after } }),
          }),
          pages: 9,
        });
        return pages.map(({ body }) => body);
      }),
    gives: [[1], [2], [3]],
  },
  {
    name: "a cancelled query aborts its request",
    run: (baseUrl) =>
      withQueries(async (queries) => {
        const sent: Request[] = [];
        const send = (request: Request): Promise<Response> => {
          sent.push(request);
          return fetch(request);
        };
        const client = createClient(lastingContract, { baseUrl: `${baseUrl}/odd/silent`, fetch: send });
        const options = queryOptions(client.numbers);
        const fetching = queries.fetchQuery(options).then(() => "data", (error) => error.message);
        await new Promise((resolve) => setTimeout(resolve, 50));
        await queries.cancelQueries({ queryKey: options.queryKey });
        return [await fetching, sent.map(({ signal }) => signal.aborted)];
      }),
    gives: ["CancelledError", [true]],
  },
];
