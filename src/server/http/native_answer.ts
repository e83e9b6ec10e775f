/** Native responses of the application: their headers are made to fit their bodies, and to be edited. */
import { cancelBody, isInMemory } from "../../native_response.ts";
import { openStream } from "../../producer.ts";
import { isToken } from "../../wire/headers.ts";
import { checkChunk, pullStream } from "../../wire/pull_stream.ts";
import type { ResponseHeaders } from "../define/result.ts";
import { appendHeaders, countBytes, type EditableFields, parseLength } from "./fields.ts";

declare const Deno: unknown; // only here, because the types of each runtime are missing on the others
declare const Bun: unknown;
declare const process: { readonly versions?: { readonly undici?: string } } | undefined;

/** Whether this is Deno. */
export const isDeno: boolean = typeof Deno !== "undefined";

/** Whether this is Bun. */
export const isBun: boolean = typeof Bun !== "undefined";

/** Returns a response without its body, which is cancelled. */
export function dropBody(response: Response): Response {
  const { status, statusText, headers } = response; // before `body`, without which Bun forgets the content type
  if (response.body === null) return response;
  cancelBody(response);
  return new Response(null, { status, statusText, headers });
}

/** How to send a native response. */
interface NativeSettings {
  /** Headers to add. */
  readonly headers?: ResponseHeaders | undefined;
  /** The name of the response in messages. */
  readonly name: string;
  readonly isHead: boolean;
  /** Reports the failure of its body. */
  readonly report: (cause: unknown, response: Response) => void;
}

/**
 * Returns a native response of the application whose headers fit its body. A stated length is counted, and a response of
 * `fetch` loses the headers of its connection, and those of the coding that the runtime has removed.
 */
export function frameNative(native: Response, { headers: added, name, isHead, report }: NativeSettings): Response {
  const { status, statusText, headers } = native;
  if (status === 101) return native;
  const isFetched = native.url !== "";
  const unfit = (isFetched ? listUnfit(headers) : ["transfer-encoding"]).filter((field) => headers.has(field));
  const isFit = isHead || !headers.has("content-length") ||
    (isFetched && native.body !== null && !headers.has("content-encoding"));
  if (isFit && unfit.length === 0 && !added) return native;
  const body = bodyOf(native);
  const copy = body === undefined ? (isFetched ? native.clone() : native) : undefined; // Bun counts it, and sends a copy of a text as bytes
  const fields = copy?.headers ?? new Headers(headers);
  for (const field of unfit) fields.delete(field);
  const own = added && appendHeaders(fields, added, fields.has("content-type"));
  if (own !== undefined) fields.set("content-length", own);
  const isTrusted = isFetched && own === undefined && !fields.has("content-encoding"); // another runtime may have decoded it
  const length = isTrusted ? undefined : parseLength(fields.get("content-length"), name);
  if (!isHead && (!body || length === 0)) fields.delete("content-length"); // with it, nothing would be read
  if (copy) return copy;
  const init = { status, statusText, headers: fields };
  if (!body || isHead || length === undefined) return new Response(body, init);
  const explain = (cause: unknown): unknown => {
    report(cause, response);
    return cause;
  };
  const counted = countBytes(openStream(body), { encode: checkChunk, length, name });
  const response = new Response(pullStream(counted, { encode: checkChunk, signal: undefined, explain }), init);
  return response;
}

/** The fields of a connection (RFC 9110, section 7.6.1), which a proxy does not forward. */
const connectionFields = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The fields that describe content in its coding. */
const codedFields = ["content-encoding", "content-length", "content-digest"];

/** Returns the fields of a fetched response that do not fit its body, or another connection. */
function listUnfit(headers: Headers): readonly string[] {
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim()).filter(isToken);
  return [...connectionFields, ...named, ...isDecoded(headers.get("content-encoding") ?? "") ? codedFields : []];
}

