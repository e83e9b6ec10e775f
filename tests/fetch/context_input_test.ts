import { defineContract, response, route } from "@scope/api";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { type ContextInput, defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import { assertProblem, listen } from "../support/mount_route.ts";

const contract = defineContract({
  routes: { it: route.get("/", { responses: { 200: response.json<unknown>() } }) },
});
const get = new Request("http://localhost/");

interface Info {
  readonly ip: string;
}

const needy = defineServer(contract, { context: ({ ip }: Info) => ({ ip }) })
  .implement({ it: ({ context, response }) => response(200, context.ip) });

Deno.test("contextInput passes its result to the context factory, synchronously or not", async () => {
  const now = createFetchHandler(needy, { contextInput: (_request, info: Info) => ({ ip: info.ip }) });
  assertEquals(await (await now(get, { ip: "::1" })).json(), "::1");
  const later = createFetchHandler(needy, { contextInput: (_request, info: Info) => Promise.resolve({ ip: info.ip }) });
  assertEquals(await (await later(get, { ip: "::2" })).json(), "::2");
});

Deno.test("contextInput receives the request and all arguments of the runtime", async () => {
  const given: unknown[][] = [];
  const handler = createFetchHandler(needy, {
    contextInput: (...all: [Request, string, number]) => {
      given.push(all);
      return { ip: all[1] };
    },
  });
  await handler(get, "::1", 5);
  assertEquals(given.length, 1);
  assertStrictEquals(given[0]?.[0], get);
  assertEquals(given[0]?.slice(1), ["::1", 5]);
});

Deno.test("contextInput cannot override request, signal or route", async () => {
  let seen: ContextInput | undefined;
  const server = defineServer(contract, {
    context: (input: ContextInput & { readonly more: string }) => {
      seen = input;
      return {};
    },
  });
  const handler = createFetchHandler(server.implement({ it: ({ response }) => response(200, 1) }), {
    contextInput: () => ({ more: "more", request: 1, signal: 2, route: 3, ["__proto__"]: 4, constructor: 5 }),
  });
  assertEquals((await handler(get)).status, 200);
  assert(seen);
  assertStrictEquals(seen.request, get);
  assertStrictEquals(seen.signal, get.signal);
  assertEquals(seen.route, { key: "it", method: "GET", path: "/" });
  assertEquals((seen as unknown as { more: string }).more, "more");
});

Deno.test("contextInput that throws, rejects or does not return an object fails in phase context", async () => {
  const makers: (() => unknown)[] = [
    () => {
      throw new TypeError("broken");
    },
    () => Promise.reject(new TypeError("broken")),
    () => undefined,
    () => null,
    () => "text",
    () => Promise.resolve(5),
  ];
  for (const make of makers) {
    const { heard, onError } = listen();
    const handler = createFetchHandler(needy, { contextInput: make as () => Info, onError });
    await assertProblem(await handler(get), 500, "Internal Server Error", "internal-error");
    assertEquals(heard.map(({ phase }) => phase), ["context"]);
    assertInstanceOf(heard[0]?.error, TypeError);
  }
});

Deno.test("contextInput does not run for a refused request", async () => {
  let runs = 0;
  const handler = createFetchHandler(needy, { contextInput: () => ({ ip: String(++runs) }) });
  assertEquals((await handler(new Request("http://localhost/none"))).status, 404);
  assertEquals((await handler(new Request("http://localhost/", { method: "PUT" }))).status, 405);
  assertEquals(runs, 0);
});

Deno.test("a missing or incompatible contextInput is a type error", () => {
  // @ts-expect-error -- the context factory needs ip
  fetchAdapter().mount(needy);
  // @ts-expect-error -- the context factory needs ip
  createFetchHandler(needy);
  // @ts-expect-error -- the context factory needs ip
  createFetchHandler(needy, {});
  // @ts-expect-error -- ip is a string
  createFetchHandler(needy, { contextInput: () => ({ ip: 5 }) });
});

Deno.test("createFetchHandler() types the runtime's arguments by contextInput, not by its place", async () => {
  const contract = defineContract({ routes: { it: route.get("/", { responses: { 200: response.text() } }) } });
  const implementation = defineServer(contract).implement({ it: ({ response }) => response(200, "ok") });
  const served = { fetch: createFetchHandler(implementation) } satisfies Deno.ServeDefaultExport;
  assertEquals(await (await served.fetch(new Request("http://localhost/"))).text(), "ok");
});
