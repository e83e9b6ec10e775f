/** Values that are text on the wire: parameters, headers and the fields of forms. */
import { spend } from "../json_schema/steps.ts";
import { fitsBounds } from "./overlap.ts";
import type { Schemas } from "./schemas.ts";
import { documentPlace } from "../openapi/operations.ts";
import { present } from "../openapi/part.ts";
import {
  innerModels,
  type LiteralModel,
  mapInner,
  type Model,
  type Notes,
  notesOf,
  type ObjectModel,
  placeKey,
  type Property,
  toUnion,
  withNotes,
} from "./model.ts";

/** What the fields of a form can be besides text. */
interface TextOptions {
  readonly schemas: Schemas;
  /** Whether a field may be a file. */
  readonly hasFiles: boolean;
}

/** Returns the type of a value that is text on the wire: numbers and booleans are converted, and `null` has no text. */
export function toTextModel(model: Model, options: TextOptions, seen: readonly string[] = []): Model {
  spend();
  const { description, deprecated, default: fallback, [placeKey]: place = documentPlace } = model;
  const notes = present({ description, deprecated, default: fallback, [placeKey]: place });
  switch (model.kind) {
    case "reference": {
      if (seen.includes(model.key)) {
        options.schemas.reporter.add("unchecked", place, "what a schema contains of itself, in text");
        return { kind: "unknown" };
      }
      const { model: target } = options.schemas.get(model.key);
      const written = toTextModel(target, options, [...seen, model.key]);
      return isSameType(written, target) ? model : { ...written, ...notes };
    }
    case "number":
    case "boolean":
      return { kind: "text", of: model, ...notes };
    case "literal":
      return toTextLiteral(model, notes);
    case "null":
      return { kind: "literal", values: [""], ...notes };
    case "file":
      return options.hasFiles ? model : { kind: "string", ...notes };
    case "tuple":
      options.schemas.reporter.add("unchecked", place, "prefixItems in text");
      return {
        kind: "array",
        items: toUnion(innerModels(model).map((each) => toTextModel(each, options, seen))),
      };
    case "union": {
      const members = model.members.filter(({ kind }) => kind !== "null").map((each) =>
        toTextModel(each, options, seen)
      );
      return toUnion(members.toSorted((one, other) => rank(one) - rank(other)), notes);
    }
    default:
      return mapInner(model, (each) => toTextModel(each, options, seen));
  }
}

/**
 * Returns an object as one with all properties that it may have: of a choice of objects, those of each. `undefined` if
 * a value may be anything else.
 */
export function toOneObject(model: Model, schemas: Schemas, level = 0): ObjectModel | undefined {
  spend();
  const target = schemas.resolve(model);
  if (target?.kind === "object") return target;
  if (target?.kind !== "union" || level > mostChoices) return undefined;
  const members = target.members.filter(({ kind }) => kind !== "null");
  const objects = members.map((member) => toOneObject(member, schemas, level + 1)).filter((each) => each !== undefined);
  if (objects.length < members.length) return undefined;
  const names = [...new Set(objects.flatMap(({ properties }) => properties.map(({ name }) => name)))];
  const properties = names.map((name): Property => {
    const found = objects.flatMap((object) => object.properties.filter((property) => property.name === name));
    const isRequired = found.length === objects.length && found.every((property) => property.isRequired);
    return { name, model: toUnion(found.map((property) => property.model)), isRequired };
  });
  const isClosed = objects.every(({ others }) => others === "closed");
  const isOpen = objects.some(({ others }) => others === "open" || typeof others === "object");
  return { kind: "object", properties, others: isOpen ? "open" : isClosed ? "closed" : "ignored" };
}

/** The most levels of choices within each other. */
const mostChoices = 100;

