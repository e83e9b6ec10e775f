/** Plans the fields of forms: texts, files of form data, and JSON. */
import { spend } from "../json_schema/steps.ts";
import { describePlace, type DocumentPlace, findReferenced } from "../openapi/operations.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import {
  formOf,
  hasKnownStyle,
  isExploded,
  isStyle,
  toListModel,
  toStyled,
  withNamedDefault,
  withoutIdleDefault,
  withoutParts,
} from "./fields.ts";
import { isBinaryType, isJsonType } from "./media_types.ts";
import { isPart, ownMember, type Part, toObject, toPart } from "../openapi/part.ts";
import type { BodyPlan, DocumentReader } from "./plan.ts";
import { joinPlanned, type Planned, toPlanned } from "./planned.ts";
import type { Schemas } from "./schemas.ts";
import { mapInner, type Model, type ObjectModel, placeKey, type Property, withNotes } from "./model.ts";
import type { Source } from "./source.ts";
import { isOfModel, isSameType, toOneObject, toOneText, toTextModel, withoutDefault } from "./text_model.ts";

/** The content of a form. */
interface FormContent {
  readonly kind: "form" | "formData";
  readonly model: Model;
  /** How its fields are encoded, by name. */
  readonly encoding: Part;
  /** The place of its schema. */
  readonly place: DocumentPlace;
}

/** Plans a request body that is a form. */
export function planForm(
  { kind, model, encoding, place }: FormContent,
  { schemas, reporter, source }: DocumentReader,
): Planned<Omit<BodyPlan, "isOptional" | "maxBytes">> {
  const hasFiles = kind === "formData";
  const object = toOneObject(model, schemas);
  const raw = object && hasFiles ? withFiles(object, encoding, source) : object;
  if (raw && schemas.resolve(model)?.kind === "union") {
    reporter.add("unchecked", place, "which fields of a form belong together");
  }
  const isJson = (property: Property) =>
    hasFiles ? isJsonPart(property, encoding, schemas) : isJsonField(property, encoding);
  const json = raw?.properties.filter(isJson) ?? [];
  const texts = json.length > 0
    ? { ...raw!, properties: raw!.properties.filter((property) => !json.includes(property)) }
    : raw ?? model;
  const target = schemas.resolve(toTextModel(texts, { schemas, hasFiles }));
  if (target?.kind !== "object") {
    const open = { kind: "object", properties: [], others: "open" } as const;
    return toPlanned({ kind, contentType: undefined, model: open }, "the fields of the form are not declared");
  }
  const styles = hasFiles ? explicitStyles(encoding) : encoding;
  const fields = joinPlanned(target.properties.map((each) => planField(each, ownMember(styles, each.name), schemas)));
  const parts = json.map((each): Property => ({
    ...each,
    model: withoutDefault(toJsonModel(each.model)),
    style: "json",
  }));
  const { planned: properties, changes } = withoutParts(toPlanned([...fields.planned, ...parts], ...fields.changes));
  const others = typeof target.others === "object" ? "open" : target.others;
  return toPlanned({ kind, contentType: undefined, model: { ...target, others, properties } }, ...changes);
}

/** Plans a field that is not JSON. An object is any text. */
function planField(property: Property, encoding: unknown, schemas: Schemas): Planned<readonly Property[]> {
  const { name, model } = property;
  if (isPart(encoding) && !hasKnownStyle(encoding)) {
    const text: Model = withNotes({ kind: "string" }, model);
    const lost = `the field ${name} of the form is one text, in the style ${encoding.style}`;
    return toPlanned([{ ...property, model: text }], lost);
  }
  const { planned: own, changes } = isPart(encoding) && !isExploded(encoding)
    ? toListModel(model, `field ${name} of the form`, schemas)
    : toPlanned(model);
  const target = schemas.resolve(own);
  const form = isPart(encoding) && !hasFile(target, schemas)
    ? formOf({ part: encoding, content: undefined }, target, schemas)
    : undefined;
  if (isStyle(form)) {
    return toPlanned([{ ...property, model: toStyled(own, form, schemas), style: form }], ...changes);
  }
  const field = toField(model, schemas);
  const told = isSameType(field, model) || isSameType(field, target) ? [] : [`the field ${name} of the form is text`];
  const filled = withNamedDefault(field, schemas);
  const isWrong = filled.default !== undefined && !isOfModel(filled, filled.default, schemas);
  const planned = withoutIdleDefault({ ...property, model: isWrong ? withoutDefault(filled) : filled });
  return toPlanned([planned], ...changes, ...told);
}

