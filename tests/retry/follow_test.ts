import { defineContract, request, response, route } from "@scope/api";
import { type Around, type AroundCall, type Client, ClientError, createClient } from "@scope/api/client";
import { type ClosedConnection, follow, type FollowOptions, retry } from "@scope/api/retry";
import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const resumed = type({ "last-event-id?": "string" });
const contract = defineContract({
  routes: {
    events: route.get("/events", {
      headers: resumed,
      query: type({ "room?": "string" }),
      responses: {
        200: response.sse(type("number")),
        204: response.empty(),
        429: response.text(),
        403: response.text(),
      },
    }),
    bare: route.get("/bare", { headers: resumed, responses: { 200: response.sse(type("number")) } }),
    search: route.query("/search", {
      headers: resumed,
      body: request.json(type({ q: "string" })),
      responses: { 200: response.sse(type("number")), 202: response.json(type("string")) },
    }),
  },
});

type Answer = (request: Request) => Response | Promise<Response>;

/** A client whose server sends these responses in turn, and 204 afterwards; and the last-event-id of each request. */
function connect(
  answers: readonly Answer[],
  around?: Around,
): { readonly client: Client<typeof contract.routes>; readonly ids: (string | null)[] } {
  const ids: (string | null)[] = [];
  const client = createClient(contract, {
    baseUrl: "https://a.example",
    around,
    fetch(request): Response | Promise<Response> {
      ids.push(request.headers.get("last-event-id"));
      return answers[ids.length - 1]?.(request) ?? new Response(null, { status: 204 });
    },
  });
  return { client, ids };
}

/** A connection that sends this and then ends, or is cut if the last character is `|`. */
const events = (text: string): Answer => () => {
  const body = new TextEncoder().encode(text.replace(/\|$/, ""));
  const headers = { "content-type": "text/event-stream" };
  if (!text.endsWith("|")) return new Response(body, { headers });
  const pull = (controller: ReadableStreamDefaultController): void => controller.error(new TypeError("cut"));
  const cut = new ReadableStream({ start: (controller) => controller.enqueue(body), pull }, { highWaterMark: 0 });
  return new Response(cut, { headers });
};
const status = (code: number, headers: Record<string, string> = {}): Answer => () =>
  new Response("no", { status: code, headers: { "content-type": "text/plain", ...headers } });
const refuse: Answer = () => Promise.reject(new TypeError("refused"));

async function collect(following: AsyncIterable<{ readonly data: number }>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { data } of following) seen.push(data);
  return seen;
}

// proves events | A reader reconnects with the last event id after an end or a failure, and stops at 204 | 9.2.3
Deno.test("follow() reconnects after the end and after a cut, from the last id, and ends with 204", async () => {
  const { client, ids } = connect([
    events("retry: 1\nid: 1\ndata: 1\n\ndata: 2\n\n"), // an id persists over events without one
    events("id: 3\ndata: 3\n\nid: 4\ndata: 4|"), // an event counts when it is whole
    events("id: 4\ndata: 4\n\nid: 5\n\n"), // an id without data counts too
    events("data: 6\n\n"), // a connection without an id changes nothing
    events("id\ndata: 7\n\n"), // an empty one resets
    events("data: 8\n\n"),
  ]);
  assertEquals(await collect(follow(client.events)), [1, 2, 3, 4, 6, 7, 8]);
  assertEquals(ids, [null, "1", "3", "5", "5", null, null]);
});

Deno.test("follow() begins at the input's last-event-id, and sends the rest of the input each time", async () => {
  const urls: string[] = [];
  const note = (answer: Answer): Answer => (request) => (urls.push(request.url), answer(request));
  const { client, ids } = connect([note(events("retry: 1\n\n")), note(events("id: 8\n\n")), note(events(""))]);
  await collect(follow(client.events, { query: { room: "a" }, headers: { "last-event-id": "7" } }));
  assertEquals(ids, ["7", "7", "8", "8"]);
  assertEquals(new Set(urls), new Set(["https://a.example/events?room=a"]));
});

