import { defineContract, request, response, route } from "@scope/api";
import { type AnyOutcome, type Client, ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { type RetriedAttempt, retry, type RetryOptions } from "@scope/api/retry";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertLess, assertLessOrEqual, assertRejects, assertThrows } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const text = { 200: response.text(), 503: response.text() };
const contract = defineContract({
  routes: {
    get: route.get("/get", { responses: text }),
    head: route.head("/head", { responses: { 200: response.empty() } }),
    options: route.options("/options", { responses: text }),
    query: route.query("/query", { responses: text }),
    put: route.put("/put", { body: request.text(), responses: text }),
    delete: route.delete("/delete", { responses: text }),
    patch: route.patch("/patch", { responses: text }),
    post: route.post("/post", { headers: type({ "idempotency-key?": "string" }), responses: text }),
    quote: route.post("/quote", { body: request.text(), responses: text }),
    upload: route.put("/upload", { body: request.stream(), responses: text }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(type("number")), 503: response.stream() } }),
  },
});
type Routes = typeof contract.routes;
type Answer = () => Response | Promise<Response>;

/** A client whose server sends these responses in turn and then repeats the last one; and the number of requests. */
function connect(
  answers: readonly Answer[],
  options?: RetryOptions<"get" | "quote" | "upload">,
): { readonly client: Client<Routes>; readonly asked: () => number } {
  let asked = 0;
  const client = createClient(contract, {
    baseUrl: "https://a.example",
    fetch: () => answers[Math.min(asked++, answers.length - 1)]!(),
    around: retry({ maxWait: 0, ...options }),
  });
  return { client, asked: () => asked };
}

const plain = { "content-type": "text/plain" };
const ok: Answer = () => new Response("ok", { headers: plain });
const cut: Answer = () => Promise.reject(new TypeError("cut"));
const answer = (status: number, headers: Record<string, string> = {}, body: BodyInit | null = "no"): Answer => () =>
  new Response(body, { status, headers: { ...plain, ...headers } });

type Call = (client: Client<Routes>) => Promise<AnyOutcome>;
const calls = {
  get: ({ get }) => get(),
  head: ({ head }) => head(),
  options: ({ options }) => options(),
  query: ({ query }) => query(),
  put: ({ put }) => put({ body: "a" }),
  delete: (client) => client.delete(),
  patch: ({ patch }) => patch(),
  post: ({ post }) => post(),
  quote: ({ quote }) => quote({ body: "a" }),
  upload: ({ upload }) => upload({ body: ReadableStream.from([new Uint8Array(1)]) }),
  rows: ({ rows }) => rows(),
} satisfies Readonly<Record<string, Call>>;
const idempotent: readonly string[] = ["get", "head", "options", "query", "put", "delete"];

// proves http | A client automatically retries idempotent methods only | 9.2.2
Deno.test("retry() repeats only idempotent calls, if they fail temporarily", async () => {
  for (const failing of [cut, ...[408, 502, 503, 504].map((status) => answer(status, {}, null))]) {
    for (const [key, call] of Object.entries<Call>(calls).filter(([key]) => key !== "rows")) {
      const { client, asked } = connect([failing]);
      await call(client).catch(() => {});
      assertEquals(asked(), idempotent.includes(key) ? 3 : 1, key);
    }
  }
});

Deno.test("retry() repeats a call with an idempotency-key, and those of routes that also names", async () => {
  const { client, asked } = connect([cut, ok]);
  assertEquals(unwrap(await client.post({ headers: { "idempotency-key": "7" } })), "ok");
  assertEquals(asked(), 2);

  const quoting = connect([cut, ok], { also: ["quote", "upload"] });
  assertEquals(unwrap(await calls.quote(quoting.client)), "ok");
  assertEquals(quoting.asked(), 2);

  const uploading = connect([cut], { also: ["quote", "upload"] });
  assertEquals((await assertRejects(() => calls.upload(uploading.client), ClientError)).code, "network");
  assertEquals(uploading.asked(), 1);
});

Deno.test("retry() never repeats the calls of routes that except names", async () => {
  for (const failing of [cut, answer(429, {}, null), answer(503, {}, null)]) {
    for (const options of [{ except: ["get"] }, { also: ["get"], except: ["get"] }] as const) {
      const { client, asked } = connect([failing], options);
      await calls.get(client).catch(() => {});
      assertEquals(asked(), 1);
      await calls.put(client).catch(() => {});
      assertEquals(asked(), 4);
    }
  }
});

