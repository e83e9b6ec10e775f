/** Definitions of converted schemas that other schemas share. */
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { describeValue } from "../../messages.ts";
import { formatStep, type Schema } from "../../schema.ts";
import { findExcess } from "./excess.ts";

/** The side of a schema: what it accepts, or what it returns. */
export type Direction = "input" | "output";

export interface SharedDefinitions {
  /** The definitions, whose names and contents never change. */
  readonly schemas: Record<string, JsonSchema>;
  readonly nextName: (prefix: string) => string;
}

export function createDefinitions(): SharedDefinitions {
  const schemas: Record<string, JsonSchema> = {};
  const numbers = new Map<string, number>();
  const nextName = (prefix: string): string => {
    let number = numbers.get(prefix) ?? 0;
    while (Object.hasOwn(schemas, `${prefix}${number}`)) number++;
    numbers.set(prefix, number + 1);
    return `${prefix}${number}`;
  };
  return { schemas, nextName };
}

/** Adds a definition, unless there is one of that name. Any name is possible, even `__proto__`. */
export function addDefinition(schemas: SharedDefinitions["schemas"], name: string, schema: JsonSchema): void {
  if (Object.hasOwn(schemas, name)) return;
  Object.defineProperty(schemas, name, { value: schema, enumerable: true, writable: true, configurable: true });
}

export function toReference(name: string): string {
  return `#/$defs${formatStep(name)}`;
}

/** The part of [Standard JSON Schema](https://standardschema.dev/json-schema) that documents use. */
export interface Convertible {
  readonly vendor: string;
  readonly jsonSchema?: Readonly<Record<"input" | "output", (options: ConvertOptions) => unknown>>;
}

export interface ConvertOptions {
  readonly target: "draft-2020-12";
  /** Options that only one library understands. */
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/** Returns a copy of a schema as JSON. Throws if it is not an object that JSON can represent, or is too deep. */
export function copySchema(schema: unknown): JsonSchemaObject {
  const excess = findExcess(schema);
  if (excess) throw new TypeError(`it ${excess.description}`);
  const text: string | undefined = JSON.stringify(schema);
  const copy: unknown = text === undefined ? schema : JSON.parse(text); // functions have no text
  if (text !== undefined && isSchemaObject(copy)) return copy;
  throw new TypeError(`a JSON Schema must be an object, got ${describeValue(copy)}`);
}

/**
 * Returns what the library of a schema converts it to.
 *
 * @throws If the library has no converter, or the schema does not convert.
 */
export function runConverter(
  schema: Schema,
  direction: Direction,
  libraryOptions?: ConvertOptions["libraryOptions"],
): unknown {
  const { vendor, jsonSchema }: Convertible = schema["~standard"];
  if (jsonSchema === undefined) throw new TypeError(`schemas of ${vendor} do not implement Standard JSON Schema`);
  return jsonSchema[direction]({ target: "draft-2020-12", ...(libraryOptions && { libraryOptions }) });
}

export function remember<Key, Value>(known: Map<Key, Value>, key: Key, compute: (key: Key) => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = compute(key);
  known.set(key, value);
  return value;
}

/** Tests whether the name of a definition is only a number with a prefix: `__schema0`. */
export function isGenerated(name: string): boolean {
  return /^__\w+\d$/.test(name);
}

export function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}

export function tryTo<Value>(compute: () => Value): Value | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

/** Returns a function that returns the same number for the same text. */
export function createNumbers(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => remember(numbers, text, () => numbers.size);
}
