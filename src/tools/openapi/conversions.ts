/** Converts schemas to JSON Schema: each side of each schema once, with definitions that schemas share. */
import { isCodec } from "../../contract/codec.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, namedSchemas } from "../json_schema/json.ts";
import type { Schema } from "../../schema.ts";
import {
  type Convertible,
  type ConvertOptions,
  copySchema,
  createDefinitions,
  define,
  type Direction,
  type SharedDefinitions,
  toReference,
} from "./definitions.ts";
import { listReferences } from "./references.ts";
import { convertZod, createZodGraph, isZod, toZodOptions, type ZodGraph } from "./zod_graph.ts";

/** The conversions of the schemas that are processed together, such as those of one document. */
export interface Conversions {
  /**
   * Converts one side of a schema, once. For a codec it converts the wire schema. Its `$defs` may be an object that
   * other conversions share, with more definitions than the schema refers to.
   *
   * @throws If the schema does not convert.
   */
  readonly convert: (schema: Schema, direction: Direction) => JsonSchemaObject;
  /** Returns a copy of a supplied schema as JSON, the same one for the same object. Throws if it is not an object. */
  readonly copy: (supplied: object) => JsonSchemaObject;
  /** Tests whether converted schemas share an object of definitions that do not refer to the schema around them. */
  readonly isShared: ($defs: unknown) => boolean;
}

/** Creates an empty set of conversions. */
export function createConversions(): Conversions {
  const sides = { input: createSide("input"), output: createSide("output") };
  const copies = new Map<object, JsonSchemaObject>();
  const definitions = new Map<object, CopiedDefinitions>();
  return {
    convert: (schema, direction) => sides[direction].convert(schema),
    copy: (supplied) => remember(copies, supplied, (each) => copySupplied(each, definitions)),
    isShared: ($defs) => sides.input.owns($defs) || sides.output.owns($defs),
  };
}

/** Copies of supplied definitions. */
interface CopiedDefinitions {
  readonly schemas: SharedDefinitions["schemas"];
  /** Whether one of them refers to the schema that contains them, so that each schema needs its own. */
  isBound: boolean;
}

/** Copies a supplied schema. Definitions that several schemas share are copied once. */
function copySupplied(supplied: object, known: Map<object, CopiedDefinitions>): JsonSchemaObject {
  const { $defs, ...own }: JsonSchemaObject = isSchemaObject(supplied) ? supplied : {};
  if (!isSchemaObject($defs)) return copySchema(supplied);
  const copied = remember(known, $defs, () => ({ schemas: {}, isBound: false }));
  for (const [name, schema] of Object.entries($defs)) { // which may have grown
    if (schema === undefined || Object.hasOwn(copied.schemas, name)) continue;
    const copy: JsonSchema = JSON.parse(JSON.stringify(schema));
    copied.isBound ||= refersElsewhere({ not: copy });
    define(copied.schemas, name, copy);
  }
  return copied.isBound ? copySchema(supplied) : { ...copySchema(own), $defs: copied.schemas };
}

/** Returns the value of a key, which is computed once. */
function remember<Key, Value>(known: Map<Key, Value>, key: Key, compute: (key: Key) => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = compute(key);
  known.set(key, value);
  return value;
}

/** The conversions of one side of schemas. */
interface Side {
  readonly convert: (schema: Schema) => JsonSchemaObject;
  /** Tests whether an object of definitions is shared by conversions of this side. */
  readonly owns: ($defs: unknown) => boolean;
}

