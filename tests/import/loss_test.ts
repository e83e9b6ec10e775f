/** What documents lose when their import is published again, with budgets that only fall. */
import { assertEquals } from "@std/assert";
import petstore2 from "@readme/oas-examples/2.0/json/petstore.json" with { type: "json" };
import complexNesting from "@readme/oas-examples/3.0/json/complex-nesting.json" with { type: "json" };
import discriminators from "@readme/oas-examples/3.0/json/discriminators.json" with { type: "json" };
import fileUploads from "@readme/oas-examples/3.0/json/file-uploads.json" with { type: "json" };
import petstore from "@readme/oas-examples/3.0/json/petstore.json" with { type: "json" };
import readme from "@readme/oas-examples/3.0/json/readme-legacy.json" with { type: "json" };
import circular from "@readme/oas-examples/3.0/json/schema-circular.json" with { type: "json" };
import security from "@readme/oas-examples/3.1/json/security.json" with { type: "json" };
import trainTravel from "@readme/oas-examples/3.1/json/train-travel.json" with { type: "json" };
import shop from "../../examples/import/openapi.json" with { type: "json" };
import { measureLoss } from "../../scripts/import_chain.ts";

/** For each document: all differences, those that the report does not name, and the kept names of components. */
type Budget = readonly [all: number, unnamed: number, names: string];

const selfContained = {
  openapi: "3.1.0",
  info: { title: "A union that contains itself", version: "1.0.0" },
  paths: {
    "/it": {
      get: {
        operationId: "it",
        responses: { 200: { description: "", content: { "application/json": { schema: refTo("Union") } } } },
      },
    },
  },
  components: {
    schemas: { Union: { anyOf: [{ type: "object" }, { anyOf: [refTo("Union"), { type: "string" }] }] } },
  },
};

const documents: Readonly<Record<string, readonly [document: object, budget: Budget]>> = {
  shop: [shop, [0, 0, "4 of 4"]],
  "Petstore of Swagger 2.0": [petstore2, [9, 0, "6 of 6"]],
  "nested objects": [complexNesting, [2, 0, "9 of 9"]],
  discriminators: [discriminators, [16, 0, "19 of 19"]],
  "file uploads": [fileUploads, [0, 0, "0 of 0"]],
  Petstore: [petstore, [8, 0, "6 of 6"]],
  ReadMe: [readme, [12, 0, "35 of 35"]],
  "circular schemas": [circular, [0, 0, "10 of 10"]],
  "security schemes": [security, [0, 0, "0 of 0"]],
  "Train Travel": [trainTravel, [15, 0, "9 of 9"]],
  "a union that contains itself": [selfContained, [1, 0, "1 of 1"]],
};

for (const [name, [document, budget]] of Object.entries(documents)) {
  Deno.test(`importContract() loses no more of a document than before: ${name}`, async () => {
    const { all, unnamed, names } = await measureLoss(document, undefined);
    assertEquals<Budget>([all.length, unnamed.length, `${names.kept} of ${names.used}`], budget);
  });
}

/** Schemas that refer to each other, two that are equal, and one that is only part of a union. */
const family = {
  openapi: "3.1.0",
  info: { title: "Family", version: "1.0.0" },
  paths: {
    "/people": {
      get: {
        operationId: "list",
        responses: { 200: { description: "All.", content: { "application/json": { schema: refTo("People") } } } },
      },
    },
  },
  components: {
    schemas: {
      People: { type: "array", items: refTo("Person"), description: "Everyone." },
      Person: {
        type: "object",
        properties: {
          id: refTo("PersonId"),
          home: refTo("HomeId"),
          name: refTo("Name"),
          parent: { oneOf: [refTo("Person"), { type: "null" }], description: "One of them." },
          children: refTo("People"),
          pets: { type: "array", items: refTo("Pet") },
          mood: { enum: ["good", "bad"], default: "good", type: "string" },
          rank: { oneOf: [refTo("Rank"), { type: "null" }] },
        },
        required: ["id", "name"],
      },
      PersonId: { type: "string", format: "uuid", description: "Of a person." },
      HomeId: { type: "string", format: "uuid", description: "Of a home." },
      Name: { type: "string", examples: ["Ada"] },
      Rank: { enum: ["first", "second"], type: "string", description: "Of a member." },
      Pet: { oneOf: [refTo("Cat"), refTo("Dog")], description: "An animal." },
      Cat: { type: "object", properties: { owner: refTo("Person"), lives: { type: "integer" } }, required: ["lives"] },
      Dog: { type: "object", properties: { owner: refTo("Person"), barks: { type: "boolean" } }, required: ["barks"] },
    },
  },
};

function refTo(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

const libraries = {
  zod: { family: [0, 0, "9 of 9"], "Train Travel": [15, 0, "9 of 9"] },
  valibot: { family: [0, 0, "9 of 9"], "Train Travel": [15, 0, "9 of 9"] },
  arktype: { family: [2, 0, "9 of 9"], "Train Travel": [40, 0, "9 of 9"] },
} as const;

for (const [schemas, budgets] of Object.entries(libraries) as [keyof typeof libraries, typeof libraries.zod][]) {
  for (const [name, budget] of Object.entries(budgets)) {
    Deno.test(`writeContract() loses no more of a document than before, with ${schemas}: ${name}`, async () => {
      const { all, unnamed, names } = await measureLoss(name === "family" ? family : trainTravel, schemas);
      assertEquals<Budget>([all.length, unnamed.length, `${names.kept} of ${names.used}`], budget);
    });
  }
}
