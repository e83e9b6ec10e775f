/** A part of the routes on Node's servers: `next()` for the others, and `handler.has()`. */
import { defineContract, response, route } from "@scope/api";
import { createNodeHandler, type NodeHandler, toNodeHandler } from "@scope/api/node";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { assertTypeError } from "../support/assert_refused.ts";

const responses = { 200: response.text() };
const contract = defineContract({
  basePath: "/api",
  routes: {
    read: route.get("/users/:id", { responses }),
    save: route.put("/users/:id", { responses }),
    list: route.get("/users", { responses }),
  },
});
const implementation = defineServer(contract).partial({ read: ({ response }) => response(200, "ours") });
const handler = createNodeHandler(implementation, { cors: { origins: ["https://app.example"] } });

/** Serves requests by a handler, and what it passes on by "theirs", while `run` sends them. */
async function serving(handler: NodeHandler, run: (baseUrl: string) => Promise<void>): Promise<void> {
  const server = createServer((req, res) => handler(req, res, () => res.end("theirs"))).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

Deno.test("createNodeHandler() passes requests to next() that have no implemented route, and their preflights", async () => {
  await serving(handler, async (baseUrl) => {
    const ask = async (method: string, path: string, headers?: HeadersInit): Promise<string> => {
      const answer = await fetch(baseUrl + path, { method, headers: headers ?? {} });
      return `${answer.status} ${await answer.text()}`;
    };
    const preflight = (method: string): HeadersInit => ({
      origin: "https://app.example",
      "access-control-request-method": method,
    });
    assertEquals(await ask("GET", "/api/users/1"), "200 ours");
    assertEquals(await ask("HEAD", "/api/users/1"), "200 ");
    assertEquals(await ask("PUT", "/api/users/1"), "200 theirs");
    assertEquals(await ask("GET", "/api/users"), "200 theirs");
    assertEquals(await ask("GET", "/api/%75sers/1"), "200 theirs");
    assertEquals(await ask("OPTIONS", "/api/users/1", preflight("GET")), "204 ");
    assertEquals(await ask("OPTIONS", "/api/users/1", preflight("PUT")), "200 theirs");
    assertEquals(await ask("OPTIONS", "/api/users", preflight("GET")), "200 theirs");
    assertEquals(await ask("OPTIONS", "/api/users/1"), "200 theirs");
  });
});

Deno.test("handler.has() of createNodeHandler() reads originalUrl, and takes plain objects", () => {
  const message = (members: object): IncomingMessage =>
    ({ method: "GET", rawHeaders: ["Host", "localhost"], ...members }) as unknown as IncomingMessage;
  assertEquals(handler.has(message({ url: "/users/1", originalUrl: "/api/users/1" })), true);
  assertEquals(handler.has(message({ url: "/api/users/1", originalUrl: "/v1/api/users/1" })), false);
  assertEquals(handler.has(message({ url: "/api/users/1" })), true);
  assertEquals(handler.has(message({ url: "/api/users" })), false);
  assertEquals(handler.has(message({ url: "http://localhost/api/users/1" })), false);
  assertEquals(handler.has({ method: "HEAD", url: "/api/users/1" }), true);
  assertEquals(handler.has({ method: "GET", url: "/api/./users/1" }), false);
  const headers = { origin: "https://app.example", "access-control-request-method": "GET" };
  assertEquals(handler.has({ method: "OPTIONS", url: "/api/users/1", headers }), true);
  assertTypeError(
    () => handler.has({} as never),
    "handler.has(): pass a request, or { method, url }",
  );
});

Deno.test("toNodeHandler() and createNodeHandler() leave a stream of HTTP/2 as it was if they pass it on", async () => {
  const page = toNodeHandler(() => undefined);
  const counts: number[] = [];
  const server = createHttp2Server((req, res) => {
    const before = req.stream.listenerCount("aborted");
    page(req, res, () =>
      handler(req, res, () => {
        counts.push(req.stream.listenerCount("aborted") - before);
        res.end("theirs");
      }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const answer = session.request({ ":path": "/theirs" });
  answer.resume();
  await once(answer, "close");
  assertEquals(counts, [0]);
  session.close();
  await new Promise((resolve) => server.close(resolve));
});

Deno.test("toNodeHandler() names the path of a request that failed in the log", async () => {
  const written: unknown[][] = [];
  const { error } = console;
  console.error = (...given: unknown[]): void => void written.push(given);
  const page = toNodeHandler(() => Promise.reject("no page"));
  try {
    await serving(page as NodeHandler, async (baseUrl) => {
      const answer = await fetch(`${baseUrl}/pages/a%20b?token=secret`);
      assertEquals([answer.status, (await answer.json()).code], [500, "internal-error"]);
    });
  } finally {
    console.error = error;
  }
  assertEquals(written, [["GET /pages/a%20b failed in phase handler:", "no page"]]);
});
