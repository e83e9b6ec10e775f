import { type Awaitable } from "./awaitable.ts";

/**
 * Any schema of any library that implements [Standard Schema](https://standardschema.dev): ArkType, Zod, Valibot, Effect
 * Schema and others. It is the same type as `StandardSchemaV1` of `@standard-schema/spec`.
 */
export interface Schema<Input = unknown, Output = Input> {
  /** What the standard asks of a schema. */
  readonly "~standard": SchemaProperties<Input, Output>;
}

/**
 * What Standard Schema asks of a schema.
 *
 * @internal
 */
export interface SchemaProperties<Input = unknown, Output = Input> {
  /** The version of the standard. */
  readonly version: 1;
  /** The name of the library. */
  readonly vendor: string;
  /** Gives the output for a value, or the issues for which it is refused. */
  readonly validate: (value: unknown) => Checked<Output> | Promise<Checked<Output>>;
  /** What goes in and comes out, in types only. */
  readonly types?: SchemaTypes<Input, Output> | undefined;
}

/**
 * What goes into a schema and comes out of it.
 *
 * @internal
 */
export interface SchemaTypes<Input = unknown, Output = Input> {
  /** What the schema accepts. */
  readonly input: Input;
  /** What it gives for that. */
  readonly output: Output;
}

/** What a schema accepts. */
export type InputOf<Declared extends Schema> = NonNullable<Declared["~standard"]["types"]>["input"];

/** What a schema gives for what it accepts. */
export type OutputOf<Declared extends Schema> = NonNullable<Declared["~standard"]["types"]>["output"];

/**
 * What came of checking a value: the schema's output, or its issues.
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
  /** None. */
  readonly issues?: undefined;
}

/**
 * A value that a schema refused.
 *
 * @internal
 */
export interface Refused {
  /** Why. */
  readonly issues: readonly Issue[];
}

/** One complaint of a schema. */
export interface Issue {
  /** What the schema says of it. */
  readonly message: string;
  /** The keys that lead to it, as such or wrapped in objects. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The part of [Standard JSON Schema](https://standardschema.dev/json-schema) that is asked for. */
export interface JsonSchemaProperties {
  /** Converts a schema; may throw where that is not supported. */
  readonly jsonSchema?: {
    /** The JSON Schema of what goes in. */
    readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
  };
}

/** Checks one value. */
export type Check = (value: unknown) => Awaitable<Checked>;

/** Whether `value` is a Standard Schema; some libraries' schemas are functions. */
export function isSchema(value: unknown): value is Schema {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return false;
  const standard = (value as Partial<Schema>)["~standard"];
  return typeof standard === "object" && standard !== null && typeof standard.validate === "function";
}

/** The check that a schema makes. The only place that calls a schema's `validate`; looked up once (50 ns a call with ArkType). */
export function toCheck(schema: Schema): Check {
  const standard = schema["~standard"];
  return (value) => standard.validate(value);
}

/**
 * The keys of an object that a schema declares, by its [Standard JSON Schema](https://standardschema.dev/json-schema), or
 * `undefined` where it has none or may also look at keys that it does not name.
 */
export function declaredKeys(schema: Schema): readonly string[] | undefined {
  const { jsonSchema } = schema["~standard"] as JsonSchemaProperties;
  try {
    const { type, properties, additionalProperties, ...rest } = jsonSchema?.input({ target: "draft-2020-12" }) ?? {};
    const closed = additionalProperties === undefined || additionalProperties === false;
    const plain = Object.keys(rest).every((keyword) => plainKeywords.has(keyword));
    return type === "object" && closed && plain ? Object.keys(properties ?? {}) : undefined;
  } catch {
    return undefined; // it "may throw if conversion is not supported": then it tells nothing
  }
}

/** The keywords beside `properties` that ask for no other key. */
const plainKeywords: ReadonlySet<string> = new Set([
  "$schema",
  "required",
  "title",
  "description",
  "examples",
  "default",
  "$id",
]);
