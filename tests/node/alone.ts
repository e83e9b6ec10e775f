/**
 * What only a process of its own can show: HTTP/2 and TLS, which it calls itself, and what a request creates. Prints its
 * findings as JSON, which `alone_test.ts` compares.
 */
import { once } from "node:events";
import { createServer, get, type IncomingMessage, request as call, type RequestListener } from "node:http";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer as createHttp2Server,
  type Http2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { Readable } from "node:stream";
import { createServer as createHttpsServer, get as getOverTls } from "node:https";
import process from "node:process";
import { setImmediate } from "node:timers";
import { defineContract, request, response, route } from "@scope/api";
import { createNodeHandler } from "@scope/api/node";
import { type ContextInput, defineServer } from "@scope/api/server";

const encoder = new TextEncoder();
const noted: string[] = [];

const contract = defineContract({
  routes: {
    text: route.get("/text/:id", { responses: { 200: response.text() } }),
    url: route.get("/url", { responses: { 200: response.text() } }),
    echo: route.post("/echo", { body: request.json<unknown>(), responses: { 200: response.json<unknown>() } }),
    small: route.post("/small", { body: request.bytes({ maxBytes: 10 }), responses: { 200: response.text() } }),
    half: route.post("/half", { body: request.stream({ maxBytes: 100_000 }), responses: { 200: response.text() } }),
    failing: route.get("/failing", { responses: { 200: response.stream() } }),
    large: route.get("/large", { responses: { 200: response.stream() } }),
    trickle: route.get("/trickle", { responses: { 200: response.stream() } }),
    waiting: route.get("/waiting", { responses: { 200: response.text() } }),
    fields: route.get("/fields", { responses: { 200: response.text() } }),
    items: route.get("/items", { responses: { 200: response.stream() } }),
  },
});

async function* fail(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield encoder.encode("one");
  await pause(20);
  throw new Error("no more");
}

let produced = 0;

function* produce(): Generator<Uint8Array<ArrayBuffer>> {
  try {
    for (produced = 0; produced < 16_384; produced++) yield new Uint8Array(64 * 1024);
  } finally {
    noted.push("closed");
  }
}

/** The same in small items, none of which is ready when it is asked for. */
async function* trickle(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (produced = 0; produced < 100_000; produced++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield new Uint8Array(8 * 1024);
  }
}

const implementation = defineServer(contract, { context: (input: ContextInput) => ({ input }) }).implement({
  text: ({ params, response }) => response(200, params.id),
  url: ({ context, response }) => response(200, context.input.request.url.replace(/:\d+/, "")),
  echo: ({ body, response }) => {
    noted.push("echo");
    return response(200, body);
  },
  small: ({ response }) => response(200, "small"),
  half: async ({ body, response }) => {
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    return response(200, "half");
  },
  failing: ({ response }) => response(200, fail()),
  large: ({ response }) => response(200, produce()),
  trickle: ({ response }) => response(200, trickle()),
  waiting: async ({ signal, response }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    noted.push("aborted");
    return response(200, "never");
  },
  fields: ({ response }) => response(200, "fields", { "set-cookie": ["a=1", "b=2"], connection: "close" }),
  items: ({ response }) => response(200, [encoder.encode("one"), encoder.encode("two")]),
});

const handler = createNodeHandler(implementation, {
  maxBodyBytes: 1_000,
  onError: ({ error, phase }) => void noted.push(`${phase}: ${(error as Error).message}`),
});

async function listen(server: ReturnType<typeof createServer | typeof createHttp2Server>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}

/** Waits for what follows from a reset. */
function pause(milliseconds = 50): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function readText(stream: Readable): Promise<string> {
  let text = "";
  stream.on("data", (chunk) => text += chunk);
  await new Promise((resolve) => stream.on("end", resolve).on("close", resolve));
  return text;
}

async function receive(stream: ClientHttp2Stream, ...fields: string[]): Promise<unknown[]> {
  stream.on("error", () => {});
  const [headers] = await once(stream, "response") as [IncomingHttpHeaders & { ":status"?: number }];
  const text = await readText(stream);
  return [
    headers[":status"],
    ...fields.map((name) => headers[name]),
    text.includes("about:blank") ? JSON.parse(text).code : text,
  ];
}

