/**
 * The parts of `multipart/form-data` (RFC 7578), named as browsers do (HTML Standard, section 4.10.21.8).
 *
 * The platforms' parsers are not used because they differ. Deno's drops a part that is cut off, and reads the file name
 * `a; name=b` as the name of another field. Content that parsers read differently is rejected.
 */
import { tokenPattern } from "./headers.ts";
import { isUtf8, normalizeMediaType } from "./media_type.ts";
import { decodeText } from "./read_bytes.ts";

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
    const from = end + delimiter.length;
    if (matches(bytes, dashes, from)) {
      const isAlone = /^--[ \t]*(?:\r\n|$)/.test(decodeText(bytes.subarray(from)));
      return isAlone ? parts : malformed("a boundary is not alone on its line");
    }
    const headEnd = find(bytes, emptyLine, from);
    if (headEnd === -1) break;
    const start = headEnd + emptyLine.length;
    end = find(bytes, delimiter, start);
    if (end === -1) break;
    const part = toPart(decodeText(bytes.subarray(from, headEnd)), bytes.subarray(start, end));
    if (typeof part[1] !== "string" && ++files > maxFiles) {
      throw new TooManyFilesError(`The form has more than ${maxFiles} files`);
    }
    parts.push(part);
  }
  return malformed("it is incomplete, or lacks its boundary");
}

const dashes = /* @__PURE__ */ toBytes("--");
const emptyLine = /* @__PURE__ */ toBytes("\r\n\r\n");

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function malformed(state: string): never {
  throw new SyntaxError(`Cannot read form data: ${state}`);
}

/** Returns the boundary, which separates the parts (RFC 2046, section 5.1.1). */
function boundaryOf(contentType: string): string {
  const boundary = parseParameters(contentType.replace(/^[^;]*/, ""), true).get("boundary") ?? "";
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

/** Returns a part. Its head begins after its boundary. */
function toPart(head: string, content: Uint8Array<ArrayBuffer>): FormPart {
  const { disposition = "", type = "text/plain" } = parseHead(head);
  const [, listed] = formDisposition.exec(disposition) ?? malformed("a part is not a field of a form");
  const parameters = parseParameters(listed!);
  const name = parameters.get("name") ?? malformed("a field lacks a name");
  const fileName = fileNameOf(parameters);
  if (fileName !== undefined) return [name, createFile(content, fileName, normalizeMediaType(type))];
  const text = decodeText(content);
  if (!isUtf8(type) && !/^[\t\r\n -~]*$/.test(text)) malformed("a field has another charset than UTF-8");
  return [name, text];
}

const formDisposition = /^[ \t]*form-data(?![^ \t;])(.*)/is;

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
  return name !== "" && extended.length === 1 && isSame ? name : malformed("a file has two names");
}

/** Decodes a name. Empty if it is malformed. */
function decodeFileName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Returns the headers of a part that matter (RFC 7578, section 4.8). Each may occur once. */
function parseHead(head: string): { readonly disposition?: string; readonly type?: string } {
  const [padding, ...lines] = head.split("\r\n");
  if (/[^ \t]/.test(padding!)) malformed("a boundary is not alone on its line");
  const fields: { disposition?: string; type?: string } = {};
  for (const line of lines) {
    const [, kind, value] = headerField.exec(line) ?? malformed("a part has a line that is not a header field");
    if (kind === undefined) continue;
    const member = kind.toLowerCase() as keyof typeof fields; // one of the two that it matches
    if (fields[member] !== undefined) malformed(`a part has two content-${member} fields`);
    fields[member] = value!;
  }
  return fields;
}

/** A name and a value, with the spaces before it: two loops over the same ones would take quadratic time. */
const headerField = /* @__PURE__ */ tokenPattern(
  (token) => `^(?:content-(disposition|type)|${token}):([^\\0\\r\\n]*)$`,
  "i",
);

/**
 * `; name=value; name="value"`, by lowercase name. A backslash is literal, as browsers write it. A quotation mark after
 * a backslash is part of the value (`"a\"b"`) unless the value ends there, as in browsers' `"a\"`. A content type may have
 * empty parameters: `; boundary=b;` (RFC 9110, section 5.6.6).
 */
function parseParameters(text: string, mayBeEmpty = false): Map<string, string> {
  const parameter = /[ \t]*;[ \t]*(?:([^\s;="]+)=(?:"([^"]*(?:(?<=\\)"(?![ \t]*(?:;|$))[^"]*)*)"|([^\s;"]+))[ \t]*)?/y;
  const parameters = new Map<string, string>();
  while (parameter.lastIndex < text.length) {
    const [, name, quoted, token] = parameter.exec(text) ?? malformed("a parameter is malformed");
    if (name === undefined && mayBeEmpty) continue;
    if (name === undefined) malformed("a parameter is empty");
    const key = name.toLowerCase();
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
