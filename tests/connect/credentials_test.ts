import { defineContract, response, route, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { connect, type OpenWebSocket } from "@scope/api/connect";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { assertClientError } from "../support/client_errors.ts";
import { serveSockets } from "./servers.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const token = security.bearer("token");
const scheme = security.bearer("scheme", { scheme: "DPoP" });
const session = security.cookie("session", { cookie: "sid" });
const login = security.basic("login");
const key = security.apiKey("key", { header: "x-api-key" });
const ticket = security.custom("ticket", { challenge: "Ticket", openapi: { type: "mutualTLS" } });

const numbers = { fromClient: type("number"), fromServer: type("number") };
const responses = { 101: response.socket(numbers) };
const contract = defineContract({
  routes: {
    byToken: route.get("/token", { security: [token, key], responses }),
    byScheme: route.get("/scheme", { security: [scheme], responses }),
    byCookie: route.get("/cookie", { security: [session], responses }),
    byLogin: route.get("/login", { security: [login, key], responses }),
    byTicket: route.get("/ticket", {
      security: [ticket],
      query: type({ ticket: "string" }),
      responses: { ...responses, 403: response.text() },
    }),
    versions: route.get("/versions", {
      security: [token, security.none],
      responses: { 101: response.socket({ ...numbers, protocols: ["v2", "v1"] }) },
    }),
  },
});

/** Deno's `WebSocket` can send headers, as that of Node, Bun and the package `ws`. */
const open: OpenWebSocket = (url, protocols, { headers }) => new WebSocket(url, { protocols, headers } as never); // the types of Node and of browsers, which other tests load, lack it

/** Records the header fields of each handshake that is not refused, and closes at once. */
async function handshakesOf(
  use: (baseUrl: string) => Promise<unknown>,
  refuse?: Parameters<typeof serveSockets>[1],
): Promise<Headers[]> {
  const recorded: Headers[] = [];
  await using server = serveSockets((socket, { headers }) => {
    recorded.push(headers);
    socket.close(1000);
  }, refuse);
  await use(server.url);
  return recorded;
}

Deno.test("connect() sends a bearer token as a subprotocol, and offers one that the server can select", async () => {
  const offers = await handshakesOf(async (baseUrl) => {
    for (const value of ["a", "a.b-c_d~e+f/g==", "0123456789".repeat(100)]) {
      const client = createClient(contract, { baseUrl, credentials: { token: () => Promise.resolve(value) } });
      await connect(client.byToken).closed;
    }
    const general = createClient(contract, { baseUrl, headers: { authorization: "bearer abc" } });
    await connect(general.byToken).closed;
    await connect(general.versions).closed;
  });
  const tokens = offers.map((headers) => headers.get("sec-websocket-protocol")!.split(", "));
  assertEquals(tokens.map(([first]) => first), ["json", "json", "json", "json", "v2"]);
  assertEquals(tokens[4], ["v2", "v1", "bearer.YWJj"]);
  const decoded = tokens.map((each) =>
    new TextDecoder().decode(Uint8Array.fromBase64(each.at(-1)!.slice(7), { alphabet: "base64url" }))
  );
  assertEquals(decoded, ["a", "a.b-c_d~e+f/g==", "0123456789".repeat(100), "abc", "abc"]);
  assertEquals(tokens.every(([, second]) => /^[\w.-]+$/.test(second!)), true);
  assertEquals(offers.map((headers) => headers.get("authorization")), [null, null, null, null, null]);
});

Deno.test("connect() without a token offers the declared subprotocols alone", async () => {
  const offers = await handshakesOf(async (baseUrl) => {
    const client = createClient(contract, { baseUrl });
    await connect(client.versions).closed;
    await connect(client.byCookie).closed;
  });
  assertEquals(offers.map((headers) => headers.get("sec-websocket-protocol")), ["v2, v1", null]);
});

Deno.test("connect() opens WebSockets by a class or by any function", async () => {
  class Recorded extends WebSocket {
    constructor(url: string, protocols: string[], { headers }: { readonly headers: Record<string, string> }) {
      super(url, { protocols, headers } as never); // as above
    }
  }
  function declared(url: string, protocols: string[]): WebSocket {
    return new WebSocket(url, protocols);
  }
  const offers = await handshakesOf(async (baseUrl) => {
    const client = createClient(contract, { baseUrl, headers: { "x-client": "test" } });
    for (const open of [Recorded, declared, WebSocket, (url: string) => new WebSocket(url)]) {
      await connect(client.byCookie, {}, { open }).closed;
    }
    const failing = connect(client.byCookie, {}, {
      open: () => {
        throw new Error("no WebSocket here");
      },
    });
    await assertClientError(() => failing.next(), "invalid-input", "no WebSocket can be opened: no WebSocket here");
    for (
      const [found, opened] of [["undefined", undefined], ["a promise", Promise.reject(new Error("later"))]] as const
    ) {
      const open = () => opened as unknown as WebSocket;
      const none = connect(client.byCookie, {}, { open, silence: 60_000 }); // whose timer would be a leak
      await assertClientError(() => none.next(), "invalid-input", `"open" must return a WebSocket, got ${found}`);
    }
  });
  assertEquals(offers.map((headers) => headers.get("x-client")), ["test", null, null, null]);
});

Deno.test("connect() passes the headers of the call to open()", async () => {
  const offers = await handshakesOf(async (baseUrl) => {
    const client = createClient(contract, {
      baseUrl,
      headers: { "x-client": "test" },
      credentials: { key: "secret", session: "abc", login: { username: "ada", password: "lovelace" } },
    });
    await connect(client.byLogin, {}, { open }).closed;
    await connect(client.byCookie, {}, { open }).closed;
    await connect(client.byToken, {}, { open }).closed;
  });
  assertEquals(
    offers.map((headers) => ["authorization", "cookie", "x-api-key", "x-client"].map((name) => headers.get(name))),
    [
      ["Basic YWRhOmxvdmVsYWNl", null, null, "test"],
      [null, "sid=abc", null, "test"],
      [null, null, "secret", "test"],
    ],
  );
});

Deno.test("connect() does not open a WebSocket without the credential that the call would have", async () => {
  const offers = await handshakesOf(async (baseUrl) => {
    const credentials = { key: "secret", scheme: "abc", session: "abc", login: { username: "ada", password: "" } };
    const client = createClient(contract, { baseUrl, credentials });
    // @ts-expect-error -- the types refuse the route, too
    const byLogin = connect(client.byLogin);
    const refused = { byToken: "key", byLogin: "login", byCookie: "session", byScheme: "scheme" };
    const connections = {
      byLogin,
      byToken: connect(client.byToken),
      byCookie: connect(client.byCookie),
      byScheme: connect(client.byScheme),
    };
    for (const [name, credential] of Object.entries(refused)) {
      await assertClientError(
        () => connections[name as keyof typeof refused].next(),
        "invalid-input",
        `a WebSocket cannot send the header of the credential "${credential}"; pass "open", which can`,
      );
    }
  });
  assertEquals(offers, []);
});

Deno.test("connect() reports a function of a credential that throws, unless the network failed", async () => {
  let calls = 0;
  await handshakesOf(async (baseUrl) => {
    const failing = createClient(contract, {
      baseUrl,
      credentials: { token: () => Promise.reject(new Error("signed out")) },
    });
    await assertClientError(() => connect(failing.byToken).next(), "invalid-input", 'the credential "token" threw');

    const offline = createClient(contract, { baseUrl: "http://127.0.0.1:1", credentials: {} });
    const client = createClient(contract, {
      baseUrl,
      credentials: {
        async token(): Promise<string> {
          if (++calls === 1) await offline.byCookie();
          return "abc";
        },
      },
    });
    const lost: (string | undefined)[] = [];
    await connect(client.byToken, {}, {
      onDisconnect({ error }): void {
        lost.push(error?.code);
        setTimeout(() => globalThis.dispatchEvent(new Event("online")), 5);
      },
    }).closed;
    assertEquals(lost, ["network"]);
  });
  assertEquals(calls, 2);
});

Deno.test("connect() does not spend the ticket of a custom scheme a second time to learn why it was refused", async () => {
  const requests: string[] = [];
  await handshakesOf(async (baseUrl) => {
    const client = createClient(contract, { baseUrl });
    let issued = 0;
    const connection = connect(client.byTicket, () => ({ query: { ticket: String(++issued) } }), {
      onDisconnect: () => setTimeout(() => globalThis.dispatchEvent(new Event("online")), 5),
    });
    await connection.closed;
    const refused = connect(client.byTicket, { query: { ticket: "0" } }, { reconnect: false });
    await assertClientError(() => refused.next(), "network", "no connection opened");
  }, ({ url, headers }) => {
    const { pathname, searchParams } = new URL(url);
    requests.push(`${headers.get("upgrade") ?? "call"} ${pathname} ${searchParams.get("ticket")}`);
    return searchParams.get("ticket") === "2" ? undefined : new Response("spent", { status: 403 });
  });
  assertEquals(requests, ["websocket /ticket 1", "websocket /ticket 2", "websocket /ticket 0"]);
});
