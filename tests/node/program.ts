/**
 * The servers that the tests of `@scope/api/node` call, in one process of Node. Prints their ports as JSON: `plain`,
 * `asked` with a listener to `checkContinue`, `mounted` behind middleware that answers what the API passes on, `pages` by
 * a function of a `Request`, and `chained` before another page.
 */
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import process from "node:process";
import { createGzip } from "node:zlib";
import { createNodeHandler, type NodeExchange, toNodeHandler } from "@scope/api/node";
import { proxy } from "@scope/api/proxy";
import { implementation, reports } from "./api.ts";

/** A request with what the middleware of the server `mounted` adds. */
interface WithUser extends IncomingMessage {
  readonly user?: string;
}

const api = createNodeHandler(implementation, {
  maxBodyBytes: 1_000_000,
  cors: { origins: ["https://app.example.com"] },
  contextInput: ({ req }: NodeExchange<WithUser>) => {
    if (req.headers["x-fail"]) throw new Error("no context");
    return { user: req.user };
  },
  onError: ({ error, phase, response }) =>
    void reports.push(`${phase} ${response.status}: ${(error as Error).message}`),
});

/** Reads the body as the parser that the header `x-parser` names: of Express, but for its limits. */
async function parse(req: IncomingMessage & { body?: unknown }): Promise<void> {
  const parser = req.headers["x-parser"];
  if (parser === "none" || parser === undefined) return;
  if (parser === "express 4") req.body = {};
  if (parser === "encoded") req.setEncoding("utf8");
  if (parser === "listening") req.on("readable", () => {});
  if (["express 4", "encoded", "listening"].includes(String(parser))) return;
  const chunks: Uint8Array[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const text = chunks.join("");
  if (parser === "json") req.body = text === "" ? {} : JSON.parse(text);
  if (parser === "text") req.body = text;
  if (parser === "raw") req.body = Buffer.concat(chunks);
  if (parser === "form") req.body = Object.fromEntries(new URLSearchParams(text));
  if (parser === "nested") req.body = { a: { b: "c" } };
  if (parser === "list") req.body = { a: ["b", "c"] };
}

/** Compresses a response, as `compression` of Express does: what it holds back leaves by `flush()`. */
function compress(res: ServerResponse): void {
  const [gzip, write, end] = [createGzip(), res.write.bind(res), res.end.bind(res)];
  res.setHeader("content-encoding", "gzip");
  gzip.on("data", write).on("end", end);
  Object.assign(res, {
    write: (chunk: Uint8Array) => gzip.write(chunk),
    end: (chunk?: Uint8Array) => gzip.end(chunk),
    flush: () => gzip.flush(),
  });
}

/** A chain of middleware before the API, and a page after it. */
const mounted: RequestListener = async (req: IncomingMessage & { user?: string; originalUrl?: string }, res) => {
  await parse(req);
  req.user = "Ada";
  req.originalUrl = req.url!;
  req.url = "/stripped";
  res.setHeader("x-powered-by", "Tests");
  res.setHeader("set-cookie", "session=1");
  res.setHeader("vary", "origin");
  if (req.headers["x-sent"]) res.end("sent before");
  if (req.headers["x-compress"]) compress(res);
  const isOurs = api.has(req);
  api(req, res, () => res.end(`passed ${req.method} ${req.originalUrl} ${isOurs}`));
};

/** Pages that a function of a `Request` answers. */
const pages = toNodeHandler(async (request) => {
  const { url, method, headers } = request;
  const { pathname } = await Promise.resolve(new URL(url));
  if (pathname === "/proxied") {
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400), 100); // this process is busy
    return proxy(`http://${headers.get("x-upstream")}`)(request);
  }
  if (pathname === "/fails") throw new Error("no page");
  if (pathname === "/none") return undefined;
  if (pathname === "/odd") return { status: 200 } as Response;
  if (pathname === "/error") return Response.error();
  if (pathname === "/read") {
    const read = new Response("read");
    await read.text();
    return read;
  }
  return new Response(`${method} ${pathname} ${headers.get("x-tag")}`);
});

async function listen(listener: RequestListener, isAsked = false): Promise<number> {
  const server = createServer({ highWaterMark: 16_384 }, listener);
  if (isAsked) server.on("checkContinue", listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

process.on("uncaughtException", (error) => reports.push(`uncaught ${error.message}`));
console.log(JSON.stringify({
  plain: await listen(api as RequestListener),
  asked: await listen(api as RequestListener, true),
  mounted: await listen(mounted),
  pages: await listen(pages),
  chained: await listen((req, res) =>
    pages(req, res, () => {
      if (req.headers["x-fail"]) throw new Error("no next page");
      res.end("the next page");
    })
  ),
}));