Deno.test("follow() waits and reconnects if the server is unavailable or overloaded", async () => {
  const answers = [refuse, status(502), status(503), status(504), status(429)];
  await Promise.all(answers.map(async (failing) => {
    const { client, ids } = connect([events("retry: 1\nid: 1\ndata: 1\n\n"), failing, failing, events("data: 2\n\n")]);
    assertEquals(await collect(follow(client.events)), [1, 2]);
    assertEquals(ids, [null, "1", "1", "1", "1"]);
  }));
});

Deno.test("follow() waits as long as Retry-After and the last retry require", async () => {
  const { client } = connect([events("retry: 1\n\n"), status(429, { "retry-after": "1" })]);
  const started = performance.now();
  await collect(follow(client.events));
  assert(performance.now() - started >= 990);

  const slow = connect([events("retry: 60000\n\n")]);
  const ended = follow(slow.client.events, {}, { signal: AbortSignal.timeout(50) });
  assertEquals((await assertRejects(() => ended.next(), ClientError)).code, "aborted");
  assertEquals(slow.ids.length, 1);
});

Deno.test("follow() also ends with an undeclared 204, and at the end of the stream if reconnectOnEnd is false", async () => {
  assertEquals(await collect(follow(connect([]).client.bare)), []);
  const { client, ids } = connect([
    events("retry: 1\nid: 1\ndata: 1\n\n|"),
    events("data: 2\n\n"),
    events("data: 3\n\n"),
  ]);
  assertEquals(await collect(follow(client.events, {}, { reconnectOnEnd: false })), [1, 2]);
  assertEquals(ids, [null, "1"]);
});

Deno.test("follow() throws for another declared status, an undeclared one, and an unreadable response", async () => {
  const failures: readonly (readonly [answer: Answer, code: string, status: number | undefined])[] = [
    [status(403), "unsuccessful", 403],
    [status(500), "unexpected-status", 500],
    [status(404), "unexpected-status", 404],
    [() => new Response("<p>", { headers: { "content-type": "text/html" } }), "unexpected-content-type", 200],
    [events("data: {\n\n"), "invalid-body", 200],
  ];
  for (const [answer, code, status] of failures) {
    const { client, ids } = connect([answer]);
    const error = await assertRejects(() => collect(follow(client.events)), ClientError);
    assertEquals([error.code, error.status, ids.length], [code, status, 1]);
  }
  const { client } = connect([status(403)]);
  const refused = await assertRejects(() => follow(client.events).next(), ClientError);
  assertEquals(refused.message, "Cannot follow GET /events (events): its status is 403");
  assertEquals((refused.result as { readonly body: string }).body, "no");
  const other = connect([() => Response.json("later", { status: 202 })]);
  const accepted = follow(other.client.search, { body: { q: "a" } });
  assertEquals((await assertRejects(() => accepted.next(), ClientError)).status, 202);
});

Deno.test("follow() passes the options of a call, and reconnects if the server is silent", async () => {
  const stalled = watchBody(["id: 1\ndata: 1\n\n"], { stalls: true });
  const { client, ids } = connect([
    events("retry: 1\n\n"),
    () => new Response(stalled.stream, { headers: { "content-type": "text/event-stream" } }),
    ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))), // no answer
    ({ headers }) => events(`data: ${headers.get("x-page")}\n\n`)(new Request("https://a.example")),
  ]);
  assertEquals(await collect(follow(client.events, {}, { silence: 20, headers: { "x-page": "2" } })), [1, 2]);
  assertEquals([stalled.state(), ids], ["cancelled", [null, null, "1", "1", "1"]]);

  const wrong = follow(client.events, {}, { silence: -1 });
  assertEquals((await assertRejects(() => wrong.next(), ClientError)).code, "invalid-input");
});

