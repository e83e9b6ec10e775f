/** Converts schemas to shapes. */
import {
  isEqual,
  isSchemaObject,
  type Json,
  type JsonSchemaObject,
  type JsonType,
  jsonTypes,
  namedSchemas,
  schemaList,
  typeOf,
} from "./json.ts";
import { followReference, type LocatedSchema, locatePart, mostLevels, tooDeep } from "./locate.ts";
import { areDisjoint, intersectShapes } from "./intersect.ts";
import { closeUnevaluated } from "./unevaluated.ts";
import { limitSteps, usualSteps } from "./steps.ts";
import {
  type ArrayShape,
  type Contains,
  type ItemRules,
  type MemberRules,
  type NumberShape,
  type ObjectShape,
  type Shape,
  type StringShape,
} from "./shapes.ts";

/** The most shapes that two schemas are combined to. If there were more, one of the schemas is kept in `also`. */
const maxShapes = 128;

/** Returns the shapes of a value that must match all of these schemas; an empty list if such a value cannot exist. */
export function normalize(schemas: readonly LocatedSchema[]): readonly Shape[] {
  const [first, ...others] = schemas;
  if (!first) return anyShapes;
  const { known } = first.whole;
  const key = `normalize ${schemas.map(({ id }) => id).join()}`;
  const before = known.get(key) as readonly Shape[] | undefined;
  if (before) return before;
  const shapes = limitSteps(
    usualSteps,
    () => others.reduce((all, each) => combine(all, shapesOf(each, []), each), shapesOf(first, [])),
  );
  known.set(key, shapes);
  return shapes;
}

/** The schemas that lead to a part. A schema that leads to itself throws. */
type Trail = readonly LocatedSchema[];

function shapesOf(located: LocatedSchema, trail: Trail): readonly Shape[] {
  const { schema } = located;
  if (!isSchemaObject(schema)) return schema ? anyShapes : [];
  const { id, whole: { known } } = located;
  const before = known.get(`shapes ${id}`) as readonly Shape[] | undefined;
  if (before) return before;
  if (trail.includes(located)) throw new TypeError("Cannot read a JSON Schema: a $ref leads to itself");
  if (trail.length > mostLevels) throw new TypeError(tooDeep);
  const below = [...trail, located];
  const steps = [refer, joinAll, joinAny, joinOne, joinCondition];
  const shapes = steps.reduce((found, step) => step(found, schema, located, below), ownShapes(schema, located));
  const closed = closeUnevaluated(shapes, located);
  known.set(`shapes ${id}`, closed);
  return closed;
}

/** Applies one keyword to the shapes of a schema. */
type Step = (
  found: readonly Shape[],
  schema: JsonSchemaObject,
  located: LocatedSchema,
  below: Trail,
) => readonly Shape[];

const refer: Step = (found, { $ref }, located, below) => {
  if (typeof $ref !== "string") return found;
  const target = followReference(located, $ref);
  return combine(found, shapesOf(target, below), target);
};

const joinAll: Step = (found, { allOf }, located, below) =>
  schemaList(allOf).map((part) => locatePart(located, part))
    .reduce((all, part) => combine(all, shapesOf(part, below), part), found);

const joinAny: Step = (found, { anyOf }, located, below) => {
  if (anyOf === undefined) return found;
  const part = locatePart(located, partOf(located, "anyOf", { anyOf }));
  return combine(found, distinct(branchesOf(anyOf, located, below)), part);
};

const joinOne: Step = (found, { oneOf }, located, below) => {
  if (oneOf === undefined) return found;
  const part = locatePart(located, partOf(located, "oneOf", { oneOf }));
  const branches = branchesOf(oneOf, located, below);
  const joined = combine(found, distinct(branches), part);
  return hasOverlap(branches) ? withAlso(joined, part) : joined;
};

const joinCondition: Step = (found, schema, located, below) => {
  const { if: condition, then = true, else: otherwise = true } = schema as {
    [keyword: string]: LocatedSchema["schema"];
  };
  if (condition === undefined) return found;
  const [when, met, unmet] = [condition, then, otherwise].map((part) => locatePart(located, part!));
  return [
    ...combine(combine(found, shapesOf(when!, below), when!), shapesOf(met!, below), met!),
    ...combine(found, shapesOf(unmet!, below), unmet!).map((shape) => ({ ...shape, not: [...shape.not, when!] })),
  ];
};

function branchesOf(list: unknown, located: LocatedSchema, below: Trail): (readonly Shape[])[] {
  return schemaList(list).map((part) => shapesOf(locatePart(located, part), below));
}

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

/** Returns the same object for the same part every time, because schemas are compared by identity. */
function partOf({ id, whole }: LocatedSchema, name: string, part: JsonSchemaObject): JsonSchemaObject {
  const key = `part ${id} ${name}`;
  if (!whole.known.has(key)) whole.known.set(key, part);
  return whole.known.get(key) as JsonSchemaObject;
}

function hasOverlap(branches: readonly (readonly Shape[])[]): boolean {
  return branches.some((branch, index) =>
    branches.slice(index + 1).some((other) =>
      branch.some((shape) => other.some((another) => !areDisjoint(shape, another)))
    )
  );
}

