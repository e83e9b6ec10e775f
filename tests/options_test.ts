import { defineContract, request, response, route, webhooks } from "@scope/api";
import { createClient } from "@scope/api/client";
import { connect } from "@scope/api/connect";
import { mcpTools } from "@scope/api/mcp";
import { proxy } from "@scope/api/proxy";
import { createPublisher } from "@scope/api/publisher";
import { follow, retry } from "@scope/api/retry";
import { createSender, standardWebhooks } from "@scope/api/webhooks";
import { assertEquals } from "@std/assert";
import * as z from "zod";

const contract = defineContract({
  routes: {
    health: route.get("/health", { responses: { 200: response.text() } }),
    events: route.get("/events", {
      headers: z.object({ "last-event-id": z.string().optional() }),
      responses: { 200: response.sse(z.string()), 204: response.empty() },
    }),
    room: route.get("/room", {
      responses: { 101: response.socket({ fromClient: z.string(), fromServer: z.string() }) },
    }),
  },
  webhooks: webhooks({
    paid: route.post("/", {
      body: request.json(z.object({ total: z.number() })),
      responses: { 204: response.empty() },
    }),
  }),
});
const baseUrl = "https://a.example";
const fetch = ({ url }: Request) => url.endsWith("/health") ? new Response("ok") : new Response(null, { status: 204 });
const client = createClient(contract, { baseUrl, fetch });
const { signal } = new AbortController();
const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
const message = { url: "https://shop.example", id: "1", body: { total: 1 } };

/** Returns options with getters, and how often each was read. */
function countReads<Options extends object>(options: Options): [counted: Options, reads: Record<string, number>] {
  const reads: Record<string, number> = {};
  const counted = {};
  for (const [name, value] of Object.entries(options)) {
    reads[name] = 0;
    const get = (): unknown => {
      reads[name]!++;
      return value;
    };
    Object.defineProperty(counted, name, { enumerable: true, get });
  }
  return [counted as Options, reads];
}

const functions: Readonly<Record<string, readonly [options: object, use: (options: never) => unknown]>> = {
  "createClient()": [
    { baseUrl, fetch, headers: {}, around: [], init: {}, validate: () => ({}), maxBodyBytes: 9, credentials: {} },
    (options) => createClient(contract, options).health(),
  ],
  "a call": [
    { signal, timeout: 1_000, silence: 1_000, headers: { "x-a": "1" }, init: {}, maxBodyBytes: 9, maxRecordBytes: 9 },
    (options) => client.health(options),
  ],
  "request()": [{ signal, timeout: Infinity, headers: {}, init: {} }, (options) => client.health.request(options)],
  "retry()": [{ attempts: 2, maxWait: 9, also: ["a"], except: ["b"], onRetry: () => {} }, retry],
  "follow()": [
    { signal, silence: 1_000, headers: {}, reconnectOnEnd: false, onConnect: () => {}, onDisconnect: () => {} },
    (options) => follow(client.events, {}, options).next(),
  ],
  "connect()": [
    { signal: AbortSignal.abort(), open: () => new EventTarget(), reconnect: false, maxQueued: 1, silence: 1_000 },
    (options) => connect(client.room, {}, options).closed.catch(() => {}),
  ],
  "createPublisher()": [{ keep: 1 }, createPublisher],
  "subscribe()": [{ after: "", signal }, (options) => createPublisher().subscribe("topic", options).return()],
  "createSender()": [
    { fetch, around: [], maxBodyBytes: 9, sign: () => ({ "x-a": "1" }), allows: () => true },
    (options) => createSender(contract, options).paid(message),
  ],
  "a message": [
    { signal, timeout: 1_000, headers: {} },
    (options) => createSender(contract, { fetch }).paid(message, options),
  ],
  "standardWebhooks()": [{ secrets, tolerance: 1, now: Date.now }, standardWebhooks],
  "proxy()": [
    { timeout: 1, trustForwarded: true, headers: () => {} },
    (options) => proxy("https://a.example", options),
  ],
  "mcpTools()": [
    { fetch, tools: { health: "Whether it runs" }, baseUrl, schema: () => undefined, allowSlashes: true },
    (options) => mcpTools(contract, options).call("health"),
  ],
};

for (const [name, [options, use]] of Object.entries(functions)) {
  Deno.test(`${name} reads each of its options once, so that what it checks is what it uses`, async () => {
    const [counted, reads] = countReads(options);
    await use(counted as never);

    assertEquals(reads, Object.fromEntries(Object.keys(options).map((option) => [option, 1])));
  });
}
