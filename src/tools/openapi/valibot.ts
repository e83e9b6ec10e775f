/** Converts schemas of Valibot, whose converter takes definitions by identity. */
import {
  annotationKeywords,
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaObject,
  namedSchemas,
} from "../json_schema/json.ts";
import type { Schema } from "../../schema.ts";
import { findDefinition, mapObjects } from "../json_schema/references.ts";
import {
  addDefinition,
  type Convertible,
  type ConvertOptions,
  copySchema,
  type Direction,
  once,
  remember,
  runConverter,
  type SharedDefinitions,
  toReference,
  tryTo,
} from "./definitions.ts";
import type { ConversionRules } from "./named.ts";

/**
 * Returns a function that converts one side of schemas. Named ones, and those that refer to themselves, are definitions.
 */
export function createValibotSide(
  direction: Direction,
  { names = new Map(), supplyPart, polish }: ConversionRules,
  shared: SharedDefinitions,
): (schema: Schema) => JsonSchemaObject {
  const overrideSchema = ({ valibotSchema, jsonSchema }: ValibotConversion): JsonSchemaObject | undefined =>
    supplyPart?.(valibotSchema) ?? // the conversion of a loose object leaves out that it may have other members
      (valibotSchema.type === "loose_object" ? { ...jsonSchema, additionalProperties: {} } : undefined);
  const options: ConvertOptions["libraryOptions"] = { overrideSchema, ignoreActions: ["readonly"] };

  /** Returns the schemas that a conversion reaches, the converted one last, which its converter hides. */
  function listParts(schema: Schema): readonly object[] {
    const parts: object[] = [];
    const collect = (found: ValibotConversion): JsonSchemaObject | undefined => {
      parts.push(found.valibotSchema);
      return overrideSchema(found);
    };
    runConverter(schema, direction, { ...options, overrideSchema: collect });
    return parts;
  }

  const { toName, known, note } = createNames(shared);
  const tidy = polish?.tidySchema ?? ((schema: JsonSchemaObject) => schema);
  const nameOf = once(() => nameParts(names, listParts));

  function run(schema: Schema, { definitions, derived }: NamedParts): JsonSchemaObject {
    const used = new Map<string, string>();
    const overrideRef = (found: ValibotReference): string => {
      const isDerived = derived.has(found.referenceId);
      const name = isDerived ? found.referenceId : nameOf().get(found.valibotSchema) ?? toName(found);
      used.set(found.referenceId, name);
      if (isDerived) used.set(derived.get(name)!, derived.get(name)!);
      return toReference(name);
    };
    const own = { ...options, overrideRef, ...(Object.keys(definitions).length > 0 && { definitions }) };
    const converted = renameDefinitions(copySchema(runConverter(schema, direction, own)), used);
    return derived.size === 0 ? converted : referToOrigins(converted, derived);
  }

  /** Converts a schema where none has a name. Definitions that are converted already are only referred to. */
  function runUnnamed(schema: Schema): JsonSchemaObject {
    const used = new Map<string, string>();
    const overrideRef = (found: ValibotReference): string => {
      const name = toName(found);
      used.set(found.referenceId, name);
      return toReference(name);
    };
    const definitions = known();
    const own = { ...options, overrideRef, ...(definitions && { definitions }) };
    const whole = runConverter(schema, direction, own) as JsonSchemaObject; // copied below
    const added = namedSchemas(whole.$defs).filter(([id]) => !definitions || !Object.hasOwn(definitions, id));
    note(added.map(([id]) => id));
    if (!added.every(([id]) => used.has(id))) return copySchema(whole); // a converter without these options
    for (const [id, each] of added) addDefinition(shared.schemas, used.get(id)!, tidy(copySchema(each)));
    const { $defs: _, ...content } = whole;
    return { ...copySchema(content), ...(used.size > 0 && { $defs: shared.schemas }) };
  }

  return (schema) => {
    if (names.size === 0 || nameOf().size === 0) return runUnnamed(schema);
    const converted = run(schema, findNamed(listParts(schema), nameOf()));
    const name = names.get(schema);
    if (name === undefined || Object.keys(converted).every((keyword) => keyword === "$ref" || keyword[0] === "$")) {
      return converted;
    }
    const { $schema: _, $defs, ...content } = converted;
    return { $ref: toReference(name), $defs: { ...$defs as object, [name]: content } };
  };
}

interface NamedParts {
  /** The schemas by name. */
  readonly definitions: Record<string, object>;
  /** The names of the schemas that others only describe, by the id of those. */
  readonly derived: ReadonlyMap<string, string>;
}

