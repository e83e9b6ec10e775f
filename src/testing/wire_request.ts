/** A request as plain data: what tests generate, send as often as they like, and show. */

/** A request as plain data. */
export interface WireRequest {
  /** The method. */
  readonly method: string;
  /** The path and the query as they stand in a URL. */
  readonly path: string;
  /** The header fields, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content; `undefined` for none. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** The names of header fields whose values are never shown. */
  readonly secrets: readonly string[];
}

/** The platform's request to the server at a URL, which has no slash at its end. */
export function toRequest({ method, path, headers, body }: WireRequest, baseUrl: string): Request {
  return new Request(`${baseUrl}${path}`, { method, headers, redirect: "manual", ...(body && { body }) });
}

/** A path without its query. */
export function pathOf(path: string): string {
  return path.split("?", 1)[0]!;
}

/** Whether a request changes nothing on the server (RFC 9110, section 9.2.1; RFC 10008 for QUERY). */
export function isSafe({ method }: WireRequest): boolean {
  return ["GET", "HEAD", "OPTIONS", "QUERY"].includes(method);
}

/** A request in one line: `PATCH /users/42 {"name":""}`. */
export function formatRequest({ method, path, body }: WireRequest): string {
  const content = body && body.length > 0 ? ` ${formatContent(body)}` : "";
  return `${method} ${cut(path)}${content}`;
}

const maxShown = 300;

function formatContent(body: Uint8Array): string {
  const text = body.length <= 4 * maxShown ? decodeStrictly(body) : undefined;
  return text === undefined
    ? `(${body.length} bytes)`
    : cut(JSON.stringify(text) === `"${text}"` ? text : escape(text));
}

/** Text in one line: line ends and control characters are written as JSON writes them. */
function escape(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => JSON.stringify(character).slice(1, -1));
}

function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text;
}

function decodeStrictly(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** The command that sends a request with curl, in a POSIX shell. Secrets are masked. */
export function formatCurl({ method, path, headers, body, secrets }: WireRequest, baseUrl: string): string {
  const fields = Object.entries(headers).map(([name, value]) =>
    `-H ${quote(`${name}: ${secrets.includes(name) ? "***" : value}`)}`
  );
  const isTyped = Object.hasOwn(headers, "content-type");
  const text = body && body.length <= 4 * maxShown && !body.includes(0) ? decodeStrictly(body) : undefined;
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

/** A command that writes bytes: the same one many times, or each of them. */
function printBytes(bytes: Uint8Array): string {
  const [first = 0] = bytes;
  if (bytes.length > maxShown && bytes.every((byte) => byte === first)) {
    return `head -c ${bytes.length} /dev/zero | tr '\\0' '\\${octal(first)}'`;
  }
  return `printf '${Array.from(bytes, (byte) => `\\${octal(byte)}`).join("")}'`;
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3, "0");
}
