/** The webhooks of documents, and their requests that are streams of lines. */
import { defineContract, request, response, route, webhooks } from "@scope/api";
import { importContract, writeContract } from "@scope/api/import";
import { openApiDocument } from "@scope/api/openapi";
import { createSender } from "@scope/api/webhooks";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as z from "zod";
import { ClientError } from "@scope/api/client";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { createLoader, writers } from "./writers.ts";

const info = { title: "Shop", version: "1" };
const Order = z.object({ id: z.string(), total: z.number(), note: z.string().optional() }).meta({ id: "Order" });
const shop = defineContract({
  basePath: "/v1",
  routes: {
    orders: route.get("/orders", { responses: { 200: response.json(z.array(Order)) }, docs: { tags: ["orders"] } }),
    add: route.post("/orders", {
      body: request.ndjson(Order, { contentType: "application/jsonl" }),
      responses: { 204: response.empty() },
      docs: { tags: ["orders"] },
    }),
  },
  webhooks: webhooks({
    orderPaid: route.post("/", {
      headers: z.object({ "x-shop": z.string() }),
      body: Order,
      responses: { 204: response.empty({ description: "Received" }), 410: response.empty() },
      docs: { summary: "An order was paid", tags: ["orders"], headers: { "x-shop": { description: "The shop" } } },
    }),
    "order/new": route.put("/", {
      body: z.object({ order: Order }),
      responses: { ...response.statuses("2XX", response.json(z.object({ ok: z.boolean() }))) },
      deprecated: true,
      docs: {
        operationId: "sendNewOrder",
        "x-delay": 5,
        body: { description: "The order", example: { order: { id: "7", total: 3 } } },
        responses: { "2XX": { description: "Received" } },
      },
    }),
  }),
});
const document = openApiDocument(shop, { info, refusals: false });

// proves import | Webhooks are declared again: the document of the import is the imported one
Deno.test("a document with webhooks is imported and published again as it was, with every library", async () => {
  await inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    for (const writer of writers) {
      const { contract, report, document: options } = await load(document, writer);
      const published = openApiDocument(contract, { ...options, refusals: false });
      assertEquals(published.webhooks, document.webhooks, writer);
      assertEquals(published.paths, document.paths, writer);
      assertEquals(Object.keys(published.components?.schemas ?? {}), Object.keys(document.components?.schemas ?? {}));
      assertEquals(report.webhooks, [
        { operation: "POST orderPaid", key: "orderPaid", changes: [], reason: undefined },
        { operation: "PUT order/new", key: "order/new", changes: [], reason: undefined },
      ]);
      assertEquals(report.omitted, []);
    }
  }, new URL(".", import.meta.url).pathname);
});

Deno.test("imported webhooks are sent, and a wrong message is not", async () => {
  const { contract } = importContract(document);
  const sent: unknown[] = [];
  const send = createSender(contract as typeof shop, {
    fetch: async (request) => {
      sent.push([request.method, request.headers.get("x-shop"), await request.json()]);
      return new Response(null, { status: 204 });
    },
  });
  const message = { url: "https://shop.example/hooks", id: "evt_1", headers: { "x-shop": "7" } };

  assertEquals((await send.orderPaid({ ...message, body: { id: "1", total: 3 } })).status, 204);
  assertEquals(sent, [["POST", "7", { id: "1", total: 3 }]]);
  const wrong = await assertRejects(() => send.orderPaid({ ...message, body: { id: "1" } as never }), ClientError);
  assertEquals(wrong.code, "invalid-input");
});

Deno.test("writeContract() writes webhooks as a module of their own, with their types", () => {
  const files = new Map(writeContract(document).files.map(({ path, text }) => [path, text]));

  assertStringIncludes(files.get("contract.ts")!, "  webhooks: hooks,\n");
  assertStringIncludes(
    files.get("webhooks.ts")!,
    'export const hooks = webhooks({ orderPaid, "order/new": orderNew });',
  );
  assertStringIncludes(files.get("contract.types.ts")!, "undefined, api.Webhooks<webhooks.Routes>> {}");
  assertStringIncludes(files.get("document.ts")!, "  webhooks: {\n    orderPaid: {");
  assertStringIncludes(files.get("orders.ts")!, 'request.ndjson(Order, { contentType: "application/jsonl" })');
});

