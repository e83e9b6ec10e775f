import { codec, defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type ErrorReport, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { type } from "arktype";
import { assertProblem, listen, mountRoute } from "../support/mount_route.ts";

const declared = route.get("/:id", { responses: { 200: response.text() } });
const get = new Request("http://localhost/1");

/** A handler whose one route fails. */
function fail(thrown: unknown, options: FetchOptions, later = false): Response | Promise<Response> {
  return mountRoute(declared, () => {
    if (later) return Promise.reject(thrown);
    throw thrown;
  }, options)(get);
}

Deno.test("onError receives the error, the phase, the route, the request and the response", async () => {
  for (const later of [true, false]) {
    const { heard, onError } = listen(({ response }) => void response); // what the hook has seen is what is sent
    const thrown = new Error("broken");
    const answer = await fail(thrown, { onError }, later);
    assertEquals(heard.length, 1);
    const [report] = heard;
    assert(report);
    assertStrictEquals(report.error, thrown);
    assertEquals(report.phase, "handler");
    assertEquals(report.route, { key: "it", method: "GET", path: "/:id" });
    assertStrictEquals(report.request, get);
    assertStrictEquals(report.response, answer);
    await assertProblem(answer, 500, "Internal Server Error", "internal-error");
  }
});

Deno.test("onError receives anything that a handler throws, except a result, once", async () => {
  for (const thrown of [undefined, null, "text", 0, Symbol("symbol"), {}, [], new Response(), () => 1]) {
    for (const later of [true, false]) {
      const { heard, onError } = listen();
      assertEquals((await fail(thrown, { onError }, later)).status, 500);
      assertEquals(heard.map(({ error, phase }) => [error, phase]), [[thrown, "handler"]]);
    }
  }
});

Deno.test("onError receives an object that cannot be inspected", async () => {
  const closed = Proxy.revocable({}, {});
  closed.revoke();
  const hostile = {
    get status(): number {
      throw new Error("do not look");
    },
  };
  for (const thrown of [hostile, closed.proxy]) {
    for (const later of [true, false]) {
      const { heard, onError } = listen();
      assertEquals((await fail(thrown, { onError }, later)).status, 500);
      assertStrictEquals(heard[0]?.error, thrown);
    }
  }
});

Deno.test("onError receives the phase that failed", async () => {
  const Text = type("string");
  const Broken = codec(Text, Text, {
    decode: () => {
      throw new Error("decode");
    },
    encode: () => {
      throw new Error("encode");
    },
  });
  const contract = defineContract({
    routes: {
      decode: route.post("/decode", { body: request.text(Broken), responses: { 200: response.text() } }),
      encode: route.post("/encode", { responses: { 200: response.text(Broken) } }),
      handler: route.post("/handler", { responses: { 200: response.text() } }),
    },
  });
  const implementation = defineServer(contract, {
    context: ({ request }) => {
      if (request.headers.has("x-fail")) throw new Error("context");
      return {};
    },
  }).implement({
    decode: ({ response }) => response(200, ""),
    encode: ({ response }) => response(200, ""),
    handler: () => {
      throw new Error("handler");
    },
  });
  const { heard, onError } = listen();
  const handler = createFetchHandler(implementation, { onError });
  const ask = (path: string, headers: Record<string, string> = {}): Response | Promise<Response> =>
    handler(new Request(`http://localhost${path}`, { method: "POST", headers, body: "" }));
  await ask("/decode", { "content-type": "text/plain" });
  await ask("/encode");
  await ask("/handler");
  await ask("/handler", { "x-fail": "yes" });
  const told = heard.map(({ error, phase, route }) => [(error as Error).message, phase, route?.key]);
  assertEquals(told, [
    ["decode", "decode", "decode"],
    ["encode", "encode", "encode"],
    ["handler", "handler", "handler"],
    ["context", "context", "handler"],
  ]);
});

Deno.test("onError is not called for refusals and declared 5xx", async () => {
  const { heard, onError } = listen();
  const handler = mountRoute(
    route.get("/:id", { query: type({ a: "string" }), responses: { 503: response.text() } }),
    ({ response }) => response(503, "later"),
    { onError },
  );
  const statuses: number[] = [];
  for (const path of ["/1", "/1?a=1", "/%", "/"]) {
    statuses.push((await handler(new Request(`http://localhost${path}`))).status);
  }
  assertEquals(statuses, [400, 503, 400, 404]);
  assertEquals(heard, []);
});

Deno.test("onError may return another response, synchronously or not", async () => {
  for (const later of [true, false]) {
    const replacement = new Response("sorry", { status: 503 });
    const { heard, onError } = listen(() => later ? Promise.resolve(replacement) : replacement);
    assertStrictEquals(await fail("broken", { onError }, later), replacement);
    assertEquals(heard.length, 1);
  }
});

Deno.test("onError may read the response, which is then built again", async () => {
  const hooks = [
    (response: Response) => response.text(),
    (response: Response) => void response.text(),
    async (response: Response) => {
      await response.json();
      throw new Error("hook");
    },
    async (response: Response) => {
      await response.text();
      return response;
    },
  ];
  for (const hook of hooks) {
    const answer = await fail("broken", { onError: ({ response }) => hook(response) as never });
    await assertProblem(answer, 500, "Internal Server Error", "internal-error");
  }
});

Deno.test("onError that throws, rejects or returns anything but a response does not change the response", async () => {
  const hooks: (() => unknown)[] = [
    () => undefined,
    () => null,
    () => "sorry",
    () => ({ status: 503 }),
    () => Promise.resolve("sorry"),
    () => Promise.reject(new Error("hook")),
    () => Promise.reject(undefined),
    () => {
      throw new Error("hook");
    },
    () => {
      throw undefined;
    },
  ];
  for (const hook of hooks) {
    const answer = await fail("broken", { onError: hook as () => undefined });
    await assertProblem(answer, 500, "Internal Server Error", "internal-error");
  }
});

Deno.test("without onError the error is written to console.error", async () => {
  const written: unknown[][] = [];
  const { error } = console;
  console.error = (...given: unknown[]): void => void written.push(given);
  try {
    await fail("broken", {});
    await fail("broken", { onError: undefined } as unknown as FetchOptions);
  } finally {
    console.error = error;
  }
  assertEquals(written, [
    ["GET /:id (it) failed in phase handler:", "broken"],
    ["GET /:id (it) failed in phase handler:", "broken"],
  ]);
});

Deno.test("onError may read its response, and return one that it has read", async () => {
  for (const later of [true, false]) {
    const read = await fail(new Error(), { onError: async ({ response }) => void await response.text() }, later);
    await assertProblem(read, 500, "Internal Server Error", "internal-error");
    const used = new Response("used");
    await used.text();
    await assertProblem(await fail(0, { onError: () => used }, later), 500, "Internal Server Error", "internal-error");
  }
});

Deno.test("HEAD receives the fields of the response from onError, not the body", async () => {
  const onError = () => new Response("body", { status: 503, headers: { "retry-after": "1" } });
  const handler = mountRoute(declared, () => Promise.reject(new Error()), { onError });
  const answer = await handler(new Request("http://localhost/1", { method: "HEAD" }));
  assertEquals([answer.status, answer.headers.get("retry-after"), answer.body], [503, "1", null]);
});

Deno.test("onError may lock, hide or modify its response and the one that it returns", async () => {
  const hide = (): never => {
    throw new TypeError("The response was sent");
  };
  const spoil: ((response: Response) => unknown)[] = [
    (response) => response.body!.getReader(),
    (response) => Object.defineProperty(response, "bodyUsed", { get: hide }),
    (response) => Object.defineProperty(response, "body", { get: hide }),
  ];
  const closed = Proxy.revocable(new Response("gone"), {});
  closed.revoke();
  for (const later of [true, false]) {
    for (const each of spoil) {
      for (const own of [undefined, () => new Response("own", { status: 503 })]) {
        const onError = ({ response }: ErrorReport): Promise<Response> | Response => {
          const given = own?.() ?? response;
          each(given);
          return later ? Promise.resolve(given) : given;
        };
        await assertProblem(await fail(0, { onError }, later), 500, "Internal Server Error", "internal-error");
      }
    }
    const onError = (): Response => closed.proxy;
    await assertProblem(await fail(0, { onError }, later), 500, "Internal Server Error", "internal-error");
  }
});

Deno.test("onError that returns a response for HEAD that cannot be sent without its body does not change the response", async () => {
  for (const later of [true, false]) {
    const odd = new Response("body");
    Object.defineProperty(odd, "status", { value: 1000 }); // none that a copy could have
    const onError = (): Promise<Response> | Response => later ? Promise.resolve(odd) : odd;
    const handler = mountRoute(declared, () => Promise.reject(new Error()), { onError });
    const answer = await handler(new Request("http://localhost/1", { method: "HEAD" }));
    assertEquals([answer.status, answer.body], [500, null]);
  }
});
