/**
 * Classes that are not the global ones. Test runners such as Jest run code in its own realm: the platform's objects
 * return promises that are not instances of that realm's `Promise`.
 */
import { defineContract, representation, request, response, route } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import { runInNewContext } from "node:vm";

const Foreign: PromiseConstructor = runInNewContext("Promise");

/** The same message; its methods return promises of another realm. */
function foreign<Message extends Request | Response>(message: Message): Message {
  for (const name of ["json", "text", "arrayBuffer"] as const) {
    const read = message[name].bind(message) as () => Promise<unknown>;
    const value = (): Promise<unknown> => new Foreign((resolve, reject) => read().then(resolve, reject));
    Object.defineProperty(message, name, { value });
  }
  return message;
}

const contract = defineContract({
  routes: {
    json: route.post("/json", { body: request.json<{ a: number }>(), responses: { 200: response.json<unknown>() } }),
    text: route.post("/text", { body: request.text(), responses: { 200: response.text() } }),
  },
});

const handler = createFetchHandler(
  defineServer(contract).implement({
    json: ({ body, response }) => response(200, { b: body.a }),
    text: ({ body, response }) => response(200, `${body}!`),
  }),
);

Deno.test("createFetchHandler() and createClient() wait for promises of another realm", async () => {
  assert(!(foreign(new Response("a")).text() instanceof Promise));
  const client = createClient(contract, {
    baseUrl: "https://api.example.com",
    fetch: async (request) => foreign(await handler(foreign(request))),
  });
  assertEquals(unwrap(await client.json({ body: { a: 1 } })), { b: 1 });
  assertEquals(unwrap(await client.text({ body: "a" })), "a!");
});

Deno.test("createFetchHandler() and createClient() read bytes of another realm", async () => {
  const ForeignBytes: Uint8ArrayConstructor = runInNewContext("Uint8Array");
  const stream = (text: string): ReadableStream =>
    new ReadableStream({
      start(controller): void {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(ForeignBytes.of(byte));
        controller.close();
      },
    });
  assert(!(ForeignBytes.of(1) instanceof Uint8Array));
  const limited = createFetchHandler(
    defineServer(contract).implement({
      json: ({ body, response }) => response(200, { b: body.a }),
      text: ({ body, response }) => response(200, `${body}!`),
    }),
    { maxBodyBytes: 1000 },
  );
  const client = createClient(contract, {
    baseUrl: "https://api.example.com",
    fetch: async ({ url, method, headers, body }) => {
      const sent = await new Response(body).text();
      const answer = await limited(new Request(url, { method, headers, body: stream(sent) }));
      return new Response(stream(await answer.text()), answer);
    },
  });
  assertEquals(unwrap(await client.json({ body: { a: 1 } })), { b: 1 });
  assertEquals(unwrap(await client.text({ body: "a" })), "a!");
});

Deno.test("createFetchHandler() recognizes the response of fetch if the global Response is another class, as on @hono/node-server", async () => {
  const Native = Response;
  const raw = defineContract({
    responses: { 202: response.text() },
    routes: { it: route.get("/:how", { responses: { 200: response.raw() } }) },
  });
  let closed = 0;
  const create = (): Response => {
    const body = new ReadableStream({ cancel: () => void closed++ }, { highWaterMark: 0 });
    return new Native(body, { headers: { "x-from": "fetch" } });
  };
  const replaced = createFetchHandler(
    defineServer(raw).use(async ({ next, response }) => {
      const result = await next();
      return result.headers?.["x-drop"] ? response(202, "dropped") : result;
    }).implement({
      it: ({ params, response }) => {
        if (params.how === "fails") throw new Error("for onError");
        return response(200, create(), params.how === "dropped" ? { "x-drop": "1" } : undefined);
      },
    }),
    { onError: create },
  );
  globalThis.Response = class extends Native {};
  try {
    const ask = async (how: string): Promise<unknown[]> => {
      const answer = await replaced(new Request(`http://localhost/${how}`));
      await answer.body!.cancel();
      return [answer.status, answer.headers.get("x-from"), closed];
    };
    assertEquals(await ask("raw"), [200, "fetch", 1]);
    assertEquals(await ask("fails"), [200, "fetch", 2]);
    assertEquals(await ask("dropped"), [202, null, 3]);
  } finally {
    globalThis.Response = Native;
  }
});

Deno.test("createFetchHandler() and createClient() send encoded bytes of another realm", async () => {
  const ForeignBytes: Uint8ArrayConstructor = runInNewContext("Uint8Array");
  const foreignText = representation<string>({
    contentType: "text/vnd.foreign",
    encode: (text) => ForeignBytes.from(new TextEncoder().encode(text)),
    decode: (bytes) => new TextDecoder().decode(bytes),
  });
  const contract = defineContract({
    routes: {
      echo: route.post("/", { body: request.as(foreignText), responses: { 200: response.as(foreignText) } }),
    },
  });
  const fetch = createFetchHandler(
    defineServer(contract).implement({ echo: ({ body, response }) => response(200, `${body}!`) }),
  );
  assertEquals(unwrap(await createClient(contract, { baseUrl: "https://a.example", fetch }).echo({ body: "é" })), "é!");
});