/** Returns the names of schemas without their converters. */
function nameParts(
  names: NonNullable<ConversionRules["names"]>,
  listParts: (schema: Schema) => readonly object[],
): ReadonlyMap<object, string> {
  const named = new Map<object, string>();
  for (const [schema, name] of names) {
    const { vendor, jsonSchema }: Convertible = schema["~standard"];
    if (vendor !== "valibot") continue;
    const part = jsonSchema === undefined ? schema : tryTo(() => listParts(schema).at(-1));
    if (part !== undefined && !named.has(part)) named.set(part, name);
  }
  return named;
}

/** Returns the named schemas among those that a conversion reaches. It does not list pipes, but what contains them. */
function findNamed(parts: readonly object[], named: ReadonlyMap<object, string>): NamedParts {
  const definitions: Record<string, object> = {};
  const derived = new Map<string, string>();
  for (const part of new Set([...parts, ...parts.flatMap(partsOf)])) {
    const name = named.get(part);
    const origin = name === undefined ? originOf(part) : undefined;
    const originName = origin && named.get(origin);
    if (name !== undefined) definitions[name] = part;
    if (origin === undefined || originName === undefined) continue;
    const id = `${originName} ${derived.size}`;
    derived.set(id, originName);
    definitions[id] = part;
    definitions[originName] = origin;
  }
  return { definitions, derived };
}

function partsOf(schema: object): object[] {
  return Object.entries(schema).flatMap(([member, value]) => {
    if (Array.isArray(value)) return value.filter(isValibot);
    if (isValibot(value)) return [value];
    return member === "entries" ? Object.values(Object(value)).filter(isValibot) : [];
  });
}

function isValibot(value: unknown): value is object {
  return isOf(value, "schema");
}

/** Tests whether a value is a schema or an action of Valibot. */
function isOf(value: unknown, wanted: "schema" | "metadata"): boolean {
  return Reflect.get(Object(value), "kind") === wanted;
}

/** Returns the schema that a pipe only describes; `undefined` if it does more. */
function originOf(schema: object): object | undefined {
  const { pipe }: { readonly pipe?: readonly object[] } = schema;
  const [first, ...actions] = pipe ?? [];
  return actions.length > 0 && actions.every((each) => isOf(each, "metadata")) ? first : undefined;
}

/** Replaces schemas that only describe others by references to these, with their own annotations beside. */
function referToOrigins(schema: JsonSchemaObject, derived: NamedParts["derived"]): JsonSchemaObject {
  const definitions = new Map(namedSchemas(schema.$defs));
  const refer = (part: JsonSchemaObject): JsonSchemaObject => {
    const id = findDefinition(String(part["$ref"] ?? ""), Object(schema.$defs))?.name ?? "";
    const name = derived.get(id);
    if (name === undefined) return part;
    const [own, origin] = [definitions.get(id), definitions.get(name)].map((each) => Object(each) as JsonSchemaObject);
    const beside = Object.entries(own ?? {}).filter(([keyword, value]) =>
      annotationKeywords.includes(keyword) && JSON.stringify(value) !== JSON.stringify(origin?.[keyword])
    );
    return { ...part, $ref: toReference(name), ...Object.fromEntries(beside) };
  };
  const { $defs: _, ...own } = schema;
  const kept = [...definitions].filter(([name]) => !derived.has(name));
  const others = kept.map(([name, each]) => [name, mapObjects(each, refer)]);
  return { ...mapObjects(own, refer) as JsonSchemaObject, $defs: Object.fromEntries(others) };
}

/** Gives definitions the names by which they are referred to. Those that nothing refers to are left out. */
function renameDefinitions({ $defs, ...own }: JsonSchemaObject, used: ReadonlyMap<string, string>): JsonSchemaObject {
  if (used.size === 0) { // a converter may not tell which of them are used
    return isSchemaObject($defs) && JSON.stringify([own, $defs]).includes('"$ref":') ? { ...own, $defs } : own;
  }
  const definitions: Record<string, JsonSchema> = {};
  for (const [id, schema] of namedSchemas($defs)) {
    const name = used.get(id);
    if (name !== undefined) addDefinition(definitions, name, schema);
  }
  return { ...own, $defs: definitions };
}

/** A definition, when a reference to it is written. */
interface ValibotReference {
  readonly referenceId: string;
  readonly valibotSchema: object;
}

/** The definitions of Valibot that conversions share. */
interface ValibotNames {
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

function createNames({ schemas, nextName }: SharedDefinitions): ValibotNames {
  const names = new Map<object, string>();
  const known = {};
  const asked = new Set<string>();
  let hasOwn = false;
  const isNumbered = (id: string): boolean => /^\d+$/.test(id);
  return {
    toName: ({ referenceId, valibotSchema }) => {
      const isOwn = !isNumbered(referenceId) && !Object.hasOwn(schemas, referenceId);
      return remember(names, valibotSchema, () => {
        const name = isOwn ? referenceId : nextName("__schema");
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

interface ValibotConversion {
  readonly valibotSchema: { readonly type: string };
  readonly jsonSchema: JsonSchemaObject;
}
