/** The head of a stream is sent before its first item. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import * as z from "zod";
import { listen, mountRoute } from "../support/mount_route.ts";
import { settle, watch } from "../support/producers.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const get = new Request("http://localhost/");
const bytes = new Uint8Array([1, 2, 3]);

const items = {
  stream: [response.stream(), bytes],
  ndjson: [response.ndjson(z.number()), 1],
  sse: [response.sse(z.number()), { data: 1 }],
} as const;

for (const [kind, [declared, item]] of Object.entries(items)) {
  const mount = (source: unknown) =>
    mountRoute(route.get("/", { responses: { 200: declared } }), (() => ({ status: 200, body: source })) as never);

  Deno.test(`a quiet response.${kind}() begins with an empty chunk, with which srvx sends the head, and pulls nothing more`, async () => {
    const { source, count } = watch([() => wait(20).then(() => item), item]);
    const reader = (await mount(source)(get)).body!.getReader();
    assertEquals(count.next, 0);
    assertEquals([(await reader.read()).value!.byteLength, count.next], [0, 1]);
    const first = reader.read();
    await settle();
    assertEquals(count.next, 1);
    assertEquals([(await first).value!.byteLength > 0, count.next], [true, 1]);
    await reader.cancel();
    assertEquals(count, { next: 1, return: 1 });
  });

  Deno.test(`a response.${kind}() whose first item comes at once has no chunk besides its items`, async () => {
    for (const source of [[item, item], watch([item, item]).source, ReadableStream.from([item, item])]) {
      const sizes: number[] = [];
      for await (const chunk of (await mount(source)(get)).body!) sizes.push(chunk.byteLength);
      assertEquals([sizes.length, sizes[0] === sizes[1], sizes.includes(0)], [2, true, false]);
    }
  });

  Deno.test(`a quiet response.${kind}() that the client leaves is closed once, before and after its first chunk`, async () => {
    for (const reads of [0, 1]) {
      const { source, count } = watch([() => wait(5).then(() => item)]);
      const reader = (await mount(source)(get)).body!.getReader();
      for (let read = 0; read < reads; read++) await reader.read();
      const pending = reader.read();
      await reader.cancel();
      await pending;
      assertEquals(count, { next: 1, return: 1 });
      await wait(10); // of the item, whose timer the sanitizer would find
    }
  });

  Deno.test(`a quiet response.${kind}() that fails or ends later does so after its first chunk`, async () => {
    const { heard, onError } = listen();
    const fails = async function* (): AsyncGenerator<never> {
      await wait(5);
      yield* [];
      throw new Error("broken");
    };
    const ends = async function* (): AsyncGenerator<never> {
      await wait(5);
      yield* [];
    };
    const contract = route.get("/", { responses: { 200: declared } });
    const failing = await mountRoute(contract, (() => ({ status: 200, body: fails() })) as never, { onError })(get);
    assertEquals(await failing.text().catch(String), "Error: broken");
    assertEquals(heard.map(({ phase }) => phase), ["stream"]);
    assertEquals(await (await mount(ends())(get)).text(), "");
  });
}

Deno.test("a quiet stream with a content-length is sent with exactly that length", async () => {
  const source = async function* (): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    await wait(5);
    yield bytes;
  };
  const handler = mountRoute(
    route.get("/", { responses: { 200: response.stream() } }),
    ({ response }) => response(200, source(), { "content-length": "3" }),
  );
  assertEquals(await (await handler(get)).bytes(), bytes);
});

Deno.test("a client receives the head of a quiet stream at once, over a socket", async () => {
  const opened = Promise.withResolvers<void>();
  const quiet = async function* <Item>(item: Item): AsyncGenerator<Item> {
    await opened.promise;
    yield item;
  };
  const contract = defineContract({
    routes: Object.fromEntries(
      Object.entries(items).map((
        [kind, [declared]],
      ) => [kind, route.get(`/${kind}`, { responses: { 200: declared } })]),
    ),
  });
  const handlers = Object.fromEntries(
    Object.entries(items).map(([kind, [, item]]) => [kind, () => ({ status: 200, body: quiet(item) })]),
  );
  const handler = createFetchHandler(defineServer(contract).implement(handlers as never));
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen(): void {} },
    (request) => handler(request),
  );
  const answers = await Promise.all(
    Object.keys(items).map((kind) => fetch(`http://127.0.0.1:${server.addr.port}/${kind}`)),
  );
  opened.resolve(); // not before: the heads have arrived
  assertEquals(await Promise.all(answers.map((answer) => answer.text())), ["\x01\x02\x03", "1\n", "data: 1\n\n"]);
});
