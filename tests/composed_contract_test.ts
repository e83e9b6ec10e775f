/** Every tool reads a contract that is composed of others as it reads one that was declared at once. */
import { codec, defineContract, renameScheme, response, route, router, security, withSchemes } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer, verify } from "@scope/api/server";
import { queryKey, queryOptions } from "@scope/api/tanstack-query";
import { contractTests, sample } from "@scope/api/testing";
import { assert, assertEquals } from "@std/assert";
import * as z from "zod";
import { writeSlimContract } from "../src/tools/slim/write_slim_contract.ts";

const Invoice = z.object({ id: z.string(), cents: z.int() });
const day = codec(z.iso.date(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString().slice(0, 10),
});
const token = security.bearer("token");
const billingToken = security.bearer("token");
const invoices = {
  byId: route.get("/:id", { responses: { 200: response.json(Invoice), 404: response.problem() } }),
  add: route.post("/", { body: Invoice, responses: { 201: response.json(Invoice) } }),
  days: route.get("/days", { responses: { 200: response.json(day) } }),
};

/** The service of another team. */
const billing = defineContract({
  basePath: "/billing",
  security: [billingToken],
  routes: { invoices: router("/invoices", { routes: invoices }) },
});
const renamed = renameScheme(billingToken, "billingToken");

const composed = defineContract({
  basePath: "/api",
  security: [token],
  routes: {
    billing: withSchemes(billing, renamed),
    ping: route.get("/ping", { security: [], responses: { 200: response.text() } }),
  },
});

/** The same, declared at once. */
const declared = defineContract({
  basePath: "/api",
  security: [token],
  routes: {
    billing: router("/billing", {
      security: [renamed],
      routes: { invoices: router("/invoices", { docs: { tags: ["invoices"] }, routes: invoices }) },
    }),
    ping: route.get("/ping", { security: [], responses: { 200: response.text() } }),
  },
});

const server = defineServer(composed, {
  security: [verify(renamed, ({ token }) => token === "b" ? { name: "Ada" } : null)],
});
const target = createFetchHandler(server.implement({
  billing: {
    invoices: {
      byId: ({ params, caller, response }) =>
        params.id === "0" ? response(404) : response(200, { id: `${params.id} ${caller.name}`, cents: 1 }),
      add: ({ body, response }) => response(201, body),
      days: ({ response }) => response(200, new Date(0)),
    },
  },
  ping: ({ response }) => response(200, "pong"),
}));
const clientOptions = { baseUrl: "http://localhost", fetch: target, credentials: { billingToken: "b" } };

Deno.test("openApiDocument() and diffContracts() see no difference between a composed and a declared contract", () => {
  const [one, other] = [composed, declared].map((each) => openApiDocument(each, { info: { title: "", version: "" } }));
  assertEquals(one, other);
  assertEquals(Object.keys(one!.paths), [
    "/api/billing/invoices/{id}",
    "/api/billing/invoices",
    "/api/billing/invoices/days",
    "/api/ping",
  ]);
  assertEquals(diffContracts(composed, declared), []);
  assertEquals(diffContracts(composed, one!), []);
});

Deno.test("createClient(), queryKey() and queryOptions() use the keys of a composed contract", async () => {
  const client = createClient(composed, clientOptions);
  assertEquals(unwrap(await client.billing.invoices.byId({ params: { id: "7" } })), { id: "7 Ada", cents: 1 });
  assertEquals(unwrap(await client.billing.invoices.days()), new Date(0));
  assertEquals(queryKey(client.billing.invoices.byId), ["billing", "invoices", "byId"]);
  const { queryKey: own } = queryOptions(client.billing.invoices.byId, { params: { id: "7" } });
  assertEquals(own.slice(0, 3), ["billing", "invoices", "byId"]);
});

Deno.test("mockContract() and sample() make values for a composed contract", async () => {
  const client = createClient(composed, { ...clientOptions, fetch: mockContract(composed) });
  const { id, cents } = unwrap(await client.billing.invoices.byId({ params: { id: "7" } }));
  assertEquals([typeof id, typeof cents], ["string", "number"]);
  assertEquals(typeof sample(composed.routes.billing.invoices.add).body.cents, "number");
});

Deno.test("contractTests() test the server of a composed contract", async () => {
  const tests = contractTests(composed, { target, credentials: { billingToken: "b" }, runs: 3 });
  for (const { run } of tests) await run();
  assert(tests.some(({ name }) => name.includes("billing.invoices.byId")));
});

Deno.test("mcpTools() offers routes of a composed contract", async () => {
  const tools = mcpTools(composed, { fetch: target, tools: { "billing.invoices.byId": "Reads an invoice." } });
  assertEquals(tools.list.map(({ name }) => name), ["billing_invoices_byId"]);
  const { structuredContent } = await tools.call(
    "billing_invoices_byId",
    { params: { id: "7" } },
    { headers: { authorization: "Bearer b" } },
  );
  assertEquals(structuredContent, { id: "7 Ada", cents: 1 });
});

Deno.test("a slim contract of a composed contract is that of the declared one", () => {
  const codecs = { path: "./codecs.ts", specifier: "./codecs.ts", exports: { day } };
  const file = { name: "contract", contract: "./contract.ts", codecs, library: "@scope/api/slim" };
  const [one, other] = [composed, declared].map((each) => writeSlimContract(each as never, file));
  assertEquals(one, other);
  assert(one!.includes("/api/billing/invoices/:id"));
});
