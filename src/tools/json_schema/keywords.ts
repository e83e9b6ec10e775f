/** Checks the keywords of a schema: those that constrain a value itself, and those that apply other schemas. */
import {
  type CheckFailure,
  type CreateCheck,
  descend,
  everyPart,
  failCheck,
  passes,
  record,
  type SchemaCheck,
  tryCheck,
  type Validation,
} from "./check.ts";
import {
  areUnique,
  countCodePoints,
  isEqual,
  isJsonList,
  isJsonObject,
  isMultipleOf,
  isSchemaObject,
  type Json,
  type JsonObject,
  type JsonSchemaObject,
  maxDepth,
  namedSchemas,
  schemaList,
  textList,
  toMembership,
  toSchema,
  typeNames,
  typeOf,
} from "./json.ts";
import { matchesPattern, readPattern } from "./pattern.ts";
import { spend } from "./steps.ts";

/** Creates the check of a keyword that is a test of the value itself. `read` returns the test, and how it is said. */
function requirement(
  keyword: string,
  read: (operand: unknown) => readonly [test: (value: Json) => boolean, says: string] | undefined,
): CreateCheck {
  return (schema) => {
    const [test, says] = schema[keyword] === undefined ? [] : read(schema[keyword]) ?? [];
    return test && ((value, walk) => test(value) || failCheck(walk, schema, keyword, says!));
  };
}

/** Creates the check of a keyword whose operand is a number, for values of one type. */
function bound<Value extends Json>(
  isOfType: (value: Json) => value is Value,
  keyword: string,
  test: (value: Value, operand: number) => boolean,
  say: (operand: number) => string,
): CreateCheck {
  return requirement(
    keyword,
    (operand) =>
      typeof operand === "number" ? [(value) => !isOfType(value) || test(value, operand), say(operand)] : undefined,
  );
}

