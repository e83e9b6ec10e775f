/** Connections of `Deno.serve`: bad inputs over TCP, and what only a real server shows. */
import { createFetchHandler, type FetchOptions } from "@scope/api/fetch";
import { denoSockets, type SocketsOptions } from "@scope/api/socket";
import { assertEquals, assertMatch } from "@std/assert";
import { createApi } from "./api.ts";
import { badInputs, checkBadInput, stateOf } from "./bad_inputs.ts";
import { RawClient, toFrame } from "./raw_client.ts";

/** Serves for as long as `use` takes. */
async function serving(
  use: (port: number, sockets: ReturnType<typeof denoSockets>) => Promise<void>,
  options: SocketsOptions = {},
  others: FetchOptions = {},
): Promise<void> {
  const { implementation, onError, onClose } = createApi(() => sockets.size);
  const sockets = denoSockets({ onClose, ...options });
  const handler = createFetchHandler(implementation, { sockets, onError, ...others });
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  await use(server.addr.port, sockets);
  await sockets.shutDown();
  assertEquals(sockets.size, 0);
}

for (const input of badInputs) {
  Deno.test(`a connection of Deno ends as it must: ${input.name}`, async () => {
    await serving((port) => checkBadInput(input, port));
  });
}

Deno.test("a connection of Deno with too many unread messages ends with 1008, or is reset", async () => {
  await serving(async (port) => {
    const client = await RawClient.upgrade(port, "/silent");
    await client.write(
      new Uint8Array(await new Blob(Array.from({ length: 257 }, () => toFrame('{"text":"a"}', 1))).arrayBuffer()),
    );
    assertMatch(await client.end(), /^1008 too many messages are unread$|^1006$/);
    client.break();
    assertEquals(await stateOf(port, 1), ["silent 256", "0"]);
  });
});

Deno.test("500 clients of Deno that leave at random leave nothing behind", async () => {
  await serving(async (port, sockets) => {
    const clients = await Promise.all(Array.from({ length: 500 }, () => RawClient.upgrade(port, "/echo")));
    for (let tries = 0; sockets.size < 500 && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assertEquals(sockets.size, 500);
    for (const [index, client] of clients.entries()) {
      await client.write(toFrame(index % 2 === 0 ? '{"text":"a"}' : "{", 1));
      if (index % 3 === 0) await client.close(1000);
      client.break();
    }
    for (let tries = 0; sockets.size > 0 && tries < 400; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assertEquals(sockets.size, 0);
  });
});

Deno.test("the sockets of Deno shut down with 1001, and hooks see the 101", async () => {
  const statuses: number[] = [];
  await serving(
    async (port, sockets) => {
      const client = await RawClient.upgrade(port, "/echo");
      await client.send('{"text":"a"}');
      assertEquals(await client.next(), '{"text":"a"}');
      await sockets.shutDown();
      assertEquals(await client.next(), "1001");
      client.break();
      const [late, head] = await RawClient.open(port, "/echo");
      assertMatch(head, /^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r/);
      late.break();
    },
    {},
    {
      onResponse: ({ response }) => void statuses.push(response.status),
      cors: { origins: ["https://app.example.com"] },
    },
  );
  assertEquals(statuses, [101, 503]);
});

Deno.test("a silent client of Deno is asked, and then left", async () => {
  await serving(async (port, sockets) => {
    const client = await RawClient.upgrade(port, "/echo");
    for (let tries = 0; sockets.size === 0 && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const started = performance.now();
    assertMatch(await client.end(), /^100[16]\b/); // it never answers the ping
    assertEquals(performance.now() - started < 10_000, true);
    client.break();
    assertEquals(await stateOf(port, 1), ["echo aborted", "0"]);
  }, { idleTimeout: 1_000 });
});
