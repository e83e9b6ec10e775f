/** The rules of docs/contract-rules.md. */
import { defineContract, response, route, router, security } from "@scope/api";
import { importContract } from "@scope/api/import";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkContract, paths, problems, publicRoutes, routesBelow } from "./contract_rules.ts";

const token = security.bearer("token");
const responses = { 200: response.text() };

Deno.test("the three rules of the page list each route that breaks one, by its key", () => {
  const contract = defineContract({
    basePath: "/api",
    security: [token],
    responses: { 404: response.problem(), 429: response.empty() },
    routes: {
      health: route.get("/health", { security: [], responses }),
      feed: route.get("/feed", { security: [token, security.none], responses }),
      users: router("/user_accounts", {
        routes: {
          byId: route.get("/:userId", { responses: { ...responses, 409: response.json() } }),
          add: route.post("/", {
            security: [],
            responses: { ...responses, ...response.statuses("5XX", response.text()) },
          }),
        },
      }),
    },
  });

  assertEquals(checkContract(contract, { paths, problems, public: publicRoutes("health") }), [
    "feed: public: is public, and not in the list of public routes",
    'users.byId: paths: "user_accounts" of /api/user_accounts/:userId must be lowercase words with hyphens',
    "users.byId: problems: 409 is not a problem document",
    'users.add: paths: "user_accounts" of /api/user_accounts must be lowercase words with hyphens',
    "users.add: problems: 500 is not a problem document",
    "users.add: public: is public, and not in the list of public routes",
  ]);
});

Deno.test("routesBelow() finds routes of imported contracts, and those whose key is that of a member", () => {
  const billing = defineContract({ basePath: "/billing", routes: { method: route.get("/total", { responses }) } });
  const contract = defineContract({
    routes: { method: router("/m", { routes: { path: route.get("/p", { responses }) } }), billing },
  });

  assertEquals(routesBelow(contract.routes).map(({ key, path }) => `${key} ${path}`), [
    "method.path /m/p",
    "billing.method /billing/total",
  ]);
  assertEquals(routesBelow(contract.routes.billing).length, 1);
});

Deno.test("the rules of the page read the document of a service in another language", () => {
  const { contract } = importContract({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1.0.0" },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
    paths: {
      "/Orders": { get: { operationId: "listOrders", responses: { 200: { description: "OK" } } } },
      "/health": { get: { operationId: "health", security: [], responses: { 204: { description: "OK" } } } },
    },
  });

  assertEquals(checkContract(contract, { paths, public: publicRoutes() }), [
    'orders.listOrders: paths: "Orders" of /Orders must be lowercase words with hyphens',
    "health.health: public: is public, and not in the list of public routes",
  ]);
});

Deno.test("docs/contract-rules.md has the functions that these tests call", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/contract-rules.md", import.meta.url));
  const source = await Deno.readTextFile(new URL("contract_rules.ts", import.meta.url));

  assertStringIncludes(page, source.slice(source.indexOf("/**")).replaceAll(/^export /gm, ""));
});