Deno.test("follow() rejects with aborted if its signal aborts before, or while it connects, reads or waits", async () => {
  const reason = new Error("enough");
  const answers: readonly Answer[][] = [
    [({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))],
    [() =>
      new Response(watchBody(["data: 1\n\n"], { stalls: true }).stream, {
        headers: { "content-type": "text/event-stream" },
      })],
    [events("data: 1\n\n")], // waits for 3 seconds then
    [refuse],
  ];
  for (const each of answers) {
    const { client } = connect(each);
    const controller = new AbortController();
    const following = collect(follow(client.events, {}, { signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 10);
    const error = await assertRejects(() => following, ClientError);
    assertEquals([error.code, error.route?.key], ["aborted", "events"]);
    assertStrictEquals(error.cause, reason);
  }
  const { client, ids } = connect([]);
  const never = follow(client.events, {}, { signal: AbortSignal.abort(reason) });
  assertEquals((await assertRejects(() => never.next(), ClientError)).code, "aborted");
  assertEquals([(await never.next()).done, ids], [true, []]);
});

Deno.test("leaving the loop closes the connection without an error: at an event, while it connects, reads or waits", async () => {
  const body = watchBody(["id: 1\ndata: 1\n\n"], { stalls: true });
  const stalled: Answer = () => new Response(body.stream, { headers: { "content-type": "text/event-stream" } });
  for await (const { data } of follow(connect([stalled]).client.events)) {
    assertEquals(data, 1);
    break;
  }
  assertEquals(body.state(), "cancelled");

  const aborted: boolean[] = [];
  const hang: Answer = ({ signal }) =>
    new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        aborted.push(true);
        reject(signal.reason);
      })
    );
  const reading = watchBody([": \n\n"], { stalls: true });
  const silent: Answer = () => new Response(reading.stream, { headers: { "content-type": "text/event-stream" } });
  for (const answers of [[hang], [silent], [refuse], [events("")]]) {
    const following = follow(connect(answers).client.events);
    const next = following.next();
    await new Promise((resolve) => setTimeout(resolve, 10));
    assertEquals(await following.return(), { done: true, value: undefined });
    assertEquals(await next, { done: true, value: undefined });
    assertEquals((await following.next()).done, true);
  }
  assertEquals([aborted, reading.state()], [[true], "cancelled"]);

  const { client, ids } = connect([]);
  await follow(client.events).return(); // before the first event nothing is sent
  assertEquals(ids, []);
});

Deno.test("follow() passes through around as a call that must not be repeated", async () => {
  const calls: AroundCall[] = [];
  const note: Around = (attempt, call) => {
    calls.push(call);
    return attempt();
  };
  const { client, ids } = connect([events("retry: 1\n\n"), refuse, status(429, { "retry-after": "0" })], note);
  await collect(follow(client.events));
  assertEquals(calls.map(({ idempotent, replayable }) => [idempotent, replayable]), Array(4).fill([false, false]));
  assertEquals(ids.length, 4);

  const retried: unknown[] = [];
  const retrying = connect([refuse, status(429)], retry({ maxWait: 0, onRetry: (attempt) => retried.push(attempt) }));
  const following = follow(retrying.client.events);
  const next = following.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals([retrying.ids.length, retried], [1, []]);
  await following.return();
  await next;
});

