/**
 * Serves one system on a free port of 127.0.0.1 until its input ends. Prints the port and, for every byte of input,
 * its processor time so far in microseconds.
 */
import { cpuUsage } from "node:process";
import { loadSystem, type SystemName } from "../systems/load.ts";

const { create } = await loadSystem(Deno.args[0] as SystemName);
const handler = create();

const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(port) },
  (request) => handler(request),
);

const byte = new Uint8Array(1);
while (await Deno.stdin.read(byte) !== null) {
  const { user, system } = cpuUsage();
  console.log(user + system);
}
await server.shutdown();
Deno.exit();
