/** Validates values as draft 2020-12 specifies. A `format` is an annotation and is not validated. */
import { applicators, childApplicators, unevaluated } from "./applicators.ts";
import { assertions } from "./assertions.ts";
import {
  addSeen,
  type CheckFailure,
  checkOnce,
  createSeen,
  everyPart,
  fail,
  maxDepth,
  type PlanKeyword,
  type Planner,
  type SchemaCheck,
  startWalk,
} from "./check.ts";
import { isSchemaObject, type Json, type JsonSchemaObject } from "./json.ts";
import { followReference, type LocatedSchema, locatePart, mostLevels, tooDeep } from "./locate.ts";
import { limitSteps, spend, usualSteps } from "./steps.ts";

/**
 * Returns the first 100 reasons why a value does not match a schema; an empty list if it is valid. A value with more than
 * 512 levels is invalid.
 *
 * @throws {TypeError} If a reference points to a missing schema or, for the same value, to itself.
 * @throws {StepLimitError} If the validation takes too many steps.
 */
export function validate(schema: LocatedSchema, value: Json): readonly CheckFailure[] {
  const failures: CheckFailure[] = [];
  const walk = startWalk(failures);
  limitSteps(usualSteps, () => planSchema(schema)(value, walk, undefined));
  if (!walk.shared.isTooDeep) return failures;
  const message = `must not be nested more than ${maxDepth} levels deep`;
  return [{ path: [], keyword: "", schema: schema.schema, message }];
}

/**
 * Whether a value matches a schema. Stops at the first failure.
 *
 * @throws {TypeError} If a reference points to a missing schema or, for the same value, to itself.
 * @throws {StepLimitError} If the validation takes too many steps.
 */
export function isValid(schema: LocatedSchema, value: Json): boolean {
  const walk = startWalk(undefined);
  return limitSteps(usualSteps, () => planSchema(schema)(value, walk, undefined)) && !walk.shared.isTooDeep;
}

/** Returns the check of a schema, which is cached in the whole schema. */
function planSchema(located: LocatedSchema): SchemaCheck {
  const { whole: { known }, id } = located;
  const key = `check ${id}`;
  const before = known.get(key) as SchemaCheck | "in progress" | undefined;
  if (before === "in progress") throw new TypeError("Cannot read a JSON Schema: a $ref leads to itself");
  if (before) return before;
  const level = known.get("check level") as number | undefined ?? 0;
  if (level > mostLevels) throw new TypeError(tooDeep);
  known.set(key, "in progress");
  known.set("check level", level + 1);
  try {
    const check = createCheck(located);
    known.set(key, check);
    return check;
  } catch (error) {
    known.delete(key); // so that the next call throws the same error
    throw error;
  } finally {
    known.set("check level", level);
  }
}

function createCheck(located: LocatedSchema): SchemaCheck {
  const { schema } = located;
  if (!isSchemaObject(schema)) {
    return schema ? () => true : (_value, walk) => fail(walk, false, "", "is not allowed");
  }
  const planner = createPlanner(located);
  const checks = planKeywords([...assertions, ...applicators, ...childApplicators], schema, planner);
  const last = planKeywords(unevaluated, schema, planner);
  const all = [...checks, ...last];
  return last.length > 0 ? withSeen(all) : all.length === 1 ? all[0]! : join(all);
}

function planKeywords(keywords: readonly PlanKeyword[], schema: JsonSchemaObject, planner: Planner): SchemaCheck[] {
  return keywords.flatMap((plan) => plan(schema, planner) ?? []);
}

function join(checks: readonly SchemaCheck[]): SchemaCheck {
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

function createPlanner(located: LocatedSchema): Planner {
  return {
    inPlace: (part) => planSchema(locatePart(located, part)),
    below: (part) => {
      let check: SchemaCheck | undefined;
      return (value, walk, seen) => (check ??= planSchema(locatePart(located, part)))(value, walk, seen);
    },
    referred: (reference) => {
      const check = planSchema(followReference(located, reference));
      return (value, walk, seen) =>
        walk.path.length < deepestShared ? checkOnce(check, value, walk, seen) : check(value, walk, seen);
    },
  };
}
