/** Converts schemas to shapes. */
import {
  isEqual,
  isSchemaObject,
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  jsonTypes,
  listParts,
  namedSchemas,
  schemaList,
  textList,
  toSchema,
  typeOf,
} from "./json.ts";
import {
  createMemo,
  followReference,
  type LocatedSchema,
  locatePart,
  locateSchema,
  memoOfSchemas,
  mostLevels,
  tooDeep,
} from "./locate.ts";
import { limitSteps, usualSteps } from "./steps.ts";
import {
  areDisjoint,
  type CommonRules,
  type Contains,
  intersectShapes,
  type ItemRules,
  type MemberRules,
  type RulesOf,
  type Shape,
} from "./shapes.ts";

/** The most shapes that two schemas are combined to. If there were more, one of the schemas is kept in `also`. */
const maxShapes = 128;

/** Returns the shapes of a value that must match all of these schemas; an empty list if such a value cannot exist. */
export const normalize: (schemas: readonly LocatedSchema[]) => readonly Shape[] = /* @__PURE__ */ memoOfSchemas(
  ([first, ...others]) =>
    first === undefined ? anyShapes : limitSteps(
      usualSteps,
      () => others.reduce((all, each) => combine(all, shapesOf(each, []), each), shapesOf(first, [])),
    ),
);

/** The schemas that lead to a part. A schema that leads to itself throws. */
type Trail = readonly LocatedSchema[];

const knownShapes = createMemo(() => new Map<number, readonly Shape[]>());

function shapesOf(located: LocatedSchema, trail: Trail): readonly Shape[] {
  const { schema, id, whole } = located;
  if (!isSchemaObject(schema)) return schema ? anyShapes : [];
  const known = knownShapes(whole);
  const before = known.get(id);
  if (before) return before;
  if (trail.includes(located)) throw new TypeError("Cannot read a JSON Schema: a $ref leads to itself");
  if (trail.length > mostLevels) throw new TypeError(tooDeep);
  const below = [...trail, located];
  const shapes = steps.reduce((found, step) => step(found, schema, located, below), ownShapes(schema, located));
  const closed = closeUnevaluated(shapes, located);
  known.set(id, closed);
  return closed;
}

/** Applies one keyword to the shapes of a schema. */
type ShapeStep = (
  found: readonly Shape[],
  schema: JsonSchemaObject,
  located: LocatedSchema,
  below: Trail,
) => readonly Shape[];

const refer: ShapeStep = (found, { $ref }, located, below) => {
  if (typeof $ref !== "string") return found;
  const target = followReference(located, $ref);
  return combine(found, shapesOf(target, below), target);
};

const joinAll: ShapeStep = (found, { allOf }, located, below) =>
  schemaList(allOf).map((part) => locatePart(located, part))
    .reduce((all, part) => combine(all, shapesOf(part, below), part), found);

function joinBranches(keyword: "anyOf" | "oneOf"): ShapeStep {
  return (found, { [keyword]: list }, located, below) => {
    if (list === undefined) return found;
    const part = locatePart(located, partOf(located, keyword, joinConstants(list) ?? { [keyword]: list }));
    if (isSchemaObject(part.schema) && part.schema.enum) return combine(found, shapesOf(part, below), part);
    const branches = schemaList(list).map((each) => shapesOf(locatePart(located, each), below));
    const joined = combine(found, distinct(branches), part);
    return keyword === "oneOf" && hasOverlap(branches) ? withAlso(joined, part) : joined;
  };
}

const joinCondition: ShapeStep = (found, schema, located, below) => {
  const { if: condition, then = true, else: otherwise = true } = schema;
  if (condition === undefined) return found;
  const when = locatePart(located, toSchema(condition));
  const met = locatePart(located, toSchema(then));
  const unmet = locatePart(located, toSchema(otherwise));
  return [
    ...combine(combine(found, shapesOf(when, below), when), shapesOf(met, below), met),
    ...combine(found, shapesOf(unmet, below), unmet).map((shape) => ({ ...shape, not: [...shape.not, when] })),
  ];
};

const steps: readonly ShapeStep[] = [refer, joinAll, joinBranches("anyOf"), joinBranches("oneOf"), joinCondition];

