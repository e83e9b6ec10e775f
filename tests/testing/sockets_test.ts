/** Contract tests of connections: what a server accepts, sends and refuses. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { denoSockets, memorySockets, type Sockets } from "@scope/api/socket";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as z from "zod";
import { findAll, firstLine } from "./findings.ts";

const token = security.bearer("token");
const said = z.object({ text: z.string().min(1).max(20), to: z.enum(["all", "one"]).optional() });
const heard = z.object({ by: z.string(), text: z.string() });

/** What a faulty server declares in another way than the contract of the tests. */
interface Declared {
  readonly fromClient?: z.ZodType<{ readonly text: string }>;
  readonly fromServer?: z.ZodType;
  readonly closes?: Readonly<Record<number, string>>;
}

/** A contract with a room. Its types are those of the tests' contract. */
const contractWith = ({ fromClient = said, fromServer = heard, closes = { 4001: "over" } }: Declared = {}) =>
  defineContract({
    routes: {
      room: route.get("/rooms/:room", {
        security: [token],
        responses: {
          101: response.socket({
            fromClient: fromClient as typeof said,
            fromServer: fromServer as typeof heard,
            closes,
          }),
          404: response.empty(),
        },
      }),
    },
  });

type Room = ReturnType<typeof contractWith>;
type Said = { readonly text: string };
type Reply = (said: Said) => unknown;

const echo: Reply = ({ text }) => ({ by: "Ada", text });

/** A server of a contract with a room. It replies to each message. */
function createRoom(contract: Room, sockets: Sockets, reply: Reply = echo): FetchHandler {
  const server = defineServer(contract, {
    security: [verify(token, ({ token: shown }) => shown === "secret-1" ? { name: "Ada" } : undefined)],
  });
  return createFetchHandler(
    server.implement({
      room: ({ params, response }) =>
        params.room === "1"
          ? response(101, async (socket) => {
            for await (const each of socket) {
              const answer = reply(each);
              if (typeof answer === "number") return socket.close(answer as 4001);
              await socket.send(answer as { by: string; text: string });
            }
          })
          : response(404),
    }),
    { sockets, onError: () => {} },
  );
}

const contract = contractWith();
const options = { credentials: { token: "secret-1" }, values: { room: { params: { room: ["1"] } } }, runs: 10 };

// proves contract-tests | Connections are opened, and a server that keeps the contract has no findings
Deno.test("contractTests() tests the connections of a handler in memory", async () => {
  const tests = contractTests(contract, { ...options, target: () => createRoom(contract, memorySockets()) });

  assert(tests.some(({ name }) => name === "room: connections"));
  assertEquals(await findAll(tests), []);
});

Deno.test("contractTests() tests the connections of a server at a URL", async () => {
  const sockets = denoSockets();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, createRoom(contract, sockets));
  const target = `http://127.0.0.1:${server.addr.port}`;
  const tests = contractTests(contract, { ...options, target, mutates: true }).filter(({ name }) =>
    name === "room: connections"
  );

  assertEquals(await findAll(tests), []);
  await sockets.shutDown();
  await server.shutdown();
});

const loose = z.any() as z.ZodType<Said>;
const faults: Readonly<Record<string, { readonly target: () => FetchHandler; readonly found: readonly string[] }>> = {
  "that accepts any message": {
    target: () => createRoom(contractWith({ fromClient: loose }), memorySockets()),
    found: [
      'room: invalid-accepted: GET /rooms/1 opened a connection that was not closed after {"to":"all","text":""}; the ' +
      "contract refuses it with 1007: /text: Too small: expected string to have >=1 characters",
    ],
  },
  "that refuses a valid branch": {
    target: () =>
      createRoom(contractWith({ fromClient: said.extend({ to: z.literal("all").optional() }) }), memorySockets()),
    found: [
      "room: valid-refused: GET /rooms/1 opened a connection that was closed with 1007 (",
    ],
  },
  "that sends what the contract does not declare": {
    target: () => createRoom(contractWith({ fromServer: z.any() }), memorySockets(), ({ text }) => ({ by: 7, text })),
    found: [
      'room: body-matches: GET /rooms/1 opened a connection on which the server sent {"by":7,"text":"',
    ],
  },
  "that fails for a message": {
    target: () =>
      createRoom(contract, memorySockets(), ({ text }) => {
        if (text.length === 20) throw new Error("too long");
        return { by: "Ada", text };
      }),
    found: ["room: no-failure: GET /rooms/1 opened a connection that was closed with 1011"],
  },
  "that closes with a code that is not declared": {
    target: () => createRoom(contractWith({ closes: { 4001: "over", 4002: "full" } }), memorySockets(), () => 4002),
    found: ["room: declared-status: GET /rooms/1 opened a connection that was closed with 4002"],
  },
  "that opens connections for strangers and for foreign pages": {
    target: () => {
      const room = createRoom(contract, memorySockets());
      return (request) => {
        const headers = new Headers(request.headers);
        headers.delete("origin");
        if (headers.has("upgrade")) headers.set("authorization", "Bearer secret-1");
        return room(new Request(request.url, { headers, method: request.method }));
      };
    },
    found: [
      "room: needs-credentials: GET /rooms/1 opened a connection; the contract refuses it with 401: it has no credential",
      "room: foreign-page: GET /rooms/1 opened a connection for a page of another origin",
    ],
  },
};

for (const [name, { target, found }] of Object.entries(faults)) {
  Deno.test(`contractTests() finds a server ${name}`, async () => {
    const tests = contractTests(contract, { ...options, target });
    const findings = await findAll(tests.filter((test) => test.name === "room: connections"));

    assertEquals(findings.map((each, index) => firstLine(each).slice(0, found[index]?.length)), found);
  });
}

Deno.test("contractTests() says why no connection was opened", async () => {
  const run = (values: object, sockets: Sockets) => {
    const target = createRoom(contract, sockets);
    const tests = contractTests(contract, { ...options, values, target: (request) => target(request) });
    return assertRejects(tests.find(({ name }) => name === "room: connections")!.run);
  };

  const missing = await run({ room: { params: { room: ["2"] } } }, memorySockets()) as Error;
  assertStringIncludes(
    missing.message,
    "room: nothing-reached: no connection was opened: it was answered 404; pass what the route needs in the option values",
  );
});

Deno.test("contractTests() opens no connections to a URL unless it mutates, and does not wait for ever", async () => {
  const silent = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, ({ headers, signal }) => {
    const answer = new Response(null, { status: 426 });
    if (!headers.has("upgrade")) return answer;
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(answer))); // the client gave it up
  });
  const target = `http://127.0.0.1:${silent.addr.port}`;
  const named = (tests: ReturnType<typeof contractTests>) => tests.find(({ name }) => name === "room: connections");
  assertEquals(named(contractTests(contract, { ...options, target })), undefined);
  const test = named(contractTests(contract, { ...options, target, mutates: true, limit: 20, runs: 1 }));

  const error = await assertRejects(test!.run) as Error;
  assertStringIncludes(error.message, "no connection was opened: no answer came within 20 ms");
  await silent.shutdown();
});
