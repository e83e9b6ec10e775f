/** Connections between Deno and the machine's own Node, with `ws`: law 8 over both. */
import { createFetchHandler } from "@scope/api/fetch";
import { denoSockets } from "@scope/api/socket";
import { assertEquals } from "@std/assert";
import { bundleForNode } from "../node/node_program.ts";
import { start } from "../support/processes.ts";
import { cases, readLog, serveLog } from "./log.ts";

Deno.test("law 8: servers and clients of Node give the same messages, codes and errors as those of Deno", async () => {
  const folder = await Deno.makeTempDir();
  const bundle = await bundleForNode("../connect/node_program.ts", folder);
  const served = cases.map(([schedule]) => {
    const log = serveLog(schedule, denoSockets, createFetchHandler);
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    return { log, server: Deno.serve(options, (request) => log.handler()(request)) };
  });
  const urls = served.map(({ server }) => `http://127.0.0.1:${server.addr.port}`);
  const few = urls.toSpliced(2, 1); // that with two faults: each takes a client of Node 3 seconds
  await using started = await start("node", [bundle, ...few], /^ports (.*)$/m);
  const ports = started.found[1]!.split(" ");
  const expected = cases.map(([, transcript]) => transcript);

  assertEquals(await Promise.all(ports.map((port) => readLog(`http://127.0.0.1:${port}`, undefined))), expected);
  let transcripts: string | undefined;
  while (transcripts === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    transcripts = started.printed().match(/^transcripts (.*)$/m)?.[1];
  }
  assertEquals(JSON.parse(transcripts), JSON.parse(JSON.stringify(expected.toSpliced(2, 1)))); // JSON writes `undefined` as null

  for (const { log, server } of served) {
    await log.shutDown();
    await server.shutdown();
  }
  await Deno.remove(folder, { recursive: true });
});
