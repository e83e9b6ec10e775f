import { defineContract, request, response, route, router, security } from "@scope/api";
import {
  type AnyOutcome,
  type Around,
  type AroundCall,
  type Client,
  ClientError,
  createClient,
  unwrap,
} from "@scope/api/client";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const baseUrl = "https://a.example";
const token = security.bearer("token");
const contract = defineContract({
  security: [],
  routes: {
    text: route.get("/text", { security: [token], responses: { 200: response.text(), 401: response.text() } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(type("number")) } }),
    raw: route.get("/raw", { responses: { 200: response.raw() } }),
    send: route.put("/send", { body: request.stream({ optional: true }), responses: { 204: response.empty() } }),
    orders: router("/orders", {
      routes: {
        create: route.post("/", {
          headers: type({ "idempotency-key?": "string" }),
          responses: { 204: response.empty() },
        }),
        note: route.patch("/", { responses: { 204: response.empty() } }),
        head: route.head("/", { responses: { 204: response.empty() } }),
        options: route.options("/", { responses: { 204: response.empty() } }),
        remove: route.delete("/", { responses: { 204: response.empty() } }),
        query: route.query("/", { responses: { 204: response.empty() } }),
        put: route.put("/", { responses: { 204: response.empty() } }),
      },
    }),
  },
});

type Fetch = (request: Request) => Response | Promise<Response>;
type Options = Parameters<typeof createClient<typeof contract>>[1];

function connect(around: Options["around"], fetch: Fetch, more: Partial<Options> = {}): Client<typeof contract.routes> {
  return createClient(contract, { baseUrl, around, fetch, ...more });
}

const ok: Fetch = () => new Response("ok", { headers: { "content-type": "text/plain" } });

/** A server of rows, each of whose bodies is observed. */
function rowsServer(stalls = true): { readonly fetch: Fetch; readonly states: () => string[] } {
  const bodies: ReturnType<typeof watchBody>[] = [];
  const fetch: Fetch = () => {
    const body = watchBody(["1\n"], { stalls });
    bodies.push(body);
    return new Response(body.stream, { headers: { "content-type": "application/x-ndjson" } });
  };
  return { fetch, states: () => bodies.map(({ state }) => state()) };
}

Deno.test("around runs around every call, the first of a list outermost", async () => {
  const told: string[] = [];
  const note = (name: string): Around => async (attempt) => {
    told.push(`${name} in`);
    const outcome = await attempt();
    told.push(`${name} out ${outcome.status}`);
    return outcome;
  };
  const fetch: Fetch = (request) => (told.push("sent"), ok(request));
  const order = ["one in", "two in", "sent", "two out 200", "one out 200"];

  assertEquals(unwrap(await connect([note("one"), note("two")], fetch).text()), "ok");
  assertEquals(told.splice(0), order);
  assertEquals(unwrap(await connect(note("one"), fetch).text()), "ok");
  assertEquals(told.splice(0), ["one in", "sent", "one out 200"]);
  assertEquals(unwrap(await connect([], fetch).text()), "ok");
  assertEquals(told, ["sent"]);
});

Deno.test("around receives the route, the signal, and whether a call may be repeated", async () => {
  const calls: AroundCall[] = [];
  const empty: Fetch = () => new Response(null, { status: 204 });
  const client = connect((attempt, call) => {
    calls.push(call);
    return attempt();
  }, empty);
  const { signal } = new AbortController();
  const { orders } = client;
  await orders.create({ headers: {} });
  await orders.create({ headers: { "idempotency-key": "1" } }, { signal });
  await orders.create({}, { headers: { "idempotency-key": "1" } }); // declared is what counts
  for (const name of ["note", "head", "options", "remove", "query", "put"] as const) await orders[name]();
  await client.send();
  await client.send({ body: ReadableStream.from([new Uint8Array(1)]) });

  assertEquals(calls.map(({ route, idempotent, replayable }) => `${route.method} ${idempotent} ${replayable}`), [
    "POST false true",
    "POST true true",
    "POST false true",
    "PATCH false true",
    "HEAD true true",
    "OPTIONS true true",
    "DELETE true true",
    "QUERY true true",
    "PUT true true",
    "PUT true true",
    "PUT true false",
  ]);
  assertEquals(calls[0]!.route, { key: "orders.create", method: "POST", path: "/orders" });
  assertStrictEquals(calls[1]!.signal, signal);
  assertEquals(calls[0]!.signal, undefined);
});

