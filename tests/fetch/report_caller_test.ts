/** The caller in the reports of the hooks, for audit logs. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler, type ErrorReport, type ResponseReport } from "@scope/api/fetch";
import { createNodeHandler } from "@scope/api/node";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import * as z from "zod";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const token = security.bearer("token", { scopes: ["write"] });
const responses = { 200: response.ndjson(z.number()) };
const contract = defineContract({
  responses: { 403: response.empty() },
  routes: {
    me: route.get("/me", { security: [token], responses }),
    write: route.get("/write", { security: [token.scoped("write")], responses }),
    guarded: route.get("/guarded", { security: [token], responses }),
    broken: route.get("/broken", { security: [token], responses }),
    stream: route.get("/stream", { security: [token], responses }),
    open: route.get("/open", { security: [], responses }),
    optional: route.get("/optional", { security: [token, security.none], responses }),
  },
});
const ada = { name: "Ada", scopes: [] };
const implementation = defineServer(contract, {
  security: [verify(token, ({ token }) => token === "t" ? ada : undefined)],
})
  .guard(({ route, response }) => route.key === "guarded" ? response(403) : undefined)
  .implement({
    me: ({ response }) => response(200, [1]),
    write: ({ response }) => response(200, [1]),
    guarded: ({ response }) => response(200, [1]),
    broken: () => {
      throw new Error("broken");
    },
    stream: ({ response }) => response(200, failLater()),
    open: ({ response }) => response(200, [1]),
    optional: ({ response }) => response(200, [1]),
  });

async function* failLater(): AsyncGenerator<number> {
  yield await Promise.resolve(1);
  throw new Error("later");
}

const log: string[] = [];
const nameOf = (caller: object | undefined): string => caller === undefined ? "-" : (caller as typeof ada).name;
const hooks = {
  onResponse: ({ route, caller, response }: ResponseReport): void =>
    void log.push(`${route?.key ?? "-"} ${response.status} ${nameOf(caller)}`),
  onError: ({ route, caller, phase }: ErrorReport): void => void log.push(`${route?.key} ${phase} ${nameOf(caller)}`),
};

const expected = [
  "me 200 Ada",
  "me 401 -",
  "write 403 -",
  "guarded 403 Ada",
  "broken handler Ada",
  "broken 500 Ada",
  "stream 200 Ada",
  "stream stream Ada",
  "open 200 -",
  "optional 200 Ada",
  "optional 200 -",
  "- 404 -",
];

async function askAll(ask: (path: string, headers: HeadersInit) => Promise<Response>): Promise<void> {
  log.length = 0;
  const known = { authorization: "Bearer t" };
  const asked: readonly (readonly [path: string, headers: HeadersInit])[] = [
    ["/me", known],
    ["/me", {}],
    ["/write", known],
    ["/guarded", known],
    ["/broken", known],
    ["/stream", known],
    ["/open", known],
    ["/optional", known],
    ["/optional", {}],
    ["/nothing", known],
  ];
  for (const [path, headers] of asked) await (await ask(path, headers)).text().catch(() => {});
}

Deno.test("onResponse and onError of createFetchHandler() receive the caller", async () => {
  const handler = createFetchHandler(implementation, hooks);
  await askAll(async (path, headers) => await handler(new Request(`http://localhost${path}`, { headers })));
  assertEquals(log, expected);
});

Deno.test("onResponse and onError of createNodeHandler() receive the caller", async () => {
  const server = createServer(createNodeHandler(implementation, hooks)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await askAll((path, headers) => fetch(`http://127.0.0.1:${port}${path}`, { headers }));
  await new Promise((resolve) => server.close(resolve));
  assertEquals(log, expected);
});
