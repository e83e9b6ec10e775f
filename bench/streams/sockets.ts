/**
 * Measures WebSockets on Deno beside a handwritten server with the same schemas: the resident memory of an idle
 * connection, and the processor time of a message that is sent back. Each server is a process of its own.
 *
 * @module
 */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { denoSockets } from "@scope/api/socket";
import { cpuUsage, memoryUsage } from "node:process";
import * as z from "zod";

const Message = z.object({ id: z.number(), text: z.string() });

/** The handlers of both servers. They echo messages. */
const handlers: Readonly<Record<string, () => (request: Request) => Response | Promise<Response>>> = {
  raw: () => (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(JSON.stringify(Message.parse(Message.parse(JSON.parse(data)))));
    return response;
  },
  ours: () => {
    const responses = { 101: response.socket({ fromClient: Message, fromServer: Message }) };
    const implementation = defineServer(defineContract({ routes: { echo: route.get("/echo", { responses }) } }))
      .implement({
        echo: ({ response }) =>
          response(101, async (socket) => {
            for await (const message of socket) await socket.send(message);
          }),
      });
    return createFetchHandler(implementation, { sockets: denoSockets() });
  },
};

/** Serves, and answers at /usage with its resident memory in bytes and its processor time in microseconds. */
function serve(name: string): void {
  const handle = handlers[name]!(); // the name of one
  const { gc } = globalThis as { readonly gc?: () => void };
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(port) }, (request) => {
    if (!request.url.endsWith("/usage")) return handle(request);
    gc?.();
    const { user, system } = cpuUsage();
    return Response.json([memoryUsage().rss, user + system]);
  });
}

/** Opens a connection, and returns it when it is open. */
function open(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/echo`);
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve(socket);
    socket.onerror = reject;
  });
}

/** Sends messages, `window` at a time, and waits for all answers. */
async function echo(socket: WebSocket, count: number, window: number): Promise<void> {
  let sent = 0;
  let heard = 0;
  const send = (): void => {
    if (sent < count) socket.send(JSON.stringify({ id: sent++, text: "a message of some length" }));
  };
  await new Promise<void>((resolve) => {
    socket.onmessage = () => ++heard === count ? resolve() : send();
    for (let started = 0; started < window; started++) send();
  });
}

/** Measures one server: KiB for each idle connection, and microseconds for each message. */
async function measure(name: string): Promise<readonly [memory: number, time: number]> {
  const args = ["run", "--quiet", "--no-check", "--allow-net=127.0.0.1", "--allow-sys", "--v8-flags=--expose-gc"];
  const config = `--config=${new URL("../deno.json", import.meta.url).pathname}`;
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args, config, import.meta.url, name],
    stdout: "piped",
  });
  const child = command.spawn();
  const [first] = await Array.fromAsync(take(child.stdout.pipeThrough(new TextDecoderStream())));
  const port = Number(first);
  const usage = async (): Promise<readonly [number, number]> =>
    await (await fetch(`http://127.0.0.1:${port}/usage`)).json();
  const socket = await open(port);
  await echo(socket, 20_000, 50);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const [, before] = await usage();
    await echo(socket, 20_000, 50);
    times.push(((await usage())[1] - before) / 20_000);
  }
  const count = 2_000;
  const [before] = await usage();
  for (let opened = 0; opened < count; opened++) await open(port);
  const [after] = await usage();
  child.kill("SIGKILL");
  await child.status;
  return [(after - before) / count / 1024, Math.min(...times)];
}

async function* take(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) return yield chunk;
}

const [name] = Deno.args;
if (name !== undefined) serve(name);
else {
  for (const each of Object.keys(handlers)) {
    const [memory, time] = await measure(each);
    console.log(`${each}: ${memory.toFixed(1)} KiB for an idle connection, ${time.toFixed(2)} µs for a message`);
  }
  Deno.exit(); // its connections stay open
}
