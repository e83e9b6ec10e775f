/** Streams that middleware receives and does not pass on, and those that it turns into others. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { defineServer, type MiddlewareInput } from "@scope/api/server";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { type } from "arktype";
import { settle } from "../support/producers.ts";
import { rejectionsOf } from "../support/rejections.ts";

const lines = { 200: response.ndjson(type("number")), 201: response.ndjson(type("number")) };
const contract = defineContract({
  responses: { 202: response.text(), 203: response.json<unknown>() },
  routes: {
    lines: route.get("/lines", { responses: lines }),
    raw: route.get("/raw", { responses: { 200: response.raw(), 201: response.raw() } }),
  },
});
type Key = "lines" | "raw";

/** A source, and the operations on it. */
interface Watched {
  readonly key: Key;
  readonly body: unknown;
  readonly count: { asked: number; closed: number; begun: number };
}

/** Three numbers, as every kind of source that has to be closed. */
const sources: Readonly<Record<string, () => Watched>> = {
  "an asynchronous iterable": () => {
    const count = { asked: 0, closed: 0, begun: 0 };
    const iterator = {
      next: () => Promise.resolve(count.asked++ < 3 ? { done: false, value: count.asked } : { done: true }),
      return: () => {
        count.closed++;
        return Promise.resolve({ done: true });
      },
    };
    return { key: "lines", count, body: { [Symbol.asyncIterator]: () => (count.begun++, iterator) } };
  },
  "a synchronous iterable": () => {
    const count = { asked: 0, closed: 0, begun: 0 };
    const iterator = {
      next: () => count.asked++ < 3 ? { done: false, value: count.asked } : { done: true },
      return: () => {
        count.closed++;
        return { done: true };
      },
    };
    return { key: "lines", count, body: { [Symbol.iterator]: () => (count.begun++, iterator) } };
  },
  "a stream": () => {
    const count = { asked: 0, closed: 0, begun: 0 };
    const body = new ReadableStream({
      pull(controller): void {
        if (count.asked++ < 3) controller.enqueue(count.asked);
        else controller.close();
      },
      cancel: () => void count.closed++,
    }, { highWaterMark: 0 });
    return { key: "lines", count, body };
  },
  "a native response": () => {
    const count = { asked: 0, closed: 0, begun: 0 };
    const body = new ReadableStream({
      pull(controller): void {
        if (count.asked++ < 3) controller.enqueue(new TextEncoder().encode(`${count.asked}\n`));
        else controller.close();
      },
      cancel: () => void count.closed++,
    }, { highWaterMark: 0 });
    return { key: "raw", count, body: new Response(body) };
  },
};
const text = "1\n2\n3\n";

interface Given {
  readonly next: () => Promise<{ readonly status: number; readonly body?: unknown; readonly headers?: object }>;
  readonly signal: AbortSignal;
}
type AnyMiddleware = (given: Given) => unknown;

interface Asked {
  readonly middleware: readonly AnyMiddleware[];
  /** Whether the handler takes its time. */
  readonly late?: boolean;
  readonly init?: RequestInit;
  readonly headers?: object;
  readonly thrown?: boolean;
}

interface Answered {
  readonly answer: Response;
  readonly heard: readonly string[];
}

/** Asks for a source behind middleware, the first outermost. */
async function ask({ key, body }: Watched, asked: Asked): Promise<Answered> {
  const heard: string[] = [];
  const server = asked.middleware.reduce(
    (server, each) => server.use(each as unknown as (input: MiddlewareInput) => never),
    defineServer(contract),
  );
  const handle = async (): Promise<unknown> => {
    await settle();
    return respond();
  };
  const respond = (): unknown => {
    const result = { status: 200, body, headers: asked.headers };
    if (asked.thrown) throw result;
    return result;
  };
  const it = (asked.late ? handle : respond) as never;
  const handler = createFetchHandler(server.implement({ lines: it, raw: it }), {
    onError: ({ phase }: ErrorReport) => void heard.push(phase),
  });
  return { answer: await handler(new Request(`http://localhost/${key}`, asked.init)), heard };
}

