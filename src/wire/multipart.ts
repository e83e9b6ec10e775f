/**
 * The parts of `multipart/form-data` (RFC 7578), named as browsers write them (HTML Standard, section 4.10.21.8). Own code,
 * because a platform's parser may pass over a part that is cut off, and take a file's name for further parameters: Deno's
 * reads the file name `a; name=b` as another field's.
 */

/** One field: a text, or a file where the part has a file name. */
export type Part = readonly [name: string, value: string | File];

/** The parts in their order; throws a `SyntaxError` where the content is malformed or cut off. */
export function parseMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string): Part[] {
  const delimiter = toBytes(`\r\n--${boundaryOf(contentType)}`);
  const parts: Part[] = [];
  let end = matches(bytes, delimiter.subarray(2), 0) ? -2 : find(bytes, delimiter, 0);
  while (end !== -1) {
    const line = end + delimiter.length;
    if (bytes[line] === dash && bytes[line + 1] === dash) return parts;
    const headStart = skipPadding(bytes, line);
    const headEnd = matches(bytes, newline, headStart) ? find(bytes, emptyLine, headStart) : -1;
    if (headEnd === -1) break;
    const start = headEnd + emptyLine.length;
    end = find(bytes, delimiter, start);
    if (end === -1) break;
    parts.push(toPart(decode(bytes.subarray(headStart + newline.length, headEnd)), bytes.subarray(start, end)));
  }
  return malformed("it is cut off, or has no part where one belongs");
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

/** The boundary (RFC 2046, section 5.1.1), which separates the parts. */
function boundaryOf(contentType: string): string {
  const semicolon = contentType.indexOf(";");
  const boundary = semicolon === -1 ? "" : parseParameters(contentType.slice(semicolon)).get("boundary") ?? "";
  return /^[ -~]{1,70}$/.test(boundary) ? boundary : malformed("its content type has no boundary");
}

/** Where `pattern` begins, from `from` on, or -1. It begins with CR, of which most content has few. */
function find(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  let at = bytes.indexOf(pattern[0]!, from);
  while (at !== -1 && !matches(bytes, pattern, at)) at = bytes.indexOf(pattern[0]!, at + 1);
  return at;
}

function matches(bytes: Uint8Array, pattern: Uint8Array, at: number): boolean {
  for (let index = 0; index < pattern.length; index++) if (bytes[at + index] !== pattern[index]) return false;
  return true;
}

/** Past the white space that may follow a boundary. */
function skipPadding(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
  return at;
}

function toPart(head: string, content: Uint8Array<ArrayBuffer>): Part {
  const headers = parseHead(head);
  const disposition = /^form-data(?=[\s;])/i.exec(headers.get("content-disposition") ?? "");
  if (!disposition) malformed("a part is no field of a form");
  const parameters = parseParameters(disposition.input.slice("form-data".length));
  const name = parameters.get("name") ?? malformed("a field has no name");
  const fileName = parameters.get("filename");
  if (fileName === undefined) return [unescape(name), decode(content)];
  const type = headers.get("content-type") ?? "text/plain";
  return [unescape(name), new File([content], unescape(fileName), { type })];
}

/** The header fields of a part, by lower-case name. */
function parseHead(head: string): Map<string, string> {
  return toMap(
    head.split("\r\n").map((line) => {
      const [, name, value] = /^([^\s:]+):([^\r\n]*)$/.exec(line) ?? malformed("a part's head is no header fields");
      return [name!, value!.trim()] as const;
    }),
  );
}

/** `; name=value; name="value"`, by lower-case name. A backslash stands for itself, as browsers write it. */
function parseParameters(text: string): Map<string, string> {
  const parameter = /[ \t]*;[ \t]*([^\s;="]+)=(?:"([^"]*)"|([^\s;"]+))[ \t]*/y;
  const pairs: (readonly [string, string])[] = [];
  while (parameter.lastIndex < text.length) {
    const [, name, quoted, token] = parameter.exec(text) ?? malformed("a parameter is malformed");
    pairs.push([name!, quoted ?? token!]);
  }
  return toMap(pairs);
}

/** Values by name in lower case; a name that occurs twice is refused, for whoever reads the other value sees another form. */
function toMap(pairs: readonly (readonly [name: string, value: string])[]): Map<string, string> {
  const map = new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  return map.size === pairs.length ? map : malformed("a name stands twice");
}

/** What browsers escape in names: quotation marks and newlines. */
function unescape(name: string): string {
  return name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
