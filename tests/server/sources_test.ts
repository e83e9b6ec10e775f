/** Streams that middleware receives and does not pass on, and those that it turns into others. */
import { Readable } from "node:stream";
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { rejectionsOf, settled } from "../support/rejections.ts";
import { type AnyMiddleware, ask, createSource, forEachSource, type Settings, type Source } from "./watched_sources.ts";

const text = "1\n2\n3\n";
const other = { status: 202, body: "another" };
const pass: AnyMiddleware = ({ next }) => next();
const look: AnyMiddleware = async ({ next }) => await next();
const label: AnyMiddleware = async ({ next }) => {
  const result = await next();
  return { ...result, headers: { ...result.headers, "x-by": "label" } };
};

/**
 * The status of a JSON response that contains the body: JSON rejects a `ReadableStream` and a `Response`, which it
 * would write as `{}`.
 */
const written = ({ body }: Source): number => body instanceof ReadableStream || body instanceof Response ? 500 : 203;

/** Middleware that does not pass a result on, and the status of the response. */
const departures: Readonly<Record<string, readonly [AnyMiddleware, number | typeof written]>> = {
  "another result": [async ({ next }) => (await next(), other), 202],
  "a race that is lost": [({ next }) => Promise.race([Promise.resolve(other), next()]), 202],
  "a next() that is not awaited": [({ next }) => (next(), other), 202],
  "an error after next()": [async ({ next }) => {
    await next();
    throw new Error("after");
  }, 500],
  "an error beside next()": [({ next }) => {
    next();
    throw new Error("beside");
  }, 500],
  "a result in an object": [async ({ next }) => ({ result: await next() }), 500],
  "a result as a body": [async ({ next }) => ({ status: 203, body: await next() }), written],
  "a body in a list": [async ({ next }) => ({ status: 203, body: [(await next()).body] }), written],
  "nothing": [async ({ next }) => void await next(), 500],
  "another status with the same body": [async ({ next }) => ({ ...await next(), status: 202 }), 500],
  "a status that is not declared": [async ({ next }) => ({ ...await next(), status: 418 }), 500],
  "an empty stream": [async ({ next }) => {
    const { body } = await next();
    return { status: 201, body: body instanceof Response ? new Response(null, { status: 201 }) : [] };
  }, 201],
  "a header that cannot be sent": [async ({ next }) => ({ ...await next(), headers: { "x-a": "\n" } }), 500],
};

// proves promises | A stream that middleware does not pass on is closed once
Deno.test("a stream that middleware does not return is closed once, whatever middleware returns instead", (test) =>
  forEachSource(test, async (create, manner) => {
    const places = [[], [pass], [look, label]].flatMap((outer) => [[], [pass], [label]].map((inner) => [outer, inner]));
    const check = async (what: string, [outer = [], inner = []]: AnyMiddleware[][]): Promise<void> => {
      const [middleware, status] = departures[what]!;
      const source = create();
      const { answer } = await ask(source, { ...manner, middleware: [...outer, middleware, ...inner] });
      await answer.text();
      await settled();
      const expected = typeof status === "number" ? status : status(source);
      assertEquals([answer.status, source.count.closed, source.count.asked], [expected, 1, 0], what);
    };
    await Promise.all(Object.keys(departures).flatMap((what) => places.map((place) => check(what, place))));
  }));

Deno.test("a stream whose result arrives after the response is closed, and its producer is never pulled", (test) =>
  forEachSource(test, async (create, { isThrown = false }) => {
    const source = create();
    const race: AnyMiddleware = ({ next }) => Promise.race([Promise.resolve(other), next()]);
    const { answer } = await ask(source, { isThrown, isLate: true, middleware: [race] });
    assertEquals([answer.status, source.count.closed], [202, 0]);
    await settled();
    assertEquals([source.count.closed, source.count.asked], [1, 0]);
  }));

