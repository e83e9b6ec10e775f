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
  const document = openApiDocument(contract, {
    info,
    webhooks: { other: { post: { responses: { 204: { description: "Received" } } } } },
  });
  await assertValid(document);
  const { other, orderPaid, dayClosed } = document.webhooks as Record<string, OpenApiPathItem>;
  assertEquals(Object.keys(other ?? {}), ["post"]);
  assertEquals([orderPaid?.post?.operationId, orderPaid?.post?.tags], ["orderPaid", ["webhooks"]]);
  assertEquals(Object.keys(orderPaid?.post?.responses ?? {}), ["204", "410"]);
  assertEquals(Object.keys(orderPaid?.post?.requestBody?.content ?? {}), ["application/json"]);
  assertEquals(dayClosed?.put?.parameters?.map((parameter) => "name" in parameter && parameter.name), ["x-shop"]);
  assertThrows(
    () => openApiDocument(contract, { info, webhooks: { orderPaid: {} } }),
    TypeError,
    'openApiDocument(): "webhooks" has orderPaid, which the contract declares; remove it',
  );
});
