/** Converts `unevaluatedProperties` and `unevaluatedItems` to shapes. */
import { isSchemaObject, type JsonSchema, namedSchemas, schemaList } from "./json.ts";
import { followReference, type LocatedSchema, locatePart } from "./locate.ts";
import { type ArrayShape, type ItemRules, type MemberRules, type ObjectShape, type Shape } from "./shapes.ts";

/**
 * Closes the shapes of a schema with `unevaluatedProperties` or `unevaluatedItems`. Parts that none of its keywords
 * can evaluate must match the schema of these keywords. The remaining cases, such as a member that only one branch
 * evaluates, are decided by the schema itself, in `also`.
 */
export function closeUnevaluated(shapes: readonly Shape[], located: LocatedSchema): readonly Shape[] {
  const { schema } = located;
  if (!isSchemaObject(schema)) return shapes;
  const { unevaluatedItems, unevaluatedProperties } = schema;
  if (unevaluatedItems === undefined && unevaluatedProperties === undefined) return shapes;
  const evaluated = evaluatedBy(located, new Set());
  return shapes.map((shape): Shape => {
    const also = [...shape.also, located];
    if (shape.type === "object" && unevaluatedProperties !== undefined) {
      return { ...closeMembers(shape, evaluated, locatePart(located, unevaluatedProperties as JsonSchema)), also };
    }
    if (shape.type === "array" && unevaluatedItems !== undefined) {
      return { ...closeItems(shape, evaluated, locatePart(located, unevaluatedItems as JsonSchema)), also };
    }
    return shape;
  });
}

/** The parts that a schema's keywords can evaluate, including those of schemas applied to the same value. */
interface Evaluated {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  readonly hasAllNames: boolean;
  readonly prefix: number;
  readonly hasAllItems: boolean;
}

const nothing: Evaluated = { names: [], patterns: [], hasAllNames: false, prefix: 0, hasAllItems: false };

function evaluatedBy(located: LocatedSchema, reached: Set<LocatedSchema>, isOuter = true): Evaluated {
  const { schema } = located;
  if (!isSchemaObject(schema) || reached.has(located)) return nothing;
  reached.add(located);
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const { prefixItems, items, contains, unevaluatedItems } = schema;
  const own: Evaluated = {
    names: namedSchemas(properties).map(([name]) => name),
    patterns: namedSchemas(patternProperties).map(([pattern]) => pattern),
    hasAllNames: additionalProperties !== undefined || (!isOuter && unevaluatedProperties !== undefined),
    prefix: schemaList(prefixItems).length,
    hasAllItems: items !== undefined || contains !== undefined || (!isOuter && unevaluatedItems !== undefined),
  };
  return inPlaceParts(located).map((part) => evaluatedBy(part, reached, false)).reduce(addEvaluated, own);
}

function addEvaluated(left: Evaluated, right: Evaluated): Evaluated {
  return {
    names: [...left.names, ...right.names],
    patterns: [...left.patterns, ...right.patterns],
    hasAllNames: left.hasAllNames || right.hasAllNames,
    prefix: Math.max(left.prefix, right.prefix),
    hasAllItems: left.hasAllItems || right.hasAllItems,
  };
}

/** Returns the schemas that a schema applies to the same value and that evaluate parts of it. */
function inPlaceParts(located: LocatedSchema): LocatedSchema[] {
  const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas } = located
    .schema as Readonly<Record<string, unknown>>;
  const parts = [
    ...[allOf, anyOf, oneOf].flatMap(schemaList),
    ...[condition, then, otherwise].filter((part) => part !== undefined) as JsonSchema[],
    ...namedSchemas(dependentSchemas).map(([, part]) => part),
  ].map((part) => locatePart(located, part));
  return typeof $ref === "string" ? [...parts, followReference(located, $ref)] : parts;
}

function closeMembers(shape: ObjectShape, evaluated: Evaluated, rest: LocatedSchema): ObjectShape {
  if (evaluated.hasAllNames) return shape;
  const any = locatePart(rest, true);
  const rules: MemberRules = {
    named: new Map(evaluated.names.map((name) => [name, any])),
    patterns: evaluated.patterns.map((pattern) => [pattern, any]),
    rest,
  };
  return { ...shape, members: [...shape.members, rules] };
}

function closeItems(shape: ArrayShape, evaluated: Evaluated, rest: LocatedSchema): ArrayShape {
  if (evaluated.hasAllItems) return shape;
  const any = locatePart(rest, true);
  const rules: ItemRules = { prefix: Array.from({ length: evaluated.prefix }, () => any), rest };
  return { ...shape, items: [...shape.items, rules] };
}