function isNumber(value: Json): value is number {
  return typeof value === "number";
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

const createTypeCheck = requirement("type", (type) => {
  const types = [type].flat().map(String);
  const isOfTypes = (value: Json) =>
    types.includes(typeOf(value)) || (types.includes("integer") && Number.isInteger(value));
  return [isOfTypes, `must be ${types.map((type) => typeNames.get(type) ?? type).join(" or ")}`];
});

const createEnumCheck = requirement("enum", (listed) => {
  if (!Array.isArray(listed)) return undefined;
  const values: readonly Json[] = listed;
  const [only, ...others] = values;
  const says = only !== undefined && others.length === 0
    ? `must be ${showValue(only)}`
    : `must be one of ${values.slice(0, 10).map(showValue).join(", ")}${values.length > 10 ? ", …" : ""}`;
  return [toMembership(values), says];
});

const createConstCheck = requirement("const", (value) => {
  const expected = value as Json; // a schema is JSON
  return [(value) => isEqual(value, expected), `must be ${showValue(expected)}`];
});

function showValue(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const createPatternCheck = requirement("pattern", (pattern) => {
  if (typeof pattern !== "string") return undefined;
  readPattern(pattern); // throws if it is not a regular expression
  return [(value) => !isText(value) || matchesPattern(pattern, value), `must match the pattern ${pattern}`];
});

const createUniqueCheck: CreateCheck = (schema) => {
  if (schema.uniqueItems !== true) return undefined;
  return (value, walk) => {
    if (!Array.isArray(value)) return true;
    const isUnique = areUnique(value, maxDepth - walk.path.length);
    if (isUnique === undefined) walk.shared.isTooDeep = true;
    return isUnique === true || failCheck(walk, schema, "uniqueItems", "must have unique items");
  };
};

const createRequiredCheck: CreateCheck = (schema) => {
  if (!Array.isArray(schema.required)) return undefined;
  const names = textList(schema.required);
  return (value, walk) => {
    if (!isJsonObject(value)) return true;
    spend(names.length / 10);
    const missing = names.filter((name) => !Object.hasOwn(value, name));
    for (const name of missing) failCheck(walk, schema, "required", `must have the member ${JSON.stringify(name)}`);
    return missing.length === 0;
  };
};

const createDependentRequiredCheck: CreateCheck = (schema) => {
  if (!isSchemaObject(schema.dependentRequired)) return undefined;
  const dependencies = Object.entries(schema.dependentRequired).map(([name, list]) => [name, textList(list)] as const);
  return (value, walk) => {
    if (!isJsonObject(value)) return true;
    const has = (name: string) => Object.hasOwn(value, name);
    const missing = dependencies.filter(([name]) => has(name))
      .flatMap(([name, needed]) => needed.filter((each) => !has(each)).map((each) => [name, each]));
    for (const [name, each] of missing) {
      const says = `must have the member ${JSON.stringify(each)}, since it has ${JSON.stringify(name)}`;
      failCheck(walk, schema, "dependentRequired", says);
    }
    return missing.length === 0;
  };
};

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const createReferenceCheck: CreateCheck = ({ $ref }, { referred }) =>
  typeof $ref === "string" ? referred($ref) : undefined;

const createAllCheck: CreateCheck = ({ allOf }, { inPlace }) => {
  if (!Array.isArray(allOf)) return undefined;
  const checks = schemaList(allOf).map(inPlace);
  return (value, walk, seen) => everyPart(checks, walk, (check) => check(value, walk, seen));
};

const createAnyCheck: CreateCheck = (schema, { inPlace }) => {
  if (!Array.isArray(schema.anyOf)) return undefined;
  const checks = schemaList(schema.anyOf).map(inPlace);
  return (value, walk, seen) => {
    if (!walk.failures && !seen) return checks.some((check) => check(value, walk, undefined));
    const failures: (readonly CheckFailure[])[] = [];
    let hasPassed = false;
    for (const check of checks) {
      const attempt = tryCheck(check, value, walk, seen);
      hasPassed ||= attempt.isFine;
      if (hasPassed && !seen) return true;
      failures.push(attempt.failures);
    }
    return hasPassed || failAll(walk, schema, "anyOf", failures);
  };
};

const createOneCheck: CreateCheck = (schema, { inPlace }) => {
  if (!Array.isArray(schema.oneOf)) return undefined;
  const checks = schemaList(schema.oneOf).map(inPlace);
  return (value, walk, seen) => {
    const attempts = checks.map((check) => tryCheck(check, value, walk, seen));
    const passed = attempts.filter(({ isFine }) => isFine).length;
    if (passed === 0) return failAll(walk, schema, "oneOf", attempts.map(({ failures }) => failures));
    return passed === 1 ||
      failCheck(walk, schema, "oneOf", `must match exactly one of ${checks.length} schemas, and matches ${passed}`);
  };
};

/**
 * Records why a value matches none of several schemas. If one of them was clearly intended, records its failures
 * instead.
 */
function failAll(
  walk: Validation,
  schema: JsonSchemaObject,
  keyword: "anyOf" | "oneOf",
  failures: readonly (readonly CheckFailure[])[],
): false {
  const [meant, ...others] = failures.filter((each) =>
    each.length > 0 && !each.some((failure) => tellsApart(failure, walk))
  );
  if (!meant || others.length > 0) {
    return failCheck(walk, schema, keyword, `must match one of ${failures.length} schemas`);
  }
  for (const each of meant) record(walk, each);
  return false;
}

/**
 * Tests whether a failure shows that a schema was not intended for a value: the value's type differs, or one of its
 * tags.
 */
function tellsApart({ path, keyword }: CheckFailure, walk: Validation): boolean {
  const depth = path.length - walk.path.length;
  return (depth === 0 && keyword === "type") || (depth <= 1 && (keyword === "const" || keyword === "enum"));
}

const createNotCheck: CreateCheck = (schema, { inPlace }) => {
  if (schema.not === undefined) return undefined;
  const check = inPlace(toSchema(schema.not));
  return (value, walk) =>
    !passes(check, value, walk, undefined) ||
    failCheck(walk, schema, "not", "must not match the schema of not");
};

const createConditionCheck: CreateCheck = (schema, { inPlace }) => {
  const { if: condition, then = true, else: otherwise = true } = schema;
  if (condition === undefined) return undefined;
  const [when, met, unmet] = [inPlace(toSchema(condition)), inPlace(toSchema(then)), inPlace(toSchema(otherwise))];
  return (value, walk, seen) => (passes(when, value, walk, seen) ? met : unmet)(value, walk, seen);
};

const createDependentCheck: CreateCheck = ({ dependentSchemas }, { inPlace }) => {
  if (dependentSchemas === undefined) return undefined;
  const checks = namedSchemas(dependentSchemas).map(([name, part]): [string, SchemaCheck] => [name, inPlace(part)]);
  return (value, walk, seen) =>
    !isJsonObject(value) ||
    everyPart(checks, walk, ([name, check]) => !Object.hasOwn(value, name) || check(value, walk, seen));
};

const createItemsCheck: CreateCheck = ({ prefixItems, items }, { below }) => {
  if (prefixItems === undefined && items === undefined) return undefined;
  const first = schemaList(prefixItems).map(below);
  const rest = items === undefined ? undefined : below(toSchema(items));
  return (value, walk, seen) => {
    if (!isJsonList(value)) return true;
    return everyPart(rest ? value : value.slice(0, first.length), walk, (item, index) => {
      const check = first[index] ?? rest;
      seen?.items.add(index);
      return check === undefined || descend(check, index, item, walk);
    });
  };
};

const createContainsCheck: CreateCheck = (schema, { below }) => {
  const { contains, minContains, maxContains } = schema;
  if (contains === undefined) return undefined;
  const check = below(toSchema(contains));
  const least = typeof minContains === "number" ? minContains : 1;
  const most = typeof maxContains === "number" ? maxContains : Infinity;
  return (value, walk, seen) => {
    if (!isJsonList(value)) return true;
    const matching = [...value.entries()].filter(([index, item]) =>
      passes((part, inner) => descend(check, index, part, inner), item, walk, undefined)
    ).map(([index]) => index);
    for (const index of matching) seen?.items.add(index);
    if (matching.length < least) {
      return failCheck(
        walk,
        schema,
        minContains === undefined ? "contains" : "minContains",
        sayContains("fewer", least),
      );
    }
    return matching.length <= most || failCheck(walk, schema, "maxContains", sayContains("more", most));
  };
};

function sayContains(comparison: "fewer" | "more", limit: number): string {
  return `must not have ${comparison} than ${limit} item${limit === 1 ? "" : "s"} that match the schema of contains`;
}

/** The most names that are looked up in an object one by one: an `allOf` may have thousands of parts with a few each. */
const fewNames = 16;

const createMembersCheck: CreateCheck = (schema, { below }) => {
  const { properties, patternProperties, additionalProperties } = schema;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) {
    return undefined;
  }
  const named = new Map(namedSchemas(properties).map(([name, part]) => [name, below(part)]));
  const patterns = namedSchemas(patternProperties).map(([pattern, part]) => [pattern, below(part)] as const);
  for (const [pattern] of patterns) readPattern(pattern); // throws if it is not a regular expression
  const rest = additionalProperties === undefined ? [] : [below(toSchema(additionalProperties))];
  const checksOf = (name: string): readonly SchemaCheck[] => {
    const own = named.get(name);
    if (patterns.length === 0) return own ? [own] : rest;
    const matching = patterns.filter(([pattern]) => matchesPattern(pattern, name)).map(([, check]) => check);
    return own ? [own, ...matching] : matching.length > 0 ? matching : rest;
  };
  const few = patterns.length === 0 && rest.length === 0 && named.size <= fewNames ? [...named.keys()] : undefined;
  /** Lists the members to check: of a large object a few, if their order does not matter to failures. */
  const listMembers = (value: JsonObject, { failures }: Validation): (readonly [string, Json])[] =>
    few && !failures
      ? few.flatMap((name) => Object.hasOwn(value, name) ? [[name, value[name]!] as const] : [])
      : Object.entries(value);
  return (value, walk, seen) =>
    !isJsonObject(value) ||
    everyPart(listMembers(value, walk), walk, ([name, member]) => {
      const checks = checksOf(name);
      if (checks.length > 0) seen?.names.add(name);
      return everyPart(checks, walk, (check) => descend(check, name, member, walk));
    });
};

const createNamesCheck: CreateCheck = (schema, { below }) => {
  if (schema.propertyNames === undefined) return undefined;
  const check = below(toSchema(schema.propertyNames));
  return (value, walk) =>
    !isJsonObject(value) ||
    everyPart(Object.keys(value), walk, (name) =>
      passes(check, name, walk, undefined) ||
      failCheck(walk, schema, "propertyNames", `must not have a member named ${JSON.stringify(name)}`));
};

const createUnevaluatedItemsCheck: CreateCheck = ({ unevaluatedItems }, { below }) => {
  if (unevaluatedItems === undefined) return undefined;
  const check = below(toSchema(unevaluatedItems));
  return (value, walk, seen) =>
    !isJsonList(value) ||
    everyPart(value, walk, (item, index) => isSeen(seen?.items, index) || descend(check, index, item, walk));
};

const createUnevaluatedMembersCheck: CreateCheck = ({ unevaluatedProperties }, { below }) => {
  if (unevaluatedProperties === undefined) return undefined;
  const check = below(toSchema(unevaluatedProperties));
  return (value, walk, seen) =>
    !isJsonObject(value) ||
    everyPart(
      Object.entries(value),
      walk,
      ([name, member]) => isSeen(seen?.names, name) || descend(check, name, member, walk),
    );
};

/** Tests whether a part was already evaluated, and marks it as evaluated. */
function isSeen<Key>(seen: Set<Key> | undefined, key: Key): boolean {
  return seen !== undefined && (seen.has(key) || !seen.add(key));
}

/** The keywords that run last, because they depend on what the others evaluated. They need a {@linkcode Seen}. */
export const unevaluated: readonly CreateCheck[] = [createUnevaluatedItemsCheck, createUnevaluatedMembersCheck];

/**
 * All other keywords: those that constrain a value itself, then those that apply schemas to the same value, then those
 * that apply them to items and members, in an order that records evaluated parts.
 */
export const keywords: readonly CreateCheck[] = [
  createTypeCheck,
  createEnumCheck,
  createConstCheck,
  bound(isNumber, "minimum", (value, least) => value >= least, (least) => `must be ${least} or more`),
  bound(isNumber, "exclusiveMinimum", (value, below) => value > below, (below) => `must be more than ${below}`),
  bound(isNumber, "maximum", (value, most) => value <= most, (most) => `must be ${most} or less`),
  bound(isNumber, "exclusiveMaximum", (value, above) => value < above, (above) => `must be less than ${above}`),
  bound(isNumber, "multipleOf", isMultipleOf, (factor) => `must be a multiple of ${factor}`),
  bound(
    isText,
    "minLength",
    (text, least) => text.length >= least && countCodePoints(text) >= least,
    (least) => `must be at least ${count(least, "character")} long`,
  ),
  bound(
    isText,
    "maxLength",
    (text, most) => text.length <= most || countCodePoints(text) <= most,
    (most) => `must be at most ${count(most, "character")} long`,
  ),
  createPatternCheck,
  bound(
    isJsonList,
    "minItems",
    ({ length }, least) => length >= least,
    (n) => `must have at least ${count(n, "item")}`,
  ),
  bound(isJsonList, "maxItems", ({ length }, most) => length <= most, (n) => `must have at most ${count(n, "item")}`),
  createUniqueCheck,
  bound(
    isJsonObject,
    "minProperties",
    (object, least) => Object.keys(object).length >= least,
    (least) => `must have at least ${count(least, "member")}`,
  ),
  bound(
    isJsonObject,
    "maxProperties",
    (object, most) => Object.keys(object).length <= most,
    (most) => `must have at most ${count(most, "member")}`,
  ),
  createRequiredCheck,
  createDependentRequiredCheck,
  createReferenceCheck,
  createAllCheck,
  createAnyCheck,
  createOneCheck,
  createNotCheck,
  createConditionCheck,
  createDependentCheck,
  createItemsCheck,
  createContainsCheck,
  createMembersCheck,
  createNamesCheck,
];
