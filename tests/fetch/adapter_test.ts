import { defineContract, response, route } from "@scope/api";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf, assertStrictEquals, assertThrows } from "@std/assert";
import { listen } from "../support/mount_route.ts";

const contract = defineContract({
  routes: {
    it: route.get("/", { responses: { 200: response.json<unknown>() } }),
    fail: route.get("/fail", { responses: { 200: response.text() } }),
  },
});
const implementation = defineServer(contract).implement({
  it: ({ context, response }) => response(200, context),
  fail: () => {
    throw new Error("broken");
  },
});
const get = new Request("http://localhost/");
const getFail = new Request("http://localhost/fail");

/** Every way to mount with options that no type would let through. */
const mounts: readonly (readonly [name: string, mount: (options: unknown) => unknown])[] = [
  ["fetchAdapter()", (options) => fetchAdapter(options as never)],
  ["fetchAdapter().mount()", (options) => fetchAdapter().mount(implementation, options as never)],
  ["createFetchHandler()", (options) => createFetchHandler(implementation, options as never)],
];

Deno.test("createFetchHandler() and mount() refuse a value that implement() did not return", () => {
  for (const given of [undefined, null, {}, contract, defineServer(contract), { endpoints: [] }]) {
    const message = "the implementation must be made by defineServer(contract).implement(…), got ";
    assertThrows(() => createFetchHandler(given as never), TypeError, `createFetchHandler(): ${message}`);
    assertThrows(() => fetchAdapter().mount(given as never), TypeError, `fetchAdapter().mount(): ${message}`);
  }
});

Deno.test("maxBodyBytes that is not a non-negative integer is a TypeError at mount", () => {
  for (const [name, mount] of mounts) {
    for (const maxBodyBytes of [-1, 1.5, NaN, Infinity, 2 ** 53, "5", null, 5n, {}, () => 5]) {
      assertThrows(
        () => mount({ maxBodyBytes }),
        TypeError,
        `${name}: "maxBodyBytes" must be a non-negative integer or omitted, got `,
      );
    }
    for (const maxBodyBytes of [0, 1, 2 ** 53 - 1, undefined]) mount({ maxBodyBytes });
  }
});

Deno.test("preserveRequestBody that is not a boolean is a TypeError at mount", () => {
  for (const [name, mount] of mounts) {
    for (const preserveRequestBody of [null, 1, "true", {}, () => true]) {
      const message = `${name}: "preserveRequestBody" must be a boolean, got `;
      assertThrows(() => mount({ preserveRequestBody }), TypeError, message);
    }
    for (const preserveRequestBody of [true, false, undefined]) mount({ preserveRequestBody });
  }
});

Deno.test("onError and contextInput that are not functions are a TypeError at mount", () => {
  for (const [name, mount] of mounts) {
    for (const onError of [null, "log", {}, true]) {
      assertThrows(() => mount({ onError }), TypeError, `${name}: "onError" must be a function, got `);
    }
  }
  assertThrows(
    () => mounts[2]![1]({ contextInput: {} }),
    TypeError,
    'createFetchHandler(): "contextInput" must be a function, got an object',
  );
});

Deno.test("createFetchHandler() and mount() refuse an unknown option, and list the allowed ones", () => {
  for (const [name, mount] of mounts) {
    assertThrows(
      () => mount({ maxBody: 5 }),
      TypeError,
      `${name}: unknown option "maxBody"; did you mean "maxBodyBytes"? (allowed: maxBodyBytes, maxDepth, sockets, preserveRequestBody, cors, onError, onResponse`,
    );
  }
  for (const [name, mount] of mounts.slice(0, 2)) {
    assertThrows(
      () => mount({ contextInput: () => ({}) }),
      TypeError,
      `${name}: unknown option "contextInput" (allowed: `,
    );
  }
});

Deno.test("mount() options override those of the adapter", async () => {
  const first = listen();
  const second = listen();
  const adapter = fetchAdapter({ onError: first.onError });
  await adapter.mount(implementation, { onError: second.onError })(getFail);
  assertEquals([first.heard.length, second.heard.length], [0, 1]);
  await adapter.mount(implementation, { onError: undefined } as never)(getFail);
  assertEquals([first.heard.length, second.heard.length], [1, 1]);
});

Deno.test("mount() ignores further arguments of a runtime", async () => {
  const seen: object[] = [];
  const counting = defineServer(contract, { context: (input) => (seen.push(Object.keys(input)), {}) })
    .implement({ it: ({ response }) => response(200, "ok"), fail: ({ response }) => response(200, "") });
  const handler = fetchAdapter().mount(counting) as (...given: unknown[]) => Response;
  assertEquals(await handler(get, { remoteAddr: {} }, { waitUntil: () => {} }).json(), "ok");
  assertEquals(seen, [["route", "caller"]]); // the others are getters
});

Deno.test("createFetchHandler() and mount() return handlers that work without this and may be mounted again", async () => {
  const handlers = [createFetchHandler(implementation), fetchAdapter().mount(implementation)];
  for (const handler of handlers) {
    assertEquals(await (await Reflect.apply(handler, undefined, [get])).json(), {});
  }
  assert(handlers[0] !== handlers[1]);
});

Deno.test("createFetchHandler() works as a default export for deno serve", () => {
  const handler = createFetchHandler(implementation);
  const served = { fetch: handler } satisfies Deno.ServeDefaultExport;
  assertInstanceOf(served.fetch(get), Response);
  assertStrictEquals(served.fetch.length, 1);
});
