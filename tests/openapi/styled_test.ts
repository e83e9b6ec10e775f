/** Fields with a style in documents. */
import { defineContract, request, response, route, styled } from "@scope/api";
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import * as z from "zod";
import { assertValid } from "../support/validate_document.ts";

const texts = z.array(z.string());
const contract = defineContract({
  routes: {
    list: route.get("/items", {
      query: styled(
        z.object({
          ids: texts,
          tags: texts,
          names: texts,
          filter: z.object({ name: z.string() }),
          options: z.object({ deep: z.array(z.number()) }),
          plain: z.string(),
        }),
        { ids: "comma", tags: "pipe", names: "space", filter: "deepObject", options: "json" },
      ),
      responses: { 200: response.empty() },
    }),
    some: route.get("/items/:ids", {
      params: styled(z.object({ ids: texts }), { ids: "comma" }),
      headers: styled(z.object({ "x-fields": texts }), { "x-fields": "comma" }),
      responses: { 200: response.empty() },
    }),
    send: route.post("/form", {
      body: request.form(
        styled(z.object({ ids: texts, address: z.object({ city: z.string() }), more: z.number() }), {
          ids: "comma",
          address: "deepObject",
          more: "json",
        }),
      ),
      responses: { 200: response.empty() },
    }),
    upload: route.post("/upload", {
      body: request.formData(
        styled(z.object({ ids: texts, names: texts, more: z.number() }), { ids: "comma", more: "json" }),
      ),
      responses: { 200: response.empty() },
    }),
  },
});

Deno.test("documents describe styles as OpenAPI does, and validate", async () => {
  const document = openApiDocument(contract, { info: { title: "Items", version: "1" } });
  await assertValid(document);
  const list = document.paths!["/items"]!.get!.parameters!;
  const described = list.map(({ name, style, explode, content }) => [name, style, explode, content && "json"]);
  assertEquals(described, [
    ["ids", "form", false, undefined],
    ["tags", "pipeDelimited", false, undefined],
    ["names", "spaceDelimited", false, undefined],
    ["filter", "deepObject", true, undefined],
    ["options", undefined, undefined, "json"],
    ["plain", undefined, undefined, undefined],
  ]);
  const [ids, fields] = document.paths!["/items/{ids}"]!.get!.parameters!;
  assertEquals([ids!.style, ids!.schema], [undefined, { type: "array", items: { type: "string" } }]);
  assertEquals([fields!.name, fields!.style], ["x-fields", undefined]);
  const { content } = document.paths!["/form"]!.post!.requestBody!;
  assertEquals(content["application/x-www-form-urlencoded"]!.encoding, {
    ids: { style: "form", explode: false },
    address: { style: "deepObject", explode: true },
    more: { contentType: "application/json" },
  });
  const { content: parts } = document.paths!["/upload"]!.post!.requestBody!;
  assertEquals(parts["multipart/form-data"]!.encoding, {
    ids: { style: "form", explode: false },
    more: { contentType: "application/json" },
  });
});