Deno.test("each attempt encodes again, with its own headers, credentials and request", async () => {
  let run = 0;
  const seen: string[] = [];
  let current = "old";
  const refresh: Around = async (attempt) => {
    const outcome = await attempt();
    if (outcome.status !== 401) return outcome;
    current = "new";
    return await attempt();
  };
  const client = connect(refresh, ({ headers }) => {
    seen.push(`${headers.get("x-run")} ${headers.get("authorization")}`);
    const status = headers.get("authorization") === "Bearer new" ? 200 : 401;
    return new Response(`${status}`, { status, headers: { "content-type": "text/plain" } });
  }, { headers: () => ({ "x-run": ++run }), credentials: { token: () => Promise.resolve(current) } });

  assertEquals(unwrap(await client.text()), "200");
  assertEquals(seen, ["1 Bearer old", "2 Bearer new"]);
});

Deno.test("an attempt rejects with the ClientError of the call, which around may rethrow or handle", async () => {
  let left = 2;
  const errors: unknown[] = [];
  const again: Around = async (attempt) => {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        errors.push(error);
        if (left < 0) throw error;
      }
    }
  };
  const refused = new TypeError("refused");
  const fetch: Fetch = (request) => --left >= 0 ? Promise.reject(refused) : ok(request);
  assertEquals(unwrap(await connect(again, fetch).text()), "ok");
  assertEquals(errors.map((error) => error instanceof ClientError && [error.code, error.route?.key, error.cause]), [
    ["network", "text", refused],
    ["network", "text", refused],
  ]);

  left = -1;
  const error = await assertRejects(() => connect(again, () => Promise.reject(refused)).text(), ClientError);
  assertStrictEquals(error, errors[2]);
});

Deno.test("a call rejects with invalid-outcome if around throws another error, synchronously or not", async () => {
  const cause = new Error("not signed in");
  const other = new ClientError("network", "of another call", { route: { key: "x", method: "GET", path: "/" } });
  const throwing: readonly (readonly [around: Around, cause: unknown, message: string])[] = [
    [
      () => {
        throw cause;
      },
      cause,
      'a function of "around" threw: not signed in',
    ],
    [() => Promise.reject(cause), cause, 'a function of "around" threw: not signed in'],
    [() => Promise.reject(other), other, 'a function of "around" threw: of another call'],
    [() => Promise.reject("no"), "no", 'a function of "around" threw: the thrown value is not an Error'],
    [async (attempt) => (await attempt(), Promise.reject(cause)), cause, 'a function of "around" threw: not signed in'],
  ];
  for (const [around, thrown, message] of throwing) {
    for (const list of [around, [around, ((attempt) => attempt()) as Around]]) {
      const error = await assertRejects(() => connect(list, ok).text(), ClientError);
      assertEquals([error.code, error.route?.key], ["invalid-outcome", "text"]);
      assertStrictEquals(error.cause, thrown);
      assertEquals(error.message, `Cannot call GET /text (text): ${message}`);
    }
  }
});

Deno.test("around may reject with a ClientError of the route without an attempt", async () => {
  const open = connect(
    (_, { route }) => Promise.reject(new ClientError("network", "the circuit is open", { route })),
    ok,
  );
  assertEquals((await assertRejects(() => open.text(), ClientError)).message, "the circuit is open");
});

Deno.test("a call rejects with invalid-outcome if around returns no outcome, with or without an attempt", async () => {
  const outcomes: readonly unknown[] = [undefined, null, "ok", 200, {}, [], { status: 500 }, { status: "200" }, ok];
  for (const outcome of outcomes) {
    for (const attempts of [0, 1]) {
      const around = (async (attempt: () => Promise<unknown>) => {
        if (attempts === 1) await attempt();
        return outcome;
      }) as Around;
      const error = await assertRejects(() => connect(around, ok).text(), ClientError);
      assertEquals(error.code, "invalid-outcome");
      assertStringIncludes(error.message, "must return the outcome of attempt()");
    }
  }
});