/** Returns branches that are different texts, numbers or `null` as one list of values, because there may be thousands. */
function joinConstants(list: unknown): JsonSchemaObject | undefined {
  const values = schemaList(list).map(constantOf);
  const isList = values.every((value) => typeof value === "string" || typeof value === "number" || value === null);
  return isList && new Set(values).size === values.length ? { enum: values } : undefined;
}

/** Returns the only value of a schema. `undefined` if there may be others, or none. */
function constantOf(schema: JsonSchema): Json | undefined {
  if (!isSchemaObject(schema) || !Object.keys(schema).every((name) => constantKeywords.includes(name))) {
    return undefined;
  }
  const values = Array.isArray(schema.enum) ? schema.enum : schema.type === "null" ? [null] : [];
  const [value, ...others] = "const" in schema ? [schema.const] : values;
  if (value === undefined || others.length > 0 || ("const" in schema && "enum" in schema)) return undefined;
  const isTyped = schema.type === undefined || schema.type === typeOf(value) ||
    (schema.type === "integer" && Number.isInteger(value));
  return isTyped ? value : undefined;
}

const constantKeywords = ["const", "enum", "type", "title", "description", "deprecated"];

/** Joins the shapes of branches. Equal branches have the same ones. */
function distinct(branches: readonly (readonly Shape[])[]): readonly Shape[] {
  return [...new Set(branches.flat())];
}

/**
 * Intersects shapes with the shapes of a schema, in the order of the latter. If there were too many, keeps the schema
 * in `also`.
 */
function combine(found: readonly Shape[], shapes: readonly Shape[], schema: LocatedSchema): readonly Shape[] {
  if (found === anyShapes) return shapes;
  if (shapes === anyShapes) return found;
  const joined: Shape[] = [];
  for (const right of shapes) {
    joined.push(...found.flatMap((left) => intersectShapes(left, right) ?? []));
    if (joined.length > maxShapes) return withAlso(found, schema);
  }
  return joined;
}

function withAlso(shapes: readonly Shape[], schema: LocatedSchema): readonly Shape[] {
  return shapes.map((shape) => ({ ...shape, also: [...shape.also, schema] }));
}

/** The results of {@linkcode partOf}, by the id of the schema and the name of the part. */
const knownParts = createMemo(() => new Map<string, JsonSchemaObject>());

/** Returns the same object for the same part every time, because schemas are compared by identity. */
function partOf({ id, whole }: LocatedSchema, name: string, part: JsonSchemaObject): JsonSchemaObject {
  const known = knownParts(whole);
  const key = `${id} ${name}`;
  const own = known.get(key) ?? part;
  known.set(key, own);
  return own;
}

/** The most pairs of shapes that are compared for overlaps. If there were more, an overlap is assumed. */
const mostPairs = 50_000;

function hasOverlap(branches: readonly (readonly Shape[])[]): boolean {
  const count = branches.reduce((sum, { length }) => sum + length, 0);
  if (count * count > 2 * mostPairs) return true;
  return branches.some((branch, index) =>
    branches.slice(index + 1).some((other) =>
      branch.some((shape) => other.some((another) => !areDisjoint(shape, another)))
    )
  );
}

function ownShapes(schema: JsonSchemaObject, located: LocatedSchema): readonly Shape[] {
  const values = allowedValues(schema);
  const common = { also: alsoOf(schema, located), not: schemasOf(schema.not, located), sources: [schema] };
  return typesOf(schema).flatMap((type): Shape | readonly Shape[] => {
    const own = values?.filter((value) => typeOf(value) === type);
    return own?.length === 0 ? [] : toShape(type, { values: own, ...common }, schema, located);
  });
}

function typesOf({ type }: JsonSchemaObject): readonly JsonType[] {
  if (type === undefined) return jsonTypes;
  const named = new Set(Array.isArray(type) ? type : [type]);
  return jsonTypes.filter((each) => named.has(each) || (each === "number" && named.has("integer")));
}