/** Runs `use` with each kind of source and each kind of handler. */
async function forEach(use: (make: () => Watched, how: Partial<Asked>, name: string) => Promise<void>): Promise<void> {
  const unhandled = await rejectionsOf(async () => {
    for (const [name, make] of Object.entries(sources)) {
      for (const late of [false, true]) {
        for (const thrown of [false, true]) {
          await use(make, { late, thrown }, `${name}, ${late ? "late" : "at once"}${thrown ? ", thrown" : ""}`);
        }
      }
    }
  });
  assertEquals(unhandled, []);
}

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
const written = ({ body }: Watched): number => body instanceof ReadableStream || body instanceof Response ? 500 : 203;

/** Middleware that does not pass a result on, and the status of the response. */
const departures: Readonly<Record<string, readonly [AnyMiddleware, number | typeof written]>> = {
  "another result": [async ({ next }) => {
    await next();
    return other;
  }, 202],
  "a race that is lost": [({ next }) => Promise.race([Promise.resolve(other), next()]), 202],
  "a next() that is not awaited": [({ next }) => {
    next();
    return other;
  }, 202],
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
Deno.test("a stream that middleware does not return is closed once, whatever middleware returns instead", async () => {
  await forEach(async (make, how, name) => {
    const places = [[], [pass], [look, label]].flatMap((around) =>
      [[], [pass], [label]].map((inside) => [around, inside])
    );
    await Promise.all(
      Object.entries(departures).flatMap(([what, [middleware, status]]) =>
        places.map(async ([around = [], inside = []]) => {
          const source = make();
          const { answer } = await ask(source, { ...how, middleware: [...around, middleware, ...inside] });
          await answer.text();
          await settle();
          await settle();
          const { closed, asked } = source.count;
          const expected = typeof status === "number" ? status : status(source);
          assertEquals([answer.status, closed, asked], [expected, 1, 0], `${name}: ${what}`);
        })
      ),
    );
  });
});

Deno.test("a stream whose result arrives after the response is closed, and its producer is never pulled", async () => {
  await forEach(async (make, { thrown }, name) => {
    const source = make();
    const { answer } = await ask(source, {
      ...(thrown && { thrown }),
      late: true,
      middleware: [({ next }) => Promise.race([Promise.resolve(other), next()])],
    });
    assertEquals([answer.status, source.count.closed], [202, 0], name);
    await settle();
    await settle();
    assertEquals([source.count.closed, source.count.asked], [1, 0], name);
  });
});

Deno.test("a stream that middleware returns is sent unchanged, and is not closed", async () => {
  await forEach(async (make, how, name) => {
    const created: AnyMiddleware = async ({ next }) => {
      const result = await next();
      return result.body instanceof Response ? result : { ...result, status: 201 };
    };
    for (const middleware of [[pass], [look], [label], [created], [pass, look, label, created, pass]]) {
      const source = make();
      const { answer, heard } = await ask(source, { ...how, middleware });
      assertEquals([await answer.text(), heard], [text, []], name);
      assertEquals([source.count.closed, source.count.begun <= 1], [0, true], name);
    }
  });
});

Deno.test("a stream that middleware returns is closed once if the client disconnects or sends HEAD, or if it cannot be sent", async () => {
  await forEach(async (make, how, name) => {
    for (const middleware of [[pass], [label, look]]) {
      const left = make();
      await (await ask(left, { ...how, middleware })).answer.body!.cancel();
      const head = make();
      assertEquals((await ask(head, { ...how, middleware, init: { method: "HEAD" } })).answer.body, null);
      const refused = make();
      assertEquals((await ask(refused, { ...how, middleware, headers: { "x-a": "\n" } })).answer.status, 500);
      await settle();
      assertEquals([left, head, refused].map(({ count }) => count.closed), [1, 1, 1], name);
    }
    const gone = make();
    const client = new AbortController();
    const leave: AnyMiddleware = async ({ next }) => {
      const result = await next();
      client.abort();
      return result;
    };
    const { answer } = await ask(gone, { ...how, middleware: [leave], init: { signal: client.signal } });
    if (gone.key === "raw") await answer.body!.cancel(); // which is the runtime's to do
    await settle();
    assertEquals(gone.count.closed, 1, name);
  });
});

/** A second stream of the same numbers, which begins to read the first when it is read itself. */
function toAnother(body: unknown, make: (source: AsyncIterable<unknown>) => AsyncIterable<unknown>): unknown {
  if (!(body instanceof Response)) return make(body as AsyncIterable<unknown>);
  return new Response(ReadableStream.from(make(body.body!)) as ReadableStream, body);
}

async function* copy(source: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const item of source) yield item;
}

const transform: AnyMiddleware = async ({ next }) => {
  const result = await next();
  return { ...result, body: toAnother(result.body, copy) };
};

