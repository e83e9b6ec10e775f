/** How documents write the fields of parameters, headers and forms, and which of the forms contracts have. */
import type { Json } from "../json_schema/json.ts";
import { spend } from "../json_schema/steps.ts";
import { type FieldStyle, ownerOf } from "../../wire/field_styles.ts";
import { type Part, present, toText } from "../openapi/part.ts";
import { joinPlanned, type Planned, toPlanned } from "./planned.ts";
import type { Field } from "./read_operation.ts";
import type { Schemas } from "./schemas.ts";
import {
  type Model,
  modelAlternatives,
  notesOf,
  type ObjectModel,
  type Property,
  toUnion,
  withNotes,
} from "./model.ts";
import { isSameType, toOneText, withoutDefault } from "./text_model.ts";

/**
 * Returns how a query parameter or the field of a form is written: as one with its name (`undefined`), in a style, as
 * one for each property, or as one text, with what it consists of.
 */
export function formOf(
  { part, content }: Pick<Field, "part" | "content">,
  model: Model | undefined,
  schemas: Schemas,
): string | undefined {
  const { style = "form" } = part;
  if (content) return `of type ${content.type}`;
  if (!hasKnownStyle(part)) return `in the style ${style}`;
  if (model?.kind === "object") {
    if (style === "deepObject") return isExploded(part) ? "deepObject" : "in a form that no standard defines";
    return style === "form" && isExploded(part) ? "properties" : "names and values separated by commas";
  }
  if (hasObject(model, schemas)) return "an object of several types";
  if (model?.kind !== "array" || isExploded(part)) return undefined;
  if (style === "pipeDelimited") return "pipe";
  return style === "spaceDelimited" ? "space" : "comma";
}

/** Tests whether a form is the style of a field of contracts. */
export function isStyle(form: string | undefined): form is FieldStyle {
  return form === "comma" || form === "pipe" || form === "space" || form === "deepObject";
}

/** Tests whether a field has a style of OpenAPI, or none. */
export function hasKnownStyle({ style = "form" }: Part): boolean {
  return ["form", "spaceDelimited", "pipeDelimited", "deepObject"].includes(String(style));
}

/** Tests whether a field is written once for each item. */
export function isExploded({ style = "form", explode }: Part): boolean {
  return typeof explode === "boolean" ? explode : style === "form" || style === "deepObject";
}

/**
 * Returns a list for a type that is a list or one text, because a field with separators is read as a list: a text is
 * a list of one. Returns any other type as it is.
 */
export function toListModel(model: Model, what: string, schemas: Schemas): Planned<Model> {
  const isChoice = schemas.resolve(model)?.kind === "union";
  const members = isChoice ? [...modelAlternatives(model, schemas.resolve)].filter((each) => each !== undefined) : [];
  const isList = members.some((member) => member.kind === "array") && !hasObject(model, schemas);
  if (!isList) return toPlanned(model);
  const items = members.map((member) => toOneText(member.kind === "array" ? member.items : member, schemas));
  const list: Model = {
    kind: "array",
    items: toUnion(items),
    ...notesOf(model),
    ...(model.default !== undefined && { default: [model.default].flat() as Json }),
  };
  return toPlanned(list, `the ${what} is a list, also of one text`);
}

/** Plans a field in the style `simple`: a list with commas, or one text. */
export function planSimple(
  read: Model,
  what: string,
  schemas: Schemas,
): Planned<Pick<Property, "model" | "style">> {
  const { planned: model, changes } = toListModel(read, what, schemas);
  if (schemas.resolve(model)?.kind === "array") {
    return toPlanned({ model: toStyled(model, "comma", schemas), style: "comma" }, ...changes);
  }
  const text = toOneText(model, schemas);
  return toPlanned({ model: text }, ...changes, ...(isSameType(text, model) ? [] : [`the ${what} is one text`]));
}

/** The most levels of an object in one field. */
const mostDepth = 4;

/** Returns the type of a field with a style: a list of texts, or an object of them. */
export function toStyled(model: Model, style: FieldStyle, schemas: Schemas, depth = 0): Model {
  const target = schemas.resolve(model);
  if (style !== "deepObject" || target?.kind !== "object" || depth > mostDepth) {
    const own = style !== "deepObject" && target ? withNotes(target, model) : model;
    return toOneText(own, schemas, true);
  }
  const below = (each: Model): Model => toStyled(each, style, schemas, depth + 1);
  return {
    ...withNotes(target, model),
    properties: target.properties.map((property) => ({ ...property, model: below(property.model) })),
    others: typeof target.others === "object" ? below(target.others) : target.others,
  };
}

/** The longest name of a parameter that is read as an object; objects may refer to themselves. */
const mostPrefix = 60;

/** Returns the properties of an object as parameters of their own: `name` or `filter[name]`. */
export function spread(
  { properties, others }: ObjectModel,
  isRequired: boolean,
  schemas: Schemas,
  prefix = "",
): Planned<readonly Property[]> {
  const isOpen = typeof others === "object" || (others === "open" && properties.length === 0);
  const parts = properties.map((property): Planned<readonly Property[]> => {
    spend();
    const name = prefix === "" ? property.name : `${prefix}[${property.name}]`;
    const target = schemas.resolve(property.model);
    const isNeeded = isRequired && property.isRequired;
    if (target?.kind === "object" && prefix.length < mostPrefix) return spread(target, isNeeded, schemas, name);
    return toPlanned([{ name, model: toOneText(property.model, schemas, true), isRequired: isNeeded }]);
  });
  const { planned, changes } = joinPlanned(parts);
  const lost = isOpen ? [`other parameters of ${prefix || "the query"} are not declared`] : [];
  return toPlanned(planned, ...lost, ...changes);
}

function hasObject(model: Model | undefined, schemas: Schemas): boolean {
  return model !== undefined &&
    [...modelAlternatives(model, schemas.resolve)].some((each) =>
      each?.kind === "object" ||
      (each?.kind === "intersection" && each.members.some((part) => hasObject(part, schemas)))
    );
}

/** Leaves out fields that would be read as parts of others: `filter[name]` beside a `deepObject` named `filter`. */
export function withoutParts({ planned, changes }: Planned<readonly Property[]>): Planned<readonly Property[]> {
  const styles = Object.fromEntries(planned.map(({ name, style }) => [name, style]));
  const owned = planned.map((property) => [property, ownerOf(property.name, styles)] as const);
  return toPlanned(
    owned.filter(([, owner]) => owner === undefined).map(([property]) => property),
    ...changes,
    ...owned.filter(([, owner]) => owner !== undefined).map(([{ name }, owner]) =>
      `the field ${name} is not declared, because it would be a part of ${owner}`
    ),
  );
}

/** Removes the default of a required property, which fills nothing in. */
export function withoutIdleDefault(property: Property): Property {
  return property.isRequired ? { ...property, model: withoutDefault(property.model) } : property;
}

/** Returns a reference with the default of its schema. Schemas only describe theirs, but a field fills it in. */
export function withNamedDefault(model: Model, schemas: Schemas): Model {
  const fallback = model.kind === "reference" ? schemas.resolve(model)?.default : undefined;
  return fallback === undefined ? model : { ...model, default: model.default ?? fallback };
}

/** Returns a type with what its field says about it. */
export function withNotesOf(model: Model, { description, deprecated }: Part): Model {
  return { ...model, ...present({ description: toText(description), deprecated: deprecated === true || undefined }) };
}
