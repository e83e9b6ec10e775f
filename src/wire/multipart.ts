/**
 * The parts of `multipart/form-data` (RFC 7578), named as browsers do (HTML Standard, section 4.10.21.8).
 *
 * The platforms' parsers are not used because they differ. Deno's drops a part that is cut off, and reads the file name
 * `a; name=b` as the name of another field. Content that parsers read differently is rejected.
 */
import { tokenPattern } from "./headers.ts";
import { isUtf8, normalizeMediaType } from "./media_type.ts";

/** One field: a text, or a file if the part has a file name. */
export type FormPart = readonly [name: string, value: string | File];

/** The most files of a form. Creating one takes up to 60 µs and 2 KiB, whatever its size. */
const maxFiles = 1_000;

/** Form data has more files than a server reads. */
export class TooManyFilesError extends RangeError {}

/**
 * Returns the parts, in order. Throws a `SyntaxError` if the content is malformed or cut off, and a
 * {@linkcode TooManyFilesError} if it has more than 1,000 files.
 */
export function parseMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string): FormPart[] {
  const delimiter = toBytes(`\r\n--${boundaryOf(contentType)}`);
  const parts: FormPart[] = [];
  let files = 0;
  let end = matches(bytes, delimiter.subarray(2), 0) ? -2 : find(bytes, delimiter, 0);
  while (end !== -1) {
    const line = end + delimiter.length;
    const isLast = bytes[line] === dash && bytes[line + 1] === dash;
    const lineEnd = skipPadding(bytes, isLast ? line + 2 : line);
    if (isLast && lineEnd === bytes.length) return parts;
    if (!matches(bytes, newline, lineEnd)) malformed("a boundary is not alone on its line");
    if (isLast) return parts;
    const headEnd = find(bytes, emptyLine, lineEnd);
    if (headEnd === -1) break;
    const start = headEnd + emptyLine.length;
    end = find(bytes, delimiter, start);
    if (end === -1) break;
    const part = toPart(decodeUtf8(bytes.subarray(lineEnd + newline.length, headEnd)), bytes.subarray(start, end));
    if (typeof part[1] !== "string" && ++files > maxFiles) {
      throw new TooManyFilesError(`The form has more than ${maxFiles} files`);
    }
    parts.push(part);
  }
  return malformed("it is incomplete, or lacks its boundary");
}

const dash = 0x2d;
const newline = /* @__PURE__ */ toBytes("\r\n");
const emptyLine = /* @__PURE__ */ toBytes("\r\n\r\n");

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function malformed(state: string): never {
  throw new SyntaxError(`Cannot read form data: ${state}`);
}

/** Returns the boundary, which separates the parts (RFC 2046, section 5.1.1). */
function boundaryOf(contentType: string): string {
  const semicolon = contentType.indexOf(";");
  const boundary = semicolon === -1 ? "" : parseParameters(contentType.slice(semicolon)).get("boundary") ?? "";
  return /^[ -~]{1,70}$/.test(boundary) ? boundary : malformed("its content type lacks a valid boundary");
}

/** Returns the index of `pattern` from `from` on, or -1. The pattern begins with CR, which is rare in most content. */
function find(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  let at = bytes.indexOf(pattern[0]!, from);
  while (at !== -1 && !matches(bytes, pattern, at)) at = bytes.indexOf(pattern[0]!, at + 1);
  return at;
}

function matches(bytes: Uint8Array, pattern: Uint8Array, at: number): boolean {
  for (let index = 0; index < pattern.length; index++) if (bytes[at + index] !== pattern[index]) return false;
  return true;
}

function skipPadding(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
  return at;
}

function toPart(head: string, content: Uint8Array<ArrayBuffer>): FormPart {
  const { disposition = "", type = "text/plain" } = parseHead(head);
  if (!/^form-data(?![^ \t;])/i.test(disposition)) malformed("a part is not a field of a form");
  const parameters = parseParameters(disposition.slice("form-data".length));
  const name = parameters.get("name") ?? malformed("a field lacks a name");
  const fileName = fileNameOf(parameters);
  if (fileName !== undefined) return [name, createFile(content, fileName, normalizeMediaType(type))];
  const text = decodeUtf8(content);
  if (!isUtf8(type) && !/^[\t\r\n -~]*$/.test(text)) malformed("a field has another charset than UTF-8");
  return [name, text];
}

/**
 * Returns the name of a file. RFC 7578, section 4.2, forbids senders `filename*`, and RFC 6266, section 4.3, prefers it to
 * a plain name. Some clients send both. They must name the same file, because readers choose differently: the plain name
 * is the other one as it is, percent-encoded, or an encoded word (RFC 2047), which only `filename*` is read for.
 */
function fileNameOf(parameters: ReadonlyMap<string, string>): string | undefined {
  const plain = parameters.get("filename");
  const extended = [...parameters.keys()].filter((each) => each.startsWith("filename*"));
  if (extended.length === 0) return plain;
  if (plain === undefined) malformed("a file lacks a plain name");
  const [, encoded = ""] = /^utf-8'[\w-]*'(.+)$/i.exec(parameters.get("filename*") ?? "") ?? [];
  const name = decodeFileName(encoded);
  const isSame = plain === name || plain.toLowerCase() === encoded.toLowerCase() || /^=\?.*\?=$/s.test(plain);
  return name !== undefined && extended.length === 1 && isSame ? name : malformed("a file has two names");
}

function decodeFileName(text: string): string | undefined {
  try {
    return text === "" ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the headers of a part that matter (RFC 7578, section 4.8). Each may occur once. */
function parseHead(head: string): { readonly disposition?: string; readonly type?: string } {
  const fields: { disposition?: string; type?: string } = {};
  for (const line of head.split("\r\n")) {
    const [, name, value] = headerField.exec(line) ?? malformed("a part has a line that is not a header field");
    const member = name!.toLowerCase().slice("content-".length);
    if (!/^content-/i.test(name!) || (member !== "disposition" && member !== "type")) continue;
    if (fields[member] !== undefined) malformed(`a part has two content-${member} fields`);
    fields[member] = value!.replace(/^[ \t]+/, "");
  }
  return fields;
}

/** A name and a value. The spaces before the value belong to it, because two loops over the same ones would take quadratic time. */
const headerField = /* @__PURE__ */ tokenPattern((token) => `^(${token}):([^\\0\\r\\n]*)$`);

/**
 * `; name=value; name="value"`, by lowercase name. A backslash is literal, as browsers write it. A quotation mark after
 * a backslash is part of the value (`"a\"b"`) unless the value ends there, as in browsers' `"a\"`.
 */
function parseParameters(text: string): Map<string, string> {
  const parameter = /[ \t]*;[ \t]*([^\s;="]+)=(?:"([^"]*(?:(?<=\\)"(?![ \t]*(?:;|$))[^"]*)*)"|([^\s;"]+))[ \t]*/y;
  const parameters = new Map<string, string>();
  while (parameter.lastIndex < text.length) {
    const [, name, quoted, token] = parameter.exec(text) ?? malformed("a parameter is malformed");
    const key = name!.toLowerCase();
    if (parameters.has(key)) malformed("a parameter occurs twice");
    parameters.set(key, quoted?.replaceAll('\\"', '"') ?? token!);
  }
  return parameters;
}

/**
 * Returns a file with exactly that type. Bun changes some types, such as `text/plain` to `text/plain;charset=utf-8`.
 */
function createFile(content: Uint8Array<ArrayBuffer>, name: string, type: string): File {
  const file = new File([content], name, { type });
  return file.type === type ? file : Object.defineProperty(file, "type", { value: type });
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
