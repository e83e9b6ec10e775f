/** Handshakes: what is refused, and as what. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { memorySockets } from "@scope/api/socket";
import { assertEquals } from "@std/assert";
import { createApi } from "./api.ts";
import { ask, handshake, open } from "./in_memory.ts";

function mount(options: FetchOptions = {}): FetchHandler {
  const { implementation, onError } = createApi();
  return createFetchHandler(implementation, { sockets: memorySockets(), onError, ...options });
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Asks with changed fields; `undefined` leaves one out. Returns the status and the code. */
async function answerTo(handler: FetchHandler, path: string, changed: Fields = {}, method = "GET"): Promise<string> {
  const fields = Object.entries({ ...handshake, ...changed }).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  );
  const answer = await handler(new Request(`http://localhost${path}`, { method, headers: fields }));
  if (answer.status === 101) return "101";
  const text = await answer.text();
  const { code, message } = text === "" ? { code: "" } : JSON.parse(text);
  const upgrade = answer.headers.has("upgrade") ? ` ${answer.headers.get("upgrade")}` : "";
  const version = answer.headers.get("sec-websocket-version") ?? "";
  return `${answer.status} ${code ?? message}${upgrade} ${version}`.trim();
}

const key = (value: string): Fields => ({ "sec-websocket-key": value });

const rows: Readonly<Record<string, readonly [expected: string, path: string, changed?: Fields, method?: string]>> = {
  "a handshake": ["101", "/echo"],
  "other cases and lists": ["101", "/echo", { upgrade: "h2c, WebSocket", connection: "Keep-Alive, UPGRADE" }],
  "no route": ["404 not-found", "/none"],
  "another method": ["405 method-not-allowed", "/echo", {}, "POST"],
  "HEAD": ["426  websocket", "/echo", {}, "HEAD"],
  "an invalid query": ["400 invalid-request", "/echo?limit=x"],
  "a declared 404": ["404 No room attic", "/rooms/attic"],
  "no credential": ["401 unauthorized", "/secured"],
  "no upgrade": ["426 upgrade-required websocket", "/echo", { upgrade: undefined, connection: undefined }],
  "another protocol": ["426 upgrade-required websocket", "/echo", { upgrade: "h2c" }],
  "no upgrade on a route that refuses": ["404 No room attic", "/rooms/attic", { upgrade: undefined }],
  "no connection field": ["400 invalid-upgrade", "/echo", { connection: undefined }],
  "another connection field": ["400 invalid-upgrade", "/echo", { connection: "keep-alive" }],
  "a body": ["400 invalid-upgrade", "/echo", { "content-length": "2" }],
  "a chunked body": ["400 invalid-upgrade", "/echo", { "transfer-encoding": "chunked" }],
  "an empty body": ["101", "/echo", { "content-length": "0" }],
  "version 12": ["426 upgrade-required websocket 13", "/echo", { "sec-websocket-version": "12" }],
  "no version": ["426 upgrade-required websocket 13", "/echo", { "sec-websocket-version": undefined }],
  "no key": ["400 invalid-upgrade", "/echo", { "sec-websocket-key": undefined }],
  "an empty key": ["400 invalid-upgrade", "/echo", key("")],
  "a short key": ["400 invalid-upgrade", "/echo", key("AAAA")],
  "a long key": ["400 invalid-upgrade", "/echo", key("dGhlIHNhbXBsZSBub25jZQ==AAAA")],
  "two keys": ["400 invalid-upgrade", "/echo", key("dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ==")],
  "a page of another origin": ["403 cross-site", "/echo", { origin: "https://evil.example" }],
  "a page of the origin null": ["403 cross-site", "/echo", { origin: "null" }],
  "a page of another port": ["403 cross-site", "/echo", { origin: "http://localhost:81" }],
  "a page of another site, as the browser tells": ["403 cross-site", "/echo", { "sec-fetch-site": "cross-site" }],
  "a page of another origin on a route with security": ["403 cross-site", "/secured", {
    origin: "https://evil.example",
  }],
  "a page of the same origin": ["101", "/echo", { origin: "http://localhost" }],
  "a page of the same origin behind TLS": ["101", "/echo", { origin: "https://localhost" }],
};

