import { assert, assertEquals } from "@std/assert";
import { type CallProxied, hosts } from "../hosts.ts";
import { serveOdd } from "../odd_server.ts";
import { startProxy } from "../proxy.ts";

/** The ways through a proxy that docs/runtimes.md has, by runtime. */
const ways: Readonly<Record<string, readonly string[]>> = {
  "deno": ["environment", "client"],
  "node 20": ["dispatcher"],
  "node 22": ["environment", "dispatcher"],
  "node 24": ["environment", "dispatcher"],
  "bun": ["environment", "init"],
};

/** Calls the suite's server through a proxy. */
export function testProxies(): void {
  for (const { name, callProxied } of hosts) {
    for (const way of ways[name] ?? []) {
      Deno.test(`${name} client goes through a proxy, by ${way}`, () => testWay(way, callProxied!));
    }
  }
}

async function testWay(way: string, callProxied: CallProxied): Promise<void> {
  await using proxy = startProxy();
  const server = serveOdd();
  const env = way === "environment" ? { HTTP_PROXY: proxy.url, NODE_USE_ENV_PROXY: "1", NO_PROXY: "" } : {};
  try {
    assertEquals(await callProxied(server.baseUrl, proxy.url, way, env), ["x", 7, [1, 2, 3]]);
    assert(proxy.countOf(new URL(server.baseUrl).host) > 0, "it went past the proxy");
  } finally {
    await server.stop();
  }
}