Deno.test("retry() repeats any call that 429 or 425 refused, unless its body is a stream", async () => {
  for (const status of [425, 429]) {
    for (const [key, call] of Object.entries<Call>(calls)) {
      const { client, asked } = connect([answer(status, {}, null)]);
      await call(client).catch(() => {});
      assertEquals(asked(), key === "upload" ? 1 : 3, key);
    }
  }
});

Deno.test("retry() returns every other outcome unchanged", async () => {
  for (const status of [400, 401, 404, 409, 500, 501, 505]) {
    const { client, asked } = connect([answer(status)]);
    await client.get().catch(() => {});
    assertEquals(asked(), 1, `${status}`);
  }
  const html = connect([() => new Response("<p>", { status: 503, headers: { "content-type": "text/html" } })]);
  assertEquals((await assertRejects(() => html.client.get(), ClientError)).code, "unexpected-content-type");
  const long = connect([ok]);
  assertEquals((await assertRejects(() => long.client.get({ maxBodyBytes: 1 }), ClientError)).code, "invalid-body");
  const wrong = connect([ok]);
  await assertRejects(() => wrong.client.get({ headers: { "x y": "" } }), ClientError, "x y");
  const never = connect([() => new Promise(() => {})]);
  assertEquals((await assertRejects(() => never.client.get({ timeout: 5 }), ClientError)).code, "timeout");
  assertEquals([html, long, wrong, never].map(({ asked }) => asked()), [1, 1, 0, 1]);
});

Deno.test("retry() returns the last outcome unchanged: a result, a late success or an error", async () => {
  const { client } = connect([answer(503, {}, "1"), answer(502), answer(503, {}, "3")]);
  const result = await client.get();
  assertEquals([result.status, result.body], [503, "3"]);
  const mixed = connect([cut, answer(503), ok]);
  assertEquals(unwrap(await mixed.client.get()), "ok");
  const failing = connect([answer(503), answer(503), answer(502, {}, "down")]);
  const error = await assertRejects(() => failing.client.get(), ClientError);
  assertEquals([error.code, error.status, error.text], ["unexpected-status", 502, "down"]);
});

Deno.test("retry() makes the configured number of attempts", async () => {
  for (const attempts of [1, 2, 5]) {
    const { client, asked } = connect([cut], { attempts });
    await client.get().catch(() => {});
    assertEquals(asked(), attempts);
  }
});

/** The waits of a call whose first response is this. */
async function waitsAfter(first: Answer, options?: RetryOptions<"get" | "quote" | "upload">): Promise<number[]> {
  const waits: number[] = [];
  const { client } = connect([first, ok], { maxWait: 30_000, onRetry: ({ wait }) => waits.push(wait), ...options });
  await client.get({ timeout: 20 }).catch(() => {}); // which ends the wait
  return waits;
}

const date = "Sun, 06 Nov 1994 08:49:37 GMT";

// proves http | Retry-After is a number of seconds or a date | 10.2.3
Deno.test("retry() waits as long as Retry-After requires, in seconds or until a date of the server's clock", async () => {
  const later = "Sun, 06 Nov 1994 08:49:47 GMT";
  assertEquals(await waitsAfter(answer(503, { "retry-after": "7" })), [7000]);
  assertEquals(await waitsAfter(answer(429, { "retry-after": "0" })), [0]);
  assertEquals(await waitsAfter(answer(502, { "retry-after": "30" })), [30_000]);
  assertEquals(await waitsAfter(answer(503, { date, "retry-after": later })), [10_000]);
  assertEquals(await waitsAfter(answer(503, { date: later, "retry-after": date })), [0]);
  for (const obsolete of ["Sunday, 06-Nov-94 08:49:47 GMT", "Sun Nov  6 08:49:47 1994"]) {
    assertEquals(await waitsAfter(answer(503, { date, "retry-after": obsolete })), [10_000]);
    assertEquals(await waitsAfter(answer(503, { date: obsolete, "retry-after": later })), [0]);
  }
  const [byOwnClock = NaN] = await waitsAfter(
    answer(503, { "retry-after": new Date(Date.now() + 9000).toUTCString() }),
  );
  assert(byOwnClock > 5000 && byOwnClock <= 9000, `${byOwnClock}`);
});

