/** Says which property selects a schema of a union, for generators of clients that choose a class by it. */
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, schemaList, textList } from "../json_schema/json.ts";
import { mapObjects } from "./references.ts";

/** The schemas that references lead to, by reference. */
type Lookup = (reference: string) => JsonSchema | undefined;

/**
 * Adds `discriminator` to the unions of a schema whose members are components, each with other values of one required
 * property (OpenAPI 3.1.1, "Discriminator Object").
 */
export function addDiscriminators<Content extends JsonSchema>(schema: Content, lookup: Lookup): Content {
  const add = (part: JsonSchemaObject): JsonSchemaObject => {
    const { oneOf, anyOf, discriminator } = part;
    if (discriminator !== undefined) return part;
    const found = findDiscriminator(schemaList(oneOf ?? anyOf), lookup);
    return found ? { ...part, discriminator: found } : part;
  };
  return mapObjects(schema, add) as Content; // of the same kind
}

function findDiscriminator(members: readonly JsonSchema[], lookup: Lookup): JsonSchemaObject | undefined {
  const references = members.flatMap((each) =>
    isSchemaObject(each) && typeof each.$ref === "string" ? [each.$ref] : []
  );
  const targets = references.map((each) => lookup(each)).filter(isSchemaObject);
  if (members.length < 2 || targets.length < members.length) return undefined;
  for (const propertyName of textList(targets[0]?.required)) {
    const values = targets.map((each) => valuesOf(each, propertyName));
    const all = values.flat();
    if (values.some((each) => each.length === 0) || new Set(all).size < all.length) continue;
    const mapping = values.flatMap((each, index) => each.map((value) => [value, references[index]!] as const));
    return { propertyName, mapping: Object.fromEntries(mapping) };
  }
  return undefined;
}

/** Returns the texts that a required property of an object may have; none if it may have others. */
function valuesOf({ properties, required }: JsonSchemaObject, name: string): readonly string[] {
  if (!textList(required).includes(name) || !isSchemaObject(properties)) return [];
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isSchemaObject(property)) return [];
  const values: readonly unknown[] = Array.isArray(property["enum"]) ? property["enum"] : [property.const];
  return values.every((each): each is string => typeof each === "string") ? values : [];
}