function open(session: ClientHttp2Session, path: string, head: OutgoingHttpHeaders = {}): ClientHttp2Stream {
  return session.request({ ":path": path, ...head }, { endStream: !(":method" in head) });
}

const post = { ":method": "POST", "content-type": "application/json" };
const bytes = { ":method": "POST", "content-type": "application/octet-stream" };

/** HTTP/2 without TLS. */
async function useHttp2(): Promise<Record<string, unknown>> {
  const server = createHttp2Server(handler);
  const streams: Http2Stream[] = [];
  server.on("stream", (stream) => streams.push(stream));
  server.on("connect", handler);
  const session = connect(`http://127.0.0.1:${await listen(server)}`);
  const found: Record<string, unknown> = {};
  found["text"] = await receive(open(session, "/text/1"), "content-length");
  found["url"] = await receive(open(session, "/url"));
  found["fields"] = await receive(open(session, "/fields"), "set-cookie", "connection");
  found["items"] = await receive(open(session, "/items"));
  const hosts = (host: string): OutgoingHttpHeaders => ({ ":authority": "a", host });
  found["with a host, too"] = await receive(open(session, "/text/2", hosts("a")));
  found["with another host"] = await receive(open(session, "/text/2", hosts("b")));
  found["missing"] = await receive(open(session, "/none"));
  found["HEAD"] = await receive(session.request({ ":path": "/text/1", ":method": "HEAD" }), "content-length");
  found["CONNECT"] = await receive(session.request({ ":method": "CONNECT", ":authority": "a:1" }));
  const echo = open(session, "/echo", post);
  echo.write('{"a":');
  setTimeout(() => echo.end("1}"), 10);
  found["echo"] = await receive(echo);
  const told = open(session, "/echo", { ...post, expect: "100-continue" });
  let continues = 0;
  told.on("continue", () => {
    continues++;
    told.end("1");
  });
  found["told once to send a body"] = [...await receive(told), continues];
  const cut = open(session, "/echo", post);
  cut.on("error", () => {});
  cut.write('{"a":1}');
  await pause();
  noted.length = 0;
  cut.destroy();
  await pause();
  found["a reset upload runs no handler"] = noted.splice(0);
  const waiting = open(session, "/waiting");
  waiting.on("error", () => {});
  await pause();
  waiting.close(8);
  await pause();
  found["a reset aborts the signal"] = noted.splice(0);
  const left = open(session, "/large");
  left.on("error", () => {});
  await once(left, "response");
  left.close(); // with NO_ERROR, as Node does by default
  await pause();
  found["a reset without an error closes the producer"] = noted.splice(0);
  const failing = open(session, "/failing");
  found["a failed stream is reset"] = [...await receive(failing), failing.rstCode];
  noted.length = 0;
  const small = open(session, "/small", bytes);
  small.write(new Uint8Array(100));
  found["413"] = await receive(small);
  await pause(1_100);
  found["a stream is closed after a 413"] = [small.closed, small.rstCode];
  const stated = open(session, "/small", { ...bytes, "content-length": "200000" });
  stated.end(new Uint8Array(200_000));
  found["413 by its length"] = await receive(stated);
  await pause();
  found["its client keeps nothing of it"] = stated.destroyed;
  const unstated = open(session, "/small", bytes);
  unstated.end(new Uint8Array(200_000));
  found["413 as it is counted"] = await receive(unstated);
  await pause();
  found["its client keeps nothing of that"] = unstated.destroyed;
  const half = open(session, "/half", bytes);
  half.write(new Uint8Array(60_000));
  found["read in part"] = await receive(half);
  await pause(1_100);
  found["streams that the server keeps"] = streams.filter(({ destroyed }) => !destroyed).length;
  session.close();
  server.close();
  return found;
}

