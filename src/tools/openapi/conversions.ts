/** Converts schemas to JSON Schema: each side of each schema once, with definitions that schemas share. */
import { isCodec } from "../../contract/codec.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, namedSchemas } from "../json_schema/json.ts";
import type { Schema } from "../../schema.ts";
import { convertArkType } from "./arktype.ts";
import {
  addDefinition,
  type Convertible,
  copySchema,
  createDefinitions,
  type Direction,
  once,
  remember,
  runConverter,
  type SharedDefinitions,
  tryTo,
} from "./definitions.ts";
import type { ConversionRules, EqualNames } from "./named.ts";
import { listReferences } from "../json_schema/references.ts";
import { createValibotSide } from "./valibot.ts";
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

export function createConversions(rules: ConversionRules = {}): Conversions {
  const input = createSide("input", rules);
  const sides = { input, output: createSide("output", rules, input) };
  const copies = new Map<object, JsonSchemaObject>();
  const definitions = new Map<object, CopiedDefinitions>();
  return {
    convert: (schema, direction) => sides[direction].convert(schema),
    copy: (supplied) => remember(copies, supplied, (each) => copySupplied(each, definitions)),
    isShared: ($defs) => sides.input.owns($defs) || sides.output.owns($defs),
  };
}

/** Copies of supplied definitions, and whether one of them refers to the schema around them: each needs its own then. */
type CopiedDefinitions = Pick<SharedDefinitions, "schemas"> & { isBound: boolean };

/** Copies a supplied schema. Definitions that several schemas share are copied once. */
function copySupplied(supplied: object, known: Map<object, CopiedDefinitions>): JsonSchemaObject {
  const { $defs, ...own }: JsonSchemaObject = isSchemaObject(supplied) ? supplied : {};
  if (!isSchemaObject($defs)) return copySchema(supplied);
  const copied = remember(known, $defs, () => ({ schemas: {}, isBound: false }));
  for (const [name, schema] of Object.entries($defs)) { // which may have grown
    if (schema === undefined || Object.hasOwn(copied.schemas, name)) continue;
    const copy: JsonSchema = JSON.parse(JSON.stringify(schema));
    copied.isBound ||= refersElsewhere({ not: copy });
    addDefinition(copied.schemas, name, copy);
  }
  return copied.isBound ? copySchema(supplied) : { ...copySchema(own), $defs: copied.schemas };
}

interface Side {
  readonly convert: (schema: Schema) => JsonSchemaObject;
  /** Converts a schema of a library without identities, before its parts are replaced by references. */
  readonly convertAlone: (schema: Schema) => JsonSchemaObject;
  /** Tests whether an object of definitions is shared by conversions of this side. */
  readonly owns: ($defs: unknown) => boolean;
}

function createSide(direction: Direction, rules: ConversionRules, input?: Side): Side {
  const converted = new Map<Schema, JsonSchemaObject>();
  const shared = createDefinitions();
  const imported = new Set<unknown>();
  const valibot = createValibotSide(direction, rules, shared);
  const zod: ZodGraph = createZodGraph(direction, shared, rules);
  const findEqual = once(() => nameEqualSchemas(rules, convertAlone));
  const reserved = new Set(rules.names?.values());
  const { polish: rule } = rules;
  const hasIds = rule ? createIdFinder() : () => false;

  function convert(schema: Schema): JsonSchemaObject {
    const wire = isCodec(schema) ? schema.wire : schema;
    const { vendor }: Convertible = wire["~standard"];
    if (vendor === "@scope/api/import") {
      const whole = runConverter(wire, direction, { isShared: true }) as JsonSchemaObject; // our own, which is JSON
      imported.add(whole.$defs);
      return whole;
    }
    if (vendor === "valibot") {
      const found = valibot(wire);
      const { $defs, ...own } = found;
      if ($defs !== shared.schemas || hasIds(found)) return share(polish(found), shared);
      return rule ? { ...rule.tidySchema(own), $defs } : found;
    }
    if (vendor !== "zod") {
      const found = convertAlone(wire);
      return share(hoist(findEqual()?.refer(found, rules.names?.get(wire)) ?? found), shared);
    }
    const pieces = isZod(wire) ? convertZod(wire, zod) : undefined;
    return pieces ?? share(polish(copySchema(runConverter(wire, direction, toZodOptions(zod)))), shared);
  }

  /** Converts a schema of a library that has no options for references. */
  function convertAlone(wire: Schema): JsonSchemaObject {
    const { vendor }: Convertible = wire["~standard"];
    const found = vendor === "arktype"
      ? convertArkType(wire, direction, { ...rules, hasReferences: rule !== undefined })
      : copySchema(runConverter(wire, direction));
    const isClosed = input !== undefined && JSON.stringify(found).includes('"additionalProperties":false');
    return tidy(rule && isClosed ? rule.openOutput(found, tryTo(() => input.convertAlone(wire))) : found);
  }

  function tidy({ $schema, ...own }: JsonSchemaObject): JsonSchemaObject {
    return rule ? rule.tidySchema(own) : { ...($schema !== undefined && { $schema }), ...own };
  }

  function hoist(schema: JsonSchemaObject): JsonSchemaObject {
    return rule ? rule.hoistIds(schema, reserved) : schema;
  }

  function polish(schema: JsonSchemaObject): JsonSchemaObject {
    return hoist(tidy(schema));
  }

  return {
    convert: (schema) => remember(converted, schema, convert),
    convertAlone,
    owns: ($defs) => $defs !== undefined && ($defs === shared.schemas || imported.has($defs)),
  };
}

/** Returns a function that tells whether a part of a schema has an `id`. It reads each shared definition once. */
function createIdFinder(): (schema: JsonSchemaObject) => boolean {
  const read = new Set<unknown>();
  let isFound = false;
  return ({ $defs, ...own }) => {
    const added = [own, ...Object.values(Object($defs))].filter((each) => !read.has(each));
    isFound ||= added.some((each) => JSON.stringify(each).includes('"id":"'));
    for (const each of added) read.add(each);
    return isFound;
  };
}

/** The libraries that tell which schema a part of a converted one was. All others are compared by equality. */
const librariesWithIdentity: readonly string[] = ["zod", "valibot", "@scope/api/import"];

/** Collects the named schemas of libraries without identities. Those that do not convert are left out. */
function nameEqualSchemas(
  { names, polish }: ConversionRules,
  convert: (schema: Schema) => JsonSchemaObject,
): EqualNames | undefined {
  const equal = polish?.createEqualNames();
  for (const [schema, name] of equal ? names ?? [] : []) {
    const { vendor }: Convertible = schema["~standard"];
    const found = librariesWithIdentity.includes(vendor) ? undefined : tryTo(() => convert(schema));
    if (found) equal!.add(name, found);
  }
  return equal;
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
  for (const [name, schema] of namedSchemas($defs)) addDefinition(schemas, name, schema);
  return { ...own, $defs: schemas };
}

/** Tests whether a schema refers to anything but definitions, such as itself. */
function refersElsewhere(schema: JsonSchemaObject): boolean {
  return [...listReferences(schema)].some((reference) => !reference.startsWith("#/$defs/"));
}