Deno.test("a stream that middleware returns is sent unchanged, and is not closed", (test) =>
  forEachSource(test, async (create, manner) => {
    const created: AnyMiddleware = async ({ next }) => {
      const result = await next();
      return result.body instanceof Response ? result : { ...result, status: 201 };
    };
    for (const middleware of [[pass], [look], [label], [created], [pass, look, label, created, pass]]) {
      const source = create();
      const { answer, heard } = await ask(source, { ...manner, middleware });
      assertEquals([await answer.text(), heard], [text, []]);
      assertEquals([source.count.closed, source.count.begun <= 1], [0, true]);
    }
  }));

/** Ways in which a response is not read to its end. */
const departuresOfClients: Readonly<Record<string, (source: Source, how: Settings) => Promise<unknown>>> = {
  "the client disconnects": async (source, how) => (await ask(source, how)).answer.body!.cancel(),
  "the client sends HEAD": (source, how) => ask(source, { ...how, init: { method: "HEAD" } }),
  "it cannot be sent": async (source, how) => {
    assertEquals((await ask(source, { ...how, headers: { "x-a": "\n" } })).answer.status, 500);
  },
  "the client disconnects before the response": async (source, { middleware, ...how }) => {
    const client = new AbortController();
    const leave: AnyMiddleware = ({ next }) => next().finally(() => client.abort());
    const init = { signal: client.signal };
    const { answer } = await ask(source, { ...how, init, middleware: [leave, ...middleware] });
    if (source.body instanceof Response) await answer.body!.cancel(); // which is the runtime's to do
  },
};

for (const [name, leave] of Object.entries(departuresOfClients)) {
  Deno.test(`a stream that middleware returns is closed once if ${name}`, (test) =>
    forEachSource(test, async (create, manner) => {
      for (const middleware of [[pass], [label, look]]) {
        const source = create();
        await leave(source, { ...manner, middleware });
        await settled();
        assertEquals(source.count.closed, 1);
      }
    }));
}

type Wrap = (source: AsyncIterable<unknown>) => AsyncIterable<unknown>;

/** Middleware that returns another stream, which is made of the first when it is read itself. */
function wrapping(wrap: Wrap): AnyMiddleware {
  return async ({ next }) => {
    const result = await next();
    const { body } = result;
    if (!(body instanceof Response)) return { ...result, body: wrap(body as AsyncIterable<unknown>) };
    return { ...result, body: new Response(ReadableStream.from(wrap(body.body!)) as ReadableStream, body) };
  };
}

const transform = wrapping(async function* (source): AsyncGenerator<unknown> {
  for await (const item of source) yield item;
});
const wrappers = [[transform], [transform, transform], [label, transform, pass]];

Deno.test("a stream that middleware wraps stays open, however late the wrapper begins to read", (test) =>
  forEachSource(test, async (create, manner) => {
    for (const middleware of wrappers) {
      const source = create();
      const { answer, heard } = await ask(source, { ...manner, middleware });
      await settled();
      assertEquals([source.count.asked, source.count.closed], [0, 0]);
      assertEquals([await answer.text(), heard], [text, []]);
      await settled();
      assertEquals(source.count.closed, 0); // it has ended by itself
    }
  }));

Deno.test("a stream that middleware wraps is closed once if the client disconnects, before or after the first item", (test) =>
  forEachSource(test, async (create, manner) => {
    for (const items of [0, 1, 2]) {
      for (const middleware of wrappers) {
        const source = create();
        const reader = (await ask(source, { ...manner, middleware })).answer.body!.getReader();
        for (let read = 0; read < items; read++) await reader.read();
        await reader.cancel();
        await settled();
        assertEquals(source.count.closed, 1, `${items} items`);
      }
    }
    const head = create();
    await ask(head, { ...manner, middleware: [transform], init: { method: "HEAD" } });
    await settled();
    assertEquals(head.count.closed, 1);
  }));

