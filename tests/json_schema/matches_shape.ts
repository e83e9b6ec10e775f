import {
  areUnique,
  countCodePoints,
  isEqual,
  isMultipleOf,
  type Json,
  type JsonObject,
  typeOf,
} from "../../src/tools/json_schema/json.ts";
import {
  type ArrayShape,
  itemSchemas,
  memberSchemas,
  type NumberShape,
  type ObjectShape,
  type Shape,
  type StringShape,
} from "../../src/tools/json_schema/shapes.ts";
import { matchesPattern } from "../../src/tools/json_schema/pattern.ts";
import { isValid } from "../../src/tools/json_schema/validate.ts";

/** Whether a value has a shape, as the comments of `shapes.ts` say. */
export function matchesShape(shape: Shape, value: Json): boolean {
  return shape.type === typeOf(value) &&
    (shape.values?.some((each) => isEqual(each, value)) ?? true) &&
    shape.also.every((schema) => isValid(schema, value)) &&
    !shape.not.some((schema) => isValid(schema, value)) &&
    matchesRules(shape, value);
}

function matchesRules(shape: Shape, value: Json): boolean {
  if (shape.type === "number") return matchesNumber(shape, value as number);
  if (shape.type === "string") return matchesString(shape, value as string);
  if (shape.type === "array") return matchesArray(shape, value as readonly Json[]);
  return shape.type !== "object" || matchesObject(shape, value as JsonObject);
}

function matchesNumber(shape: NumberShape, value: number): boolean {
  const { minimum, maximum } = shape;
  return (!shape.isInteger || Number.isInteger(value)) &&
    (shape.isMinimumExcluded ? value > minimum : value >= minimum) &&
    (shape.isMaximumExcluded ? value < maximum : value <= maximum) &&
    shape.multiplesOf.every((factor) => isMultipleOf(value, factor));
}

function matchesString({ minLength, maxLength, patterns }: StringShape, value: string): boolean {
  const length = countCodePoints(value);
  return length >= minLength && length <= maxLength && patterns.every((pattern) => matchesPattern(pattern, value));
}

function matchesArray(shape: ArrayShape, value: readonly Json[]): boolean {
  return value.length >= shape.minItems && value.length <= shape.maxItems &&
    (!shape.isUnique || areUnique(value, 100) === true) &&
    value.every((item, index) => itemSchemas(shape, index).every((schema) => isValid(schema, item))) &&
    shape.contains.every(({ schema, least, most }) => {
      const { length } = value.filter((item) => isValid(schema, item));
      return length >= least && length <= most;
    });
}

function matchesObject(shape: ObjectShape, value: JsonObject): boolean {
  const names = Object.keys(value);
  return names.length >= shape.minProperties && names.length <= shape.maxProperties &&
    [...shape.required].every((name) => Object.hasOwn(value, name)) &&
    names.every((name) => shape.names.every((schema) => isValid(schema, name))) &&
    names.every((name) => memberSchemas(shape, name).every((schema) => isValid(schema, value[name]!)));
}
