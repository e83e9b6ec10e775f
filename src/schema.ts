import { type Awaitable } from "./awaitable.ts";

/**
 * Any schema of a library that implements [Standard Schema](https://standardschema.dev): ArkType, Zod, Valibot, Effect
 * Schema and others. It is the same type as `StandardSchemaV1` of `@standard-schema/spec`.
 */
export interface Schema<Input = unknown, Output = Input> {
  /** The members that the standard defines. */
  readonly "~standard": SchemaProperties<Input, Output>;
}

/**
 * The members that Standard Schema defines.
 *
 * @internal
 */
export interface SchemaProperties<Input = unknown, Output = Input> {
  /** The version of the standard. */
  readonly version: 1;
  /** The name of the library. */
  readonly vendor: string;
  /** Validates a value. Returns its output, or the issues for which it is rejected. */
  readonly validate: (value: unknown) => Checked<Output> | Promise<Checked<Output>>;
  /** The input and output types. Never present at run time. */
  readonly types?: SchemaTypes<Input, Output> | undefined;
}

/**
 * The input and output types of a schema.
 *
 * @internal
 */
export interface SchemaTypes<Input = unknown, Output = Input> {
  /** The type that the schema accepts. */
  readonly input: Input;
  /** The type that it returns. */
  readonly output: Output;
}

/** The input type of a schema: what it accepts. */
export type InputOf<Declared extends Schema> = NonNullable<Declared["~standard"]["types"]>["input"];

/** The output type of a schema: what it returns for a valid input. */
export type OutputOf<Declared extends Schema> = NonNullable<Declared["~standard"]["types"]>["output"];

/**
 * The outcome of a validation: the schema's output, or its issues.
 *
 * @internal
 */
export type Checked<Output = unknown> = Accepted<Output> | Refused;

/**
 * A value that a schema accepted.
 *
 * @internal
 */
export interface Accepted<Output = unknown> {
  /** The schema's output. */
  readonly value: Output;
  /** Always `undefined`. */
  readonly issues?: undefined;
}

/**
 * A value that a schema rejected.
 *
 * @internal
 */
export interface Refused {
  readonly issues: readonly Issue[];
}

/** One reason why a schema rejected a value. */
export interface Issue {
  /** The schema's message. */
  readonly message: string;
  /** The keys that lead to the value, each as such or wrapped in an object. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The members of [Standard JSON Schema](https://standardschema.dev/json-schema) that this package uses. */
export interface JsonSchemaProperties {
  /** Converts a schema. It may throw if it cannot convert. */
  readonly jsonSchema?: {
    /** The JSON Schema of the input. */
    readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
  };
}

/** Validates one value. */
export type Check = (value: unknown) => Awaitable<Checked>;

/** Returns whether `value` is a Standard Schema. Schemas of some libraries are functions. */
export function isSchema(value: unknown): value is Schema {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return false;
  const standard = (value as Partial<Schema>)["~standard"];
  return typeof standard === "object" && standard !== null && typeof standard.validate === "function";
}

/**
 * Returns the check of a schema. Only this function calls a schema's `validate`, which it looks up once,
 * because that is slow with ArkType.
 */
export function toCheck(schema: Schema): Check {
  const standard = schema["~standard"];
  return (value) => standard.validate(value);
}

/**
 * Returns the keys of an object that a schema declares, from its [Standard JSON
 * Schema](https://standardschema.dev/json-schema). `undefined` if it has none, or may also read keys that it does not
 * list.
 */
export function declaredKeys(schema: Schema): readonly string[] | undefined {
  const { type, properties, additionalProperties, ...rest } = jsonSchemaOf(schema);
  const closed = additionalProperties === undefined || additionalProperties === false;
  const plain = Object.keys(rest).every((keyword) => plainKeywords.has(keyword));
  return type === "object" && closed && plain ? Object.keys(properties ?? {}) : undefined;
}

/** Returns the only keys that an object can have so that a schema accepts it. `undefined` if others may be accepted. */
export function onlyKeys(schema: Schema): readonly string[] | undefined {
  const { properties, patternProperties, additionalProperties } = jsonSchemaOf(schema);
  return additionalProperties === false && !patternProperties ? Object.keys(properties ?? {}) : undefined;
}

/** Returns the keys that no part of a schema describes, by its Standard JSON Schema: all of them if it has none. */
export function undescribedKeys(schema: Schema, keys: readonly string[]): readonly string[] {
  const converted = jsonSchemaOf(schema);
  return keys.filter((key) => !describes(converted, key));
}

function describes(schema: Readonly<Record<string, unknown>>, key: string): boolean {
  const { properties, patternProperties, additionalProperties, allOf, anyOf, oneOf } = schema;
  return Object.hasOwn(properties ?? {}, key) || Boolean(patternProperties || additionalProperties) ||
    [allOf ?? [], anyOf ?? [], oneOf ?? []].flat().some((part) => describes(Object(part), key));
}

/** Returns the JSON Schema of a schema's input. It has no keyword if the schema does not convert. */
function jsonSchemaOf(schema: Schema): Readonly<Record<string, unknown>> {
  const { jsonSchema } = schema["~standard"] as JsonSchemaProperties;
  try {
    return jsonSchema?.input({ target: "draft-2020-12" }) ?? {};
  } catch {
    return {}; // it "may throw if conversion is not supported"
  }
}

/** The keywords besides `properties` that refer to no other key. */
const plainKeywords: ReadonlySet<string> = new Set([
  "$schema",
  "required",
  "title",
  "description",
  "examples",
  "default",
  "$id",
]);
