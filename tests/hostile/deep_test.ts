/** Documents and schemas with more levels than a stack has, and with more parts than a memory has. */
import { type Contract, defineContract, request, response, route } from "@scope/api";
import { type ContractOrDocument, diffContracts } from "@scope/api/diff";
import { importContract } from "@scope/api/import";
import { openApiDocument, toOpenApi30 } from "@scope/api/openapi";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { JsonSchemaObject } from "../../src/tools/json_schema/json.ts";
import { fromJsonSchema } from "../diff/from_json_schema.ts";

const info = { title: "It", version: "1" };

function documentOf(schema: object): { openapi: string; paths: object } {
  const content = { "application/json": { schema } };
  const put = { operationId: "it", requestBody: { required: true, content }, responses: { 204: { description: "" } } };
  return { openapi: "3.1.0", info, paths: { "/it": { put } } } as { openapi: string; paths: object };
}

function contractOf(schema: object): Contract {
  const body = request.json(fromJsonSchema<unknown>(schema as JsonSchemaObject));
  return defineContract({ routes: { it: route.put("/it", { body, responses: { 204: response.empty() } }) } });
}

function list(before: ContractOrDocument, after: ContractOrDocument): string[] {
  return diffContracts(before, after).map(({ verdict, where, message }) => `${verdict} ${where} ${message}`);
}

/** Something with 12,000 levels. */
function nest(around: (inner: unknown) => unknown, leaf: unknown): unknown {
  let nested = leaf;
  for (let level = 0; level < 12_000; level++) nested = around(nested);
  return nested;
}

const toList = (inner: unknown) => [inner];

/** Schemas that are deep, with another leaf. */
const deep: Readonly<Record<string, (leaf: string) => object>> = {
  items: (type) => nest((items) => ({ items }), { type }) as object,
  properties: (type) => nest((a) => ({ properties: { a } }), { type }) as object,
  allOf: (type) => nest((part) => ({ allOf: [part] }), { type }) as object,
  $defs: (type) => nest((a) => ({ $defs: { a } }), { type }) as object,
  const: (leaf) => ({ const: nest(toList, leaf) }),
  default: (leaf) => ({ type: "array", default: nest(toList, leaf) }),
  "an extension": (leaf) => ({ "x-of-others": nest((a) => ({ a }), leaf) }),
};

for (const [name, schema] of Object.entries(deep)) {
  Deno.test(`every function that reads 12,000 levels of ${name} says that they are too deep`, () => {
    const [one, other] = [schema("string"), schema("number")];
    const [document, contract] = [documentOf(one), contractOf(one)];
    const unproven = ["unproven body Cannot read a JSON Schema: it is nested more than 500 levels deep"];

    assertEquals(list(document, documentOf(other)), unproven);
    for (
      const [before, after] of [[document, contract], [contract, document], [contract, contractOf(other)]] as const
    ) {
      assertEquals(diffContracts(before, after).map(({ verdict, where }) => `${verdict} ${where}`), ["unproven body"]);
    }
    const start = "#/paths/~1it/put/requestBody/content/application~1json/schema/";
    for (const run of [() => toOpenApi30(document), () => openApiDocument(contract, { info })]) {
      const { message } = assertThrows(run, TypeError);
      assertStringIncludes(message, "is nested more than 1,100 levels deep, at");
    }
    const { message } = assertThrows(() => toOpenApi30(document), TypeError);
    assertStringIncludes(message, `toOpenApi30(): the document is nested more than 1,100 levels deep, at ${start}`);
    const { faults } = importContract(document).report;
    assertEquals(faults.filter(({ place }) => place.startsWith(start)).length > 0, true);
  });
}

Deno.test("a schema of 60 levels that each repeat the next one has too many parts", () => {
  let schema: object = { type: "string" };
  for (let level = 0; level < 60; level++) schema = { properties: { a: schema, b: schema } };
  const [document, contract] = [documentOf(schema), contractOf(schema)];

  for (
    const run of [
      () => list(document, documentOf({})),
      () => toOpenApi30(document),
      () => importContract(document),
      () => openApiDocument(contract, { info }),
    ]
  ) assertStringIncludes(assertThrows(run, TypeError).message, "has more than 2,000,000 parts, at");
});