Deno.test("without schemas there are no webhooks, and the report says so", () => {
  const { files, report } = writeContract(document, { schemas: "none" });

  assertEquals(files.map(({ path }) => path), ["contract.ts", "orders.ts", "schemas/orders.ts"]);
  assertEquals(report.webhooks.map(({ key, reason }) => [key, reason]), [
    [undefined, "a contract without schemas sends nothing"],
    [undefined, "a contract without schemas sends nothing"],
  ]);
  assertStringIncludes(
    files[1]!.text,
    'body: slim.TypedBody<"ndjson", ItemsInput<Order>>;',
  );
});

Deno.test("only imports webhooks that are asked for, by name, operation id or tag", () => {
  const keysOf = (only: string[]) => importContract(document, { only }).report.webhooks.map(({ key }) => key);

  assertEquals(keysOf(["/v1/orders"]), []);
  assertEquals(keysOf(["/v1/orders", "order/new"]), ["order/new"]);
  assertEquals(keysOf(["/v1/orders", "sendNewOrder"]), ["order/new"]);
  assertEquals(keysOf(["orders"]), ["orderPaid"]);
});

Deno.test("the report names what of webhooks is not declared", () => {
  const content = { "application/json": { schema: { type: "object" } } };
  const done = { 204: { description: "" } };
  const requestBody = { required: true, content };
  const { contract, report } = importContract({
    openapi: "3.1.0",
    info,
    security: [{ key: [] }],
    paths: { "/a": { get: { operationId: "paid", tags: ["t"], responses: done } } },
    webhooks: {
      paid: {
        parameters: [{ name: "id", in: "query", schema: { type: "string" } }],
        post: { requestBody, responses: done, security: [{ key: [] }], callbacks: { gone: {} } },
        put: { requestBody, responses: done },
      },
      empty: { post: { responses: done } },
      lines: { post: { requestBody: { required: true, content: { "application/jsonl": {} } }, responses: done } },
      lost: { $ref: "#/components/pathItems/Lost" },
      shared: { $ref: "#/components/pathItems/Shared" },
    },
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      pathItems: { Shared: { post: { requestBody, responses: done } } },
    },
  });

  assertEquals(Object.keys(contract.webhooks!), ["paid", "shared"]);
  assertEquals(report.webhooks.map(({ operation, key, changes, reason }) => [operation, key, reason ?? changes]), [
    ["PUT paid", "paid", [
      "the query parameter id is not declared: the receiver chooses its URL",
      'its operationId is "paid2", because another operation has "paid"',
    ]],
    ["POST paid", undefined, "a webhook has one method, and PUT is declared"],
    ["POST empty", undefined, "it has no body, which a webhook needs"],
    [
      "POST lines",
      undefined,
      "webhooks(): lines must have a body that is sent as a whole; write request.json(…)",
    ],
    ["POST shared", "shared", []],
  ]);
  assertEquals(report.omitted, [{
    place: "#/webhooks/paid/post/callbacks/gone",
    message: "the callback is not declared",
  }]);
  assertEquals(report.faults, [{
    place: "#/webhooks/lost",
    message: 'the document does not define "#/components/pathItems/Lost"',
  }]);
});

for (const version of ["3.1", "3.2"] as const) {
  Deno.test(`request.ndjson() is imported from a document of OpenAPI ${version}`, () => {
    const before = openApiDocument(shop, { info, version, refusals: false });
    const { contract, document: options } = importContract(before);

    assertEquals(openApiDocument(contract, { ...options, version, refusals: false }).paths, before.paths);
  });
}

Deno.test("lines without a structure stay bytes", () => {
  const schema = { type: "string", format: "binary" };
  const { files } = writeContract({
    openapi: "3.1.0",
    info,
    paths: {
      "/rows": {
        post: {
          operationId: "add",
          requestBody: { content: { "application/x-ndjson": { schema } } },
          responses: { 204: { description: "" } },
        },
      },
    },
  });

  assertStringIncludes(
    files.find(({ path }) => path === "rows.ts")!.text,
    'request.bytes({ contentType: "application/x-ndjson", optional: true })',
  );
});