Deno.test("follow() throws for a call that it cannot follow, and the types explain why", () => {
  const other = defineContract({
    routes: {
      post: route.post("/post", { headers: resumed, responses: { 200: response.sse(type("number")) } }),
      rows: route.get("/rows", { headers: resumed, responses: { 200: response.ndjson(type("number")) } }),
      refusal: route.get("/refusal", {
        headers: resumed,
        responses: { 200: response.text(), 400: response.sse(type("1")) },
      }),
      upload: route.query("/upload", {
        headers: resumed,
        body: request.stream(),
        responses: { 200: response.sse(type("number")) },
      }),
      unresumed: route.get("/unresumed", { responses: { 200: response.sse(type("number")) } }),
    },
  });
  const client = createClient(other, { baseUrl: "https://a.example" });
  const state = "must be a GET or QUERY route with response.sse() for a 2xx status, and must not send a stream";
  // @ts-expect-error its method is POST
  assertThrows(() => follow(client.post), TypeError, `follow(): post ${state}`);
  // @ts-expect-error it does not have events
  assertThrows(() => follow(client.rows), TypeError, `follow(): rows ${state}`);
  // @ts-expect-error its events are not a success
  assertThrows(() => follow(client.refusal), TypeError, `follow(): refusal ${state}`);
  const upload = { body: ReadableStream.from([]) };
  assertThrows(() => follow(client.upload, upload), TypeError, `follow(): upload ${state}`);
  // @ts-expect-error it takes no last-event-id
  follow(client.unresumed);
  const message = "follow(): the first argument must be a call of a client, like client.users.byId, got a function";
  // @ts-expect-error it is not a call of a client
  assertThrows(() => follow(() => {}), TypeError, message);

  const { client: { events, search } } = connect([]);
  // @ts-expect-error the duration of a stream is unlimited
  const unlimited = (): unknown => follow(events, {}, { timeout: 5 });
  assertThrows(unlimited, TypeError, 'follow(): unknown option "timeout" (allowed: signal,');
  // @ts-expect-error the input is that of the call
  follow(events, { query: { rooms: "a" } });
  // @ts-expect-error its body is required
  follow(search);
});

Deno.test("follow() throws for invalid options", () => {
  const { client: { events } } = connect([]);
  const invalid: readonly (readonly [options: unknown, message: string])[] = [
    [null, "follow(): the options must be an object, got null"],
    [{ signal: new AbortController() }, 'follow(): "signal" must be an AbortSignal, got an object'],
    [{ reconnectOnEnd: "no" }, 'follow(): "reconnectOnEnd" must be a boolean, got a string'],
    [{ onConnect: 1 }, 'follow(): "onConnect" must be a function, got 1'],
    [{ onDisconnect: {} }, 'follow(): "onDisconnect" must be a function, got an object'],
    [{ onOpen: () => {} }, 'follow(): unknown option "onOpen" (allowed: signal, silence, headers,'],
  ];
  for (const [options, message] of invalid) {
    assertThrows(() => follow(events, {}, options as never), TypeError, message);
  }
});

Deno.test("follow() throws for an input that no call would accept", () => {
  const { client: { events } } = connect([]);
  const invalid: readonly (readonly [input: unknown, message: string])[] = [
    [null, "follow(): the slots must be an object, got null"],
    ["1", "follow(): the slots must be an object, got a string"],
    [{ header: {} }, 'follow(): unknown slot "header" (allowed: query, headers)'],
    [{ headers: null }, 'follow(): "headers" must be an object, got null'],
  ];
  for (const [input, message] of invalid) assertThrows(() => follow(events, input as never), TypeError, message);
});

Deno.test("follow() resumes after a connection that breaks before its first event, if the server sends an id without data", async () => {
  const { client, ids } = connect([events("retry: 1\nid: 5\n\n|"), events("id: 6\ndata: 6\n\n")]);
  assertEquals(await collect(follow(client.events)), [6]);
  assertEquals(ids, [null, "5", "6"]);
});