// proves http | The date of Retry-After may have a leap second, or be of 1970 | 5.6.7
Deno.test("retry() reads a Retry-After with a leap second, and one of 1970", async () => {
  const last = "Sat, 31 Dec 2016 23:59:50 GMT";
  for (
    const leap of ["Sat, 31 Dec 2016 23:59:60 GMT", "Saturday, 31-Dec-16 23:59:60 GMT", "Sat Dec 31 23:59:60 2016"]
  ) {
    assertEquals(await waitsAfter(answer(503, { date: last, "retry-after": leap })), [10_000]);
    assertEquals(await waitsAfter(answer(503, { date: leap, "retry-after": "Sun, 01 Jan 2017 00:00:05 GMT" })), [5000]);
  }
  assertEquals(await waitsAfter(answer(503, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" })), [0]);
});

Deno.test("retry() returns immediately if Retry-After is longer than maxWait", async () => {
  assertEquals(await waitsAfter(answer(503, { "retry-after": "31" })), []);
  assertEquals(await waitsAfter(answer(503, { "retry-after": "1" }), { maxWait: 999 }), []);
  assertEquals(await waitsAfter(answer(503, { "retry-after": "9".repeat(400) })), []);
  const { client, asked } = connect([answer(503, { "retry-after": "1" })]);
  assertEquals([(await client.get()).status, asked()], [503, 1]);
});

Deno.test("retry() without a valid Retry-After waits at random, at most 300 ms after the first attempt", async () => {
  for (const value of ["-1", "1.5", "1e3", "soon", "", "06 Nov 1994", "Sun, 99 Foo 1994 08:49:37 GMT", "soon 1"]) {
    const [wait = NaN] = await waitsAfter(answer(503, { date, "retry-after": value }));
    assert(wait >= 0 && wait < 300, value);
  }
  const waits = await Promise.all(Array.from({ length: 20 }, async () => (await waitsAfter(cut))[0]));
  assertLess(1, new Set(waits).size);
  for (const wait of waits) assertLessOrEqual(wait!, 300);
});

Deno.test("retry() doubles its maximum wait with each attempt, up to 30 seconds or maxWait", async () => {
  /** The longest of many waits after an attempt: the calls are aborted when they wait. */
  const longest = async (attempt: number, maxWait: number): Promise<number> => {
    const waits = await Promise.all(Array.from({ length: 60 }, async () => {
      const controller = new AbortController();
      let waited = NaN;
      const onRetry = (retried: RetriedAttempt): void => {
        if (retried.attempt !== attempt) return;
        waited = retried.wait;
        controller.abort();
      };
      const before = Array.from({ length: attempt - 1 }, () => answer(503, { "retry-after": "0" }));
      const { client } = connect([...before, cut], { attempts: attempt + 1, maxWait, onRetry });
      await client.get({ signal: controller.signal }).catch(() => {});
      return waited;
    }));
    return Math.max(...waits);
  };
  for (
    const [attempt, most] of [[1, 300], [2, 600], [3, 1200], [6, 9600], [7, 19_200], [8, 30_000], [12, 30_000]] as const
  ) {
    const wait = await longest(attempt, 60_000);
    assert(wait <= most && wait > most / 2, `${wait} after ${attempt}`);
  }
  assertLessOrEqual(await longest(6, 5), 5);
});

Deno.test("retry() has a budget: a failing server receives 20 further requests, and then a tenth of the successful ones", async () => {
  let failing = true;
  let asked = 0;
  const client = createClient(contract, {
    baseUrl: "https://a.example",
    fetch: () => (asked++, failing ? cut() : ok()),
    around: retry({ maxWait: 0 }),
  });
  const callTimes = async (times: number): Promise<number> => {
    const before = asked;
    for (let call = 0; call < times; call++) await client.get().catch(() => {});
    return asked - before - times;
  };
  assertEquals(await callTimes(30), 20);
  failing = false;
  assertEquals(await callTimes(19), 0);
  failing = true;
  assertEquals(await callTimes(10), 1);
  failing = false;
  await callTimes(1000);
  failing = true;
  assertEquals(await callTimes(30), 20);
});

Deno.test("retry() reports each attempt that is followed by another, and ignores errors of the hook", async () => {
  const told: unknown[] = [];
  const onRetry = ({ route, attempt, wait, outcome }: RetriedAttempt): Promise<never> => {
    told.push([route.key, attempt, wait, outcome instanceof ClientError ? outcome.code : outcome.status]);
    if (attempt === 1) throw new Error("hook");
    return Promise.reject(new Error("hook"));
  };
  const { client } = connect([cut, answer(503), ok], { onRetry });
  assertEquals(unwrap(await client.get()), "ok");
  assertEquals(told, [["get", 1, 0, "network"], ["get", 2, 0, 503]]);
});

Deno.test("retry() closes the bodies of the results that it does not return", async () => {
  const bodies = [watchBody(["1"], { stalls: true }), watchBody(["1\n"], { stalls: true })];
  const octets = { "content-type": "application/octet-stream" };
  const waiting = Promise.withResolvers<void>();
  const { client } = connect([
    () => new Response(bodies[0]!.stream, { status: 503, headers: octets }),
    () => new Response(bodies[1]!.stream, { headers: { "content-type": "application/x-ndjson" } }),
  ], { onRetry: () => waiting.resolve() });
  const calling = client.rows();
  await waiting.promise;
  assertEquals(bodies[0]!.state(), "cancelled", "before the wait");
  const rows = unwrap(await calling);
  assertEquals(bodies.map(({ state }) => state()), ["cancelled", "open"]);
  await rows.return();
});

Deno.test("retry() stops waiting when the call is aborted or times out; the last error is the cause", async () => {
  const slow = answer(502, { "retry-after": "20" });
  const { client, asked } = connect([slow], { maxWait: 30_000 });
  const error = await assertRejects(() => client.get({ timeout: 10 }), ClientError);
  assertEquals([error.code, error.status, (error.cause as ClientError).status], ["timeout", 502, 502]);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 10);
  const aborted = await assertRejects(() => client.get({ signal: controller.signal }), ClientError);
  assertEquals([aborted.code, asked()], ["aborted", 2]);
});

Deno.test("retry() never repeats the effect of a POST without a key", async () => {
  const orders = defineContract({
    routes: {
      create: route.post("/", {
        headers: type({ "idempotency-key?": "string" }),
        responses: { 204: response.empty() },
      }),
    },
  });
  let effects = 0;
  const keys: string[] = [];
  const handler = createFetchHandler(
    defineServer(orders).implement({
      create: ({ headers: { "idempotency-key": key }, response }) => {
        if (key === undefined) effects++;
        else keys.push(key);
        return response(204);
      },
    }),
  );
  // the effect is there, and its answer is lost: by a cut, or behind a gateway
  const losses: readonly Answer[] = [cut, answer(502, {}, null), answer(504, { "retry-after": "0" }, null)];
  let turn = 0;
  const client = createClient(orders, {
    baseUrl: "https://a.example",
    fetch: async (request) => {
      const done = await handler(request);
      return losses[turn++ % 4]?.() ?? done;
    },
    around: retry({ maxWait: 0 }),
  });
  for (let call = 0; call < 40; call++) await client.create().catch(() => {});
  assertEquals(effects, 40);
  turn = 0;
  for (const key of ["1", "2"]) {
    await client.create({ headers: { "idempotency-key": key } }).catch(() => {});
  }
  assertEquals(keys, ["1", "1", "1", "2"]);
});

Deno.test("retry() throws for invalid options", () => {
  const invalid: readonly (readonly [options: object, message: string])[] = [
    [{ attempts: 0 }, 'retry(): "attempts" must be a positive integer, got 0'],
    [{ attempts: 1.5 }, 'retry(): "attempts" must be a positive integer, got 1.5'],
    [{ attempts: Infinity }, 'retry(): "attempts" must be a positive integer, got Infinity'],
    [{ maxWait: -1 }, 'retry(): "maxWait" must be milliseconds from 0 to 2147483647, or Infinity, got -1'],
    [{ also: "quote" }, 'retry(): "also" must be an array of keys, got a string'],
    [{ except: "quote" }, 'retry(): "except" must be an array of keys, got a string'],
    [{ also: [undefined as never] }, 'retry(): "also" must be an array of keys, got an array'],
    [{ onRetry: 1 }, 'retry(): "onRetry" must be a function, got 1'],
    [{ retries: 3 }, 'retry(): unknown option "retries" (allowed: attempts, maxWait, also, except, onRetry)'],
  ];
  for (const [options, message] of invalid) assertThrows(() => retry(options), TypeError, message);
  assertThrows(
    () => createClient(contract, { baseUrl: "https://a.example", around: retry({ also: ["qoute" as never] }) }),
    TypeError,
    'createClient(): "around" names the unknown route "qoute"',
  );
});

Deno.test("the types of retry() accept only the keys of the contract's routes", () => {
  const baseUrl = "https://a.example";
  createClient(contract, { baseUrl, around: retry({ also: ["quote", "upload"] }) });
  createClient(contract, { baseUrl, around: retry({ also: ["quote"], except: ["post"] }) });
  createClient(contract, { baseUrl, around: [retry(), retry({ attempts: 2 })] });
  const shared = retry({ attempts: 2 });
  createClient(contract, { baseUrl, around: shared });
  assertThrows(() =>
    createClient(contract, {
      baseUrl,
      // @ts-expect-error the contract does not have this route
      around: retry({ also: ["qoute"] }),
    })
  );
  assertThrows(() =>
    createClient(contract, {
      baseUrl,
      // @ts-expect-error the contract does not have this route
      around: retry({ except: ["qoute"] }),
    })
  );
  // @ts-expect-error no such option
  assertThrows(() => retry({ retries: 3 }));
});
