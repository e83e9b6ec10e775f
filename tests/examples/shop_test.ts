/** The service of Express, before and after half of its routes have moved: the same answers, one document, one client. */
import { createClient, unwrap } from "@scope/api/client";
import { openApiDocument } from "@scope/api/openapi";
import { assert, assertEquals } from "@std/assert";
import type { AddressInfo } from "node:net";
import { createApp } from "../../examples/shop/app.ts";
import { contract } from "../../examples/shop/contract.ts";
import { createMovedRoutes } from "../../examples/shop/moved_routes.ts";
import { createStore } from "../../examples/shop/store.ts";

/** Serves the application on a port of its own while `run` uses its URL. */
async function serving(isMoved: boolean, run: (url: string) => Promise<void>): Promise<void> {
  const server = createApp({ isMoved }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Keeps the cookie of the session, as a browser does. */
function withCookie(): (request: Request) => Promise<Response> {
  let cookie = "";
  return async (request) => {
    if (cookie !== "") request.headers.set("cookie", cookie);
    const response = await fetch(request);
    cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return response;
  };
}

/** A visit of every route: method, path and body. */
const visit: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["GET", "/api/health"],
  ["GET", "/api/session"],
  ["GET", "/api/products"],
  ["POST", "/api/products", { name: "Cup", cents: 900 }],
  ["GET", "/api/orders"],
  ["POST", "/api/session", { user: "Ada" }],
  ["GET", "/api/session"],
  ["POST", "/api/products", { name: "Cup", cents: 900 }],
  ["POST", "/api/products", { name: 7 }],
  ["PATCH", "/api/products/2", { cents: 800 }],
  ["PATCH", "/api/products/9", { cents: 800 }],
  ["GET", "/api/products/2"],
  ["GET", "/api/products/9"],
  ["HEAD", "/api/products/2"],
  ["POST", "/api/orders", { product: "2", quantity: 3 }],
  ["GET", "/api/orders"],
  ["GET", "/api/orders/3"],
  ["DELETE", "/api/products/2"],
  ["DELETE", "/api/products/2"],
  ["DELETE", "/api/session"],
  ["GET", "/api/orders"],
];

async function visitAll(url: string): Promise<readonly string[]> {
  const send = withCookie();
  const seen: string[] = [];
  for (const [method, path, body] of visit) {
    const headers = { "content-type": "application/json" };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const response = await send(new Request(url + path, init));
    const text = await response.text();
    // the old service says "Invalid" where the new one says what is
    seen.push(`${method} ${path} ${response.status} ${response.status === 400 ? "" : text}`);
  }
  return seen;
}

Deno.test("the shop answers as before when half of its routes have moved", async () => {
  const seen: (readonly string[])[] = [];
  for (const isMoved of [false, true]) await serving(isMoved, async (url) => void seen.push(await visitAll(url)));
  assertEquals(seen[1], seen[0]);
  assertEquals(
    seen[0]!.map((line) => line.split(" ")[2]).join(" "),
    "200 401 200 401 401 204 200 201 400 200 404 200 404 200 201 200 200 204 404 204 401",
  );
});

Deno.test("the shop implements six of twelve routes, and its document has all of them", () => {
  assertEquals(createMovedRoutes(createStore()).missing, [
    "health",
    "session.start",
    "session.read",
    "session.end",
    "orders.add",
    "orders.byId",
  ]);
  const { paths } = openApiDocument(contract, { info: { title: "Shop", version: "1.0.0" } });
  const operations = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  assertEquals(operations.length, 12);
});

Deno.test("one client calls moved and unmoved routes of the shop", async () => {
  await serving(true, async (url) => {
    const client = createClient(contract, { baseUrl: url, fetch: withCookie() });
    assertEquals((await client.orders.list()).status, 401);
    unwrap(await client.session.start({ body: { user: "Ada" } }));
    const { id } = unwrap(await client.products.add({ body: { name: "Pot", cents: 2000 } }));
    const order = unwrap(await client.orders.add({ body: { product: id, quantity: 1 } }));
    assertEquals(unwrap(await client.orders.list()), [order]);
    assertEquals(unwrap(await client.orders.byId({ params: { id: order.id } })), order);
  });
});

Deno.test("the shop does not answer a path that other middleware reads as another one", async () => {
  await serving(true, async (url) => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(url).port) });
    await connection.write(
      new TextEncoder().encode("GET /api/x/../products HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    );
    const answer = await new Response(connection.readable).text();
    assert(answer.startsWith("HTTP/1.1 404")); // by Express, whose router compares paths as they were sent
  });
});
