/** Validates values as draft 2020-12 specifies. A `format` is an annotation and is not validated. */
import {
  addSeen,
  type CheckFailure,
  createSeen,
  everyPart,
  failCheck,
  type PartChecks,
  runOnce,
  type SchemaCheck,
  startValidation,
} from "./check.ts";
import { isSchemaObject, type Json, maxDepth } from "./json.ts";
import { keywords, unevaluated } from "./keywords.ts";
import { createMemo, followReference, type LocatedSchema, locatePart, mostLevels, tooDeep } from "./locate.ts";
import { limitSteps, spend, usualSteps } from "./steps.ts";

/**
 * Returns the first reasons why a value does not match a schema; an empty list if it is valid. A value with more than
 * 512 levels is invalid.
 *
 * @throws {TypeError} If a reference points to a missing schema or, for the same value, to itself.
 * @throws {StepLimitError} If the validation takes too many steps.
 */
export function listFailures(schema: LocatedSchema, value: Json, most = 100): readonly CheckFailure[] {
  if (isValid(schema, value)) return []; // stops at the first failure of each alternative
  const failures: CheckFailure[] = [];
  const walk = startValidation(failures, most);
  limitSteps(usualSteps, () => checkOf(schema)(value, walk, undefined));
  if (!walk.shared.isTooDeep) return failures;
  const message = `must not be nested more than ${maxDepth} levels deep`;
  return [{ path: [], keyword: "", schema: schema.schema, message }];
}

/**
 * Tests whether a value matches a schema. Stops at the first failure.
 *
 * @throws {TypeError} If a reference points to a missing schema or, for the same value, to itself.
 * @throws {StepLimitError} If the validation takes too many steps.
 */
export function isValid(schema: LocatedSchema, value: Json): boolean {
  const walk = startValidation(undefined);
  return limitSteps(usualSteps, () => checkOf(schema)(value, walk, undefined)) && !walk.shared.isTooDeep;
}

export function isValidForAll(schemas: readonly LocatedSchema[], value: Json): boolean {
  return schemas.every((schema) => isValid(schema, value));
}

/** The checks of a whole schema by the ids of its parts, and how deeply their creation is nested. */
const checksOf = createMemo(() => ({ byId: new Map<number, SchemaCheck | "in progress">(), level: 0 }));

/** Returns the check of a schema, which is created once. */
function checkOf(located: LocatedSchema): SchemaCheck {
  const { whole, id } = located;
  const checks = checksOf(whole);
  const before = checks.byId.get(id);
  if (before === "in progress") throw new TypeError("Cannot read a JSON Schema: a $ref leads to itself");
  if (before) return before;
  if (checks.level > mostLevels) throw new TypeError(tooDeep);
  checks.byId.set(id, "in progress");
  checks.level++;
  try {
    const check = createCheck(located);
    checks.byId.set(id, check);
    return check;
  } catch (error) {
    checks.byId.delete(id); // so that the next call throws the same error
    throw error;
  } finally {
    checks.level--;
  }
}

function createCheck(located: LocatedSchema): SchemaCheck {
  const { schema } = located;
  if (!isSchemaObject(schema)) {
    return schema ? () => true : (_value, walk) => failCheck(walk, false, "", "is not allowed");
  }
  const parts = createPartChecks(located);
  const checks = [...keywords, ...unevaluated].flatMap((create) => create(schema, parts) ?? []);
  const hasUnevaluated = schema.unevaluatedItems !== undefined || schema.unevaluatedProperties !== undefined;
  return hasUnevaluated ? withSeen(checks) : join(checks);
}

function join(checks: readonly SchemaCheck[]): SchemaCheck {
  const [only, ...others] = checks;
  if (only && others.length === 0) return only;
  return (value, walk, seen) => {
    spend();
    return everyPart(checks, walk, (check) => check(value, walk, seen));
  };
}

/**
 * Combines the checks of a schema that depends on evaluated parts, its own and those of schemas applied to the same
 * value.
 */
function withSeen(checks: readonly SchemaCheck[]): SchemaCheck {
  return (value, walk, seen) => {
    const own = createSeen();
    const isFine = everyPart(checks, walk, (check) => check(value, walk, own));
    if (seen) addSeen(seen, own);
    return isFine;
  };
}

/** The deepest parts of a value for which results of references are kept, because that takes space on the stack. */
const deepestShared = 64;

function createPartChecks(located: LocatedSchema): PartChecks {
  return {
    inPlace: (part) => checkOf(locatePart(located, part)),
    below: (part) => {
      let check: SchemaCheck | undefined;
      return (value, walk, seen) => (check ??= checkOf(locatePart(located, part)))(value, walk, seen);
    },
    referred: (reference) => {
      const check = checkOf(followReference(located, reference));
      return (value, walk, seen) =>
        walk.path.length < deepestShared ? runOnce(check, value, walk, seen) : check(value, walk, seen);
    },
  };
}
