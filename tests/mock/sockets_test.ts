/** Connections of a mock: made-up messages, and one more for each valid message of the client. */
import { codec, defineContract, request, response, route, security } from "@scope/api";
import { mockContract } from "@scope/api/mock";
import { denoSockets, memorySockets } from "@scope/api/socket";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import * as z from "zod";
import { ask, open } from "../socket/in_memory.ts";

const Said = z.object({ id: z.uuid(), text: z.string().min(3) });
const Day = codec(z.object({ day: z.iso.date() }), z.object({ day: z.date() }), {
  decode: ({ day }) => ({ day: new Date(day) }),
  encode: ({ day }) => ({ day: day.toISOString().slice(0, 10) }),
});
const contract = defineContract({
  routes: {
    room: route.get("/rooms/:room", {
      responses: { 101: response.socket({ fromClient: z.object({ text: z.string().min(1) }), fromServer: Said }) },
    }),
    days: route.get("/days", {
      responses: {
        101: response.socket({ fromClient: request.text(), fromServer: Day }),
        200: response.json(z.string()),
      },
    }),
    texts: route.get("/texts", {
      responses: { 101: response.socket({ fromClient: request.text(), fromServer: response.text() }) },
    }),
    bytes: route.get("/bytes", {
      responses: { 101: response.socket({ fromClient: request.bytes(), fromServer: response.bytes() }) },
    }),
  },
});
const mock = mockContract(contract, { sockets: memorySockets() });

// proves mock | A mock opens WebSockets, and sends messages that match the schema
Deno.test("mockContract() sends three messages, and then one for each valid message", async () => {
  const client = await open(mock, "/rooms/1");
  const first = [await client.next(), await client.next(), await client.next()];
  for (const each of first) Said.parse(JSON.parse(each));
  assertEquals(new Set(first).size, 3);
  client.socket.send('{"text":"Hello"}');
  Said.parse(JSON.parse(await client.next()));
  assertEquals(client.messages.length, 4);
  client.socket.send('{"text":""}');
  assertEquals((await client.closed).slice(0, 4), "1007");

  const again = await open(mock, "/rooms/1");
  assertEquals([await again.next(), await again.next(), await again.next()], first);
  again.socket.close(1000);
  const other = await open(mock, "/rooms/2");
  assertNotEquals(await other.next(), first[0]);
  other.socket.close(1000);
});

Deno.test("mockContract() makes up messages of codecs, texts and bytes", async () => {
  const days = await open(mock, "/days");
  Day.wire.parse(JSON.parse(await days.next()));
  days.socket.close(1000);
  const texts = await open(mock, "/texts");
  assert((await texts.next()).length > 0);
  texts.socket.close(1000);
  const bytes = await open(mock, "/bytes");
  assert(/^\d+(,\d+)*$/.test(await bytes.next()));
  bytes.socket.close(1000);
});

Deno.test("mockContract() opens a connection only for a handshake", async () => {
  const ordinary = await mock(new Request("http://localhost/rooms/1"));
  assertEquals([ordinary.status, (await ordinary.json()).code], [426, "upgrade-required"]);
  assertEquals((await mock(new Request("http://localhost/days"))).status, 200);
});

Deno.test("mockContract() without sockets answers 501 for connections, and all other requests as before", async () => {
  const closed = mockContract(contract);
  const answer = await ask(closed, "/rooms/1");

  assertEquals([answer.status, (await answer.json()).detail], [
    501,
    "response 101 of GET /rooms/:room (room) is a connection; pass the option sockets, such as denoSockets()",
  ]);
  assertEquals((await closed(new Request("http://localhost/days"))).status, 200);
  const handled = mockContract(contract, {
    handlers: {
      texts: ({ response }) =>
        response(101, async (socket) => {
          for await (const text of socket) await socket.send(text);
        }),
    },
  });
  const refused = await ask(handled, "/texts");
  assertEquals([refused.status, (await refused.json()).detail], [
    501,
    "response 101 of GET /texts (texts) is a connection; pass the option sockets, such as denoSockets()",
  ]);
});

Deno.test("a mock with sockets passes the contract tests of its contract", async () => {
  for (const { run } of contractTests(contract, { target: mock, runs: 5 })) await run();
});

Deno.test("a mock on a server opens connections, and refuses what the real one would", async () => {
  const token = security.bearer("token");
  const secured = defineContract({
    routes: {
      room: route.get("/room", {
        security: [token],
        responses: { 101: response.socket({ fromClient: Said, fromServer: Said }) },
      }),
    },
  });
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    mockContract(secured, { sockets: denoSockets() }),
  );
  const { port } = server.addr;
  const refused = await fetch(`http://127.0.0.1:${port}/room`);
  assertEquals(refused.status, 401);
  await refused.body?.cancel();
  const socket = new WebSocket(`ws://127.0.0.1:${port}/room`, ["json", `bearer.${btoa("secret")}`]);
  const message = await new Promise<string>((resolve) => socket.onmessage = ({ data }) => resolve(data));
  Said.parse(JSON.parse(message));
  const closed = new Promise((resolve) => socket.onclose = resolve);
  socket.close(1000);
  await closed;
  await server.shutdown();
});