function createSide(direction: Direction): Side {
  const converted = new Map<Schema, JsonSchemaObject>();
  const shared = createDefinitions();
  const imported = new Set<unknown>();
  const valibot = createValibotReferences(shared);
  const zod: ZodGraph = createZodGraph(direction, shared);

  function convert(schema: Schema): JsonSchemaObject {
    const wire = isCodec(schema) ? schema.wire : schema;
    const standard: Convertible = wire["~standard"];
    const { vendor, jsonSchema } = standard;
    if (jsonSchema === undefined) throw new TypeError(`schemas of ${vendor} do not implement Standard JSON Schema`);
    const run = (libraryOptions?: ConvertOptions["libraryOptions"]): unknown =>
      jsonSchema[direction]({ target: "draft-2020-12", ...(libraryOptions && { libraryOptions }) });
    if (vendor === "@scope/api/import") {
      const whole = run({ isShared: true }) as JsonSchemaObject; // our own, which is JSON
      imported.add(whole.$defs);
      return whole;
    }
    if (vendor === "valibot") return convertValibot(run, valibot, shared);
    if (vendor === "zod") {
      return (isZod(wire) ? convertZod(wire, zod) : undefined) ?? share(copySchema(run(toZodOptions())), shared);
    }
    if (vendor !== "arktype") return share(copySchema(run()), shared);
    const converted = copySchema(run({ fallback: convertArkType }));
    return share(direction === "input" ? withArkTypeDefaults(wire, converted) : converted, shared);
  }

  return {
    convert: (schema) => remember(converted, schema, convert),
    owns: ($defs) => $defs !== undefined && ($defs === shared.schemas || imported.has($defs)),
  };
}

/**
 * Adds the definitions of a schema to the shared ones, if they agree with these, and returns the schema with all of
 * them. A schema that refers to itself as `#` keeps its own.
 */
function share(converted: JsonSchemaObject, { schemas }: SharedDefinitions): JsonSchemaObject {
  const { $defs, $id, definitions, ...own } = converted;
  if (!isSchemaObject($defs) || $id !== undefined || definitions !== undefined) return converted;
  const isOwn = refersElsewhere(converted);
  const agrees = Object.entries($defs).every(([name, schema]) =>
    !Object.hasOwn(schemas, name) || JSON.stringify(schemas[name]) === JSON.stringify(schema)
  );
  if (isOwn || !agrees) return converted;
  for (const [name, schema] of namedSchemas($defs)) define(schemas, name, schema);
  return { ...own, $defs: schemas };
}

/** Tests whether a schema refers to anything but definitions, such as itself. */
function refersElsewhere(schema: JsonSchemaObject): boolean {
  return [...listReferences(schema)].some((reference) => !reference.startsWith("#/$defs/"));
}

/** A definition of Valibot, when a reference to it is written. */
interface ValibotReference {
  readonly referenceId: string;
  readonly valibotSchema: object;
}

/** The definitions of Valibot that conversions share. */
interface ValibotReferences {
  /** Returns the name of a definition, which is the same in every conversion. Valibot numbers them in each one. */
  readonly toName: (found: ValibotReference) => string;
  /**
   * Returns the converted schemas by name, as definitions that Valibot refers to but does not convert again. `undefined`
   * before there is one, and if it has definitions of its own, which these would replace.
   */
  readonly known: () => object | undefined;
  /** Notes the names that Valibot has given to definitions. */
  readonly note: (ids: readonly string[]) => void;
}

function createValibotReferences({ schemas, nextName }: SharedDefinitions): ValibotReferences {
  const names = new Map<object, string>();
  const known = {};
  const asked = new Set<string>();
  let hasOwn = false;
  const isNumbered = (id: string): boolean => /^\d+$/.test(id);
  return {
    toName: ({ referenceId, valibotSchema }) => {
      const isOwn = !isNumbered(referenceId) && !Object.hasOwn(schemas, referenceId);
      return remember(names, valibotSchema, () => {
        const name = isOwn ? referenceId : nextName("");
        // Valibot reads a definition to know it, and again to convert it
        const get = () => asked.size === asked.add(name).size ? anything : valibotSchema;
        Object.defineProperty(known, name, { enumerable: true, get });
        return name;
      });
    },
    known: () => {
      asked.clear();
      return hasOwn || names.size === 0 ? undefined : known;
    },
    note: (ids) => {
      hasOwn ||= !ids.every(isNumbered);
    },
  };
}