function allowedValues(schema: JsonSchemaObject): readonly Json[] | undefined {
  const listed: readonly Json[] | undefined = Array.isArray(schema.enum) ? schema.enum : undefined;
  const { const: constant } = schema;
  if (constant === undefined) return listed;
  return listed?.every((value) => !isEqual(value, constant)) ? [] : [constant];
}

/** Keywords that shapes cannot express. */
const otherKeywords = ["dependentSchemas", "dependentRequired"];

function alsoOf(schema: JsonSchemaObject, located: LocatedSchema): readonly LocatedSchema[] {
  return otherKeywords.filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => locatePart(located, partOf(located, keyword, { [keyword]: schema[keyword] })));
}

function toShape(type: JsonType, common: CommonRules, schema: JsonSchemaObject, located: LocatedSchema): Shape {
  switch (type) {
    case "number":
      return { type, ...common, ...numberRules(schema) };
    case "string":
      return { type, ...common, ...stringRules(schema, located) };
    case "array":
      return { type, ...common, ...arrayRules(schema, located) };
    case "object":
      return { type, ...common, ...objectRules(schema, located) };
    default:
      return { type, ...common };
  }
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** Returns the value of a keyword as a list; an empty one if it is not a text. */
function textsOf(value: unknown): readonly string[] {
  return typeof value === "string" ? [value] : [];
}

/** Returns the schema of a keyword as a list; an empty one if the keyword is missing. */
function schemasOf(value: unknown, located: LocatedSchema): readonly LocatedSchema[] {
  return value === undefined ? [] : [locatePart(located, toSchema(value))];
}

function numberRules(schema: JsonSchemaObject): RulesOf<"number"> {
  const [minimum, above] = [numberOf(schema.minimum, -Infinity), numberOf(schema.exclusiveMinimum, -Infinity)];
  const [maximum, below] = [numberOf(schema.maximum, Infinity), numberOf(schema.exclusiveMaximum, Infinity)];
  const types = schema.type === undefined ? ["number"] : [schema.type].flat();
  return {
    isInteger: !types.includes("number"),
    minimum: Math.max(minimum, above),
    isMinimumExcluded: above >= minimum && above > -Infinity,
    maximum: Math.min(maximum, below),
    isMaximumExcluded: below <= maximum && below < Infinity,
    multiplesOf: typeof schema.multipleOf === "number" ? [schema.multipleOf] : [],
  };
}

function stringRules(schema: JsonSchemaObject, located: LocatedSchema): RulesOf<"string"> {
  return {
    minLength: numberOf(schema.minLength, 0),
    maxLength: numberOf(schema.maxLength, Infinity),
    patterns: textsOf(schema.pattern),
    formats: textsOf(schema.format),
    mediaTypes: textsOf(schema.contentMediaType),
    encodings: textsOf(schema.contentEncoding),
    contents: schemasOf(schema.contentSchema, located),
  };
}

function arrayRules(schema: JsonSchemaObject, located: LocatedSchema): RulesOf<"array"> {
  return {
    minItems: numberOf(schema.minItems, 0),
    maxItems: numberOf(schema.maxItems, Infinity),
    isUnique: schema.uniqueItems === true,
    items: itemRules(schema, located),
    contains: containsRules(schema, located),
  };
}

function objectRules(schema: JsonSchemaObject, located: LocatedSchema): RulesOf<"object"> {
  return {
    minProperties: numberOf(schema.minProperties, 0),
    maxProperties: numberOf(schema.maxProperties, Infinity),
    required: new Set(textList(schema.required)),
    members: memberRules(schema, located),
    names: schemasOf(schema.propertyNames, located),
  };
}

function itemRules(schema: JsonSchemaObject, located: LocatedSchema): readonly ItemRules[] {
  const { prefixItems, items } = schema;
  if (prefixItems === undefined && items === undefined) return [];
  return [{
    prefix: schemaList(prefixItems).map((part) => locatePart(located, part)),
    rest: schemasOf(items, located)[0],
  }];
}

function containsRules(schema: JsonSchemaObject, located: LocatedSchema): readonly Contains[] {
  return schemasOf(schema.contains, located).map((part) => ({
    schema: part,
    least: numberOf(schema.minContains, 1),
    most: numberOf(schema.maxContains, Infinity),
  }));
}

function memberRules(schema: JsonSchemaObject, located: LocatedSchema): readonly MemberRules[] {
  const { properties, patternProperties, additionalProperties } = schema;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) return [];
  return [{
    named: new Map(namedSchemas(properties).map(([name, part]) => [name, locatePart(located, part)])),
    patterns: namedSchemas(patternProperties).map(([pattern, part]) => [pattern, locatePart(located, part)]),
    rest: schemasOf(additionalProperties, located)[0],
  }];
}

