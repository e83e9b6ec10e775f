/** Requests as plain data, which tests generate, send several times and print. */
import type { JsonObject } from "../json_schema/json.ts";
import { toOneLine } from "../../messages.ts";

export interface WireRequest {
  readonly method: string;
  /** The path and the query, as in a URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The content; `undefined` if there is none. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** The names of header fields whose values must not be shown. */
  readonly secrets: readonly string[];
  /** The names of the schemes that sign its content when it is sent. */
  readonly signedBy?: readonly string[];
}

/** Returns the platform's request for a server. `baseUrl` must not end with a slash. */
export function toRequest(
  { method, path, headers, body }: WireRequest,
  baseUrl: string,
  signal: AbortSignal | null = null,
): Request {
  return new Request(`${baseUrl}${path}`, { method, headers, signal, redirect: "manual", ...(body && { body }) });
}

export function pathOf(path: string): string {
  return path.replace(/\?.*$/s, "");
}

/** Returns the characters of a path and the bytes of the content. */
export function sizeOf({ path, body }: WireRequest): number {
  return path.length + (body?.length ?? 0);
}

/** Returns the value of a body that is JSON; `undefined` for any other. */
export function parseBody(body: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Formats a request in one line: `PATCH /users/42 {"name":""}`. */
export function formatRequest({ method, path, body }: WireRequest, show: (text: string) => string): string {
  const start = `${method} ${show(path)}`;
  if (!body || body.length === 0) return start;
  const text = decodeShort(body);
  return `${start} ${text === undefined ? `(${body.length} bytes)` : show(text)}`;
}

/** The most bytes of content that are shown as text, and the most that a command contains one by one. */
const maxShown = 1_200;

function decodeShort(body: Uint8Array): string | undefined {
  try {
    return body.length <= maxShown
      ? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the curl command that sends a request, for a POSIX shell. Secrets are masked. */
export function formatCurl({ method, path, headers, body, secrets }: WireRequest, baseUrl: string): string {
  const fields = Object.entries(headers).map(([name, value]) =>
    `-H ${quote(`${name}: ${secrets.includes(name) ? "***" : value}`)}`
  );
  const isTyped = Object.hasOwn(headers, "content-type");
  const decoded = body && decodeShort(body);
  const text = decoded !== undefined && toOneLine(decoded) === decoded ? decoded : undefined; // a terminal shows it as it is
  const content = text !== undefined ? [`--data-raw ${quote(text)}`] : body ? ["--data-binary @-"] : [];
  const options = [
    ...(method === "HEAD" ? ["-I"] : method === "GET" ? [] : [`-X ${method}`]),
    ...fields,
    ...(body && !isTyped ? ["-H 'content-type:'"] : []),
    ...content,
  ];
  const command = `curl ${quote(`${baseUrl}${path}`)} ${options.join(" ")}`.trimEnd();
  return body && text === undefined ? `${printBytes(body)} | ${command}` : command;
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a command that writes bytes: one byte many times, or each byte. Reads a file if there are too many. */
function printBytes(bytes: Uint8Array): string {
  const [first = 0] = bytes;
  if (bytes.length > 300 && bytes.every((byte) => byte === first)) {
    return `head -c ${bytes.length} /dev/zero | tr '\\0' '\\${octal(first)}'`;
  }
  if (bytes.length > maxShown) return `cat ${bytes.length}-bytes.bin`;
  return `printf '${Array.from(bytes, (byte) => `\\${octal(byte)}`).join("")}'`;
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3, "0");
}

export interface WireSlots {
  readonly params: JsonObject;
  /** The query. A name that occurs several times has a list. */
  readonly query: JsonObject;
  readonly headers: JsonObject;
  /** The body as its representation encodes it, mostly JSON; `undefined` if there is none. */
  readonly body: unknown;
  /** The stated content type, for a body that may have one of several. */
  readonly contentType: string | undefined;
}

export type WireFields = Readonly<Record<string, unknown>>;

export function wireFields(value: unknown): WireFields {
  return Object(value);
}

/** Returns the texts of a wire value in a path, a query, a header field or a form; `undefined` if it has none. */
export function toWireTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return value.isWellFormed() ? [value] : undefined;
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((item) => Array.isArray(item) ? undefined : toWireTexts(item)?.[0]);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
