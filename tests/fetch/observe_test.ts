/** The hook that sees every response. */
import { defineContract, request, response, route, security } from "@scope/api";
import {
  type BodyEnd,
  createFetchHandler,
  type ErrorReport,
  type FetchOptions,
  type OnResponse,
  type ResponseReport,
  watchBody,
} from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { z } from "zod";

const token = security.bearer("token");
const contract = defineContract({
  security: [],
  routes: {
    text: route.get("/text", { responses: { 200: response.text() } }),
    add: route.post("/add", { body: request.json(z.object({ n: z.int() })), responses: { 204: response.empty() } }),
    me: route.get("/me", { security: [token], responses: { 204: response.empty() } }),
    rows: route.get("/rows", { responses: { 200: response.ndjson(z.object({ id: z.int() })) } }),
    broken: route.get("/broken", { responses: { 204: response.empty() } }),
  },
});

let isClosed = false;

async function* listRows(): AsyncGenerator<{ readonly id: number }> {
  try {
    for (let id = 1; id <= 3; id++) yield await Promise.resolve({ id });
  } finally {
    isClosed = true;
  }
}

const implementation = defineServer(contract, { security: [verify(token, () => undefined)] }).implement({
  text: ({ response }) => response(200, "hello"),
  add: ({ response }) => response(204),
  me: ({ response }) => response(204),
  rows: ({ response }) => response(200, listRows()),
  broken: () => {
    throw new Error("broken");
  },
});

const cors = { origins: ["https://page.example"] };

function mount(onResponse: FetchOptions["onResponse"]): (path: string, init?: RequestInit) => Promise<Response> {
  const handler = createFetchHandler(implementation, { cors, onResponse, onError: () => {} } as FetchOptions);
  return async (path, init) => await handler(new Request(`http://localhost${path}`, init));
}

Deno.test("onResponse sees every response with its route: results, refusals, failures and preflights", async () => {
  const seen: ResponseReport[] = [];
  const ask = mount((report) => {
    seen.push(report);
    void report.response; // what the hook has seen is what is sent
  });
  const headers = { "content-type": "application/json" };
  const preflight = { origin: "https://page.example", "access-control-request-method": "GET" };
  const answers = [
    await ask("/text"),
    await ask("/text", { method: "HEAD" }),
    await ask("/add", { method: "POST", headers, body: '{"n":"x"}' }),
    await ask("/add", { method: "POST", headers, body: '{"n":1}' }),
    await ask("/me"),
    await ask("/broken"),
    await ask("/none"),
    await ask("/text", { method: "DELETE" }),
    await ask("/text", { method: "OPTIONS", headers: preflight }),
  ];
  assertEquals(
    seen.map(({ request: { method }, response: { status }, route }) => `${method} ${route?.key} ${status}`),
    [
      "GET text 200",
      "HEAD text 200",
      "POST add 400",
      "POST add 204",
      "GET me 401",
      "GET broken 500",
      "GET undefined 404",
      "DELETE undefined 405",
      "OPTIONS undefined 204",
    ],
  );
  assertEquals(seen.map((report) => report.response), answers);
  assert(seen.every(({ duration }) => duration >= 0 && duration < 5_000));
  assertEquals(seen[0]!.route, { key: "text", method: "GET", path: "/text" });
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
});

Deno.test("onResponse can add to the headers, or return another response, synchronously or not", async () => {
  const timed = mount(({ response }) => response.headers.append("server-timing", "total;dur=1"));
  assertMatch((await timed("/text")).headers.get("server-timing")!, /^total;dur=1$/);
  const replaced = mount(() => Promise.resolve(new Response("other", { status: 299 })));
  assertEquals([(await replaced("/text")).status, await (await replaced("/none")).text()], [299, "other"]);
});

Deno.test("errors and other values of onResponse are ignored", async () => {
  const hooks: readonly (() => unknown)[] = [
    () => {
      throw new Error("hook");
    },
    () => Promise.reject(new Error("hook")),
    () => "text",
    () => null,
  ];
  for (const hook of hooks) assertEquals(await (await mount(hook as never)("/text")).text(), "hello");
});

Deno.test("watchBody() tells the bytes when a body has been read to its end", async () => {
  const ends: BodyEnd[] = [];
  const ask = mount(({ response }) => watchBody(response, (end) => ends.push(end)));
  const text = await ask("/text");
  assertEquals([text.status, text.headers.get("content-type"), ends], [200, "text/plain;charset=UTF-8", []]);
  assertEquals(await text.text(), "hello");
  assertEquals(await (await ask("/rows")).text(), '{"id":1}\n{"id":2}\n{"id":3}\n');
  await ask("/add", { method: "POST", headers: { "content-type": "application/json" }, body: '{"n":1}' });
  assertEquals(ends.map(({ bytes, isComplete, error }) => [bytes, isComplete, error]), [
    [5, true, undefined],
    [27, true, undefined],
    [0, true, undefined],
  ]);
});

