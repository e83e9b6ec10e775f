import { response, route } from "@scope/api";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import { describeRoute, describeRoutes } from "./describe_routes.ts";
import { assertValid } from "../support/validate_document.ts";

const responses = { 200: response.empty() };

Deno.test("openApiDocument() lists path parameters without a schema as text", () => {
  const { parameters } = describeRoute(route.get("/:a/b/:c", { responses }));

  assertEquals(parameters, [
    { name: "a", in: "path", required: true, schema: { type: "string" } },
    { name: "c", in: "path", required: true, schema: { type: "string" } },
  ]);
});

Deno.test("openApiDocument() lists path parameters by their schema, and undeclared ones as text", () => {
  const params = z.object({ id: z.string().min(2).meta({ description: "The id", examples: ["ab"] }) });
  const { parameters } = describeRoute(route.get("/:id/:rest", { params, responses }));

  assertEquals(parameters, [
    {
      name: "id",
      in: "path",
      description: "The id",
      required: true,
      schema: { type: "string", minLength: 2, examples: ["ab"] },
    },
    { name: "rest", in: "path", required: true, schema: { type: "string" } },
  ]);
});

Deno.test("openApiDocument() lists query parameters one by one, by their wire schemas", () => {
  const query = type({
    page: "string.integer.parse",
    "tag?": "string[]",
    "sort?": "'up' | 'down'",
    "constructor?": "string[]",
  });
  const { parameters = [] } = describeRoute(route.get("/", { query, responses }));

  assertEquals(parameters.map(({ name, required, style, explode }) => ({ name, required, style, explode })), [
    { name: "page", required: true, style: undefined, explode: undefined },
    { name: "constructor", required: undefined, style: "form", explode: true },
    { name: "sort", required: undefined, style: undefined, explode: undefined },
    { name: "tag", required: undefined, style: "form", explode: true },
  ]);
  assertEquals(parameters.map(({ schema }) => typeof schema === "object" && schema.type), [
    "string",
    "array",
    undefined,
    "array",
  ]);
});

Deno.test("openApiDocument() marks deprecated parameters", () => {
  const query = z.object({ old: z.string().meta({ deprecated: true }) });

  assertEquals(describeRoute(route.get("/", { query, responses })).parameters, [
    { name: "old", in: "query", required: true, deprecated: true, schema: { type: "string" } },
  ]);
});

Deno.test("openApiDocument() lists a union of text and list as an exploded parameter", () => {
  const { parameters = [] } = describeRoute(
    route.get("/", { query: type({ "tag?": "string | string[]" }), responses }),
  );

  assertEquals(parameters.map(({ style, explode }) => [style, explode]), [["form", true]]);
});

Deno.test("openApiDocument() lists headers except those that OpenAPI describes elsewhere", () => {
  const headers = type({ "x-trace": "string", "authorization?": "string", "accept?": "string", "if-match?": "string" });
  const { parameters = [] } = describeRoute(route.get("/", { headers, responses }));

  assertEquals(parameters.map(({ name, in: place, required }) => [name, place, required]), [
    ["x-trace", "header", true],
    ["if-match", "header", undefined],
  ]);
});

Deno.test("openApiDocument() lists the keys of alternatives, and requires only keys that all require", async () => {
  const query = z.union([
    z.object({ kind: z.literal("a"), page: z.string(), a: z.string() }),
    z.object({ kind: z.literal("b"), page: z.string(), b: z.string().optional() }),
  ]);
  const document = describeRoutes({ route: route.get("/", { query, responses }) });

  assertEquals(document.paths["/"]?.get?.parameters?.map(({ name, required }) => [name, required]), [
    ["kind", true],
    ["page", true],
    ["a", undefined],
    ["b", undefined],
  ]);
  assertEquals(document.paths["/"]?.get?.parameters?.slice(0, 2).map(({ schema }) => schema), [
    { anyOf: [{ type: "string", const: "a" }, { type: "string", const: "b" }] },
    { type: "string" },
  ]);
  await assertValid(document);
});

Deno.test("openApiDocument() lists the keys of an intersection and of a recursive schema", () => {
  const supplied = {
    allOf: [
      { $ref: "#/$defs/page" },
      { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
      { type: "object", properties: { q: { minLength: 1 } } },
    ],
    $defs: { page: { properties: { page: { type: "integer" } }, allOf: [{ $ref: "#/$defs/page" }] } },
  };
  const { parameters = [] } = describeRoute(route.get("/", { query: type({}), responses }), { schema: () => supplied });

  assertEquals(parameters.map(({ name, required }) => [name, required]), [["page", undefined], ["q", true]]);
  assertEquals(parameters[1]?.schema, { allOf: [{ type: "string" }, { minLength: 1 }] });
});

Deno.test("openApiDocument() lists keys that a query's schema does not name as members of one parameter", async () => {
  const document = describeRoutes({
    route: route.get("/", { query: z.object({ query: z.string() }).catchall(z.string()), responses }),
  });

  assertEquals(document.paths["/"]?.get?.parameters?.at(-1), {
    name: "_query",
    in: "query",
    style: "form",
    explode: true,
    schema: { type: "object", additionalProperties: { type: "string" } },
  });
  await assertValid(document);
});

Deno.test("openApiDocument() lists no parameter for a schema that accepts everything", () => {
  assertEquals(describeRoute(route.get("/", { query: z.looseObject({}), responses })).parameters, undefined);
  assertEquals(describeRoute(route.get("/", { query: z.any(), responses })).parameters, undefined);
});