/** A key and a certificate for localhost, which protect nothing: only these tests use them. */
const key = toPem("PRIVATE KEY", [
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5RM0l3kCgOoTlXA7",
  "KnUZPEUSA2EolCxHcUkHNu8+0+ahRANCAARV/N5/2SFj7Tnj1+0k9GSuemLDrOS2",
  "IqYFW+cC/fTui2GnY+XiIl2DRUilcJj/YjaN5ujwbhxQT1Czo4ndCrQ+",
]);
const cert = toPem("CERTIFICATE", [
  "MIIBfjCCASOgAwIBAgIURyPN1ubK6Td5AMF4vXrs2P4F3sYwCgYIKoZIzj0EAwIw",
  "FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyNjAyNTEzN1oXDTI2MTIwNjAy",
  "NTEzN1owFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D",
  "AQcDQgAEVfzef9khY+0549ftJPRkrnpiw6zktiKmBVvnAv307othp2Pl4iJdg0VI",
  "pXCY/2I2jebo8G4cUE9Qs6OJ3Qq0PqNTMFEwHQYDVR0OBBYEFCcmqMmOQDQpWZp+",
  "2NfP/uG2YdjhMB8GA1UdIwQYMBaAFCcmqMmOQDQpWZp+2NfP/uG2YdjhMA8GA1Ud",
  "EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAMDcuFrgwPJ4bXO5qgI32g20",
  "OfCwPNXvmuOvXw4JrunUAiEA8BHH8OZY2vHNj36gkUFEdqCfnizFluFeGeZSYanY",
  "9WI=",
]);

function toPem(label: string, lines: readonly string[]): string {
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** HTTPS. */
async function useTls(): Promise<unknown> {
  const server = createHttpsServer({ key, cert }, handler as RequestListener);
  const port = await listen(server);
  const [answer] = await once(
    getOverTls({ port, host: "127.0.0.1", path: "/url", rejectUnauthorized: false, agent: false }),
    "response",
  ) as [IncomingMessage];
  const text = await readText(answer);
  server.close();
  return [answer.statusCode, text];
}

/** Calls that create nothing native, and answer before the handler returns. */
async function useNothing(): Promise<unknown> {
  const unused = ["Request", "Response", "Headers", "AbortController", "ReadableStream", "URL"] as const;
  const natives = Object.fromEntries(unused.map((name) => [name, globalThis[name]]));
  const ended: boolean[] = [];
  const server = createServer((req, res) => {
    const globals = globalThis as unknown as Record<string, unknown>;
    for (const name of unused) {
      globals[name] = class {
        static canParse = URL.canParse;
        constructor() {
          throw new Error(`new ${name}()`);
        }
      };
    }
    handler(req, res);
    ended.push(res.writableEnded);
    res.once("finish", () => Object.assign(globalThis, natives));
  });
  const port = await listen(server);
  const [text] = await once(get({ port, path: "/text/1", agent: false }), "response") as [IncomingMessage];
  const head = { "content-type": "application/json" };
  const echo = call({ port, path: "/echo", method: "POST", agent: false, headers: head }).end('{"a":1}');
  const [echoed] = await once(echo, "response") as [IncomingMessage];
  const found = [text.statusCode, await readText(text), echoed.statusCode, await readText(echoed)];
  server.close();
  return {
    responses: found,
    "ended before the handler returns, without a body": ended,
    reports: noted.splice(0).filter((each) => each !== "echo"),
  };
}

/** The memory and the progress of a GiB that a client does not read. */
async function useSlowReader(path: string): Promise<unknown> {
  const server = createServer(handler as RequestListener);
  const port = await listen(server);
  const [answer] = await once(get({ port, path, agent: false }), "response") as [IncomingMessage];
  answer.pause();
  await pause(500);
  const before = process.memoryUsage().rss;
  const stopped = produced;
  await pause(200);
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  answer.destroy();
  server.close();
  return { "has stopped": produced === stopped && stopped < 8_000, "has grown": grown > 20 };
}

console.log(JSON.stringify({
  http2: await useHttp2(),
  tls: await useTls(),
  nothing: await useNothing(),
  slow: await useSlowReader("/large"),
  trickle: await useSlowReader("/trickle"),
}));
process.exit();