Deno.test("a stream that middleware replaces is closed when the replacement ends", (test) =>
  forEachSource(test, async (create, manner) => {
    const source = create();
    const sevens = source.body instanceof Response ? new TextEncoder().encode("7\n") : 7;
    const replace = wrapping(async function* (): AsyncGenerator<unknown> {
      yield await Promise.resolve(sevens);
    });
    const { answer } = await ask(source, { ...manner, middleware: [replace] });
    await settled();
    assertEquals(source.count.closed, 0); // the response may be made of it
    assertEquals(await answer.text(), "7\n");
    await settled();
    assertEquals([source.count.closed, source.count.asked], [1, 0]);
  }));

Deno.test("a stream that middleware replaces is closed when the replacement fails", (test) =>
  forEachSource(test, async (create, manner) => {
    const source = create();
    const broken = wrapping(async function* (): AsyncGenerator<unknown> {
      yield await Promise.reject(new Error("broken"));
    });
    const { answer } = await ask(source, { ...manner, middleware: [broken] });
    await assertRejects(() => answer.text(), Error, "broken");
    await settled();
    assertEquals([source.count.closed, source.count.asked], [1, 0]);
  }));

Deno.test("a wrapped stream that is left before the wrapper reads it is closed once, and is not read", (test) =>
  forEachSource(test, async (create, manner) => {
    const source = create();
    const wait = Promise.withResolvers<void>();
    const slow = wrapping(async function* (body): AsyncGenerator<unknown> {
      await wait.promise;
      for await (const item of body) yield item;
    });
    const reader = (await ask(source, { ...manner, middleware: [slow] })).answer.body!.getReader();
    const read = reader.read();
    await settled();
    await Promise.race([reader.cancel(), settled()]);
    await settled();
    assertEquals(source.count.closed, 1);
    wait.resolve();
    await read;
    await settled();
    assertEquals([source.count.closed, source.count.asked], [1, 0]);
  }));

Deno.test("a stream may wait for a pending result and read its stream", (test) =>
  forEachSource(test, async (create, { isThrown = false }, name) => {
    if (name === "a native response") return;
    const beat = async function* (result: Promise<{ readonly body?: unknown }>): AsyncGenerator<unknown> {
      yield 0;
      yield* (await result).body as AsyncIterable<unknown>;
    };
    const middleware: AnyMiddleware[] = [({ next }) => ({ status: 200, body: beat(next()) }), pass];
    const whole = create();
    const { answer } = await ask(whole, { isThrown, isLate: true, middleware });
    assertEquals([await answer.text(), whole.count.closed], [`0\n${text}`, 0]);
    const left = create();
    const reader = (await ask(left, { isThrown, isLate: true, middleware })).answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    assertEquals(left.count.closed, 0);
    await settled();
    assertEquals([left.count.closed, left.count.asked], [1, 0]); // on its arrival
  }));

const itemsOf = ({ body }: { readonly body?: unknown }): AsyncIterable<unknown> =>
  body instanceof Response ? body.body! : body as AsyncIterable<unknown>;

/** Middleware that reads a stream, the text of the response, and how often the stream is closed then. */
const readers: Readonly<Record<string, readonly [AnyMiddleware, text: string, closed: number]>> = {
  "to its end": [
    async ({ next }) => {
      const items = await Array.fromAsync(itemsOf(await next()));
      return { status: 202, body: String(items.length) };
    },
    "3",
    0,
  ],
  "to its first item": [
    async ({ next }) => {
      for await (const _ of itemsOf(await next())) break;
      return other;
    },
    "another",
    1,
  ],
  "in the background": [
    async ({ next }) => {
      Array.fromAsync(itemsOf(await next()));
      return other;
    },
    "another",
    0,
  ],
};