const anyShapes: readonly Shape[] = jsonTypes.map((type) =>
  toShape(type, { values: undefined, also: [], not: [], sources: [] }, {}, locateSchema({}))
);

/**
 * Closes the shapes of a schema with `unevaluatedProperties` or `unevaluatedItems`. Parts that none of its keywords
 * can evaluate must match the schema of these keywords. The remaining cases, such as a member that only one branch
 * evaluates, are decided by the schema itself, in `also`.
 */
function closeUnevaluated(shapes: readonly Shape[], located: LocatedSchema): readonly Shape[] {
  const { unevaluatedItems, unevaluatedProperties }: JsonSchemaObject = Object(located.schema);
  if (unevaluatedItems === undefined && unevaluatedProperties === undefined) return shapes;
  const evaluating = [...reachInPlace(located, new Set())];
  return shapes.map((shape): Shape => {
    const also = [...shape.also, located];
    if (shape.type === "object" && unevaluatedProperties !== undefined) {
      const rest = locatePart(located, toSchema(unevaluatedProperties));
      return { ...shape, also, members: [...shape.members, ...listOtherMembers(evaluating, rest)] };
    }
    if (shape.type === "array" && unevaluatedItems !== undefined) {
      const rest = locatePart(located, toSchema(unevaluatedItems));
      return { ...shape, also, items: [...shape.items, ...listOtherItems(evaluating, rest)] };
    }
    return shape;
  });
}

/** Returns a schema and those that it applies to the same value, directly or not, which evaluate parts of it. */
function reachInPlace(located: LocatedSchema, reached: Set<JsonSchemaObject>): ReadonlySet<JsonSchemaObject> {
  const { schema } = located;
  if (!isSchemaObject(schema) || reached.has(schema)) return reached;
  reached.add(schema);
  for (const keyword of evaluatingKeywords) {
    for (const [, part] of listParts(keyword, schema[keyword])) reachInPlace(locatePart(located, part), reached);
  }
  if (typeof schema.$ref === "string") reachInPlace(followReference(located, schema.$ref), reached);
  return reached;
}

/** Keywords whose schemas apply to the same value and evaluate parts of it. */
const evaluatingKeywords = ["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"];

/** Returns the rules for members that no schema can evaluate. The first schema is the one that closes the others. */
function listOtherMembers(evaluating: readonly JsonSchemaObject[], rest: LocatedSchema): readonly MemberRules[] {
  const hasAll = evaluating.some(({ additionalProperties, unevaluatedProperties }, index) =>
    additionalProperties !== undefined || (index > 0 && unevaluatedProperties !== undefined)
  );
  if (hasAll) return [];
  const any = locatePart(rest, true);
  return [{
    named: new Map(evaluating.flatMap(({ properties }) => namedSchemas(properties)).map(([name]) => [name, any])),
    patterns: evaluating.flatMap((each) => namedSchemas(each.patternProperties)).map(([pattern]) => [pattern, any]),
    rest,
  }];
}

/** Returns the rules for items that no schema can evaluate. */
function listOtherItems(evaluating: readonly JsonSchemaObject[], rest: LocatedSchema): readonly ItemRules[] {
  const hasAll = evaluating.some(({ items, contains, unevaluatedItems }, index) =>
    items !== undefined || contains !== undefined || (index > 0 && unevaluatedItems !== undefined)
  );
  if (hasAll) return [];
  const prefix = Math.max(...evaluating.map(({ prefixItems }) => schemaList(prefixItems).length));
  return [{ prefix: Array.from({ length: prefix }, () => locatePart(rest, true)), rest }];
}
