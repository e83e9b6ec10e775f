/** Badly behaved clients and handlers. Each throws if the outcome differs from the one that the contract promises. */
import { type Client, ClientError, type ClientErrorCode, createClient, unwrap } from "@scope/api/client";
import { type AnyOpenApiDocument, diffContracts } from "@scope/api/diff";
import { assert, assertEquals } from "@std/assert";
import { contract, maxBodyBytes } from "./contract.ts";
import type { Scenario, Stage } from "./scenario.ts";
import { pieces, treeOf } from "./well_formed.ts";

const endless = 1e9;

/** A document in which 2^30 paths lead to a text with a pattern that backtracks. */
function toDiamond(minLength: number): AnyOpenApiDocument {
  const $ref = (level: number) => ({ $ref: `#/components/schemas/s${level}` });
  const levels = Array.from({ length: 30 }, (_, level) => [`s${level}`, { allOf: [$ref(level + 1), $ref(level + 1)] }]);
  const schemas = { ...Object.fromEntries(levels), s30: { type: "string", minLength, pattern: "^(a+)+$" } };
  const requestBody = { required: true, content: { "application/json": { schema: $ref(0) } } };
  return {
    openapi: "3.1.0",
    paths: { "/": { post: { requestBody, responses: { 204: { description: "" } } } } },
    components: { schemas },
  } as AnyOpenApiDocument;
}

