/** The parts of form data that are no texts: files, and JSON. */
import { spend } from "../json_schema/steps.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { memberOf, type Part, toPart } from "./part.ts";
import type { Schemas } from "./schemas.ts";
import { type ObjectShape, placeKey, type Property, type Shape } from "./shape.ts";
import { describePlace, find } from "../openapi/operations.ts";
import type { Source } from "./source.ts";

/** Returns whether content of a media type is bytes, and no text. */
export function isBinaryType(type: string): boolean {
  const essence = mediaTypeEssence(type);
  return /^(?:image|audio|video|font|model|application)\//.test(essence) &&
    !/[/+](?:json|xml|yaml|x-yaml|javascript|csv|toml|sql|sdp|graphql|x-www-form-urlencoded)$/.test(essence);
}

/** Returns form data whose parts are files where their media types say so, in their encoding or their schema. */
export function withFiles(shape: ObjectShape, encoding: Part, source: Source): ObjectShape {
  return {
    ...shape,
    properties: shape.properties.map((property) => ({
      ...property,
      shape: toFile(property.shape, contentTypeOf(encoding, property.name), source),
    })),
  };
}

function toFile(shape: Shape, contentType: string | undefined, source: Source): Shape {
  if (shape.kind === "array") return { ...shape, items: toFile(shape.items, contentType, source) };
  if (shape.kind !== "unknown" && (shape.kind !== "string" || shape.format !== undefined)) return shape;
  const { [placeKey]: place } = shape;
  const schema = toPart(place && find(source, describePlace(place))?.value);
  const type = contentType ?? schema.contentMediaType;
  const isFile = typeof type === "string" && schema.contentEncoding === undefined &&
    type.split(",").every((each) => isBinaryType(each.trim()));
  if (!isFile) return shape;
  const { description, deprecated } = shape;
  return { kind: "file", description, deprecated, [placeKey]: place };
}

/** Returns whether a part of form data is JSON: because of its encoding or, without one, because it is an object. */
export function isJsonPart({ name, shape }: Property, encoding: Part, schemas: Schemas): boolean {
  const part = toPart(memberOf(encoding, name));
  const contentType = contentTypeOf(encoding, name);
  if (contentType !== undefined) return /[/+]json$/.test(mediaTypeEssence(contentType));
  return part.style === undefined && part.explode === undefined && isObject(shape, schemas);
}

/** Returns the type of JSON, in which bytes are text and no file. */
export function toJsonShape(shape: Shape): Shape {
  spend();
  switch (shape.kind) {
    case "file":
      return { ...shape, kind: "string" };
    case "array":
      return { ...shape, items: toJsonShape(shape.items) };
    case "union":
    case "intersection":
      return { ...shape, members: shape.members.map(toJsonShape) };
    case "object":
      return {
        ...shape,
        properties: shape.properties.map((each) => ({ ...each, shape: toJsonShape(each.shape) })),
      };
    default:
      return shape;
  }
}

function isObject(shape: Shape, schemas: Schemas): boolean {
  const target = schemas.resolve(shape);
  if (target?.kind === "intersection") return target.members.some((member) => isObject(member, schemas));
  if (target?.kind !== "union") return target?.kind === "object";
  const members = target.members.map((member) => schemas.resolve(member)).filter((member) => member?.kind !== "null");
  return members.length > 0 && members.every((member) => member?.kind === "object");
}

function contentTypeOf(encoding: Part, name: string): string | undefined {
  const { contentType } = toPart(memberOf(encoding, name));
  return typeof contentType === "string" ? contentType : undefined;
}
