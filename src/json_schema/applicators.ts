/** Checks keywords that apply schemas to the same value. */
import {
  type CheckFailure,
  everyPart,
  fail,
  passes,
  type PlanKeyword,
  type SchemaCheck,
  tryCheck,
  type Walk,
} from "./check.ts";
import { type Json, type JsonObject, typeOf } from "./json.ts";
import { type JsonSchema, type JsonSchemaObject, namedSchemas, schemaList } from "./json_schema.ts";

const checkReference: PlanKeyword = ({ $ref }, { referred }) => typeof $ref === "string" ? referred($ref) : undefined;

const checkAll: PlanKeyword = ({ allOf }, { inPlace }) => {
  if (!Array.isArray(allOf)) return undefined;
  const checks = schemaList(allOf).map(inPlace);
  return (value, walk, seen) => everyPart(checks, walk, (check) => check(value, walk, seen));
};

const checkAny: PlanKeyword = (schema, { inPlace }) => {
  if (!Array.isArray(schema.anyOf)) return undefined;
  const checks = schemaList(schema.anyOf).map(inPlace);
  return (value, walk, seen) => {
    if (!walk.failures && !seen) return checks.some((check) => check(value, walk, undefined));
    const attempts = checks.map((check) => tryCheck(check, value, walk, seen));
    return attempts.some(({ isFine }) => isFine) ||
      failAll(walk, schema, "anyOf", attempts.map(({ failures }) => failures));
  };
};

const checkOne: PlanKeyword = (schema, { inPlace }) => {
  if (!Array.isArray(schema.oneOf)) return undefined;
  const checks = schemaList(schema.oneOf).map(inPlace);
  return (value, walk, seen) => {
    const attempts = checks.map((check) => tryCheck(check, value, walk, seen));
    const passed = attempts.filter(({ isFine }) => isFine).length;
    if (passed === 0) return failAll(walk, schema, "oneOf", attempts.map(({ failures }) => failures));
    return passed === 1 ||
      fail(walk, schema, "oneOf", `must match exactly one of ${checks.length} schemas, and matches ${passed}`);
  };
};

/**
 * Records why a value matches none of several schemas. If one of them was clearly intended, records its failures
 * instead.
 */
function failAll(
  walk: Walk,
  schema: JsonSchemaObject,
  keyword: "anyOf" | "oneOf",
  failures: readonly (readonly CheckFailure[])[],
): false {
  const meant = failures.filter((each) => each.length > 0 && !each.some((failure) => tellsApart(failure, walk)));
  if (meant.length !== 1) {
    return fail(walk, schema, keyword, `must match one of ${failures.length} schemas`);
  }
  walk.failures?.push(...meant[0]!);
  return false;
}

/** Whether a failure shows that a schema was not intended for a value: the value's type differs, or one of its tags. */
function tellsApart({ path, keyword }: CheckFailure, walk: Walk): boolean {
  const depth = path.length - walk.path.length;
  return (depth === 0 && keyword === "type") || (depth <= 1 && (keyword === "const" || keyword === "enum"));
}

const checkNot: PlanKeyword = (schema, { inPlace }) => {
  if (schema.not === undefined) return undefined;
  const check = inPlace(schema.not as JsonSchema);
  return (value, walk) =>
    !passes(check, value, walk, undefined) ||
    fail(walk, schema, "not", "must not match the schema of not");
};

const checkCondition: PlanKeyword = (schema, { inPlace }) => {
  const { if: condition, then = true, else: otherwise = true } = schema as { readonly [keyword: string]: JsonSchema };
  if (condition === undefined) return undefined;
  const [when, met, unmet] = [inPlace(condition), inPlace(then), inPlace(otherwise)];
  return (value, walk, seen) => (passes(when, value, walk, seen) ? met : unmet)(value, walk, seen);
};

const checkDependent: PlanKeyword = ({ dependentSchemas }, { inPlace }) => {
  if (dependentSchemas === undefined) return undefined;
  const checks = namedSchemas(dependentSchemas).map(([name, part]): [string, SchemaCheck] => [name, inPlace(part)]);
  return (value, walk, seen) =>
    typeOf(value) !== "object" ||
    everyPart(checks, walk, ([name, check]) => !has(value, name) || check(value, walk, seen));
};

function has(value: Json, name: string): boolean {
  return Object.hasOwn(value as JsonObject, name);
}

/** All keywords that apply schemas to the same value. */
export const applicators: readonly PlanKeyword[] = [
  checkReference,
  checkAll,
  checkAny,
  checkOne,
  checkNot,
  checkCondition,
  checkDependent,
];
