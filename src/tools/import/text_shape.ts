/** Values that are text on the wire: parameters, headers and the fields of forms. */
import { spend } from "../json_schema/steps.ts";
import { canTest, matchesPattern } from "../json_schema/pattern.ts";
import type { Reporter } from "./report.ts";
import type { Schemas } from "./schemas.ts";
import type { Place } from "../openapi/operations.ts";
import {
  type LiteralShape,
  type Notes,
  notesOf,
  type NumberShape,
  type ObjectShape,
  placeKey,
  type Property,
  type Shape,
  toUnion,
  withNotes,
} from "./shape.ts";

/** What the fields of a form can be besides text. */
interface TextOptions {
  readonly schemas: Schemas;
  readonly reporter: Reporter;
  /** Whether a field may be a file. */
  readonly hasFiles: boolean;
}

/** Returns the type of a value that is text on the wire: numbers and booleans are converted, and `null` has no text. */
export function toTextShape(shape: Shape, options: TextOptions, seen: readonly string[] = []): Shape {
  spend();
  const { description, deprecated, default: fallback, [placeKey]: place = document } = shape;
  const notes = { description, deprecated, default: fallback, [placeKey]: place };
  switch (shape.kind) {
    case "reference": {
      if (seen.includes(shape.key)) {
        options.reporter.dropped(place, "what a schema contains of itself, in text");
        return { kind: "unknown" };
      }
      const { shape: target } = options.schemas.get(shape.key);
      const written = toTextShape(target, options, [...seen, shape.key]);
      return isSame(written, target) ? shape : { ...written, ...withoutUndefined(notes) };
    }
    case "number":
    case "boolean":
      return { kind: "text", of: shape, ...withoutUndefined(notes) };
    case "literal":
      return toTextLiteral(shape, withoutUndefined(notes));
    case "null":
      return { kind: "literal", values: [""], ...withoutUndefined(notes) };
    case "file":
      return options.hasFiles ? shape : { kind: "string", ...withoutUndefined(notes) };
    case "array":
      return { ...shape, items: toTextShape(shape.items, options, seen) };
    case "tuple":
      options.reporter.dropped(place, "prefixItems in text");
      return {
        kind: "array",
        items: toUnion(
          [...shape.items, ...(shape.rest ? [shape.rest] : [])].map((each) => toTextShape(each, options, seen)),
        ),
      };
    case "object":
      return toTextObject(shape, options, seen);
    case "union": {
      const members = shape.members.filter(({ kind }) => kind !== "null").map((each) =>
        toTextShape(each, options, seen)
      );
      return toUnion(members.toSorted((one, other) => rank(one) - rank(other)), withoutUndefined(notes));
    }
    case "intersection":
      return { ...shape, members: shape.members.map((each) => toTextShape(each, options, seen)) };
    default:
      return shape;
  }
}

/**
 * Returns an object as one with all properties that it may have: of a choice of objects, those of each. `undefined` if
 * a value may be anything else.
 */
export function toOneObject(shape: Shape, schemas: Schemas, level = 0): ObjectShape | undefined {
  spend();
  const target = schemas.resolve(shape);
  if (target?.kind === "object") return target;
  if (target?.kind !== "union" || level > mostLevels) return undefined;
  const members = target.members.filter(({ kind }) => kind !== "null");
  const objects = members.map((member) => toOneObject(member, schemas, level + 1)).filter((each) => each !== undefined);
  if (objects.length < members.length) return undefined;
  const names = [...new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)))];
  const properties = names.map((name): Property => {
    const found = objects.flatMap((object) => object.properties.filter((property) => property.name === name));
    const isRequired = found.length === objects.length && found.every((property) => property.isRequired);
    return { name, shape: toUnion(found.map((property) => property.shape)), isRequired };
  });
  const isClosed = objects.every(({ others }) => others === "closed");
  const isOpen = objects.some(({ others }) => others === "open" || typeof others === "object");
  return { kind: "object", properties, others: isOpen ? "open" : isClosed ? "closed" : "ignored" };
}

/** The most levels of choices within each other. */
const mostLevels = 100;

/** Returns the texts of literals: numbers and booleans are converted, and texts are not. */
function toTextLiteral(shape: LiteralShape, notes: Notes): Shape {
  const texts = shape.values.filter((value) => typeof value === "string");
  const others = shape.values.filter((value) => typeof value !== "string");
  if (others.length === 0) return shape;
  const converted: Shape = { kind: "text", of: { ...shape, values: others }, ...notes };
  return texts.length === 0 ? converted : toUnion([converted, { kind: "literal", values: texts }], notes);
}

