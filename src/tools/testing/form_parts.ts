/** The parts of form data (RFC 7578): texts, and files whose types and lengths follow from the schema. */
import type { LocatedSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { fitsText } from "../json_schema/sample_string.ts";
import { memberSchemas, type Shape, type StringShape } from "../json_schema/shapes.ts";
import { toWireTexts } from "./wire_request.ts";

/** Returns the parts of a field: texts and files; `undefined` if a form cannot carry the value. */
export function toParts(
  value: unknown,
  schema: LocatedSchema | undefined,
  name: string,
): readonly (string | File)[] | undefined {
  const files = fileShapes(schema, name);
  const parts = [value].flat().map((item) => {
    if (item instanceof File) return item;
    if (item instanceof Blob) return new File([item], "blob", { type: item.type });
    const text = Array.isArray(item) ? undefined : toWireTexts(item)?.[0];
    return text !== undefined && files.length > 0 ? toFile(text, files) : text;
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

export function isFile(schema: LocatedSchema | undefined, name: string): boolean {
  return fileShapes(schema, name).length > 0;
}

function fileShapes(schema: LocatedSchema | undefined, name: string): StringShape[] {
  if (schema === undefined) return [];
  return normalize([schema]).flatMap((shape) => shape.type === "object" ? memberSchemas(shape, name) : [])
    .flatMap((member) => normalize([member]).flatMap(filesIn));
}

function filesIn(shape: Shape): StringShape[] {
  if (shape.type === "string") return isFileShape(shape) ? [shape] : [];
  if (shape.type !== "array") return [];
  return shape.items.flatMap(({ prefix, rest }) => [...prefix, ...rest ? [rest] : []])
    .flatMap((item) => normalize([item]).flatMap(filesIn));
}

/** Tests whether a shape describes the bytes of a file: by its format, or by a media type without another encoding. */
export function isFileShape(shape: Shape): boolean {
  if (shape.type !== "string") return false;
  const encodings = shape.sources.flatMap(({ contentEncoding }) => contentEncoding ?? []);
  return shape.formats.includes("binary") || encodings.includes("binary") ||
    (encodings.length === 0 && mediaTypesOf(shape).length > 0);
}

function mediaTypesOf({ sources }: Shape): string[] {
  return sources.flatMap(({ contentMediaType }) => typeof contentMediaType === "string" ? [contentMediaType] : []);
}

/** Returns a file with one byte for each character, so that limits apply to both. Its length chooses its type. */
function toFile(text: string, shapes: readonly StringShape[]): File {
  const bytes = Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const fitting = shapes.filter((shape) => fitsText(shape, text));
  const types = [...new Set((fitting.length > 0 ? fitting : shapes).flatMap(mediaTypesOf))].map(toMediaType);
  const type = types[bytes.length % types.length] ?? "text/plain";
  return new File([bytes], `file.${/\/(\w+)/.exec(type)?.[1]?.replace("plain", "txt") ?? "bin"}`, { type });
}

export function toMediaType(range: string): string {
  if (range === "*/*") return "application/octet-stream";
  return range.replace("*", range.startsWith("text/") ? "plain" : range.startsWith("image/") ? "png" : "x-any");
}

/** The boundary between the parts. It is always the same, as the same seed sends the same bytes. */
export const boundary = "------contract-tests";

/** Encodes form data. Throws a `TypeError` for a name that no part can have. */
export function encodeParts(fields: Readonly<Record<string, unknown>>, schema: LocatedSchema | undefined): Blob {
  const pieces = Object.entries(fields).flatMap(([name, value]) => {
    if (/["\r\n\0]/.test(name)) throw new TypeError("a name that no part can have");
    return (toParts(value, schema, name) ?? []).flatMap((part) => [
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${describeFile(part)}\r\n\r\n`,
      part,
      "\r\n",
    ]);
  });
  return new Blob([...pieces, `--${boundary}--\r\n`]);
}

function describeFile(part: string | File): string {
  if (typeof part === "string") return "";
  const name = part.name.replaceAll(/["\r\n]/g, encodeURIComponent);
  return `; filename="${name}"\r\ncontent-type: ${part.type || "application/octet-stream"}`;
}