Deno.test("watchBody() refuses what is no response, and what is no function", () => {
  const rows: [args: unknown[], message: string][] = [
    [[undefined, () => {}], "watchBody(): the response must be a Response, got undefined"],
    [[{ body: null }, () => {}], "watchBody(): the response must be a Response, got an object"],
    [[new Response("a")], 'watchBody(): "onEnd" must be a function, got undefined'],
  ];
  for (const [args, message] of rows) {
    assertThrows(() => watchBody(...args as Parameters<typeof watchBody>), TypeError, message);
  }
});

Deno.test("watchBody() tells that the client left, and the source is closed", async () => {
  const ends: BodyEnd[] = [];
  isClosed = false;
  const reader = (await mount(({ response }) => watchBody(response, (end) => ends.push(end)))("/rows")).body!
    .getReader();
  const first = await reader.read();
  await reader.cancel("left");
  assertEquals(ends, [{ bytes: first.value!.byteLength, isComplete: false, error: "left" }]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(isClosed, true);
});

Deno.test("watchBody() tells the error of a body, and passes it on", async () => {
  const ends: BodyEnd[] = [];
  const failing = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new Uint8Array(3)),
    pull: () => Promise.reject(new Error("disk")),
  });
  const watched = watchBody(new Response(failing), (end) => ends.push(end));
  await assertRejects(() => watched.bytes(), Error, "disk");
  assertEquals(ends.map(({ bytes, isComplete, error }) => [bytes, isComplete, (error as Error).message]), [
    [3, false, "disk"],
  ]);
});

Deno.test("watchBody() reads nothing before the client does, and bytes of any number arrive unchanged", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => pulled++ < 4 ? controller.enqueue(new Uint8Array(100_000).fill(pulled)) : controller.close(),
  }, { highWaterMark: 0 });
  const watched = watchBody(new Response(body, { status: 201, headers: { "x-a": "1" } }), () => {});
  await new Promise((resolve) => setTimeout(resolve, 10));
  assertEquals([watched.status, watched.headers.get("x-a"), pulled], [201, "1", 0]);
  const bytes = await watched.bytes();
  assertEquals([bytes.length, bytes[0], bytes.at(-1)], [400_000, 1, 4]);
});

Deno.test("a real server logs each response when its body has been sent", async () => {
  const log: string[] = [];
  const sent = Promise.withResolvers<void>();
  const handler = createFetchHandler(implementation, {
    onResponse: ({ request, response, route }) =>
      watchBody(response, ({ bytes }) => {
        log.push(`${request.method} ${route?.key} ${response.status} ${bytes}`);
        sent.resolve();
      }),
  });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => handler(request));
  try {
    assertEquals(await (await fetch(`http://127.0.0.1:${server.addr.port}/text`)).text(), "hello");
    await sent.promise;
    assertEquals(log, ["GET text 200 5"]);
  } finally {
    await server.shutdown();
  }
});

Deno.test("watchBody() tells once that the client of a real server left during a stream", async () => {
  const ends: BodyEnd[] = [];
  const isOver = Promise.withResolvers<void>();
  const events = defineContract({
    routes: { slow: route.get("/slow", { responses: { 200: response.sse(z.number()) } }) },
  });
  const handler = createFetchHandler(
    defineServer(events).implement({
      slow: ({ response }) =>
        response(
          200,
          (async function* (): AsyncGenerator<{ readonly data: number }> {
            yield { data: 1 };
            await isOver.promise;
            yield { data: 2 };
          })(),
        ),
    }),
    {
      onResponse: ({ response }) =>
        watchBody(response, (end) => {
          ends.push(end);
          isOver.resolve();
        }),
    },
  );
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => handler(request));
  try {
    const controller = new AbortController();
    const { body } = await fetch(`http://127.0.0.1:${server.addr.port}/slow`, { signal: controller.signal });
    const reader = body!.getReader();
    await reader.read();
    controller.abort();
    await assertRejects(() => reader.read());
    await isOver.promise;
    await new Promise((resolve) => setTimeout(resolve, 50));

    assertEquals(ends.map(({ bytes, isComplete }) => [bytes, isComplete]), [[9, false]]);
  } finally {
    await server.shutdown();
  }
});

