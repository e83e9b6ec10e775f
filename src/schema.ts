import { isObject } from "./mark.ts";
import { type Ready, whenReady } from "./awaitable.ts";
import { describeConfidential } from "./messages.ts";

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

/** The input and output types of a schema. */
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

/** The outcome of a validation: the schema's output, or its issues. */
export type Checked<Output = unknown> = Accepted<Output> | Refused;

/** A value that a schema accepted. */
export interface Accepted<Output = unknown> {
  /** The schema's output. */
  readonly value: Output;
  /** Always `undefined`. */
  readonly issues?: undefined;
}

/** A value that a schema rejected. */
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

/** Validates one value, now or with a native promise. */
export type Check = (value: unknown) => Ready<Checked>;

/** Returns whether `value` is a Standard Schema. Schemas of some libraries are functions. */
export function isSchema(value: unknown): value is Schema {
  const standard: unknown = Object(value)["~standard"];
  return isObject(standard) && typeof standard.validate === "function";
}

/**
 * Returns the check of a schema. Only this function calls a schema's `validate`. It looks up `~standard` once, because
 * that is slow with ArkType. The check throws or rejects if the outcome has neither a value nor issues, as that of a
 * predicate, or of Zod's `safeParse`: what it rejects must not count as valid.
 */
export function toCheck(schema: Schema): Check {
  const standard = schema["~standard"];
  return (value) => {
    const outcome = standard.validate(value);
    const isReady = typeof outcome === "object" && outcome !== null && "value" in outcome && !("then" in outcome);
    return isReady ? outcome : whenReady(outcome, checkOutcome); // nothing is called for most
  };
}

function checkOutcome(outcome: Checked): Checked {
  if (isObject(outcome) && ("value" in outcome || "issues" in outcome)) return outcome;
  throw new TypeError(`A schema must return an object with "value" or "issues", got ${describeConfidential(outcome)}`);
}

/**
 * Returns the keys of an object that a schema declares, from its [Standard JSON
 * Schema](https://standardschema.dev/json-schema). `undefined` if it has none, or may also read keys that it does not
 * list.
 */
export function declaredKeys(schema: Schema): readonly string[] | undefined {
  const { type, properties, additionalProperties = false, ...rest } = jsonSchemaOf(schema);
  const isListed = additionalProperties === false && Object.keys(rest).every((keyword) => plainKeywords.has(keyword));
  return type === "object" && isListed ? Object.keys(properties ?? {}) : undefined;
}

/** Returns the first key with which an object is refused by a schema, as far as its Standard JSON Schema shows it. */
export function refusedKey(schema: Schema, keys: readonly string[]): string | undefined {
  const { properties, patternProperties, additionalProperties } = jsonSchemaOf(schema);
  if (additionalProperties !== false || patternProperties) return undefined;
  return keys.find((key) => !Object.hasOwn(properties ?? {}, key));
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

/** The maximum number of reported issues. An input may cause 100,000 of them, thousands of levels deep. */
export const maxIssues = 20;

/** The maximum length of an issue's message, and of its pointer. */
const maxLength = 300;

/** The reported part of an issue: why a schema refused a value, and where. */
export interface IssueSummary {
  /**
   * The keys that lead to it. If the pointer would exceed 300 characters, they lead to the deepest ancestor whose
   * pointer does not.
   */
  readonly path: readonly (string | number)[];
  /** The same path as a JSON Pointer. */
  readonly pointer: string;
  /** The first 300 characters of the schema's message. */
  readonly message: string;
}

/**
 * Returns the first issues of a list. It reads nothing of the others, because some libraries format a message when it
 * is read.
 */
export function firstIssues(issues: readonly Issue[], limit: number = maxIssues): Issue[] {
  return Array.from({ length: Math.min(issues.length, limit) }, (_, index) => issues[index]!); // `slice` of ArkType's lists creates another such list
}

/** Returns the first issues as one sentence, for a developer. */
export function formatIssues(issues: readonly Issue[]): string {
  const sentences = summarizeIssues(issues).map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message
  );
  if (issues.length > maxIssues) sentences.push(`${maxIssues} of ${issues.length} issues`);
  return sentences.join("; ");
}

function summarizeIssues(issues: readonly Issue[]): IssueSummary[] {
  return firstIssues(issues).map(summarizeIssue);
}

/**
 * Returns the output of a schema. Throws a `TypeError` with the first issues if there is none. `where` begins its
 * message.
 */
export function acceptedValue(checked: Checked, where: string): unknown {
  const { issues } = checked;
  if (!issues) return checked.value;
  const refused: RefusedValue = { issues: summarizeIssues(issues) };
  throw Object.assign(new TypeError(`${where}${formatIssues(issues)}`), refused);
}

/** What an error says of the value that a schema refused. */
export interface RefusedValue {
  /** The first 20 issues. */
  readonly issues: readonly IssueSummary[];
}

/** Returns the key of a path's step. Some libraries wrap it in an object. */
export function stepKey(step: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof step === "object" ? step.key : step;
}

/** Returns the path and the message of an issue, each cut to its maximum length. */
export function summarizeIssue(issue: Issue): IssueSummary {
  const path: (string | number)[] = [];
  let pointer = "";
  for (const step of issue.path ?? []) {
    const key = stepKey(step);
    const text = typeof key === "symbol" ? String(key.description) : key;
    const longer = pointer + formatStep(text);
    if (longer.length > maxLength) break;
    path.push(text);
    pointer = longer;
  }
  const message = issue.message.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, ""); // not half of a surrogate pair
  return { path, pointer, message };
}

/** Formats one step of a pointer. */
export function formatStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