Deno.test("a stream that middleware wraps stays open, however late the wrapper begins to read", async () => {
  await forEach(async (make, how, name) => {
    for (const middleware of [[transform], [transform, transform], [label, transform, pass]]) {
      const source = make();
      const { answer, heard } = await ask(source, { ...how, middleware });
      await settle();
      await settle();
      assertEquals([source.count.asked, source.count.closed], [0, 0], name);
      assertEquals([await answer.text(), heard], [text, []], name);
      await settle();
      assertEquals(source.count.closed, 0, name); // it has ended by itself
    }
  });
});

Deno.test("a stream that middleware wraps is closed once if the client disconnects, before or after the first item", async () => {
  await forEach(async (make, how, name) => {
    for (const items of [0, 1, 2]) {
      for (const middleware of [[transform], [transform, transform], [label, transform, pass]]) {
        const source = make();
        const { answer } = await ask(source, { ...how, middleware });
        const reader = answer.body!.getReader();
        for (let read = 0; read < items; read++) await reader.read();
        await reader.cancel();
        await settle();
        await settle();
        assertEquals(source.count.closed, 1, `${name}, ${items} items`);
      }
    }
    const head = make();
    await ask(head, { ...how, middleware: [transform], init: { method: "HEAD" } });
    await settle();
    assertEquals(head.count.closed, 1, name);
  });
});

Deno.test("a stream that middleware replaces is closed when the replacement ends", async () => {
  async function* own(): AsyncGenerator<number> {
    yield await Promise.resolve(7);
  }
  for (const [name, make] of Object.entries(sources)) {
    const source = make();
    const { answer } = await ask(source, {
      middleware: [async ({ next }) => {
        const result = await next();
        const bytes = ReadableStream.from([new TextEncoder().encode("7\n")]);
        return { ...result, body: result.body instanceof Response ? new Response(bytes) : own() };
      }],
    });
    await settle();
    assertEquals(source.count.closed, 0, name); // the response may be made of it
    assertEquals(await answer.text(), "7\n", name);
    await settle();
    assertEquals([source.count.closed, source.count.asked], [1, 0], name);
  }
});

Deno.test("a stream that middleware replaces is closed when the replacement fails", async () => {
  async function* broken(): AsyncGenerator<number | Uint8Array> {
    yield await Promise.reject(new Error("broken"));
  }
  for (const [name, make] of Object.entries(sources)) {
    const source = make();
    const { answer } = await ask(source, {
      middleware: [async ({ next }) => {
        const result = await next();
        return { ...result, body: toAnother(result.body, broken) };
      }],
    });
    await assertRejects(() => answer.text(), Error, "broken");
    await settle();
    assertEquals([source.count.closed, source.count.asked], [1, 0], name);
  }
});

Deno.test("a wrapped stream that is left before the wrapper reads it is closed once, and is not read", async () => {
  for (const [name, make] of Object.entries(sources)) {
    const source = make();
    const wait = Promise.withResolvers<void>();
    const slow = async function* (body: AsyncIterable<unknown>): AsyncGenerator<unknown> {
      await wait.promise;
      for await (const item of body) yield item;
    };
    const { answer } = await ask(source, {
      middleware: [async ({ next }) => {
        const result = await next();
        return { ...result, body: toAnother(result.body, slow) };
      }],
    });
    const reader = answer.body!.getReader();
    const read = reader.read();
    await settle();
    await Promise.race([reader.cancel(), settle()]);
    await settle();
    assertEquals(source.count.closed, 1, name);
    wait.resolve();
    await read;
    await settle();
    assertEquals([source.count.closed, source.count.asked], [1, 0], name);
  }
});

Deno.test("a stream may wait for a pending result and read its stream", async () => {
  for (const [name, make] of Object.entries(sources)) {
    if (name === "a native response") continue;
    const beat = async function* (result: Promise<{ readonly body?: unknown }>): AsyncGenerator<unknown> {
      yield 0;
      yield* (await result).body as AsyncIterable<unknown>;
    };
    const middleware: AnyMiddleware[] = [({ next }) => ({ status: 200, body: beat(next()) }), pass];
    const whole = make();
    const { answer } = await ask(whole, { late: true, middleware });
    assertEquals([await answer.text(), whole.count.closed], [`0\n${text}`, 0], name);
    const left = make();
    const reader = (await ask(left, { late: true, middleware })).answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    assertEquals(left.count.closed, 0, name);
    await settle();
    await settle();
    assertEquals([left.count.closed, left.count.asked], [1, 0], name); // on its arrival
  }
});