/** Returns the texts of literals: numbers and booleans are converted, and texts are not. */
function toTextLiteral(model: LiteralModel, notes: Notes): Model {
  const texts = model.values.filter((value) => typeof value === "string");
  const others = model.values.filter((value) => typeof value !== "string");
  if (others.length === 0) return model;
  const converted: Model = { kind: "text", of: { ...model, values: others }, ...notes };
  return texts.length === 0 ? converted : toUnion([converted, { kind: "literal", values: texts }], notes);
}

/** Returns a type of one text; that of a list where one is possible. Objects and lists of lists have no text. */
export function toOneText(model: Model, schemas: Schemas, allowsList = false, seen: readonly Model[] = []): Model {
  spend();
  switch (model.kind) {
    case "reference": {
      const target = schemas.resolve(model);
      if (target === undefined || seen.includes(target)) return model;
      const text = toOneText(target, schemas, allowsList, [...seen, target]);
      return isSameType(text, target) ? model : withNotes(text, model);
    }
    case "union":
    case "intersection": {
      const members = model.members.map((member) => toOneText(member, schemas, allowsList, seen));
      if (isSameType(members, model.members)) return model;
      return model.kind === "union" ? toUnion(members, notesOf(model)) : { ...model, members };
    }
    case "string":
    case "text":
    case "literal":
    case "unknown":
    case "template":
    case "never":
      return model;
    case "array":
      if (allowsList) return { ...model, items: toOneText(model.items, schemas, false, seen) };
  }
  return { kind: "string", ...notesOf(model) };
}

/** Returns the type of a response's header: of a text, or of a number or boolean that is sent as text. */
export function toSentText(model: Model, schemas: Schemas): Model | undefined {
  const target = schemas.resolve(model);
  if (target === undefined) return undefined;
  const text = withoutDefault(target);
  switch (text.kind) {
    case "string":
      return text;
    case "literal":
      return toTextLiteral(text, notesOf(text));
    case "number":
    case "boolean":
      return { kind: "text", of: text };
  }
}

/** Texts that are numbers or booleans come before any text, which would accept them too. */
function rank({ kind }: Model): number {
  return kind === "text" ? 0 : kind === "literal" ? 1 : kind === "string" ? 3 : 2;
}

export function withoutDefault(model: Model): Model {
  const { default: _, ...rest } = model;
  return rest as Model; // only its default is gone
}

/** Tests whether two types are the same, with what is said about them. */
export function isSameType(one: unknown, other: unknown): boolean {
  const text = JSON.stringify(one);
  spend(text.length / 100);
  return text === JSON.stringify(other);
}

/** Returns whether a type is any text, without constraints. */
export function isAnyText(model: Model): boolean {
  return model.kind === "unknown" ||
    (model.kind === "string" &&
      Object.keys(model).every((name) => ["kind", "description", "deprecated"].includes(name)));
}

/** Returns whether a schema says no more than that content is text or bytes. */
export function isPlain(model: Model): boolean {
  return model.kind === "unknown" || model.kind === "file" || isAnyText(model);
}

/** Returns whether a default is a value of a type; a default of the wrong type would not compile. */
export function isOfModel(model: Model, value: unknown, schemas: Schemas): boolean {
  spend(1 / 10);
  switch (model.kind) {
    case "reference": {
      const target = schemas.resolve(model);
      return target !== undefined && isOfModel(target, value, schemas);
    }
    case "text":
      return isOfModel(model.of, value, schemas);
    case "string":
      return typeof value === "string" && model.format === undefined && fitsBounds(model, value);
    case "number":
      return Number.isFinite(value) && (!model.isInteger || Number.isSafeInteger(value)) &&
        fitsBounds(model, value as number);
    case "boolean":
      return typeof value === "boolean";
    case "literal":
      return (model as LiteralModel).values.includes(value as string);
    case "array":
      return Array.isArray(value) && value.every((item) => isOfModel(model.items, item, schemas)) &&
        (model.minItems ?? 0) <= value.length;
    case "union":
      return model.members.some((member) => isOfModel(member, value, schemas));
    default:
      return false;
  }
}
