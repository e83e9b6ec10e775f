/** Path parameters with text around them, which `styled()` declares: `/ops/42:cancel`. */
import { defineContract, response, route, styled } from "@scope/api";
import { createClient } from "@scope/api/client";
import { type AnyOpenApiDocument, diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { importContract, writeContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { fieldStyles, json, type SlimRoute, slimRoutes, type TypedResponse } from "@scope/api/slim";
import { contractTests } from "@scope/api/testing";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as z from "zod";

const responses = { 200: response.json(z.array(z.unknown())) };
const Id = z.object({ id: z.string() });
const Key = z.object({ key: z.coerce.number<string | number>().int() });
const contract = defineContract({
  routes: {
    get: route.get("/ops/:id", { responses }),
    cancel: route.post("/ops/:id", { params: styled(Id, { id: "*:cancel" }), responses }),
    wait: route.post("/ops/:id", { params: styled(Id, { id: "*:wait" }), responses }),
    batch: route.post("/ops/all:cancel", { responses }),
    customer: route.get("/:id", { params: styled(Id, { id: "Customers('*')" }), responses }),
    order: route.get("/:key", { params: styled(Key, { key: "Orders(*)" }), responses }),
    items: route.get("/:key/items", { params: styled(Key, { key: "Orders(*)" }), responses }),
    file: route.get("/files/:name", { responses }),
    formatted: route.get("/files/:full", {
      params: styled(z.object({ full: z.templateLiteral([z.string(), ".", z.string()]) }), { full: "*.*" }),
      responses,
    }),
  },
});

const server = defineServer(contract);
const implementation = server.implement({
  get: ({ params, response }) => response(200, ["get", params.id]),
  cancel: ({ params, response }) => response(200, ["cancel", params.id]),
  wait: ({ params, response }) => response(200, ["wait", params.id]),
  batch: ({ response }) => response(200, ["batch"]),
  customer: ({ params, response }) => response(200, ["customer", params.id]),
  order: ({ params, response }) => response(200, ["order", params.key]),
  items: ({ params, response }) => response(200, ["items", params.key]),
  file: ({ params, response }) => response(200, ["file", params.name]),
  formatted: ({ params, response }) => response(200, ["formatted", params.full]),
});
const handler = createFetchHandler(implementation);

/** The answer to a request, or its status if it is an error. */
async function send(method: string, path: string): Promise<unknown> {
  const answer = await handler(new Request(`http://localhost${path}`, { method }));
  return answer.ok ? await answer.json() : [answer.status, answer.headers.get("allow")];
}

Deno.test("createFetchHandler() matches routes by the text around their parameters", async () => {
  assertEquals(await send("GET", "/ops/7"), ["get", "7"]);
  assertEquals(await send("GET", "/ops/7:cancel"), ["get", "7:cancel"]);
  assertEquals(await send("POST", "/ops/7:cancel"), ["cancel", "7"]);
  assertEquals(await send("POST", "/ops/7%3Acancel"), ["cancel", "7"]);
  assertEquals(await send("POST", "/ops/7:wait"), ["wait", "7"]);
  assertEquals(await send("POST", "/ops/all:cancel"), ["batch"]);
  assertEquals(await send("POST", "/ops/a%2Fb:wait"), ["wait", "a/b"]);
  assertEquals(await send("GET", "/Customers('ALFKI')"), ["customer", "ALFKI"]);
  assertEquals(await send("GET", "/Orders(10248)"), ["order", 10248]);
  assertEquals(await send("GET", "/Orders(10248)/items"), ["items", 10248]);
  assertEquals(await send("GET", "/files/a"), ["file", "a"]);
  assertEquals(await send("GET", "/files/a.json"), ["formatted", "a.json"]);
});

Deno.test("a path without the text around a parameter is 404, 405 for the methods of other routes, or 400", async () => {
  assertEquals(await send("POST", "/ops/:cancel"), [405, "POST, GET"]); // GET /ops/:id has it
  assertEquals(await send("GET", "/Products(1)"), [404, null]);
  assertEquals(await send("GET", "/Orders()"), [404, null]);
  assertEquals(await send("POST", "/Orders(1)"), [405, "GET"]);
  assertEquals(await send("GET", "/Orders(x)"), [400, null]);
});

Deno.test("createClient() writes the text around parameters", async () => {
  const urls: string[] = [];
  const client = createClient(contract, {
    baseUrl: "http://localhost",
    fetch: (request) => (urls.push(new URL(request.url).pathname), handler(request)),
  });

  assertEquals((await client.cancel({ params: { id: "7" } })).body, ["cancel", "7"]);
  assertEquals((await client.customer({ params: { id: "a/b" } })).body, ["customer", "a/b"]);
  assertEquals((await client.items({ params: { key: 10248 } })).body, ["items", 10248]);
  assertEquals((await client.formatted({ params: { full: "a.json" } })).body, ["formatted", "a.json"]);
  assertEquals(urls, ["/ops/7%3Acancel", "/Customers('a%2Fb')", "/Orders(10248)/items", "/files/a.json"]);
  await assertRejects(() => client.cancel({ params: { id: "" } }), "must be a string that is not empty");
  await assertRejects(() => client.formatted({ params: { full: ".json" } }), "must be a string like *.*");
  await assertRejects(() => client.cancel({ params: { id: "all" } }), "these params match the route batch");
});

Deno.test("slimRoutes() has clients that write the text around parameters", async () => {
  const wait: SlimRoute<{
    method: "POST";
    path: "/ops/:id";
    params: { id: string };
    responses: { 200: TypedResponse<"json", unknown[]> };
  }> = ["POST", "/ops/:id", { params: fieldStyles({ id: "*:wait" }) }, { 200: json }];
  const client = createClient(slimRoutes({ wait }), { baseUrl: "http://localhost", fetch: handler });

  assertEquals((await client.wait({ params: { id: "7" } })).body, ["wait", "7"]);
});

Deno.test("documents, comparisons, mocks and contract tests have the text around parameters", async () => {
  const info = { title: "Ops", version: "1.0.0" };
  const document = openApiDocument(contract, { info }) as AnyOpenApiDocument;
  const { contract: imported, report } = importContract(document);

  assertEquals(
    Object.keys(document.paths!),
    [
      "/ops/{id}",
      "/ops/{id}:cancel",
      "/ops/{id}:wait",
      "/ops/all:cancel",
      "/Customers('{id}')",
      "/Orders({key})",
      "/Orders({key})/items",
      "/files/{name}",
      "/files/{full1}.{full2}",
    ],
  );
  assertEquals(diffContracts(contract, document), []);
  assertEquals(report.operations.flatMap(({ operation, reason }) => reason === undefined ? [] : [operation]), []);
  assertEquals(diffContracts(document, imported).filter(({ verdict }) => verdict === "breaking"), []);
  const target = mockContract(imported);
  for (const { run } of contractTests(imported, { target, runs: 3 })) await run();
});

Deno.test("defineContract() refuses routes with the same text around their parameters", () => {
  assertThrows(
    () =>
      defineContract({
        routes: {
          one: route.get("/a/:id", { params: styled(Id, { id: "*.json" }), responses }),
          two: route.get("/a/:key", {
            params: styled(z.object({ key: z.string() }), { key: "*.json" }),
            responses,
          }),
        },
      }),
    TypeError,
    "defineContract(): one and two both match GET /a/:key; change the method or path of one",
  );
});

Deno.test("styled() has texts with * for path parameters only", () => {
  assertThrows(
    () => route.get("/a", { query: styled(Id, { id: "*.json" }), responses }),
    TypeError,
    '"query" has the field "id" in the style *.json; write comma or pipe or space or deepObject or json',
  );
  assertThrows(
    // @ts-expect-error: not a style
    () => styled(Id, { id: "semicolon" }),
    TypeError,
    'styled(): "id" must be one of comma, pipe, space, deepObject, json, got "semicolon"',
  );
  // @ts-expect-error: a list has no text around it
  styled(z.object({ ids: z.array(z.string()) }), { ids: "*.json" });
});

const done = { 204: { description: "" } };
const id = { in: "path", name: "id", required: true, schema: { type: "string" } };
const number = { ...id, schema: { type: "integer" } };
const document = {
  openapi: "3.1.0",
  info: { title: "Ops", version: "1.0.0" },
  paths: {
    "/ops/{id}": { post: { operationId: "start", tags: ["ops"], parameters: [id], responses: done } },
    "/ops/{id}:cancel": { post: { operationId: "cancel", tags: ["ops"], parameters: [id], responses: done } },
    "/ops/{id}:wait": { post: { operationId: "wait", tags: ["ops"], parameters: [id], responses: done } },
    "/Customers('{id}')": { get: { operationId: "customer", tags: ["odata"], parameters: [id], responses: done } },
    "/Orders({id})": { get: { operationId: "order", tags: ["odata"], parameters: [number], responses: done } },
    "/Lines(Order={id},Line={line})": {
      get: { operationId: "line", tags: ["odata"], parameters: [number], responses: done },
    },
    "/files/{id}.json": { get: { operationId: "asJson", tags: ["files"], parameters: [id], responses: done } },
    "/files/{id}.{format}": { get: { operationId: "asFormat", tags: ["files"], parameters: [id], responses: done } },
    "/files/{id}": { get: { operationId: "file", tags: ["files"], parameters: [id], responses: done } },
    "/v1/{name=projects/*/jobs/*}:run": { post: { operationId: "run", tags: ["jobs"], responses: done } },
    "/aws/{proxy+}": { get: { operationId: "aws", tags: ["aws"], responses: done } },
    "/a%2Fb": { get: { operationId: "slash", tags: ["aws"], responses: done } },
  },
};

Deno.test("an import declares paths that differ only in the text around parameters", async () => {
  const { contract: imported, report } = importContract(document);
  const called: string[] = [];
  const mock = mockContract(imported);
  // deno-lint-ignore no-explicit-any -- the types of an imported contract are not known
  const client = createClient(imported as any, {
    baseUrl: "http://localhost",
    fetch: (request: Request) => (called.push(new URL(request.url).pathname), mock(request)),
    // deno-lint-ignore no-explicit-any -- likewise
  }) as any;

  assertEquals(report.operations.map(({ operation, changes, reason }) => [operation, reason ?? changes]), [
    ["POST /ops/{id}", []],
    ["POST /ops/{id}:cancel", []],
    ["POST /ops/{id}:wait", []],
    ["GET /Customers('{id}')", []],
    ["GET /Orders({id})", []],
    ["GET /Lines(Order={id},Line={line})", ["the segment Lines(Order={id},Line={line}) is one parameter, :idLine"]],
    ["GET /files/{id}.json", []],
    ["GET /files/{id}.{format}", ["the segment {id}.{format} is one parameter, :idFormat"]],
    ["GET /files/{id}", []],
    ["POST /v1/{name=projects/*/jobs/*}:run", [
      "the parameter name is the segments projects/*/jobs/*, with a parameter for each *",
    ]],
    ["GET /aws/{proxy+}", ["the parameter proxy is one segment: clients encode its slashes"]],
    ["GET /a%2Fb", 'its path has the segment "a%2Fb", whose slash a contract cannot declare'],
  ]);
  const statuses = [
    await client.ops.start({ params: { id: "7" } }),
    await client.ops.cancel({ params: { id: "7" } }),
    await client.odata.order({ params: { id: 1 } }),
    await client.odata.line({ params: { idLine: "Lines(Order=1,Line=2)" } }),
    await client.files.asFormat({ params: { idFormat: "a.xml" } }),
    await client.jobs.run({ params: { projectsId: "p", jobsId: "j" } }),
  ].map(({ status }) => status);
  assertEquals(statuses, [204, 204, 204, 204, 204, 204]);
  assertEquals(called, [
    "/ops/7",
    "/ops/7%3Acancel",
    "/Orders(1)",
    "/Lines(Order%3D1%2CLine%3D2)",
    "/files/a.xml",
    "/v1/projects/p/jobs/j%3Arun",
  ]);
});

Deno.test("an import writes the text around parameters as a style", () => {
  const text = writeContract(document).files.find(({ path }) => path === "odata.ts")!.text;

  assertEquals(text.match(/styled\(.*\)/g)?.slice(0, 2), [
    `styled(z.object({ id: z.string() }), { id: "Customers('*')" })`,
    `styled(z.object({ id: fromText(z.int()) }), { id: "Orders(*)" })`,
  ]);
});

Deno.test("an import declares a segment of many parameters as one text of their form", async () => {
  const parameters = ["a", "b", "c"].map((name) => ({ in: "path", name, required: true, schema: { type: "string" } }));
  const get = { operationId: "get", tags: ["it"], parameters, responses: done };
  const { contract: imported } = importContract({ ...document, paths: { "/x/{a}-{b}.{c}": { get } } });
  const mock = mockContract(imported);
  const statusOf = async (path: string) => (await mock(new Request(`http://localhost${path}`))).status;

  assertEquals(await statusOf("/x/1-2.3"), 204);
  assertEquals(await statusOf("/x/1-2-3"), 400);
});

Deno.test("openApiDocument() describes all routes of one shape whose texts have several values", () => {
  const Whole = z.object({ id: z.string(), id1: z.string() });
  const routes = defineContract({
    routes: {
      byYear: route.get("/:id1/:id", { params: styled(Whole, { id: "Sales(Year=*,Id=*)" }), responses }),
      byName: route.get("/:id1/:id", { params: styled(Whole, { id: "Sales(Name=*,Id=*)" }), responses }),
      plain: route.get("/:id1/:id", { responses }),
      first: route.get("/:id1/:id", { params: styled(Whole, { id1: "*.json" }), responses }),
      last: route.get("/:id1/:id", { params: styled(Whole, { id: "*.json" }), responses }),
      start: route.post("/ops/:id", { params: styled(Id, { id: "*:start" }), responses }),
      stop: route.delete("/ops/:key", {
        params: styled(z.object({ key: z.string() }), { key: "*:start" }),
        responses,
      }),
    },
  });
  const document = openApiDocument(routes, { info: { title: "Sales", version: "1.0.0" } });

  assertEquals(Object.entries(document.paths).map(([path, item]) => [path, ...Object.keys(item)]), [
    ["/{id1}/Sales(Year={id_1},Id={id_2})", "get"],
    ["/{id1}/Sales(Name={id_1},Id={id_2})", "get"],
    ["/{id1}/{id}", "get"],
    ["/{id1}.json/{id}", "get"],
    ["/{id1}/{id}.json", "get"],
    ["/ops/{id}:start", "post", "delete"],
  ]);
  assertEquals(document.paths["/{id1}/Sales(Year={id_1},Id={id_2})"]?.get?.parameters?.map(({ name }) => name), [
    "id1",
    "id_1",
    "id_2",
  ]);
  assertEquals(diffContracts(routes, document as AnyOpenApiDocument), []);
  assertEquals(diffContracts(routes, routes), []);
});

Deno.test("an import whose segments differ in the text between several values is documented again", () => {
  const two = (one: string, other: string) => ({
    get: {
      parameters: [one, other].map((name) => ({ ...id, name, schema: { type: "integer" } })),
      responses: done,
    },
  });
  const { contract: imported } = importContract({
    openapi: "3.1.0",
    info: { title: "Sales", version: "1.0.0" },
    paths: {
      "/Sales(Id={id},Year={year})": two("id", "year"),
      "/Sums(Id={id},Year={year})": two("id", "year"),
      "/{id}-{year}": two("id", "year"),
      "/{idYear}": { get: { responses: done } },
    },
  });

  const again = openApiDocument(imported, { info: { title: "Sales", version: "1.0.0" } });
  assertEquals(Object.keys(again.paths), [
    "/Sales(Id={idYear1},Year={idYear2})",
    "/Sums(Id={idYear1},Year={idYear2})",
    "/{idYear1}-{idYear2}",
    "/{idYear}",
  ]);
  assertEquals(importContract(again).report.operations.map(({ reason }) => reason), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("an import leaves out paths that no URL or contract can have", () => {
  const paths = ["/ok", "/x\ud800{id}", "/{id}\ud800", "/%7Bid%7D", "/a/%7Bid%7D/b", "/a/../b"];
  const { contract: imported, report } = importContract({
    openapi: "3.1.0",
    info: { title: "Odd", version: "1.0.0" },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: done } }])),
  });

  assertEquals(report.operations.map(({ reason }) => reason), [
    undefined,
    "its path has a lone surrogate, which no URL can carry",
    "its path has a lone surrogate, which no URL can carry",
    'route.get(): the path "/{id}" contains "{id}", which is not a parameter; write :id',
    'route.get(): the path "/a/{id}/b" contains "{id}", which is not a parameter; write :id',
    'route.get(): the path "/a/../b" contains "..", a dot segment; write the path that it resolves to',
  ]);
  assertEquals(Object.keys(openApiDocument(imported, { info: { title: "Odd", version: "1.0.0" } }).paths), ["/ok"]);
});