/**
 * Returns whether this runtime's `fetch` decodes content: of a single coding on Deno, and on Bun beside `identity`, and
 * of any number on Node, where the spaces around a coding may be of any kind.
 */
function isDecoded(contentEncoding: string): boolean {
  const codings = contentEncoding.toLowerCase().split(",").map((coding) => coding.trim());
  const known = codings.filter((coding) => decodable.test(coding));
  if ((undici === undefined || isBun) && !/^[\t -~]*$/.test(contentEncoding)) return false;
  if (isBun) {
    return known.length === 1 && codings.every((coding) => coding === known[0] || /^(?:identity)?$/.test(coding));
  }
  return known.length === codings.length && !(isDeno && known.length > 1);
}

/** The version of Node's `fetch`. */
const undici: string | undefined = typeof process === "undefined" ? undefined : process.versions?.undici;

/** Matches a content coding that this runtime's `fetch` knows. */
const decodable: RegExp = /* @__PURE__ */ planDecodable();

function planDecodable(): RegExp {
  if (isDeno) return /^(?:gzip|br)$/;
  const [major = 0, minor = 0] = (undici ?? "").split(".").map(Number);
  const hasZstd = isBun || major > 7 || (major === 7 && minor > 10);
  return hasZstd ? /^(?:(?:x-)?gzip|deflate|br|zstd)$/ : /^(?:(?:x-)?gzip|deflate|br)$/;
}

/**
 * Returns the body of a response. Bun sends a text as such only if nothing has read `body`: there, it is `undefined` for
 * a response without a content type.
 */
function bodyOf(response: Response): Response["body"] | undefined {
  return isBun && !response.headers.has("content-type") ? undefined : response.body;
}

/**
 * Returns whether nothing has begun to read a response. The getters of some Node adapters throw once it has been sent.
 */
export function isSendable(response: Response): boolean {
  try {
    return !response.bodyUsed && !bodyOf(response)?.locked;
  } catch {
    return false;
  }
}

/** A response that another one was made of, to watch its body. */
interface Watched extends Response {
  [watched]?: Response;
}

const watched: unique symbol = /* @__PURE__ */ Symbol("watched");

/** Notes that a response is sent in place of the one whose body it watches. */
export function markAsWatched(response: Response, sent: Response): Response {
  (response as Watched)[watched] = sent; // only this module reads it
  return sent;
}

/** Returns whether a hook that succeeded has left the body of a response alone. Reading `body` would make it slower. */
export function isUntouched(response: Watched): boolean {
  return isInMemory(response) && !response.bodyUsed && !response[watched];
}

/** Returns a response, or the one that watches its body, if it can be sent. The hook may have forgotten to return it. */
export function findSendable(response: Watched | undefined): Response | undefined {
  return response && (isSendable(response) ? response : findSendable(response[watched]));
}

/**
 * Edits the headers of a response. It returns a copy if the headers are immutable, as those of a fetched response are.
 * It does not change a response that switches protocols, or one that cannot be sent: its body is being read, or it is
 * `Response.error()`.
 */
export function editHeaders(response: Response, edit: (headers: EditableFields) => void): Response {
  if (response.status === 101) return response;
  try {
    edit(response.headers);
    return response;
  } catch {
    return copyWith(response, edit);
  }
}

function copyWith(response: Response, edit: (headers: EditableFields) => void): Response {
  const { status, statusText } = response;
  try {
    const headers = new Headers(response.headers);
    edit(headers);
    return new Response(response.body, { status, statusText, headers });
  } catch {
    return response;
  }
}

/**
 * Returns a function that restores the framing of a response, which a hook that sets its headers does not decide. Node
 * would send the whole body after any `content-length`.
 */
export function keepFraming({ headers }: Response): () => void {
  const length = headers.get("content-length");
  return () => {
    if (headers.get("content-length") === length && !headers.has("transfer-encoding")) return;
    headers.delete("transfer-encoding");
    if (length === null) headers.delete("content-length");
    else headers.set("content-length", length);
  };
}