Deno.test("onResponse that returns another response closes the body of the first, unless the other has it", async () => {
  isClosed = false;
  const replaced = await mount(() => new Response("replaced"))("/rows");
  assertEquals([await replaced.text(), isClosed], ["replaced", false]); // nothing had opened it

  let isCancelled = false;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(1)),
    cancel: () => void (isCancelled = true),
  });
  const streams = defineContract({ routes: { all: route.get("/all", { responses: { 200: response.stream() } }) } });
  const implementation = defineServer(streams).implement({ all: ({ response }) => response(200, source) });
  const replacing = createFetchHandler(implementation, { onResponse: () => new Response("replaced") });
  await (await replacing(new Request("http://localhost/all"))).text();
  assertEquals(isCancelled, true);

  const copied = await mount(({ response }) => new Response(response.body, { status: 203 }))("/rows");
  assertEquals([copied.status, await copied.text()], [203, '{"id":1}\n{"id":2}\n{"id":3}\n']);
});

/** A hook, and the response that the client receives although the hook does not return one. */
const careless: Readonly<Record<string, (report: ResponseReport) => unknown>> = {
  "watches the body and returns nothing": ({ response }) => void watchBody(response, () => {}),
  "watches the body and throws": ({ response }) => {
    watchBody(response, () => {});
    throw new Error("the logger failed");
  },
  "watches the body and rejects later": async ({ response }) => {
    watchBody(response, () => {});
    await new Promise((resolve) => setTimeout(resolve, 1));
    throw new Error("the logger failed");
  },
  "watches the body twice and returns the first": ({ response }) => {
    const watched = watchBody(response, () => {});
    watchBody(watched, () => {});
    return watched;
  },
};

for (const [name, hook] of Object.entries(careless)) {
  Deno.test(`onResponse that ${name} does not lose the response`, async () => {
    const heard: ErrorReport[] = [];
    const handler = createFetchHandler(implementation, {
      onResponse: hook as OnResponse,
      onError: (report) => void heard.push(report),
    });
    for (const [path, body] of [["/text", "hello"], ["/rows", '{"id":1}\n{"id":2}\n{"id":3}\n']] as const) {
      isClosed = false;
      const answer = await handler(new Request(`http://localhost${path}`));
      assertEquals([answer.status, await answer.text(), heard], [200, body, []]);
      assertEquals(isClosed, path === "/rows");
    }
  });
}

const consuming: Readonly<Record<string, (report: ResponseReport) => unknown>> = {
  "reads the body": async ({ response }) => void await response.text(),
  "reads the body and throws": async ({ response }) => {
    await response.text();
    throw new Error("the logger failed");
  },
  "locks the body and throws": ({ response }) => {
    response.body!.getReader();
    throw new Error("the logger failed");
  },
  "returns the response that it has read": async ({ response }) => {
    await response.text();
    return response;
  },
  "returns another response that it has read": async ({ response }) => {
    await response.text();
    const other = new Response("other");
    await other.text();
    return other;
  },
};

for (const [name, hook] of Object.entries(consuming)) {
  Deno.test(`onResponse that ${name} leads to a 500, which is reported once`, async () => {
    for (const replaces of [false, true]) {
      const heard: ErrorReport[] = [];
      const handler = createFetchHandler(implementation, {
        cors,
        onResponse: hook as OnResponse,
        onError(report): Response | undefined {
          heard.push(report);
          return replaces ? new Response("down", { status: 503 }) : undefined;
        },
      });
      for (const [path, key] of [["/text", "text"], ["/rows", "rows"], ["/none", undefined]] as const) {
        const answer = await handler(new Request(`http://localhost${path}`, { headers: { origin: cors.origins[0]! } }));
        assertEquals(answer.status, replaces ? 503 : 500, path);
        assertEquals(replaces ? await answer.text() : (await answer.json()).code, replaces ? "down" : "internal-error");
        assertEquals(answer.headers.get("access-control-allow-origin"), "https://page.example");
        const [report, ...more] = heard.splice(0);
        assertEquals([report?.phase, report?.route?.key, more], ["response", key, []]);
        assertMatch(
          String(report?.error),
          /the logger failed|onResponse\(\): the body was read; return the response of watchBody\(\)/,
        );
      }
    }
  });
}

Deno.test("onResponse that returns a response that it has read does not replace one that can be sent", async () => {
  const used = new Response("other");
  await used.text();
  assertEquals(await (await mount(() => used)("/text")).text(), "hello");
});

Deno.test("onResponse that clones the response to read it changes nothing", async () => {
  const bodies: string[] = [];
  const ask = mount(async ({ response }) => void bodies.push(await response.clone().text()));
  assertEquals([await (await ask("/text")).text(), bodies], ["hello", ["hello"]]);
});

Deno.test("onResponse sees a response to HEAD without a body, which ends at once when it is watched", async () => {
  const ends: BodyEnd[] = [];
  const ask = mount(({ response }) => watchBody(response, (end) => ends.push(end)));
  for (const path of ["/text", "/rows", "/broken"]) {
    const answer = await ask(path, { method: "HEAD" });
    assertEquals([answer.body, await answer.text()], [null, ""]);
  }
  assertEquals(ends, Array.from({ length: 3 }, () => ({ bytes: 0, error: undefined, isComplete: true })));
});
