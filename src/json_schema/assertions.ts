/** Checks keywords that constrain a value itself. */
import { fail, maxDepth, type PlanKeyword } from "./check.ts";
import { areUnique, countCodePoints, isEqual, isMultipleOf, type Json, type JsonObject, typeOf } from "./json.ts";
import { matchesPattern, readPattern } from "./pattern.ts";

/** The TypeScript type of each JSON type's values. */
interface Values {
  readonly number: number;
  readonly string: string;
  readonly array: readonly Json[];
  readonly object: JsonObject;
}

/** Creates the check of a keyword whose operand is a number, for values of one type. */
function bound<Type extends keyof Values>(
  type: Type,
  keyword: string,
  test: (value: Values[Type], operand: number) => boolean,
  say: (operand: number) => string,
): PlanKeyword {
  return (schema) => {
    const operand = schema[keyword];
    if (typeof operand !== "number") return undefined;
    return (value, walk) =>
      typeOf(value) !== type || test(value as Values[Type], operand) || fail(walk, schema, keyword, say(operand));
  };
}

const checkType: PlanKeyword = (schema) => {
  if (schema.type === undefined) return undefined;
  const types = [schema.type].flat() as string[];
  const says = `must be ${types.map((type) => typeNames[type] ?? type).join(" or ")}`;
  return (value, walk) => isOfTypes(value, types) || fail(walk, schema, "type", says);
};

const typeNames: Readonly<Record<string, string>> = {
  null: "null",
  boolean: "true or false",
  number: "a number",
  integer: "an integer",
  string: "a string",
  array: "an array",
  object: "an object",
};

function isOfTypes(value: Json, types: readonly string[]): boolean {
  return types.includes(typeOf(value)) || (types.includes("integer") && Number.isInteger(value));
}

const checkEnum: PlanKeyword = (schema) => {
  if (!Array.isArray(schema.enum)) return undefined;
  const values = schema.enum as Json[];
  const scalars: ReadonlySet<Json> = new Set(values.filter((value) => typeof value !== "object" || value === null));
  const structures = values.filter((value) => typeof value === "object" && value !== null);
  const says = values.length === 1
    ? `must be ${showValue(values[0]!)}`
    : `must be one of ${values.slice(0, 10).map(showValue).join(", ")}${values.length > 10 ? ", …" : ""}`;
  return (value, walk) =>
    scalars.has(value) || structures.some((each) => isEqual(each, value)) || fail(walk, schema, "enum", says);
};

const checkConst: PlanKeyword = (schema) => {
  if (!Object.hasOwn(schema, "const")) return undefined;
  const expected = schema.const as Json;
  const says = `must be ${showValue(expected)}`;
  return (value, walk) => isEqual(value, expected) || fail(walk, schema, "const", says);
};

function showValue(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const checkPattern: PlanKeyword = (schema) => {
  if (typeof schema.pattern !== "string") return undefined;
  const { pattern } = schema;
  readPattern(pattern); // throws if it is not a regular expression
  const says = `must match the pattern ${pattern}`;
  return (value, walk) =>
    typeof value !== "string" || matchesPattern(pattern, value) || fail(walk, schema, "pattern", says);
};

const checkUnique: PlanKeyword = (schema) => {
  if (schema.uniqueItems !== true) return undefined;
  return (value, walk) => {
    if (!Array.isArray(value)) return true;
    const isUnique = areUnique(value, maxDepth - walk.path.length);
    if (isUnique === undefined) walk.shared.isTooDeep = true;
    return isUnique === true || fail(walk, schema, "uniqueItems", "must have unique items");
  };
};

const checkRequired: PlanKeyword = (schema) => {
  if (!Array.isArray(schema.required)) return undefined;
  const names = schema.required as string[];
  return (value, walk) => {
    if (typeOf(value) !== "object") return true;
    const missing = names.filter((name) => !Object.hasOwn(value as JsonObject, name));
    for (const name of missing) fail(walk, schema, "required", `must have the member ${JSON.stringify(name)}`);
    return missing.length === 0;
  };
};

const checkDependentRequired: PlanKeyword = (schema) => {
  if (typeof schema.dependentRequired !== "object" || schema.dependentRequired === null) return undefined;
  const dependencies = Object.entries(schema.dependentRequired as Readonly<Record<string, readonly string[]>>);
  return (value, walk) => {
    if (typeOf(value) !== "object") return true;
    const has = (name: string) => Object.hasOwn(value as JsonObject, name);
    const missing = dependencies.filter(([name]) => has(name))
      .flatMap(([name, needed]) => needed.filter((each) => !has(each)).map((each) => [name, each]));
    for (const [name, each] of missing) {
      const says = `must have the member ${JSON.stringify(each)}, since it has ${JSON.stringify(name)}`;
      fail(walk, schema, "dependentRequired", says);
    }
    return missing.length === 0;
  };
};

/** Formats a number with its noun: `1 item`, `2 items`. */
function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** All keywords that constrain a value itself, without its items and members. */
export const assertions: readonly PlanKeyword[] = [
  checkType,
  checkEnum,
  checkConst,
  bound("number", "minimum", (value, least) => value >= least, (least) => `must be ${least} or more`),
  bound("number", "exclusiveMinimum", (value, below) => value > below, (below) => `must be more than ${below}`),
  bound("number", "maximum", (value, most) => value <= most, (most) => `must be ${most} or less`),
  bound("number", "exclusiveMaximum", (value, above) => value < above, (above) => `must be less than ${above}`),
  bound("number", "multipleOf", isMultipleOf, (factor) => `must be a multiple of ${factor}`),
  bound(
    "string",
    "minLength",
    (text, least) => text.length >= least && countCodePoints(text) >= least,
    (least) => `must be at least ${count(least, "character")} long`,
  ),
  bound(
    "string",
    "maxLength",
    (text, most) => text.length <= most || countCodePoints(text) <= most,
    (most) => `must be at most ${count(most, "character")} long`,
  ),
  checkPattern,
  bound("array", "minItems", ({ length }, least) => length >= least, (n) => `must have at least ${count(n, "item")}`),
  bound("array", "maxItems", ({ length }, most) => length <= most, (n) => `must have at most ${count(n, "item")}`),
  checkUnique,
  bound(
    "object",
    "minProperties",
    (object, least) => Object.keys(object).length >= least,
    (least) => `must have at least ${count(least, "member")}`,
  ),
  bound(
    "object",
    "maxProperties",
    (object, most) => Object.keys(object).length <= most,
    (most) => `must have at most ${count(most, "member")}`,
  ),
  checkRequired,
  checkDependentRequired,
];