Deno.test("a stream that middleware has read is middleware's to close", async () => {
  const collect: AnyMiddleware = async ({ next }) => {
    const { body } = await next();
    const items: unknown[] = [];
    for await (const item of body instanceof Response ? body.body! : body as AsyncIterable<unknown>) items.push(item);
    return { status: 202, body: String(items.length) };
  };
  const peek: AnyMiddleware = async ({ next }) => {
    const { body } = await next();
    for await (const _ of body instanceof Response ? body.body! : body as AsyncIterable<unknown>) break;
    return other;
  };
  let inTheBackground = 0;
  const store: AnyMiddleware = async ({ next }) => {
    const { body } = await next();
    (async () => {
      for await (const _ of body instanceof Response ? body.body! : body as AsyncIterable<unknown>) inTheBackground++;
    })();
    return other;
  };
  await forEach(async (make, how, name) => {
    const collected = make();
    assertEquals(await (await ask(collected, { ...how, middleware: [collect] })).answer.text(), "3", name);
    const peeked = make();
    await ask(peeked, { ...how, middleware: [look, peek] });
    const stored = make();
    inTheBackground = 0;
    await ask(stored, { ...how, middleware: [look, store] });
    await settle();
    await settle();
    assertEquals([collected, peeked, stored].map(({ count }) => count.closed), [0, 1, 0], name);
    assertEquals(inTheBackground, 3, name);
  });
});

Deno.test("a native response whose body middleware moves to another one is sent, and closed once", async () => {
  let moved: Response | undefined;
  const move: AnyMiddleware = async ({ next }) => {
    const { body } = await next() as { body: Response };
    moved = new Response(body.body, { status: 201, headers: { "x-moved": "1" } });
    return { status: 201, body: moved };
  };
  for (const middleware of [[move], [pass, move], [move, look]]) {
    const whole = sources["a native response"]!();
    const { answer } = await ask(whole, { middleware });
    assertStrictEquals(answer, moved); // not a copy, whose content would be read on its way
    assertEquals([answer.status, answer.headers.get("x-moved"), await answer.text()], [201, "1", text]);
    const left = sources["a native response"]!();
    await (await ask(left, { middleware })).answer.body!.cancel();
    await settle();
    assertEquals([whole.count.closed, left.count.closed], [0, 1]);
  }
});

Deno.test("an array, and a result that is not a stream, reach middleware unchanged", async () => {
  const seen: unknown[] = [];
  const watchBody: AnyMiddleware = async ({ next }) => {
    const result = await next();
    seen.push(result.body);
    return result;
  };
  const count = { asked: 0, closed: 0, begun: 0 };
  for (const body of [[1, 2, 3], "text", new ReadableStream()]) {
    const { answer } = await ask({ key: "lines", body, count }, { middleware: [watchBody] });
    await answer.body!.cancel();
    assertStrictEquals(seen.pop(), body);
  }
});

Deno.test("next() that is called after the middleware has returned rejects, and starts nothing inside", async () => {
  for (
    const answer of [
      () => other,
      () => Promise.resolve(other),
      () => Promise.reject(other),
      () => Promise.reject(new Error()),
    ]
  ) {
    let started = 0;
    const source = sources["a stream"]!();
    const called = Promise.withResolvers<unknown>();
    const unhandled = await rejectionsOf(async () => {
      await ask(source, {
        middleware: [
          ({ next }) => {
            setTimeout(() => {
              next(); // which is not awaited
              next().catch(called.resolve);
            }, 1);
            return answer();
          },
          ({ next }) => {
            started++;
            return next();
          },
        ],
      });
      const error = await called.promise;
      assert(error instanceof TypeError);
      assertEquals(
        error.message,
        "next(): called after the middleware returned; call it before",
      );
    });
    assertEquals([started, unhandled], [0, []]);
  }
});

Deno.test("next() that was called before the middleware returned continues", async () => {
  let ended = 0;
  const source = sources["a stream"]!();
  const { answer } = await ask(source, {
    late: true,
    middleware: [({ next }) => {
      next().then(() => ended++);
      return other;
    }, look],
  });
  assertEquals([await answer.text(), ended], ["another", 0]);
  await settle();
  await settle();
  assertEquals(ended, 1);
});
