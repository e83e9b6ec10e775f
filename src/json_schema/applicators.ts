/** Checks keywords that apply schemas to the same value. */
import {
  type CheckFailure,
  descend,
  everyPart,
  fail,
  passes,
  type PlanKeyword,
  type SchemaCheck,
  tryCheck,
  type Walk,
} from "./check.ts";
import {
  type Json,
  type JsonObject,
  type JsonSchema,
  type JsonSchemaObject,
  namedSchemas,
  schemaList,
  typeOf,
} from "./json.ts";
import { matchesPattern, readPattern } from "./pattern.ts";

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

const checkItems: PlanKeyword = ({ prefixItems, items }, { below }) => {
  if (prefixItems === undefined && items === undefined) return undefined;
  const first = schemaList(prefixItems).map(below);
  const rest = items === undefined ? undefined : below(items as JsonSchema);
  return (value, walk, seen) => {
    if (!Array.isArray(value)) return true;
    const length = rest ? value.length : Math.min(first.length, value.length);
    return everyItem(value, length, walk, (index) => {
      seen?.items.add(index);
      return descend(first[index] ?? rest!, index, value[index]!, walk);
    });
  };
};

/** Whether a test passes for the first `length` items. Stops at the first failure, unless failures are collected. */
function everyItem(items: readonly Json[], length: number, walk: Walk, test: (index: number) => boolean): boolean {
  let isFine = true;
  for (let index = 0; index < Math.min(length, items.length); index++) {
    isFine = test(index) && isFine;
    if (!isFine && !walk.failures) return false;
  }
  return isFine;
}

const checkContains: PlanKeyword = (schema, { below }) => {
  const { contains, minContains, maxContains } = schema;
  if (contains === undefined) return undefined;
  const check = below(contains as JsonSchema);
  const least = typeof minContains === "number" ? minContains : 1;
  const most = typeof maxContains === "number" ? maxContains : Infinity;
  return (value, walk, seen) => {
    if (!Array.isArray(value)) return true;
    const matching = [...value.keys()].filter((index) => {
      return passes((item, inner) => descend(check, index, item, inner), value[index]!, walk, undefined);
    });
    for (const index of matching) seen?.items.add(index);
    if (matching.length < least) {
      return fail(walk, schema, minContains === undefined ? "contains" : "minContains", sayContains("fewer", least));
    }
    return matching.length <= most || fail(walk, schema, "maxContains", sayContains("more", most));
  };
};

function sayContains(comparison: "fewer" | "more", limit: number): string {
  return `must not have ${comparison} than ${limit} item${limit === 1 ? "" : "s"} that match the schema of contains`;
}

const checkMembers: PlanKeyword = (schema, { below }) => {
  const { properties, patternProperties, additionalProperties } = schema;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) {
    return undefined;
  }
  const named = new Map(namedSchemas(properties).map(([name, part]) => [name, below(part)]));
  const patterns = namedSchemas(patternProperties).map(([pattern, part]) => [pattern, below(part)] as const);
  for (const [pattern] of patterns) readPattern(pattern); // throws if it is not a regular expression
  const rest = planRest(additionalProperties as JsonSchema | undefined, below);
  const checksOf = (name: string): readonly SchemaCheck[] => {
    const own = named.get(name);
    if (patterns.length === 0) return own ? [own] : rest;
    const matching = patterns.filter(([pattern]) => matchesPattern(pattern, name)).map(([, check]) => check);
    return own ? [own, ...matching] : matching.length > 0 ? matching : rest;
  };
  return (value, walk, seen) =>
    typeOf(value) !== "object" ||
    everyPart(Object.keys(value as JsonObject), walk, (name) => {
      const checks = checksOf(name);
      if (checks.length > 0) seen?.names.add(name);
      return everyPart(checks, walk, (check) => descend(check, name, (value as JsonObject)[name]!, walk));
    });
};

function planRest(schema: JsonSchema | undefined, below: (part: JsonSchema) => SchemaCheck): readonly SchemaCheck[] {
  return schema === undefined ? [] : [below(schema)];
}

const checkNames: PlanKeyword = (schema, { below }) => {
  if (schema.propertyNames === undefined) return undefined;
  const check = below(schema.propertyNames as JsonSchema);
  return (value, walk) =>
    typeOf(value) !== "object" ||
    everyPart(Object.keys(value as JsonObject), walk, (name) =>
      passes(check, name, walk, undefined) ||
      fail(walk, schema, "propertyNames", `must not have a member named ${JSON.stringify(name)}`));
};

/** All keywords that apply schemas to items and members, in an order that records evaluated parts. */
export const childApplicators: readonly PlanKeyword[] = [checkItems, checkContains, checkMembers, checkNames];

const checkUnevaluatedItems: PlanKeyword = ({ unevaluatedItems }, { below }) => {
  if (unevaluatedItems === undefined) return undefined;
  const check = below(unevaluatedItems as JsonSchema);
  return (value, walk, seen) =>
    !Array.isArray(value) ||
    everyItem(value, value.length, walk, (index) =>
      isSeen(seen!.items, index) || descend(check, index, value[index]!, walk));
};

const checkUnevaluatedMembers: PlanKeyword = ({ unevaluatedProperties }, { below }) => {
  if (unevaluatedProperties === undefined) return undefined;
  const check = below(unevaluatedProperties as JsonSchema);
  return (value, walk, seen) =>
    typeOf(value) !== "object" ||
    everyPart(
      Object.keys(value as JsonObject),
      walk,
      (name) => isSeen(seen!.names, name) || descend(check, name, (value as JsonObject)[name]!, walk),
    );
};

/** Whether a part was already evaluated. Marks it as evaluated. */
function isSeen<Key>(seen: Set<Key>, key: Key): boolean {
  return seen.has(key) || !seen.add(key);
}

/** The keywords that run last, because they depend on what the others evaluated. They need a {@linkcode Seen}. */
export const unevaluated: readonly PlanKeyword[] = [checkUnevaluatedItems, checkUnevaluatedMembers];