export const faults: Readonly<Record<string, Scenario>> = {
  "NDJSON left in the middle": async ({ client, random, signal }) => {
    let left = random(40);
    for await (const _ of unwrap(await client.rows({ params: { count: endless } }, { signal }))) {
      if (left-- === 0) break;
    }
  },
  "events aborted": async ({ client, random }) => {
    const controller = new AbortController();
    await rejects("aborted", async () => {
      let left = random(40);
      const events = unwrap(await client.events({ params: { count: endless } }, { signal: controller.signal }));
      for await (const _ of events) if (left-- === 0) controller.abort();
    });
  },
  "bytes past their time": async ({ client, random, signal }) => {
    await rejects("timeout", async () => {
      const body = unwrap(await client.bytes({ params: { count: endless } }, { signal, timeout: 5 + random(40) }));
      for await (const _ of body) await new Promise((resolve) => setTimeout(resolve, 1));
    });
  },
  "bytes cancelled before the first": async ({ client, signal }) => {
    await unwrap(await client.bytes({ params: { count: endless } }, { signal })).cancel();
  },
  "stream that fails": async ({ client, random, signal }) => {
    const count = random(40);
    let rows = 0;
    const error = await rejects("network", async () => {
      for await (const _ of unwrap(await client.breaks({ params: { count } }, { signal }))) rows++;
    });
    assert(rows <= count && !String(error.cause).includes("canary"));
  },
  "handler that throws": async ({ client, signal }) => {
    const error = await rejects("unexpected-status", () => client.throws({ body: { any: "thing" } }, { signal }));
    assertEquals([error.status, error.problem?.["code"]], [500, "internal-error"]);
    assert(!error.text?.includes("canary"));
  },
  "handler left waiting": async ({ client, random, signal }) => {
    await rejects("timeout", () => client.waits({ signal, timeout: 1 + random(20) }));
  },
  "413 by Content-Length": async ({ client, signal }) => {
    const body = new Uint8Array(maxBodyBytes + 1);
    const error = await rejects(["unexpected-status", "network"], () => client.echo.bytes({ body }, { signal }));
    if (error.code === "unexpected-status") assertEquals(error.problem?.["code"], "body-too-large");
  },
  "413 in the middle of an upload": async ({ client, signal }) => {
    const body = pieces(maxBodyBytes / 4096 + 8);
    const error = await rejects(["unexpected-status", "network"], () => client.upload({ body }, { signal }));
    if (error.code === "unexpected-status") assertEquals(error.problem?.["code"], "body-too-large");
  },
  "body in chunks of one byte": async ({ port, random }) => {
    const head =
      "PUT /soak/echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n";
    const answer = await exchange(port, head, `${"1\r\na\r\n".repeat(500 + random(1000))}0\r\n\r\n`);
    assert(answer.startsWith("HTTP/1.1 200 "), answer.slice(0, 100));
  },
  "answer in chunks of one byte": async ({ baseUrl, random, signal }) => {
    const length = 200 + random(300);
    const text = unwrap(await answering(baseUrl, singleBytes(length)).echo.text({ body: "" }, { signal }));
    assertEquals(text, "a".repeat(length));
  },
  "answer past maxBodyBytes": async ({ baseUrl, random, signal }) => {
    const client = answering(baseUrl, singleBytes(Infinity));
    const options = { signal, maxBodyBytes: 200 + random(300) };
    const error = await rejects("invalid-body", () => client.echo.text({ body: "" }, options));
    assert(error.message.includes("maxBodyBytes"), error.message);
  },
  "413 of chunks that have all arrived": async ({ port }) => {
    const head = "PUT /soak/short HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n";
    const answer = await exchange(port, head, `${`2710\r\n${"x".repeat(10_000)}\r\n`.repeat(4)}0\r\n\r\n`);
    assert(answer.startsWith("HTTP/1.1 413 "), answer.slice(0, 100));
  },
  "upload that nobody reads": async ({ port, random }) => {
    const end = ["answered", "cancelled", "left", "replaced", "invalid"][random(5)]!;
    const head = `POST /soak/unread/${end} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n`;
    const size = 1 + random(2000);
    const content = "x".repeat(size);
    const answer = random(2) ? await exchange(port, `${head}Content-Length: ${size}\r\n`, content) : await exchange(
      port,
      `${head}Transfer-Encoding: chunked\r\n`,
      `${size.toString(16)}\r\n${content}\r\n0\r\n\r\n`,
    );
    assert(answer.startsWith(`HTTP/1.1 ${end === "invalid" ? 500 : 429} `), `${end}: ${answer.slice(0, 100)}`);
  },
  "JSON of many levels": async (stage) => {
    const body = "[".repeat(50_000) + "]".repeat(50_000);
    await refused(stage, 400, "/echo/json", { method: "POST", headers: json, body });
  },
  "tree of too many levels": async (stage) => {
    const body = JSON.stringify(treeOf(101 + stage.random(900)));
    await refused(stage, 400, "/tree", { method: "POST", headers: json, body });
  },
  "comparison of hostile schemas": async ({ random }) => {
    if (random(20) > 0) return; // it takes as long as twenty calls
    const started = performance.now();
    const [change] = diffContracts(toDiamond(1), toDiamond(2), { samples: 20 });
    assertEquals(change?.verdict, "breaking");
    assert(performance.now() - started < 2_000);
    await Promise.resolve();
  },
  "upload aborted": async ({ client, random }) => {
    const controller = new AbortController();
    const at = random(20);
    const body = (async function* (): AsyncGenerator<Uint8Array> {
      for (let index = 0;; index++) {
        if (index === at) controller.abort();
        yield await Promise.resolve(new Uint8Array(1024));
      }
    })();
    await rejects("aborted", () => client.upload({ body }, { signal: controller.signal }));
  },
  "upload cut off": async ({ port, random }) => {
    const head = "POST /soak/upload HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n";
    await sendAndLeave(port, `${head}Content-Length: 5000\r\n\r\n${"x".repeat(random(4000))}`);
  },
  "JSON cut off": async ({ port, random }) => {
    const head = "POST /soak/echo/json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    await sendAndLeave(port, `${head}Transfer-Encoding: chunked\r\n\r\n${"5\r\n[1,2,\r\n".repeat(random(9))}5\r\n[1`);
  },
  "connection left before the answer": async ({ port }) => {
    await sendAndLeave(port, `GET /soak/rows/${endless} HTTP/1.1\r\nHost: x\r\n\r\n`);
  },
  "a Host that is none": async ({ port, random }) => {
    const hosts = ["/soak/waits?", "a\tb", "a b", "[", "x\\y", "a:b", "", "?"];
    const answer = await exchange(port, `GET /soak/nowhere HTTP/1.1\r\nHost: ${hosts[random(hosts.length)]}\r\n`);
    assert(["400", "404"].includes(answer.slice(9, 12)), answer); // 404 of runtimes that put another host in its place
  },
  "no Host": async ({ port, random }) => {
    const [path, statuses] = random(2) ? ["/first/soak/echo/nothing", ["400", "404"]] : ["/soak/echo/nothing", ["204"]];
    const answer = await exchange(port, `DELETE ${path} HTTP/1.0\r\n`);
    assert(statuses.includes(answer.slice(9, 12)), answer);
  },
  "echo left in the middle": async ({ port, random }) => {
    const head = "POST /soak/echo/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n";
    const whole = random(2) ? "Content-Length: 50000\r\n\r\n" : "Transfer-Encoding: chunked\r\n\r\n";
    const piece = whole.startsWith("Content") ? "x".repeat(100) : `64\r\n${"x".repeat(100)}\r\n`;
    await sendAndLeave(port, head + whole + piece.repeat(random(40)));
  },
  "echo of too long an upload": async ({ client, random, signal }) => {
    await rejects(["network", "unexpected-status"], async () => {
      const body = pieces(maxBodyBytes / 4096 + 1 + random(8));
      for await (const _ of unwrap(await client.echo.stream({ body }, { signal })));
    });
  },
  "stream that middleware replaces": async ({ client, random, signal }) => {
    const how = ["replaced", "raced", "late"][random(3)]!;
    const result = await client.behind({ params: { how } }, { signal });
    assertEquals([result.status, result.body], [202, how]);
  },
  "stream that middleware copies, left in the middle": async ({ client, random, signal }) => {
    let left = random(40);
    for await (
      const _ of unwrap(await client.behind({ params: { how: "copied" } }, { signal })) as AsyncIterable<unknown>
    ) {
      if (left-- === 0) break;
    }
  },
  "malformed JSON": (stage) => refused(stage, 400, "/echo/json", { method: "POST", headers: json, body: '{"id":' }),
  "refused by a schema": (stage) => refused(stage, 400, "/echo/json", { method: "POST", headers: json, body: "{}" }),
  "malformed escape": (stage) => refused(stage, 400, "/items/%GG"),
  "no route": (stage) => refused(stage, 404, "/nowhere"),
  "wrong method": (stage) => refused(stage, 405, "/upload"),
  "wrong media type": (stage) => refused(stage, 415, "/echo/json", { method: "POST", body: "text" }),
};

const json = { "content-type": "application/json" };

/** Asserts that the adapter responds with a problem of this status. */
async function refused({ baseUrl, fetch }: Stage, status: number, path: string, init?: RequestInit): Promise<void> {
  const response = await fetch(`${baseUrl}/soak${path}`, init);
  const problem = await response.json();
  assertEquals([response.status, problem.status, problem.type], [status, status, "about:blank"]);
}

/** Asserts that a call, or the reading of its stream, fails with this code; returns the error. */
async function rejects(
  code: ClientErrorCode | readonly ClientErrorCode[],
  call: () => Promise<unknown>,
): Promise<ClientError> {
  const error = await call().then(() => undefined, (error) => error);
  assert(
    error instanceof ClientError && [code].flat().includes(error.code),
    `expected ${code}, was ${error?.code ?? error}`,
  );
  return error;
}

/** Sends a request over its own socket and returns the response. */
async function exchange(port: number, head: string, body = ""): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const bytes = new TextEncoder().encode(`${head}Connection: close\r\n\r\n${body}`);
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  return await new Response(connection.readable).text();
}

/** A client of a server that responds to every call with this text. */
function answering(baseUrl: string, body: ReadableStream): Client<(typeof contract)["routes"]> {
  const fetch = (): Response => new Response(body, { headers: { "content-type": "text/plain;charset=UTF-8" } });
  return createClient(contract, { baseUrl, fetch });
}

/** A body of this many chunks of one byte, each a view on 64 KiB, as Deno passes those of a socket. */
function singleBytes(length: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = length;
  return new ReadableStream({
    pull: (controller) =>
      left-- > 0 ? controller.enqueue(new Uint8Array(65_536).fill(97, 0, 1).subarray(0, 1)) : controller.close(),
  }, { highWaterMark: 0 });
}

/** Sends the beginning of a request by a socket of its own and is gone, at times with the answer on its way. */
async function sendAndLeave(port: number, text: string): Promise<void> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(text));
  await new Promise((resolve) => setTimeout(resolve, 5));
  connection.close();
}