for (const [name, [expected, path, changed, method]] of Object.entries(rows)) {
  Deno.test(`a handshake is answered as declared: ${name}`, async () => {
    assertEquals(await answerTo(mount(), path, changed, method), expected);
  });
}

Deno.test("a page may open a socket where it may read a response", async () => {
  const origin = "https://app.example.com";
  const listed = mount({ cors: { origins: [origin] } });
  assertEquals(await answerTo(listed, "/echo", { origin }), "101");
  assertEquals(await answerTo(listed, "/echo", { origin: "https://evil.example" }), "403 cross-site");

  const refused = await ask(listed, "/rooms/attic", { origin });
  assertEquals([refused.status, refused.headers.get("access-control-allow-origin")], [404, origin]);
  await refused.body?.cancel();
});

Deno.test("a token is read from the subprotocols, which the server does not echo", async () => {
  const handler = mount();
  const protocols = (...names: string[]): Readonly<Record<string, string>> => ({
    "sec-websocket-protocol": names.join(", "),
  });
  const secret = "bearer.c2VjcmV0"; // of "secret"
  const { socket, next } = await open(handler, "/secured", protocols("json", secret));
  assertEquals([socket.protocol, await next()], ["json", '{"text":"Ada json"}']);
  const bare = await open(handler, "/secured", protocols(secret));
  assertEquals([bare.socket.protocol, await bare.next()], ["", '{"text":"Ada undefined"}']);

  assertEquals(await answerTo(handler, "/secured", protocols("json", "bearer.d3Jvbmc")), "401 invalid-credential");
  assertEquals(await answerTo(handler, "/secured", protocols("json", "bearer.")), "401 unauthorized");
  assertEquals(await answerTo(handler, "/secured", protocols("json", "bearer.c2VjcmV0DQpY")), "401 unauthorized"); // a line break
  const both = { ...protocols("json", secret), authorization: "Bearer wrong" };
  assertEquals(await answerTo(handler, "/secured", both), "401 invalid-credential");
  const cookie = await open(handler, "/secured", { ...protocols("json"), cookie: "session=ada" });
  assertEquals(await cookie.next(), '{"text":"Ada json"}');
});

Deno.test("the server selects the first offered subprotocol that is declared, and otherwise none", async () => {
  const handler = mount();
  const select = async (path: string, offered: string): Promise<string> => {
    const { socket } = await open(handler, path, { "sec-websocket-protocol": offered });
    socket.close();
    return socket.protocol;
  };

  assertEquals(await select("/bytes", "b.v1, b.v2"), "b.v1");
  assertEquals(await select("/bytes", "json, b.v2"), "b.v2");
  assertEquals(await select("/bytes", "json, B.v2"), "");
  assertEquals(await select("/echo", "chat, json"), "json");
  assertEquals(await select("/echo", "chat, bearer.c2VjcmV0"), "");
});

Deno.test("a native 101 is sent as it is, and a result that is neither that nor a function is a 500", async () => {
  const texts = response.socket({ fromClient: request.text(), fromServer: response.text() });
  const contract = defineContract({ routes: { room: route.get("/:kind", { responses: { 101: texts } }) } });
  const native = Object.defineProperty(new Response(null), "status", { value: 101 }); // as a Durable Object returns one
  const errors: string[] = [];
  const handler = createFetchHandler(
    defineServer(contract).implement({
      room: ({ params, response }) => response(101, params.kind === "native" ? native : "text" as never),
    }),
    {
      sockets: memorySockets(),
      onError: ({ phase, error }) => void errors.push(`${phase} ${(error as Error).message}`),
    },
  );

  assertEquals(await ask(handler, "/native") === native, true);
  const plain = await handler(new Request("http://localhost/native"));
  await plain.body?.cancel();
  assertEquals(plain.status, 426);
  const refused = await ask(handler, "/text");
  await refused.body?.cancel();
  assertEquals([refused.status, errors], [500, [
    "encode Cannot send the body of 101 from GET /:kind (room): it must be a function of the socket or a native Response, " +
    "got a string",
  ]]);
});
