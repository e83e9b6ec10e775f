/** The discriminators of a document as schemas: what they say which schema a value is of is compared like the rest. */
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { type Discriminator, Discriminators } from "../import/discriminators.ts";
import { type DocumentFiles, documentPart } from "../openapi/operations.ts";
import { createFinder } from "../import/source.ts";
import type { Part } from "../openapi/part.ts";
import { mapObjects } from "../json_schema/references.ts";

/** The files of a document whose named schemas have no discriminators that only name schemas. */
export interface ChosenDocument {
  readonly files: DocumentFiles["files"];
  readonly choose: <Schema extends JsonSchema>(schema: Schema) => Schema;
}

/** Returns a document in which a base is a choice of its extensions, each with the values of its discriminator. */
export function withChoices({ files }: DocumentFiles): ChosenDocument {
  const { part: whole } = documentPart({ files });
  const { schemas } = Object(whole.components);
  if (!isSchemaObject(schemas) || !JSON.stringify(whole).includes('"discriminator"')) {
    return { files, choose: (schema) => schema };
  }
  const source = { root: whole, files, tooDeep: [] };
  const discriminators = new Discriminators(source, createFinder(source));
  const choose = <Schema extends JsonSchema>(schema: Schema): Schema =>
    mapObjects(schema, (each) => chooseMembers(each, discriminators)) as Schema; // a schema of the same kind
  const chosen = Object.entries(schemas).flatMap(([name, schema]) =>
    chooseNamed(name, schema as Part, choose(schema as JsonSchema), discriminators)
  );
  const components = { ...whole.components as Part, schemas: Object.fromEntries(chosen) };
  return { files: new Map([...files, ["", { ...whole, components }]]), choose };
}

/** Returns a named schema. One that others extend is a choice of them, and its own properties are another schema. */
function chooseNamed(
  name: string,
  { nullable, discriminator }: Part,
  chosen: JsonSchema,
  discriminators: Discriminators,
): [name: string, schema: unknown][] {
  const reference = toReference(name);
  const family = discriminators.familyOf(reference);
  const own = extendThemselves(chosen, { reference, isExtended: family !== undefined }, discriminators);
  if (family === undefined) return [[name, own]];
  const anyOf = family.members.map((member) => {
    const tagged = toMember(member, family.discriminator, discriminators);
    return family.strangers.has(member) ? { allOf: [{ $ref: itself(reference) }, tagged] } : tagged;
  });
  return [
    [name, { anyOf, ...(discriminator !== undefined && { discriminator }), ...(nullable === true && { nullable }) }],
    [`${name}${suffix}`, own],
  ];
}

/** Gives the members of a choice the values of its discriminator. */
function chooseMembers(schema: JsonSchemaObject, discriminators: Discriminators): JsonSchemaObject {
  const discriminator = discriminators.read(schema, { file: "", pointer: "" });
  if (discriminator === undefined) return schema;
  const lists = (["oneOf", "anyOf"] as const).flatMap((name) => {
    const { [name]: list } = schema;
    if (!Array.isArray(list)) return [];
    return [[name, list.flatMap((member) => toMembers(member, discriminator, discriminators))] as const];
  });
  return { ...schema, ...Object.fromEntries(lists) };
}

function toMembers(
  member: JsonSchema,
  discriminator: Discriminator,
  discriminators: Discriminators,
): readonly JsonSchema[] {
  const { $ref } = Object(member);
  if (typeof $ref !== "string" || !$ref.startsWith(prefix)) return [member];
  const members = discriminators.familyOf($ref)?.members ?? [$ref];
  return members.map((each) => toMember(each, discriminator, discriminators));
}

function toMember(reference: string, discriminator: Discriminator, discriminators: Discriminators): JsonSchemaObject {
  const target = { $ref: discriminators.familyOf(reference) ? itself(reference) : reference };
  const tags = discriminators.tagsOf(reference, discriminator);
  if (tags.length === 0) return target;
  return { allOf: [target, { type: "object", properties: { [discriminator.property]: { enum: tags } } }] };
}

/** A named schema that may extend bases, and whether others extend it. */
interface Owner {
  readonly reference: string;
  readonly isExtended: boolean;
}

/**
 * Lets a schema extend the properties of a base, and not the choice of all that extend it. One that others extend does
 * so with any base, also as another name for it.
 */
function extendThemselves(schema: JsonSchema, owner: Owner, discriminators: Discriminators): JsonSchema {
  if (!isSchemaObject(schema)) return schema;
  const { $ref, allOf } = schema;
  const isBase = typeof $ref === "string" &&
    (owner.isExtended ? discriminators.familyOf($ref) !== undefined : discriminators.isExtended(owner.reference, $ref));
  return {
    ...schema,
    ...(isBase && { $ref: itself($ref) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map((member) => extendThemselves(member, owner, discriminators)) }),
  };
}

const prefix = "#/components/schemas/";

/** What follows the name of a base in that of its own properties. */
const suffix = " itself";

function itself(reference: string): string {
  return `${reference}${suffix}`;
}

function toReference(name: string): string {
  return prefix + name.replaceAll("~", "~0").replaceAll("/", "~1");
}
