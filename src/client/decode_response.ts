import { isCodec } from "../contract/codec.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { formatIssues, type Schema, toCheck } from "../schema.ts";
import { type BodyKind, decodeBody } from "../wire/body.ts";
import { readHeaders } from "../wire/headers.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { clipText, readExcerpt } from "./excerpt.ts";
import { type ClientErrorCode, type ClientErrorDetails } from "./error.ts";

/** A decoded response. */
export interface DecodedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: unknown;
  readonly response: Response;
}

/** Decodes a response; its body is consumed or cancelled in any case. */
export type DecodeResponse = (
  response: Response,
  signal: AbortSignal | undefined,
  fail: Fail,
) => Promise<DecodedResponse>;

/** Makes the error of a response that is not what the contract declares. */
export type Fail = (code: ClientErrorCode, state: string, details: ClientErrorDetails) => Error;

/** Works out how the responses of a route are decoded. */
export function planResponses({ method, responses }: RouteNode): DecodeResponse {
  const decoders = new Map(
    Object.entries(responses).map(([status, declared]) => [Number(status), planResponse(declared, method === "HEAD")]),
  );
  return async (response, signal, fail) => {
    const decode = decoders.get(response.status);
    if (decode) return await decode(response, signal, fail);
    const state = `status ${response.status} is not declared (declared: ${[...decoders.keys()].join(", ")})`;
    throw fail("unexpected-status", state, await readExcerpt(response, signal));
  };
}

function planResponse({ kind, contentType, schema, headers }: ResponseDeclaration, isHead: boolean): DecodeResponse {
  const essence = contentType && mediaTypeEssence(contentType);
  const hasContent = kind !== "empty" && !isHead;
  const decodeContent = planCodec(schema, "body");
  const decodeFields = planCodec(headers, "headers");
  return async (response, signal, fail) => {
    const received = mediaTypeEssence(response.headers.get("content-type") ?? "");
    if (hasContent && received !== essence) {
      const state = `content type ${JSON.stringify(received)} is not ${essence}`;
      throw fail("unexpected-content-type", state, await readExcerpt(response, signal));
    }
    const content = hasContent ? await readContent(kind, response, signal, fail) : discard(response);
    const fields = headers ? await decodeFields(readFields(response.headers), response, fail) : response.headers;
    const body = hasContent ? await decodeContent(content, response, fail) : undefined;
    return { status: response.status, body, headers: fields, response };
  };
}

/** What gives the application value of a codec's wire value; any other schema was the server's to check. */
function planCodec(
  schema: Schema | undefined,
  name: string,
): (value: unknown, response: Response, fail: Fail) => Promise<unknown> {
  if (!schema || !isCodec(schema)) return (value) => Promise.resolve(value);
  const check = toCheck(schema);
  return async (value, response, fail) => {
    try {
      const checked = await check(value);
      if (!checked.issues) return checked.value;
      throw new TypeError(formatIssues(checked.issues));
    } catch (cause) {
      throw fail("invalid-body", `its ${name} does not fit the codec`, { response, cause });
    }
  };
}

async function readContent(
  kind: BodyKind,
  response: Response,
  signal: AbortSignal | undefined,
  fail: Fail,
): Promise<unknown> {
  if (kind === "bytes") return await readWhole("bytes", response, signal);
  const text = await readWhole("text", response, signal) as string;
  if (kind === "text") return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail("invalid-body", "its body is no JSON", { response, text: clipText(text), cause });
  }
}

/** Reads a whole body: with a signal by a reader of our own, for an abort to release the source. */
async function readWhole(
  kind: "text" | "bytes",
  response: Response,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!signal) return kind === "text" ? await response.text() : new Uint8Array(await response.arrayBuffer());
  const { bytes, complete } = await readBytes(response.body, { maxBytes: Infinity, signal });
  if (!complete) throw signal.reason;
  return decodeBody(kind, bytes);
}

/** Cancels a body that nothing is asked of. Waits for nothing: a copy of it that nobody reads would keep it waiting. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {}); // how its source takes it is its own affair
}

/** Header fields by lower-case name; cookies as a list, since they can't be joined (RFC 6265, section 3). */
function readFields(headers: Headers): Record<string, unknown> {
  const cookies = headers.getSetCookie();
  return { ...readHeaders(headers, undefined), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}
