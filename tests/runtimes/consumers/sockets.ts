/** Connections of Bun, of Workers and of each version of Node: the bad inputs of `tests/socket/`, over TCP. */
import { assertEquals } from "@std/assert";
import { bundleForNode } from "../../node/node_program.ts";
import { badInputs, checkBadInput } from "../../socket/bad_inputs.ts";
import { RawClient } from "../../socket/raw_client.ts";
import { start } from "../../support/processes.ts";
import { type Call, startPrinting } from "../command.ts";
import { bunFolder, currentBun, emptyFolder, nodePath, npmFolder, oldest } from "../kit.ts";

const ports = /^ports (\d+)/m;

/** Runs the cases on each runtime. Deno has them in `tests/socket/`. */
export function testSockets(): void {
  for (const version of [oldest.node, "24"]) {
    Deno.test(`connections of Node ${version} end as they must`, async (test) => {
      const folder = await emptyFolder(`sockets node ${version}`);
      const program = await bundleForNode("../socket/node_program.ts", folder);
      await using started = await start(await nodePath(version), [program, "10000"], ports);
      for (const input of badInputs) await test.step(input.name, () => checkBadInput(input, Number(started.found[1])));
    });
  }

  for (const version of [oldest.bun, currentBun]) {
    Deno.test(`connections of Bun ${version} end as they must`, async (test) => {
      const folder = await emptyFolder(`sockets bun ${version}`);
      const program = await bundleForNode("../socket/bun_program.ts", folder);
      await using started = await start(`${await bunFolder(version)}/bun`, [program], ports);
      for (const input of badInputs) {
        if (version === oldest.bun && input.notOnOldBun !== undefined) continue;
        await test.step(input.name, () => checkBadInput(input, Number(started.found[1])));
      }
    });
  }

  Deno.test("connections of Workers end as they must", async (test) => {
    const { baseUrl, stop } = await startPrinting(await prepareWorker("worker_program.ts", ""));
    try {
      for (const input of badInputs.filter(({ notOnWorkers }) => notOnWorkers === undefined)) {
        await test.step(input.name, () => checkBadInput(input, Number(new URL(baseUrl).port)));
      }
    } finally {
      await stop();
    }
  });

  Deno.test("connections of Workers share a room in a Durable Object, which the Worker passes handshakes on to", async () => {
    const { baseUrl, stop } = await startPrinting(await prepareWorker("room_worker.ts", rooms));
    try {
      const port = Number(new URL(baseUrl).port);
      const [ada, bob] = [
        await RawClient.upgrade(port, "/rooms/lobby?name=Ada"),
        await RawClient.upgrade(port, "/rooms/lobby?name=Bob"),
      ];
      await ada.send('{"text":"both are here"}');
      await ada.next();
      await bob.send('{"text":"hi"}');
      const heard = [await ada.next(), await bob.next()].filter((text) => text.includes("hi"));
      await bob.send('{"text":""}');
      assertEquals([heard[0], (await bob.end()).slice(0, 4)], ['{"by":"Bob","text":"hi"}', "1007"]);
      const [refused, head] = await RawClient.open(port, "/rooms/attic?name=Eve");
      assertEquals(head.slice(0, "HTTP/1.1 404".length), "HTTP/1.1 404");
      for (const client of [ada, bob, refused]) client.break();
    } finally {
      await stop();
    }
  });
}

/** What the settings of a Worker with rooms have besides. */
const rooms = `
  durableObjectNamespaces = [(className = "Room", uniqueKey = "rooms")],
  durableObjectStorage = (inMemory = void),
  bindings = [(name = "ROOMS", durableObjectNamespace = "Room")],`;

/** Bundles a program for workerd, with further settings. */
async function prepareWorker(program: string, settings: string): Promise<Call> {
  const cwd = await emptyFolder(`sockets ${program}`);
  await Deno.rename(await bundleForNode(`../socket/${program}`, cwd, "browser"), `${cwd}/worker.js`);
  const usual = await Deno.readTextFile(new URL("../entries/worker.capnp", import.meta.url));
  await Deno.writeTextFile(`${cwd}/worker.capnp`, usual.replace(/^ +compatibilityFlags.*$/m, `$&${settings}`));
  const command = `${await npmFolder()}/node_modules/.bin/workerd`;
  return { command, args: ["serve", "worker.capnp", "--control-fd=1"], cwd };
}