function toField(model: Model, schemas: Schemas): Model {
  const target = schemas.resolve(model);
  if (hasFile(target, schemas)) return model;
  return toOneText(target?.kind === "array" || target?.kind === "object" ? target : model, schemas, true);
}

function hasFile(target: Model | undefined, schemas: Schemas): boolean {
  return target?.kind === "file" || (target?.kind === "array" && schemas.resolve(target.items)?.kind === "file");
}

/**
 * Returns the encodings of multipart fields that have a style. The others have a media type, and no style by default.
 */
function explicitStyles(encoding: Part): Part {
  return toObject(
    Object.entries(encoding).filter(([, part]) =>
      toPart(part).style !== undefined || toPart(part).explode !== undefined
    ),
  );
}

/** Returns form data whose parts are files where their media types say so, in their encoding or their schema. */
function withFiles(model: ObjectModel, encoding: Part, source: Source): ObjectModel {
  const toProperty = (property: Property): Property => {
    const { contentType } = toPart(ownMember(encoding, property.name));
    return { ...property, model: toFile(property.model, contentType, source) };
  };
  return { ...model, properties: model.properties.map(toProperty) };
}

function toFile(model: Model, contentType: unknown, source: Source): Model {
  if (model.kind === "array") return { ...model, items: toFile(model.items, contentType, source) };
  if (model.kind !== "unknown" && (model.kind !== "string" || model.format !== undefined)) return model;
  const { [placeKey]: place, description, deprecated } = model;
  const schema = toPart(place && findReferenced(source, describePlace(place))?.value);
  const type = typeof contentType === "string" ? contentType : schema.contentMediaType;
  const isFile = typeof type === "string" && schema.contentEncoding === undefined &&
    type.split(",").every((each) => isBinaryType(each.trim()));
  return isFile ? { kind: "file", description, deprecated, [placeKey]: place } : model;
}

/** Returns whether the encoding of a form says that a field is JSON. */
function isJsonField({ name }: Property, encoding: Part): boolean {
  const { contentType } = toPart(ownMember(encoding, name));
  return typeof contentType === "string" && isJsonType(mediaTypeEssence(contentType));
}

/** Returns whether a part of form data is JSON: because of its encoding or, without one, because it is an object. */
function isJsonPart({ name, model }: Property, encoding: Part, schemas: Schemas): boolean {
  const { contentType, style, explode } = toPart(ownMember(encoding, name));
  if (typeof contentType === "string") return /[/+]json$/.test(mediaTypeEssence(contentType));
  return style === undefined && explode === undefined && isObjectOrNull(model, schemas);
}

function isObjectOrNull(model: Model, schemas: Schemas): boolean {
  const target = schemas.resolve(model);
  if (target?.kind === "intersection") return target.members.some((member) => isObjectOrNull(member, schemas));
  if (target?.kind !== "union") return target?.kind === "object";
  const members = target.members.map((member) => schemas.resolve(member)).filter((member) => member?.kind !== "null");
  return members.length > 0 && members.every((member) => member?.kind === "object");
}

/** Returns the type of JSON, in which bytes are text and no file. */
function toJsonModel(model: Model): Model {
  spend();
  return model.kind === "file" ? { ...model, kind: "string" } : mapInner(model, toJsonModel);
}
