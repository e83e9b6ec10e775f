/** Every reference in a document leads to its schema, for any name and any library's way of writing references. */
import { response, route } from "@scope/api";
import type { JsonSchemaObject, OpenApiDocument } from "@scope/api/openapi";
import { assertEquals, assertMatch } from "@std/assert";
import { toJsonSchema } from "@valibot/to-json-schema";
import fc from "fast-check";
import * as v from "valibot";
import { z } from "zod";
import { asserting } from "../support/tries.ts";
import { describeRoutes } from "./describe_routes.ts";
import { assertValid } from "../support/validate_document.ts";

const always = asserting(300);

/** Names that are syntax in URIs and in pointers. */
const name = fc.oneof(
  fc.constantFrom("50%25", "50%", "a%2Fb", "a/b", "a~b", "a~1b", "a~01b", "%7E0", "a b", "é", "%C3%A9", "a#b", "a?b"),
  fc.string({ unit: fc.constantFrom(..."%25F/~01# éa.-<\n"), minLength: 1 }),
);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });

/**
 * Converts a schema with a property for each name: a reference to a definition of that name, which contains the name.
 */
type Convert = (names: readonly string[]) => JsonSchemaObject;

/** An object of what is made of each name. */
function record<Value>(names: readonly string[], map: (name: string) => Value): Record<string, Value> {
  return Object.fromEntries(names.map((each) => [each, map(each)]));
}

function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function convertByHand(names: readonly string[], write: (token: string) => string): JsonSchemaObject {
  return {
    type: "object",
    properties: record(names, (each) => ({ $ref: `#/$defs/${write(escapeToken(each))}` })),
    $defs: record(names, (each) => ({ type: "object", properties: { is: { const: each } } })),
  };
}

const libraries: Readonly<Record<string, Convert>> = {
  Zod: (names) => {
    const registry = z.registry<{ id: string }>();
    const parts = record(names, (id) => z.object({ is: z.literal(id) }).register(registry, { id }));
    return z.toJSONSchema(z.object(parts), { metadata: registry }) as JsonSchemaObject;
  },
  Valibot: (names) => {
    const definitions = record(names, (each) => v.object({ is: v.literal(each) }));
    return toJsonSchema(v.object(definitions), { definitions }) as JsonSchemaObject;
  },
  "a library that percent-encodes": (names) => convertByHand(names, encodeURIComponent),
};

function describe(schema: JsonSchemaObject): OpenApiDocument {
  return describeRoutes({ get: route.get("/", { responses: { 200: response.json() } }) }, { schema: () => schema });
}

function schemaOf({ paths }: OpenApiDocument): unknown {
  return paths["/"]?.get?.responses["200"]?.content?.["application/json"]?.schema;
}

/** The target of a reference (RFC 6901, section 6: its pointer is percent-encoded). */
function follow(document: OpenApiDocument, reference: string): unknown {
  const tokens = decodeURIComponent(reference).replace(/^#\//, "").split("/");
  const keys = tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce<unknown>((value, key) => Object.getOwnPropertyDescriptor(value, key)?.value, document);
}

/**
 * Whether no name is the percent-encoded form of another: a reference to it would be read as the other name, as Zod and
 * Valibot mean it.
 */
function areDistinct(names: readonly string[]): boolean {
  const encoded = new Set(names.map(encodeURIComponent));
  return names.every((each) => encodeURIComponent(each) === each || !encoded.has(each));
}

for (const [library, convert] of Object.entries(libraries)) {
  Deno.test(`openApiDocument() resolves every reference of ${library} to its schema, whatever its name`, () => {
    const given = library === "a library that percent-encodes" ? names.filter(areDistinct) : names;
    always(fc.property(given, (names) => {
      const document = describe(convert(names));
      const schema = schemaOf(document) as { readonly properties: Record<string, { readonly $ref: string }> };
      for (const [name, { $ref }] of Object.entries(schema.properties)) {
        const found = follow(document, $ref) as { readonly properties: { readonly is: { readonly const: string } } };
        assertEquals(found?.properties.is.const, name, $ref);
      }
      for (const key of Object.keys(document.components?.schemas ?? {})) assertMatch(key, /^[\w.-]+$/);
    }));
  });
}

Deno.test("openApiDocument() keeps the references of a Zod schema whose id has a percent sign", async () => {
  const Rate = z.object({ rate: z.number() }).meta({ id: "50%25" });
  const document = describeRoutes({
    get: route.get("/", { responses: { 200: response.json(z.object({ one: Rate, more: z.array(Rate) })) } }),
  });
  const reference = { $ref: "#/components/schemas/50_25" };
  assertEquals((schemaOf(document) as JsonSchemaObject).properties, {
    one: reference,
    more: { type: "array", items: reference },
  });
  await assertValid(document);
});
