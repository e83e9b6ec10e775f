/** Upgrades to WebSockets on a real server. An upgrade closes the request: reading its headers throws on Deno. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler, type FetchOptions, watchBody } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals } from "@std/assert";

const app = "https://app.example.com";
const session = security.cookie("session", { cookie: "session" });
const sockets = { 101: response.raw(), 426: response.empty() };
const contract = defineContract({
  security: [],
  responses: { 101: response.raw() },
  routes: {
    plain: route.get("/plain", { responses: sockets }),
    dated: route.get("/dated", { responses: sockets, deprecated: { since: "2026-01-01", sunset: "2027-01-01" } }),
    secured: route.get("/secured", { responses: sockets, security: [session] }),
    late: route.get("/late", { responses: sockets }),
    guarded: route.get("/guarded", { responses: sockets }),
    lateGuarded: route.get("/late-guarded", { responses: sockets }),
    throws: route.get("/throws", { responses: sockets }),
    tagged: route.get("/tagged", { responses: { ...sockets, 200: response.text() } }),
  },
});

/** Upgrades a request to a socket that sends back what it receives. */
function upgrade(request: Request): Response {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onmessage = ({ data }) => socket.send(`${data}!`);
  return response;
}

const server = defineServer(contract, {
  security: [verify(session, () => ({ id: "1" }))],
  context: ({ request }) => ({ request }),
})
  .guard(({ request, route, response }) => route.key === "guarded" ? response(101, upgrade(request)) : undefined)
  .guard(async ({ request, route, response }) => {
    if (route.key !== "lateGuarded") return;
    const upgraded = upgrade(request);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return response(101, upgraded);
  })
  .use(async ({ next }) => {
    const result = await next();
    return { ...result, headers: { ...result.headers, "x-by": "middleware" } };
  });
const implementation = server.implement({
  plain: ({ context, response }) => response(101, upgrade(context.request)),
  dated: ({ context, response }) => response(101, upgrade(context.request)),
  secured: ({ context, response }) => response(101, upgrade(context.request)),
  guarded: ({ response }) => response(426),
  lateGuarded: ({ response }) => response(426),
  late: async ({ context, response }) => {
    const upgraded = upgrade(context.request);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return response(101, upgraded);
  },
  throws: ({ context }) => {
    upgrade(context.request);
    throw new Error("after the upgrade");
  },
  tagged: ({ context, response }) => {
    upgrade(context.request);
    return response(200, "not an upgrade", { etag: '"1"' });
  },
});

/** Serves with some options, and returns the echo of a socket at each path. */
async function echo(paths: readonly string[], options: FetchOptions): Promise<readonly string[]> {
  const handler = createFetchHandler(implementation, options);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen(): void {} },
    (request) => handler(request),
  );
  return await Promise.all(paths.map(async (path) => {
    const headers = { origin: app, cookie: "session=a" };
    const socket = new WebSocket(`ws://127.0.0.1:${server.addr.port}${path}`, { headers } as never); // the standard type lacks headers
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = await new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve("silence"), 3_000);
      socket.onopen = () => socket.send(path);
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = () => resolve("refused");
    });
    clearTimeout(timer);
    const isClosed = new Promise((resolve) => socket.onclose = resolve);
    socket.close();
    await isClosed;
    return answer;
  }));
}

const paths = ["/plain", "/dated", "/secured", "/guarded", "/late-guarded", "/late"];
const seen: string[] = [];
const everyOption: Readonly<Record<string, FetchOptions>> = {
  "cors": { cors: { origins: [app] } },
  "cors that asks a function": { cors: { origins: (origin) => origin === app } },
  "cors that allows nobody": { cors: { origins: [] } },
  "onResponse that reads the request": {
    onResponse: ({ request, response }) => void seen.push(`${response.status} ${request.headers.get("origin")}`),
  },
  "onResponse that watches the body": { onResponse: ({ response }) => watchBody(response, () => {}) },
  "onResponse that returns another response": { onResponse: () => new Response("other") },
  "both": { cors: { origins: [app] }, onResponse: ({ response }) => response.headers.set("x-seen", "1") },
};

for (const [name, options] of Object.entries(everyOption)) {
  Deno.test(`a WebSocket opens with ${name}`, async () => {
    const allowed = { ...options, cors: options.cors ?? { origins: [app] } }; // for the cookie, which any page would send
    const public_ = paths.filter((path) => path !== "/secured");
    const isForeign = name === "cors that allows nobody";
    const opened = isForeign ? public_ : paths;
    assertEquals(await echo(opened, isForeign ? options : allowed), opened.map((path) => `${path}!`));
    assertEquals(await echo(public_, options), public_.map((path) => `${path}!`));
  });
}

// Deno waits for the next message of a socket whose upgrade was not returned
const unreturned = { sanitizeOps: false } as const;

Deno.test(
  "a handler that upgrades and then fails, or returns another response, does not reject",
  unreturned,
  async () => {
    const handler = createFetchHandler(implementation, { cors: { origins: [app] }, onError: () => {} });
    const answered: unknown[] = [];
    const options = { hostname: "127.0.0.1", port: 0, onListen(): void {} };
    for (const path of ["/throws", "/tagged"]) {
      await using server = Deno.serve(options, async (request) => { // which Deno stops after such a response
        const answer = await handler(request);
        answered.push(answer instanceof Response);
        return answer;
      });
      const client = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
      const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nOrigin: ${app}\r\nIf-None-Match: "1"\r\nConnection: Upgrade\r\n`;
      const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
      const socket = `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${key}\r\n\r\n`;
      await client.write(new TextEncoder().encode(head + socket));
      for (let wait = 0; wait < 200 && answered.length === 0; wait++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      client.close();
      assertEquals(answered.splice(0), [true], path);
    }
  },
);