for (const [name, [middleware, expected, closed]] of Object.entries(readers)) {
  Deno.test(`a stream that middleware reads ${name} is middleware's to close`, (test) =>
    forEachSource(test, async (create, manner) => {
      const source = create();
      const { answer } = await ask(source, { ...manner, middleware: [look, middleware] });
      assertEquals(await answer.text(), expected);
      await settled();
      assertEquals([source.count.closed, source.count.asked], [closed, closed ? 1 : 4]);
    }));
}

Deno.test("a native response whose body middleware moves to another one is sent, and closed once", async () => {
  let moved: Response | undefined;
  const move: AnyMiddleware = async ({ next }) => {
    const { body } = await next() as { body: Response };
    moved = new Response(body.body, { status: 201, headers: { "x-moved": "1" } });
    return { status: 201, body: moved };
  };
  for (const middleware of [[move], [pass, move], [move, look]]) {
    const whole = createSource("a native response");
    const { answer } = await ask(whole, { middleware });
    assertStrictEquals(answer, moved); // not a copy, whose content would be read on its way
    assertEquals([answer.status, answer.headers.get("x-moved"), await answer.text()], [201, "1", text]);
    const left = createSource("a native response");
    await (await ask(left, { middleware })).answer.body!.cancel();
    await settled();
    assertEquals([whole.count.closed, left.count.closed], [0, 1]);
  }
});

Deno.test("an array, and a result that is not a stream, reach middleware unchanged", async () => {
  for (const body of [[1, 2, 3], "text", new ReadableStream()]) {
    let seen: unknown;
    const watch: AnyMiddleware = ({ next }) => next().then((result) => (seen = result.body, result));
    const { answer } = await ask({ body }, { middleware: [watch] });
    await answer.body!.cancel();
    assertStrictEquals(seen, body);
  }
});

/** Ways in which middleware returns. */
const returns: Readonly<Record<string, () => unknown>> = {
  "a result": () => other,
  "a promise": () => Promise.resolve(other),
  "a promise that rejects with a result": () => Promise.reject(other),
  "a promise that rejects": () => Promise.reject(new Error()),
};

for (const [name, answer] of Object.entries(returns)) {
  Deno.test(`next() that is called after middleware returned ${name} rejects, and starts nothing inside`, async () => {
    let started = 0;
    const called = Promise.withResolvers<unknown>();
    const late: AnyMiddleware = ({ next }) => {
      setTimeout(() => {
        next(); // which is not awaited
        next().catch(called.resolve);
      }, 1);
      return answer();
    };
    const unhandled = await rejectionsOf(async () => {
      await ask(createSource("a stream"), { middleware: [late, ({ next }) => (started++, next())] });
      const error = await called.promise;
      assert(error instanceof TypeError);
      assertEquals(error.message, "next(): called after the middleware returned; call it before");
    });
    assertEquals([started, unhandled], [0, []]);
  });
}

Deno.test("next() that was called before the middleware returned continues", async () => {
  let ended = 0;
  const middleware: AnyMiddleware[] = [({ next }) => (next().then(() => ended++), other), look];
  const { answer } = await ask(createSource("a stream"), { isLate: true, middleware });
  assertEquals([await answer.text(), ended], ["another", 0]);
  await settled();
  assertEquals(ended, 1);
});

Deno.test("a stream of Node is closed if its client leaves before or after the first chunk, and for HEAD", async () => {
  const contract = defineContract({ routes: { file: route.get("/", { responses: { 200: response.stream() } }) } });
  let file: Readable;
  const handler = createFetchHandler(
    defineServer(contract).implement({
      file: ({ response }) => response(200, file = Readable.from([new Uint8Array(3), new Uint8Array(3)])),
    }),
  );
  const ask = async (method: string): Promise<Response> => await handler(new Request("http://localhost/", { method }));

  await (await ask("GET")).body!.cancel();
  await settled();
  assert(file!.destroyed);
  const reader = (await ask("GET")).body!.getReader();
  await reader.read();
  await reader.cancel();
  await settled();
  assert(file!.destroyed);
  await (await ask("HEAD")).text();
  await settled();
  assert(file!.destroyed);
});