function toTextObject(shape: ObjectShape, options: TextOptions, seen: readonly string[]): ObjectShape {
  const { others } = shape;
  return {
    ...shape,
    properties: shape.properties.map((property) => ({
      ...property,
      shape: toTextShape(property.shape, options, seen),
    })),
    others: typeof others === "object" ? toTextShape(others, options, seen) : others,
  };
}

/** Returns a type of one text; that of a list where one is possible. Objects and lists of lists have no text. */
export function toOneText(shape: Shape, schemas: Schemas, allowsList = false, seen: readonly Shape[] = []): Shape {
  spend();
  switch (shape.kind) {
    case "reference": {
      const target = schemas.resolve(shape);
      if (target === undefined || seen.includes(target)) return shape;
      const text = toOneText(target, schemas, allowsList, [...seen, target]);
      return isSame(text, target) ? shape : withNotes(text, shape);
    }
    case "union":
    case "intersection": {
      const members = shape.members.map((member) => toOneText(member, schemas, allowsList, seen));
      if (isSame(members, shape.members)) return shape;
      return shape.kind === "union" ? toUnion(members, notesOf(shape)) : { ...shape, members };
    }
    case "string":
    case "text":
    case "literal":
    case "unknown":
    case "template":
    case "never":
      return shape;
    case "array":
      if (allowsList) return { ...shape, items: toOneText(shape.items, schemas, false, seen) };
  }
  return { kind: "string", ...notesOf(shape) };
}

/** Returns the text of a response's header, which handlers send as it is. */
export function toSentText(shape: Shape, schemas: Schemas): Shape {
  const target = schemas.resolve(shape);
  const isText = target?.kind === "string" ||
    (target?.kind === "literal" && target.values.every((value) => typeof value === "string"));
  const { default: _, ...text } = isText ? target : { kind: "string" } as const;
  return text;
}

/** Texts that are numbers or booleans come before any text, which would accept them too. */
function rank({ kind }: Shape): number {
  return kind === "text" ? 0 : kind === "literal" ? 1 : kind === "string" ? 3 : 2;
}

/** Tests whether two types are the same, with what is said about them. */
export function isSame(one: unknown, other: unknown): boolean {
  const text = JSON.stringify(one);
  spend(text.length / 100);
  return text === JSON.stringify(other);
}

/** The document as a whole: the place of a type that was made of others. */
const document: Place = { file: "", pointer: "" };

function withoutUndefined<Of extends object>(object: Of): Of {
  const entries = Reflect.ownKeys(object).map((key) => [key, object[key as keyof Of]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Of; // only absent members are gone
}

/** Returns whether a type is any text, without constraints. */
export function isAnyText(shape: Shape): boolean {
  return shape.kind === "unknown" ||
    (shape.kind === "string" &&
      Object.keys(shape).every((name) => ["kind", "description", "deprecated"].includes(name)));
}

/** Returns whether a default is a value of a type; a default of the wrong type would not compile. */
export function isOfShape(shape: Shape, value: unknown, schemas: Schemas): boolean {
  spend(1 / 10);
  switch (shape.kind) {
    case "reference": {
      const target = schemas.resolve(shape);
      return target !== undefined && isOfShape(target, value, schemas);
    }
    case "text":
      return isOfShape(shape.of, value, schemas);
    case "string":
      return typeof value === "string" && (shape.minLength ?? 0) <= value.length &&
        value.length <= (shape.maxLength ?? Infinity) &&
        (shape.pattern === undefined || canTest(shape.pattern, value) && matchesPattern(shape.pattern, value)) &&
        shape.format === undefined;
    case "number":
      return isNumberOf(shape, value);
    case "boolean":
      return typeof value === "boolean";
    case "literal":
      return (shape as LiteralShape).values.includes(value as string);
    case "array":
      return Array.isArray(value) && value.every((item) => isOfShape(shape.items, item, schemas)) &&
        (shape.minItems ?? 0) <= value.length;
    case "union":
      return shape.members.some((member) => isOfShape(member, value, schemas));
    default:
      return false;
  }
}

function isNumberOf({ isInteger, ...shape }: NumberShape, value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && (!isInteger || Number.isSafeInteger(value)) &&
    value >= (shape.minimum ?? -Infinity) && value <= (shape.maximum ?? Infinity) &&
    value > (shape.exclusiveMinimum ?? -Infinity) && value < (shape.exclusiveMaximum ?? Infinity);
}
