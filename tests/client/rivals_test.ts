import { defineContract, response, route, router } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { asserting } from "../support/tries.ts";

const always = asserting(100);

const responses = { 200: response.text() };
const users = router("/users", {
  routes: {
    me: route.delete("/me", { responses }),
    byId: route.delete("/:id", { responses }),
    show: route.get("/:id", { responses }),
    probe: route.head("/:id", { responses }),
    list: route.get("/all", { responses }),
  },
});
const contract = defineContract({ routes: { users } });
const client = createClient(contract, { baseUrl: "http://localhost" });

Deno.test("createClient() refuses parameters that match another route's literal, and names that route", () => {
  const refused = (call: () => unknown, key: string) =>
    assertThrows(call, ClientError, `these params match the route ${key}; call that instead`);
  assertEquals(refused(() => client.users.byId.url({ params: { id: "me" } }), "users.me").code, "invalid-input");
  refused(() => client.users.show.url({ params: { id: "all" } }), "users.list");
  refused(() => client.users.probe.url({ params: { id: "all" } }), "users.list"); // GET answers HEAD
});

Deno.test("createClient() accepts parameters that only match a route with another method", () => {
  assertEquals(client.users.show.url({ params: { id: "me" } }), "http://localhost/users/me");
  assertEquals(client.users.byId.url({ params: { id: "all" } }), "http://localhost/users/all");
});

/** Paths of three segments, each one of a few literals or a parameter. */
const path = fc.array(fc.constantFrom("a", "b", ":"), { minLength: 3, maxLength: 3 })
  .map((segments) => segments.map((segment, index) => segment === ":" ? `:p${index}` : segment).join("/"));

Deno.test("createClient() calls reach their route or are refused, whatever the routes are", async () => {
  const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 12 });
  const values = fc.record({
    p0: fc.constantFrom("a", "b", "c"),
    p1: fc.constantFrom("a", "c"),
    p2: fc.constantFrom("b", "c"),
  });
  await always(fc.asyncProperty(paths, values, async (paths, params) => {
    const routes = Object.fromEntries(paths.map((path) => [path, route.get(path, { responses })]));
    const contract = defineContract({ routes });
    const handlers = Object.fromEntries(paths.map((path) => [path, () => ({ status: 200, body: path }) as const]));
    const handler = createFetchHandler(defineServer(contract).implement(handlers as never));
    const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
    for (const called of paths) {
      const spelt = called.replaceAll(/:(p\d)/g, (_, name: "p0" | "p1" | "p2") => params[name]);
      const answered = await (await handler(new Request(`http://localhost/${spelt}`))).text();
      const named = Object.entries(params).filter(([name]) => called.includes(`:${name}`));
      const input = named.length > 0 ? [{ params: Object.fromEntries(named) }] : [];
      const result = await (client[called] as unknown as (...input: unknown[]) => Promise<{ readonly body: unknown }>)(
        ...input,
      )
        .then(({ body }) => body, (error: ClientError) => error.code);
      assertEquals(result, answered === called ? called : "invalid-input");
    }
  }));
});