/** Returns the shapes of a schema's own keywords. */
function ownShapes(schema: JsonSchemaObject, located: LocatedSchema): readonly Shape[] {
  const values = allowedValues(schema);
  const common = { also: alsoOf(schema, located), not: notOf(schema, located), sources: [schema] };
  return typesOf(schema).flatMap((type): Shape | readonly Shape[] => {
    const own = values?.filter((value) => typeOf(value) === type);
    return own?.length === 0 ? [] : { type, values: own, ...common, ...rulesOf[type](schema, located) } as Shape;
  });
}

function typesOf({ type }: JsonSchemaObject): readonly JsonType[] {
  if (type === undefined) return jsonTypes;
  const named = new Set(Array.isArray(type) ? type : [type]);
  return jsonTypes.filter((each) => named.has(each) || (each === "number" && named.has("integer")));
}

function allowedValues(schema: JsonSchemaObject): readonly Json[] | undefined {
  const listed = Array.isArray(schema.enum) ? schema.enum as Json[] : undefined;
  if (!("const" in schema)) return listed;
  const constant = schema.const as Json;
  return listed?.every((value) => !isEqual(value, constant)) ? [] : [constant];
}

/** Keywords that shapes cannot express. */
const otherKeywords = ["dependentSchemas", "dependentRequired"];

function alsoOf(schema: JsonSchemaObject, located: LocatedSchema): readonly LocatedSchema[] {
  return otherKeywords.filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => locatePart(located, partOf(located, keyword, { [keyword]: schema[keyword] })));
}

function notOf({ not }: JsonSchemaObject, located: LocatedSchema): readonly LocatedSchema[] {
  return not === undefined ? [] : [locatePart(located, not as LocatedSchema["schema"])];
}

/** Returns the constraints of the keywords for each type. */
const rulesOf: { readonly [Type in JsonType]: (schema: JsonSchemaObject, located: LocatedSchema) => object } = {
  null: () => ({}),
  boolean: () => ({}),
  number: numberRules,
  string: (schema, located) => ({
    minLength: numberOf(schema.minLength, 0),
    maxLength: numberOf(schema.maxLength, Infinity),
    patterns: typeof schema.pattern === "string" ? [schema.pattern] : [],
    formats: typeof schema.format === "string" ? [schema.format] : [],
    mediaTypes: typeof schema.contentMediaType === "string" ? [schema.contentMediaType] : [],
    encodings: typeof schema.contentEncoding === "string" ? [schema.contentEncoding] : [],
    contents: schema.contentSchema === undefined
      ? []
      : [locatePart(located, schema.contentSchema as LocatedSchema["schema"])],
  } satisfies RulesFor<StringShape>),
  array: (schema, located) => ({
    minItems: numberOf(schema.minItems, 0),
    maxItems: numberOf(schema.maxItems, Infinity),
    isUnique: schema.uniqueItems === true,
    items: itemRules(schema, located),
    contains: containsRules(schema, located),
  } satisfies RulesFor<ArrayShape>),
  object: (schema, located) => ({
    minProperties: numberOf(schema.minProperties, 0),
    maxProperties: numberOf(schema.maxProperties, Infinity),
    required: new Set(Array.isArray(schema.required) ? schema.required as string[] : []),
    members: memberRules(schema, located),
    names: schema.propertyNames === undefined
      ? []
      : [locatePart(located, schema.propertyNames as LocatedSchema["schema"])],
  } satisfies RulesFor<ObjectShape>),
};

type RulesFor<Of extends Shape> = Omit<Of, "type" | "values" | "also" | "not" | "sources">;

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function numberRules(schema: JsonSchemaObject): RulesFor<NumberShape> {
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

function itemRules(schema: JsonSchemaObject, located: LocatedSchema): readonly ItemRules[] {
  const { prefixItems, items } = schema;
  if (prefixItems === undefined && items === undefined) return [];
  return [{
    prefix: schemaList(prefixItems).map((part) => locatePart(located, part)),
    rest: items === undefined ? undefined : locatePart(located, items as LocatedSchema["schema"]),
  }];
}

function containsRules(schema: JsonSchemaObject, located: LocatedSchema): readonly Contains[] {
  if (schema.contains === undefined) return [];
  return [{
    schema: locatePart(located, schema.contains as LocatedSchema["schema"]),
    least: numberOf(schema.minContains, 1),
    most: numberOf(schema.maxContains, Infinity),
  }];
}

function memberRules(schema: JsonSchemaObject, located: LocatedSchema): readonly MemberRules[] {
  const { properties, patternProperties, additionalProperties } = schema;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) return [];
  return [{
    named: new Map(namedSchemas(properties).map(([name, part]) => [name, locatePart(located, part)])),
    patterns: namedSchemas(patternProperties).map(([pattern, part]) => [pattern, locatePart(located, part)]),
    rest: additionalProperties === undefined
      ? undefined
      : locatePart(located, additionalProperties as LocatedSchema["schema"]),
  }];
}

/** The shapes of a schema that accepts every value. */
const anyShapes: readonly Shape[] = jsonTypes.map((type) =>
  ({
    type,
    values: undefined,
    also: [],
    not: [],
    sources: [],
    ...rulesOf[type]({}, undefined as never),
  }) as unknown as Shape
);
