/** Which values count as made by this package: marks are strings, but JSON cannot write them. */
import { defineContract, request, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer, verify } from "@scope/api/server";
import { contractTests, sample } from "@scope/api/testing";
import { assertEquals, assertThrows } from "@std/assert";
import { type } from "arktype";

const read = route.get("/", { responses: { 200: response.text() } });
const contract = defineContract({ routes: { read } });
const token = security.bearer("token");
const fetch = (): Response => new Response();

/** What passes where the value that it imitates does, by the kind that it claims to be. */
const places: Readonly<Record<string, readonly ((value: never) => unknown)[]>> = {
  contract: [
    (value) => defineServer(value),
    (value) => createClient(value, { baseUrl: "https://api.example.com" }),
    (value) => openApiDocument(value, { info: { title: "", version: "" } }),
    (value) => mockContract(value),
    (value) => contractTests(value, { target: fetch }),
    (value) => mcpTools(value, { fetch, tools: {} }),
    (value) => diffContracts(value, contract),
    (value) => diffContracts(contract, value),
    (value) => defineContract({ routes: { imported: value } }),
    (value) => router("/", { routes: value }),
  ],
  "slim contract": [(value) => createClient(value, { baseUrl: "https://api.example.com" })],
  "route declaration": [(value) => defineContract({ routes: { read: value } })],
  "router declaration": [(value) => router("/", { routes: { below: value } })],
  route: [(value) => sample(value), (value) => defineContract({ routes: { imported: value } })],
  router: [(value) => defineContract({ routes: { imported: value } })],
  response: [
    (value) => route.get("/", { responses: { 200: value } }),
    (value) => response.statuses("4XX", value),
  ],
  request: [(value) => route.post("/", { body: value, responses: { 200: response.text() } })],
  representation: [(value) => response.as(value), (value) => request.as(value)],
  "security scheme": [
    (value) => route.get("/", { security: [value], responses: { 200: response.text() } }),
    (value) => verify(value, () => null),
  ],
  "no security": [(value) => defineContract({ routes: { read }, security: [value] })],
  "combined schemes": [(value) => router("/", { routes: { read }, security: [value] })],
  implementation: [(value) => createFetchHandler(value)],
  verifier: [
    (value) => {
      const secured = defineContract({ routes: { read }, security: [token] });
      defineServer(secured, { security: [value] } as never);
    },
  ],
  codec: [(value) => request.json(value)],
};

/** The members that let each imitation come as far as it can. */
const members = {
  ...contract.routes.read,
  ...token,
  routes: {},
  endpoints: [],
  representation: {},
  schemes: [],
  responses: {},
  basePath: "",
};

for (const [kind, uses] of Object.entries(places)) {
  Deno.test(`JSON does not pose as a ${kind}`, () => {
    const text = JSON.stringify({ ...members, "~scope/api": kind });
    for (const use of uses) {
      assertThrows(() => use(JSON.parse(text) as never), TypeError);
      assertThrows(() => use(Object.create(JSON.parse(text)) as never), TypeError);
      assertThrows(() => use(Object.assign({}, JSON.parse(`{"__proto__":${text}}`)) as never), TypeError);
    }
  });
}

Deno.test("a copy of a contract is not a contract", () => {
  for (const copy of [{ ...contract }, structuredClone({ ...contract, routes: {} }), Object.create(contract)]) {
    assertThrows(() => defineServer(copy), TypeError, "the contract must be made by defineContract()");
  }
});

Deno.test("a document with the key of the mark is a document", () => {
  const { paths, ...document } = openApiDocument(contract, { info: { title: "", version: "" } });
  const marked = { "~scope/api": "contract", ...document, paths };
  assertEquals(diffContracts(marked, contract), []);
  assertEquals(diffContracts(contract, marked), []);
});

Deno.test("a handler's result may have the key of the mark", async () => {
  const Item = type({ "~scope/api": "string" });
  const marked = defineContract({ routes: { read: route.get("/", { responses: { 200: response.json(Item) } }) } });
  const handler = createFetchHandler(
    defineServer(marked).implement({ read: ({ response }) => response(200, { "~scope/api": "response" }) }),
  );
  const client = createClient(marked, { baseUrl: "http://localhost", fetch: handler });
  assertEquals((await client.read()).body, { "~scope/api": "response" });
});

Deno.test("the mark of a contract, a router and a route is not enumerable", () => {
  for (const made of [contract, contract.routes, contract.routes.read, contract.routes.read.responses[200]]) {
    assertEquals(Object.keys(made).filter((key) => key.startsWith("~")), []);
    assertEquals(Object.getOwnPropertyDescriptor(made, "~scope/api")?.enumerable, false);
  }
});