/** Valibot's schema of any value. */
const anything = { kind: "schema", type: "any" };

function convertValibot(
  run: (libraryOptions: ConvertOptions["libraryOptions"]) => unknown,
  { toName, known, note }: ValibotReferences,
  shared: SharedDefinitions,
): JsonSchemaObject {
  const names = new Map<string, string>();
  const overrideRef = (found: ValibotReference): string => {
    const name = toName(found);
    names.set(found.referenceId, name);
    return toReference(name);
  };
  const definitions = known();
  const options = { overrideRef, overrideSchema: openLooseObject, ignoreActions: ["readonly"] };
  const whole = run({ ...options, ...(definitions && { definitions }) }) as JsonSchemaObject; // copied below
  const added = namedSchemas(whole.$defs).filter(([id]) => !definitions || !Object.hasOwn(definitions, id));
  note(added.map(([id]) => id));
  if (!added.every(([id]) => names.has(id))) return share(copySchema(whole), shared); // a converter without these options
  for (const [id, schema] of added) define(shared.schemas, names.get(id)!, copySchema(schema as object));
  const { $defs: _, ...own } = whole;
  return { ...copySchema(own), ...(names.size > 0 && { $defs: shared.schemas }) };
}

/** A schema of Valibot and its conversion. */
interface ValibotConversion {
  readonly valibotSchema: { readonly type: string };
  readonly jsonSchema: JsonSchemaObject;
}

/** Lets a loose object have other members, which its conversion leaves out. */
function openLooseObject({ valibotSchema, jsonSchema }: ValibotConversion): JsonSchemaObject | undefined {
  return valibotSchema.type === "loose_object" ? { ...jsonSchema, additionalProperties: {} } : undefined;
}

/**
 * Returns the input of an ArkType type with its defaults, which the conversion of the whole type has. Morphs in it
 * convert as their input.
 */
function withArkTypeDefaults(schema: Schema, input: JsonSchemaObject): JsonSchemaObject {
  const { toJsonSchema }: ConvertibleArkType = schema as object;
  const whole = toJsonSchema?.call(schema, { target: "draft-2020-12", fallback: convertArkTypeInput });
  const text = JSON.stringify(whole) ?? "";
  return text.includes('"default":') ? copySchema(whole) : input;
}

/** Converts a part of the output to anything. The conversion of the input has refused what is part of that. */
function convertArkTypeInput(part: ArkTypePart): JsonSchemaObject {
  try {
    return convertArkType(part);
  } catch {
    return part.base;
  }
}

/** A type that converts as a whole, beside its two sides. */
interface ConvertibleArkType {
  readonly toJsonSchema?: (
    options: { readonly target: "draft-2020-12"; readonly fallback: (part: ArkTypePart) => JsonSchemaObject },
  ) => unknown;
}

/** A part of an ArkType type that JSON Schema cannot express. */
interface ArkTypePart {
  readonly code: string;
  readonly base: JsonSchemaObject;
  readonly proto?: { readonly name?: string };
  readonly unit?: unknown;
}

/**
 * Returns the JSON Schema of a part of an ArkType type that JSON Schema cannot express. ArkType's default accepts
 * everything, which is right for a narrowing check but wrong for a value that does not exist in JSON.
 */
function convertArkType({ code, base, proto, unit }: ArkTypePart): JsonSchemaObject {
  if (code === "proto" && (proto?.name === "File" || proto?.name === "Blob")) {
    return { ...base, type: "string", format: "binary" };
  }
  if (code === "unit" && unit === undefined) return { not: {} }; // absent: no JSON value is undefined
  if (code === "proto") throw new TypeError(`JSON Schema cannot express ${proto?.name ?? "the object"}`);
  if (code === "domain" || code === "date" || code === "unit") {
    throw new TypeError(`JSON Schema cannot express the ${code}`);
  }
  return base;
}
