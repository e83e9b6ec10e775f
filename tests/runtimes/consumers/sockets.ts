/** Connections of Bun, of Workers and of each version of Node: the bad inputs of `tests/socket/`, over TCP. */
import { bundleForNode } from "../../node/node_program.ts";
import { badInputs, checkBadInput } from "../../socket/bad_inputs.ts";
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
    const { baseUrl, stop } = await startPrinting(await prepareWorker());
    try {
      for (const input of badInputs.filter(({ notOnWorkers }) => notOnWorkers === undefined)) {
        await test.step(input.name, () => checkBadInput(input, Number(new URL(baseUrl).port)));
      }
    } finally {
      await stop();
    }
  });
}

async function prepareWorker(): Promise<Call> {
  const cwd = await emptyFolder("sockets workerd");
  await Deno.rename(await bundleForNode("../socket/worker_program.ts", cwd, "browser"), `${cwd}/worker.js`);
  await Deno.copyFile(new URL("../entries/worker.capnp", import.meta.url), `${cwd}/worker.capnp`);
  const command = `${await npmFolder()}/node_modules/.bin/workerd`;
  return { command, args: ["serve", "worker.capnp", "--control-fd=1"], cwd };
}