Deno.test("around receives errors of the inner function like those of an attempt", async () => {
  const seen: unknown[] = [];
  const outer: Around = async (attempt) => {
    try {
      return await attempt();
    } catch (error) {
      seen.push(error instanceof ClientError && error.code);
      return await attempt();
    }
  };
  let broken = true;
  const inner: Around = async (attempt) => {
    if (!broken) return await attempt();
    broken = false;
    return undefined as never;
  };
  assertEquals(unwrap(await connect([outer, inner], ok).text()), "ok");
  assertEquals(seen, ["invalid-outcome"]);
});

Deno.test("around may return an earlier outcome without calling attempt(); nothing is sent", async () => {
  let kept: AnyOutcome | undefined;
  let sent = 0;
  const cache: Around = async (attempt) => (kept ??= await attempt()) as never;
  const client = connect(cache, (request) => (sent++, ok(request)));
  assertEquals([unwrap(await client.text()), unwrap(await client.text()), sent], ["ok", "ok", 1]);
});

Deno.test("around that never settles ends with the call's signal or timeout", async () => {
  const never: Around = () => new Promise(() => {});
  const { send, text } = connect(never, ok);
  assertEquals(
    (await assertRejects(() => text({ timeout: -5 }), ClientError)).code,
    "invalid-input",
  );
  assertEquals((await assertRejects(() => text({ timeout: 5 }), ClientError)).code, "timeout");
  const aborted = await assertRejects(() => text({ signal: AbortSignal.timeout(5) }), ClientError);
  assertEquals(aborted.code, "aborted");

  const body = watchBody(["a"], { stalls: true });
  assertEquals((await assertRejects(() => send({ body: body.stream }, { timeout: 5 }), ClientError)).code, "timeout");
  assertEquals(body.state(), "cancelled"); // no attempt took it
});

Deno.test("attempt() after the end of the call rejects with invalid-input and sends nothing", async () => {
  let late: (() => Promise<AnyOutcome>) | undefined;
  let sent = 0;
  const client = connect((attempt) => {
    late = attempt;
    return attempt();
  }, (request) => (sent++, ok(request)));
  await client.text();
  const error = await assertRejects(() => late!(), ClientError);
  assertEquals([error.code, sent], ["invalid-input", 1]);
  assertStringIncludes(error.message, "attempt() was called after the call had ended");
});

Deno.test("a second attempt with a stream rejects with invalid-input, for every kind of producer", async () => {
  async function* produce(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield new Uint8Array([1, 2]);
  }
  for (const body of [produce(), ReadableStream.from(produce())]) {
    let sent = 0;
    const errors: unknown[] = [];
    const twice: Around = async (attempt) => {
      await attempt();
      return await attempt().catch((error) => {
        errors.push(error.code, error.message);
        throw error;
      });
    };
    const client = connect(twice, async (request) => {
      sent += (await request.bytes()).length;
      return new Response(null, { status: 204 });
    });
    await assertRejects(() => client.send({ body }), ClientError);
    assertEquals([sent, ...errors], [
      2,
      "invalid-input",
      "Cannot call PUT /send (send): its body is a stream, which can be sent only once",
    ]);
  }
});

