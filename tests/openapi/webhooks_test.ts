/** Webhooks in documents. */
import { defineContract, request, response, route, webhooks } from "@scope/api";
import { openApiDocument, type OpenApiPathItem } from "@scope/api/openapi";
import { assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";
import { assertValid } from "../support/validate_document.ts";

const responses = { 204: response.empty(), 410: response.problem() };
const contract = defineContract({
  routes: { health: route.get("/health", { responses: { 204: response.empty() } }) },
  webhooks: webhooks({
    orderPaid: route.post("/", { body: request.json(z.object({ total: z.number() })), responses }),
    dayClosed: route.put("/", { headers: z.object({ "x-shop": z.string() }), body: z.string(), responses }),
  }),
});

Deno.test("the document of a contract lists its webhooks, with the responses that the receiver may send", async () => {
  const info = { title: "Shop", version: "1" };
  const document = openApiDocument(contract, { info });
  await assertValid(document);
  const { orderPaid, dayClosed } = document.webhooks as Record<string, OpenApiPathItem>;
  assertEquals([orderPaid?.post?.operationId, orderPaid?.post?.tags], ["orderPaid", ["webhooks"]]);
  assertEquals(Object.keys(orderPaid?.post?.responses ?? {}), ["204", "410"]);
  assertEquals(Object.keys(orderPaid?.post?.requestBody?.content ?? {}), ["application/json"]);
  assertEquals(dayClosed?.put?.parameters?.map((parameter) => "name" in parameter && parameter.name), ["x-shop"]);
});

Deno.test("openApiDocument() describes what a webhook sends: the output of its schema", () => {
  const Order = z.object({ total: z.number().default(0) }).meta({ id: "Order" });
  const described = openApiDocument(
    defineContract({
      routes: { order: route.get("/order", { responses: { 200: response.json(Order) } }) },
      webhooks: webhooks({ orderPaid: route.post("/", { body: request.json(Order), responses }) }),
    }),
    { info: { title: "Shop", version: "1" } },
  );
  const { orderPaid } = described.webhooks as Record<string, OpenApiPathItem>;

  assertEquals(orderPaid?.post?.requestBody?.content["application/json"]?.schema, {
    $ref: "#/components/schemas/Order",
  });
  const { Problem: _, ...schemas } = described.components?.schemas ?? {};
  assertEquals(schemas, {
    Order: { type: "object", properties: { total: { default: 0, type: "number" } }, required: ["total"] },
  });
});

Deno.test("openApiDocument({ webhooks }) adds prose to webhooks, and refuses unknown ones", () => {
  const info = { title: "Shop", version: "1" };
  const { webhooks } = openApiDocument(contract, { info, webhooks: { orderPaid: { description: "Sent once." } } });

  assertEquals((webhooks as Record<string, OpenApiPathItem>)["orderPaid"]?.post?.description, "Sent once.");
  assertThrows(
    () => openApiDocument(contract, { info, webhooks: { orderPayed: {} } as never }),
    TypeError,
    'openApiDocument(): webhooks.orderPayed: the contract has no webhook orderPayed; did you mean "orderPaid"? (there are orderPaid, dayClosed)',
  );
});
