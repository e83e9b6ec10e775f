import { type JsonSchema, type JsonSchemaObject } from "../json_schema/json_schema.ts";
import { type OpenApiField } from "./types.ts";

/** The properties that the schema of an object describes. */
export interface FieldSchemas {
  readonly named: ReadonlyMap<string, { readonly schema: JsonSchema; readonly required: boolean }>;
  /** The schema of all other properties, if there is one. */
  readonly others: JsonSchemaObject | undefined;
}

type Lookup = (name: string) => JsonSchema | undefined;

/**
 * Lists the properties of an object's schema, including those of the schemas that it combines. A property of one
 * alternative is optional. A property that several alternatives describe may match any of them.
 */
export function listFields(
  schema: JsonSchema | undefined,
  lookup: Lookup,
  seen: readonly unknown[] = [],
): FieldSchemas {
  if (typeof schema !== "object" || seen.includes(schema)) return none;
  const below = (part: unknown): FieldSchemas => listFields(part as JsonSchema, lookup, [...seen, schema]);
  const { $ref, allOf, anyOf, oneOf } = schema;
  const every = [ownFields(schema), ...asList(allOf).map(below)];
  if (typeof $ref === "string") every.push(below(lookup($ref)));
  for (const alternatives of [anyOf, oneOf]) {
    if (asList(alternatives).length > 0) every.push(anyFields(asList(alternatives).map(below)));
  }
  return every.reduce(joinFields);
}

const none: FieldSchemas = { named: new Map(), others: undefined };

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function ownFields({ properties = {}, required, additionalProperties }: JsonSchemaObject): FieldSchemas {
  const names = asList(required);
  const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>)
    .map(([name, schema]) => [name, { schema, required: names.includes(name) }] as const);
  const describes = typeof additionalProperties === "object" && additionalProperties !== null;
  return { named: new Map(named), others: describes ? additionalProperties as JsonSchemaObject : undefined };
}

/** Returns the fields of a value that matches both schemas. */
function joinFields(one: FieldSchemas, other: FieldSchemas): FieldSchemas {
  const named = new Map(one.named);
  for (const [name, { schema, required }] of other.named) {
    const before = named.get(name);
    named.set(name, {
      schema: before ? { allOf: [before.schema, schema] } : schema,
      required: required || before?.required === true,
    });
  }
  return { named, others: one.others ?? other.others };
}

/** Returns the fields of a value that matches one of several schemas. */
function anyFields(alternatives: readonly FieldSchemas[]): FieldSchemas {
  const names = new Set(alternatives.flatMap(({ named }) => [...named.keys()]));
  const named = [...names].map((name) => {
    const found = alternatives.flatMap((each) => each.named.get(name) ?? []);
    const texts = new Map(found.map(({ schema }) => [JSON.stringify(schema), schema]));
    const schema = texts.size === 1 ? found[0]!.schema : { anyOf: [...texts.values()] };
    return [name, { schema, required: found.length === alternatives.length && found.every((each) => each.required) }];
  });
  return {
    named: new Map(named as [string, { schema: JsonSchema; required: boolean }][]),
    others: alternatives.find(({ others }) => others !== undefined)?.others,
  };
}

/** Returns a field of a document. The description and the deprecation of the schema move to the field itself. */
export function toField(schema: JsonSchema, required: boolean): OpenApiField {
  if (typeof schema !== "object") return { ...(required && { required }), schema };
  const { description, deprecated, ...rest } = schema;
  return {
    ...(typeof description === "string" && { description }),
    ...(required && { required }),
    ...(deprecated === true && { deprecated }),
    schema: rest,
  };
}

/** Whether a schema accepts a list. */
export function isList(schema: JsonSchema): boolean {
  if (typeof schema !== "object") return false;
  const { type, anyOf, oneOf } = schema;
  return type === "array" || (Array.isArray(type) && type.includes("array")) ||
    [anyOf, oneOf].some((parts) => Array.isArray(parts) && parts.some(isList));
}