Deno.test("the timeout covers all attempts and waits; its error has the last attempt's error as its cause", async () => {
  let sent = 0;
  const around: Around = async (attempt, { signal }) => {
    for (;;) {
      try {
        return await attempt();
      } catch {
        signal?.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  };
  const client = connect(around, () => (sent++, Promise.reject(new TypeError("refused"))));
  const error = await assertRejects(() => client.text({ timeout: 60 }), ClientError);
  const before = sent;
  await new Promise((resolve) => setTimeout(resolve, 25)); // for the attempt that is under way to end
  assertEquals([error.code, (error.cause as ClientError).code], ["timeout", "network"]);
  assert(before > 1);
  assertEquals(sent, before, "no attempt is made after the end");
});

Deno.test("results that the caller does not receive are closed; the one that it receives is not", async () => {
  const second: Around = async (attempt) => (await attempt(), await attempt());
  const first: Around = async (attempt) => {
    const outcome = await attempt();
    await attempt();
    return { ...outcome };
  };
  const orders: readonly [Around, string[]][] = [[second, ["cancelled", "open"]], [first, ["open", "cancelled"]]];
  for (const [around, states] of orders) {
    const server = rowsServer();
    const { body } = await connect(around, server.fetch).rows({ timeout: 60_000 });
    assertEquals(server.states(), states);
    assertEquals((await body.next()).value, 1);
    await body.return(); // releases the timer, as the sanitizer sees
    assertEquals(server.states(), ["cancelled", "cancelled"]);
  }

  const server = rowsServer();
  const failing: Around = async (attempt) => (await attempt(), Promise.reject(new Error("no")));
  await assertRejects(() => connect(failing, server.fetch).rows({ timeout: 60_000 }), ClientError);
  const { response } = await connect(second, server.fetch).raw();
  assertEquals(server.states(), ["cancelled", "cancelled", "open"]);
  await response.body?.cancel();
});

Deno.test("the result of a late attempt is closed, and a late failure leaves no unhandled rejection", async () => {
  const server = rowsServer();
  let sent = 0;
  const pending = Promise.withResolvers<void>();
  const race: Around = (attempt) => Promise.race([attempt(), attempt(), attempt()]);
  const client = connect(race, async (request) => {
    const turn = ++sent;
    if (turn > 1) await pending.promise;
    if (turn === 2) throw new TypeError("refused");
    return server.fetch(request);
  });
  const { body } = await client.rows();
  assertEquals(server.states(), ["open"]);
  pending.resolve();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals(server.states(), ["open", "cancelled"]);
  await body.return();
});

Deno.test("an abandoned attempt may fail; the call returns the outcome of the other one", async () => {
  let sent = 0;
  const hedge: Around = (attempt) => {
    attempt();
    return attempt();
  };
  const client = connect(hedge, (request) => sent++ === 0 ? Promise.reject(new TypeError("refused")) : ok(request));
  assertEquals(unwrap(await client.text()), "ok");
  await new Promise((resolve) => setTimeout(resolve, 5)); // an unhandled rejection would fail the test
});

Deno.test("around receives aborted if the inner function rethrows the reason of the signal", async () => {
  const seen: unknown[] = [];
  const outer: Around = (attempt) =>
    attempt().catch((error) => {
      seen.push(error.code);
      throw error;
    });
  const inner: Around = (_, { signal }) =>
    new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
  const error = await assertRejects(() => connect([outer, inner], ok).text({ timeout: 5 }), ClientError);
  await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals([error.code, ...seen], ["timeout", "timeout"]);
});

Deno.test("the timeout continues while a stream from around is read", async () => {
  const { body } = await connect((attempt) => attempt(), rowsServer().fetch).rows({ timeout: 30 });
  await body.next();
  assertEquals((await assertRejects(() => body.next(), ClientError)).code, "timeout");
});

Deno.test("createClient() throws if around is not a function or names an unknown route", () => {
  for (const around of [null, 1, "retry", {}, [undefined], [ok, 1]]) {
    assertThrows(
      () => connect(around as never, ok),
      TypeError,
      'createClient(): "around" must be a function or an array of functions, got ',
    );
  }
  for (const routes of [["text", "orders.crate"], "orders.crate"]) {
    const named = Object.assign(((attempt) => attempt()) as Around, { routes });
    assertThrows(
      () => connect(named as never, ok),
      TypeError,
      'createClient(): "around" names the unknown route "orders.crate"',
    );
  }
});

Deno.test("the types of around accept generic functions and refuse invented outcomes", () => {
  const create = (around: Options["around"]) => connect(around, ok);
  create((attempt) => attempt());
  create([async (attempt, { route, signal }) => (console.log(route.key, signal), await attempt())]);
  // @ts-expect-error an outcome is the result of attempt()
  create(() => Promise.resolve({ status: 200, body: "ok", headers: {}, response: new Response() }));
  // @ts-expect-error it is a promise
  create(() => undefined);
  // @ts-expect-error a call is the caller's
  create((attempt, call) => (call.idempotent = true, attempt()));
  // @ts-expect-error the body of any route is unknown
  create(async (attempt) => (await attempt()).body.name);
  // @ts-expect-error the routes are those of the contract
  assertThrows(() => create(Object.assign(((attempt) => attempt()) as Around<"x">, { routes: ["x"] as const })));
});