Deno.test("follow() reports connections, whether they resumed, and why they ended", async () => {
  const reports: unknown[] = [];
  const { client } = connect([
    events("retry: 1\ndata: 1\n\n"),
    status(503),
    events("id: 2\ndata: 2\n\n|"),
    events("data: 3\n\n"),
  ]);
  const options: FollowOptions = {
    onConnect: ({ resumed }) => {
      reports.push(resumed);
      throw new Error("ignored");
    },
    onDisconnect: async ({ error, wait }) => {
      reports.push([error?.code, wait]);
      await Promise.reject(new Error("ignored"));
    },
  };
  const first = { headers: { "last-event-id": "" } };
  const following = follow(client.events, first, options);
  const seen: number[] = [];
  for await (const { data } of following) {
    reports.push(seen.push(data));
    if (data === 3) break;
  }
  assertEquals(reports, [false, 1, [undefined, 500], false, 2, ["network", 500], true, 3]);
  assertEquals(seen, [1, 2, 3]);
});

// proves events-differences | A client reconnects after any `retry` | 9.2.4 | `follow()` waits at least 500 ms, and
//   longer after each connection without an event | A server must not be flooded
Deno.test("follow() waits at least 500 ms, and longer after each connection without an event", async () => {
  const waits: number[] = [];
  const onDisconnect = ({ wait }: ClosedConnection): unknown => waits.push(wait);
  const { client } = connect([events("retry: 0\ndata: 1\n\n"), events("data: 2\n\n"), events("data: 3\n\n")]);
  assertEquals(await collect(follow(client.events, {}, { onDisconnect })), [1, 2, 3]);
  assertEquals(waits, [500, 500, 500]);

  const { random } = Math;
  try {
    Math.random = () => 1;
    waits.length = 0;
    const quiet = connect([events("retry: 0\nid: 1\n\n"), events(": \n\n"), events("data: 1\n\n")]);
    assertEquals(await collect(follow(quiet.client.events, {}, { onDisconnect })), [1]);
    assertEquals(waits, [600, 1200, 500]);
  } finally {
    Math.random = random;
  }
});

// proves events-differences | Any `id` without NUL is sent back | 9.2.6 | The server refuses an `id` that a header
//   cannot carry unchanged; a reader keeps the last one that it can | It could not be sent back
Deno.test("follow() sends the last id that a header can carry", async () => {
  await Promise.all(["€", "\u0001", "7 ", "\t7", "\u007f"].map(async (id) => {
    const { client, ids } = connect([events(`retry: 1\nid: 6\ndata: 6\n\nid: ${id}\ndata: 7\n\n`)]);
    const seen: unknown[] = [];
    for await (const event of follow(client.events)) seen.push(event);
    assertEquals(seen, [{ data: 6, id: "6", retry: 1 }, { data: 7, id }]);
    assertEquals(ids, [null, "6"]);
  }));
});

Deno.test("follow() does not back off after a quiet connection of more than 30 seconds", async () => {
  const waits: number[] = [];
  let [time, step] = [0, 30_000];
  const { random } = Math;
  const { now } = performance;
  try {
    Math.random = () => 1;
    performance.now = () => time += step; // read as each connection opens and ends
    const { client } = connect([events("retry: 0\n\n"), events(": \n\n")]);
    await collect(follow(client.events, {}, {
      onDisconnect: ({ wait }) => {
        waits.push(wait);
        step++;
      },
    }));
  } finally {
    Math.random = random;
    performance.now = now;
  }
  assertEquals(waits, [600, 500]);
});

Deno.test("follow() throws an error with the declared problem document of a status that it does not wait for", async () => {
  const contract = defineContract({
    routes: {
      events: route.get("/events", {
        headers: resumed,
        responses: { 200: response.sse(type("number")), 403: response.problem() },
      }),
    },
  });
  const problem = { title: "Forbidden", detail: "Not your room" };
  const fetch = () => Response.json(problem, { status: 403, headers: { "content-type": "application/problem+json" } });
  const { events } = createClient(contract, { baseUrl: "https://a.example", fetch });
  const error = await assertRejects(() => follow(events).next(), ClientError);
  assertEquals(error.problem, problem);
  assertEquals(
    error.message,
    "Cannot follow GET /events (events): its status is 403 (Forbidden: Not your room)",
  );
});
