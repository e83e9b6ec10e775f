/**
 * For any promise that the user's code returns, in any place: a thenable counts as a promise, the handler never
 * rejects, and every rejection is handled.
 */
import { defineContract, request, response, type Responses, route, type Schema } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { rejectionsOf, settled } from "../support/rejections.ts";

/**
 * The places where the user's code may return a promise, and what comes of one that rejects: the status, and the phases
 * that `onError` hears of.
 */
const places = {
  contextInput: [500, "context"],
  context: [500, "context"],
  params: [500, "decode"],
  query: [500, "decode"],
  headers: [500, "decode"],
  body: [500, "decode"],
  "outer middleware": [500, "handler"],
  "inner middleware": [500, "handler"],
  handler: [500, "handler"],
  "output headers": [500, "encode"],
  item: [200, "stream"],
  next: [200, "stream"],
  return: [200],
  onError: [200],
} as const;
type Place = keyof typeof places;

/** Ways of returning a value. */
const promises: Readonly<Record<string, (value: unknown) => unknown>> = {
  "a promise": (value) => Promise.resolve(value),
  "a later promise": (value) => later().then(() => value),
  "a promise of another class": (value) => new OtherPromise((resolve) => resolve(value)),
  "a thenable that returns nothing": (value) => ({ then: (resolve: Settle): void => resolve(value) }),
  "a thenable that is late": (value) => ({ then: (resolve: Settle): void => void later().then(() => resolve(value)) }),
  "a thenable that changes its mind": (value) => ({
    then: (resolve: Settle, reject: Settle): void => {
      resolve(value);
      reject(new Error("too late"));
      fail();
    },
  }),
  "a thenable of a thenable": (value) => ({
    then: (resolve: Settle): void => resolve({ then: (resolve: Settle): void => resolve(value) }),
  }),
};

/** Ways of failing. */
const rejections: Readonly<Record<string, () => unknown>> = {
  "an error": fail,
  "a promise that rejects": () => Promise.reject(new Error("broken")),
  "a promise that rejects later": () => later().then(fail),
  "a promise of another class that rejects": () => new OtherPromise(fail),
  "a thenable that rejects": () => ({ then: (_: Settle, reject: Settle): void => reject(new Error("broken")) }),
  "a thenable of a promise that rejects": () => ({
    then: (resolve: Settle): void => resolve(Promise.reject(new Error("broken"))),
  }),
  "a then that throws": () => ({ then: fail }),
  "a then that cannot be looked at": () => Object.defineProperty({}, "then", { get: fail }),
  "a promise whose constructor cannot be looked at": () =>
    Object.defineProperty(Promise.resolve(), "constructor", { get: fail }), // one that rejects would be lost to any `await`
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};

class OtherPromise<Value> extends Promise<Value> {}
type Settle = (value: unknown) => void;

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function fail(): never {
  throw new Error("broken");
}

const kinds = { ndjson: '"added"\n"added"\n', sse: 'data: "added"\n\ndata: "added"\n\n' };
type Kind = keyof typeof kinds;

/** Returns what is returned in a place instead of the value. */
type Act = (place: Place, value: unknown) => unknown;

/** Mounts a route with code in every place, which sends two items. */
function mount(kind: Kind, act: Act): { readonly handler: FetchHandler; readonly heard: readonly string[] } {
  const heard: string[] = [];
  const schema = (place: Place): Schema<never, never> => ({
    "~standard": { version: 1, vendor: "test", validate: (value) => act(place, { value }) as never },
  });
  const responses: Responses = {
    200: response[kind](schema("item"), { headers: schema("output headers") } as never),
  };
  const it = route.post("/:id", {
    params: schema("params"),
    query: schema("query"),
    headers: schema("headers"),
    body: request.json(schema("body")),
    responses,
  } as never);
  const server = defineServer(defineContract({ routes: { it } } as never), {
    context: (({ added }: { added?: string }) => act("context", { added })) as never,
  } as never)
    .use((({ next }: { next: () => unknown }) => act("outer middleware", next())) as never)
    .use((async ({ next }: { next: () => unknown }) => await act("inner middleware", await next())) as never);
  const produce = (context: { added?: string }): AsyncIterable<unknown> => {
    let left = 2;
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = kind === "sse" ? { data: context.added } : context.added;
          return act("next", left-- > 0 ? { done: false, value } : { done: true }) as Promise<never>;
        },
        return: () => act("return", { done: true }) as Promise<never>,
      }),
    };
  };
  const implementation = server.implement({
    it: ({ context }: { context: { added?: string } }) => act("handler", { status: 200, body: produce(context) }),
  } as never);
  const handler = createFetchHandler(implementation as never, {
    contextInput: () => act("contextInput", { added: "added" }),
    onError: ({ phase }: { readonly phase: string }) => {
      heard.push(phase);
      return act("onError", undefined);
    },
  } as never);
  return { handler, heard };
}

function ask(): Request {
  return new Request("http://localhost/1", {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
}

Deno.test("createFetchHandler() awaits any thenable like a promise, wherever the user's code returns one", async (test) => {
  for (const [name, make] of Object.entries(promises)) {
    await test.step(name, async () => {
      const unhandled = await rejectionsOf(async () => {
        for (const [kind, text] of Object.entries(kinds)) {
          for (const place of Object.keys(places)) {
            const { handler, heard } = mount(kind as Kind, (at, value) => at === place ? make(value) : value);
            const answer = await handler(ask());
            assertEquals([answer.status, await answer.text().catch(String), heard], [200, text, []], place);
          }
        }
      });
      assertEquals(unhandled, []);
    });
  }
});

// proves promises | No promise from your code is left unhandled
Deno.test("createFetchHandler() never rejects and drops no promise, whatever the user's code returns", async (test) => {
  for (const [name, make] of Object.entries(rejections)) {
    await test.step(name, async () => {
      const unhandled = await rejectionsOf(async () => {
        for (const [place, [status, ...phases]] of Object.entries(places)) {
          for (const alsoFails of ["onError", "return"]) {
            for (const leaves of [false, true]) {
              const fails = (at: Place) => at === place || at === alsoFails;
              const { handler, heard } = mount("ndjson", (at, value) => fails(at) ? make() : value);
              const answer = await handler(ask());
              if (leaves) await answer.body!.cancel();
              else await answer.text().catch(() => {});
              await settled();
              const where = `${place} and ${alsoFails}${leaves ? ", left" : ""}`;
              assertEquals([answer.status, heard], [status, leaves && status === 200 ? [] : phases], where);
            }
          }
        }
      });
      assertEquals(unhandled, []);
    });
  }
});

Deno.test("createFetchHandler() reports where the user's code returns nothing instead of a value", async () => {
  for (const [place, [status, phase]] of Object.entries(places)) {
    const { handler, heard } = mount("ndjson", (at, value) => at === place ? undefined : value);
    const answer = await handler(ask());
    await answer.text().catch(() => {});
    const isResult = place === "handler" || place.endsWith("middleware");
    assertEquals([answer.status, heard], [status, isResult ? ["encode"] : phase ? [phase] : []], place);
  }
});
