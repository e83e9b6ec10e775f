/** Definitions of converted schemas that other schemas share. */
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { describeValue } from "../../messages.ts";
import { formatStep } from "../../schema.ts";

/** The side of a schema: what it accepts, or what it returns. */
export type Direction = "input" | "output";

/** Definitions that conversions share. */
export interface SharedDefinitions {
  /** The definitions, whose names and contents never change. */
  readonly schemas: Record<string, JsonSchema>;
  /** Returns a name that is free. */
  readonly nextName: (prefix: string) => string;
}

/** Creates an empty set of definitions. */
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
export function define(schemas: SharedDefinitions["schemas"], name: string, schema: JsonSchema): void {
  if (Object.hasOwn(schemas, name)) return;
  Object.defineProperty(schemas, name, { value: schema, enumerable: true, writable: true, configurable: true });
}

/** Returns the reference to a definition. */
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

/** Returns a copy of a schema as JSON. Throws if it is not an object that JSON can represent. */
export function copySchema(schema: unknown): JsonSchemaObject {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  if (isSchemaObject(copy)) return copy;
  throw new TypeError(`a JSON Schema must be an object, got ${describeValue(copy)}`);
}
