/** Connections of Node's server with `ws`: bad inputs over TCP, on the machine's own Node. */
import { assertEquals, assertMatch } from "@std/assert";
import { bundleForNode } from "../node/node_program.ts";
import { ask } from "../node/raw.ts";
import { start, type Started } from "../support/processes.ts";
import { badInputs, checkBadInput, endsOf, stateOf } from "./bad_inputs.ts";
import { RawClient, toFrame } from "./raw_client.ts";

let folder: string;
let started: Started;
let port: number;
let shared: number;
let doubled: number;

Deno.test.beforeAll(async () => {
  folder = await Deno.makeTempDir();
  started = await start(
    "node",
    [await bundleForNode("../socket/node_program.ts", folder), "500"],
    /^ports (\d+) (\d+) (\d+)$/m,
  );
  [port = 0, shared = 0, doubled = 0] = started.found.slice(1).map(Number);
});

Deno.test.afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

for (const input of badInputs) {
  Deno.test(`a connection of Node ends as it must: ${input.name}`, async () => {
    await checkBadInput(input, port);
  });
}

// proves http | An Upgrade field of HTTP/1.0 is ignored | 7.8
Deno.test("a server of Node opens no connection for a request of HTTP/1.0", async () => {
  const fields = "Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const answer = await ask(`http://127.0.0.1:${port}`, `GET /echo HTTP/1.0\r\n${fields}\r\n`);
  assertMatch(answer, /^HTTP\/1\.1 426 [^]*"code":"upgrade-required"/);
});

Deno.test("a server of Node stops reading when too many messages are unread, and answers all later", async () => {
  const client = await RawClient.upgrade(port, "/late");
  const one = toFrame('{"text":"a"}', 1);
  const many = new Uint8Array(one.byteLength * 5_000);
  for (let index = 0; index < 5_000; index++) many.set(one, index * one.byteLength);
  await client.write(many);
  for (let count = 0; count < 5_000; count++) assertEquals(await client.next(), '{"text":"a"}');
  await client.close(1000);
  assertEquals(await client.end(), "1000");
  client.break();
});

Deno.test("onClose gets the code with which ws itself has refused what a client of Node sent", async () => {
  const refused: readonly (readonly [frame: Uint8Array, code: number])[] = [
    [toFrame(" ".repeat(200_000), 1), 1009],
    [toFrame(new Uint8Array([255]), 1), 1007],
    [toFrame("{}", 0), 1002], // a continuation of nothing
  ];
  await endsOf(port, 0);
  for (const [frame, code] of refused) {
    const client = await RawClient.upgrade(port, "/echo");
    await client.write(new Uint8Array(frame));
    assertMatch(await client.end(), new RegExp(`^${code}\\b`));
    client.break();
    assertEquals(await endsOf(port, 1), [`echo ${code}  0 0`]);
  }
});

Deno.test("a server of Node that reads nothing for longer than idleTimeout closes with 1008", async () => {
  await stateOf(port);
  const client = await RawClient.upgrade(port, "/silent");
  for (let count = 0; count < 300; count++) await client.send('{"text":"a"}');
  assertEquals(await client.end(), "1008 too many messages are unread");
  client.break();
  assertMatch((await stateOf(port, 1)).join(" "), /^silent \d+ 0$/);
});

Deno.test("a silent client of Node is asked, and then left", async () => {
  await stateOf(port);
  const client = await RawClient.upgrade(port, "/echo");
  assertEquals(await client.end(), "1006"); // it never answers the ping
  client.break();
  assertEquals(await stateOf(port, 1), ["echo aborted", "0"]);
});

Deno.test("a request of Node for another protocol is answered as an ordinary one, and a foreign body refused", async () => {
  const [page, head] = await RawClient.open(port, "/state", { Upgrade: "h2c" });
  page.break();
  assertMatch(head, /^HTTP\/1\.1 200 OK\r[\s\S]*connection: close\r\n\r\n\{"log":/);

  const [posted, refused] = await RawClient.open(port, "/state", { Upgrade: "h2c", "Content-Length": "2" });
  posted.break();
  assertMatch(refused, /^HTTP\/1\.1 400 Bad Request\r/);
});

Deno.test("a server of Node leaves a path without a route to its other listeners, and the last one answers 404", async () => {
  const statuses: string[] = [];
  for (
    const [server, path] of [[shared, "/other"], [shared, "/echo"], [doubled, "/other"], [port, "/other"]] as const
  ) {
    const [client, head] = await RawClient.open(server, path);
    statuses.push(head.slice("HTTP/1.1 ".length, "HTTP/1.1 ".length + 3));
    client.break();
  }
  assertEquals(statuses, ["299", "101", "404", "404"]);
});

Deno.test("300 clients of Node that leave at random leave nothing behind", async () => {
  await stateOf(port);
  const clients = await Promise.all(Array.from({ length: 300 }, () => RawClient.upgrade(port, "/echo")));
  for (const [index, client] of clients.entries()) {
    await client.write(toFrame(index % 2 === 0 ? '{"text":"a"}' : "{", 1));
    if (index % 3 === 0) await client.close(1000);
    client.break();
  }
  assertEquals((await stateOf(port, 300)).filter((line) => line !== "echo aborted"), ["0"]);
});
