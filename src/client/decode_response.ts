import { type Awaitable, whenReady } from "../awaitable.ts";
import { isCodec } from "../contract/codec.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { declaredKeys, formatIssues, type Schema, toCheck } from "../schema.ts";
import { type BodyKind, decodeBody } from "../wire/body.ts";
import { readHeaders } from "../wire/headers.ts";
import { problemType } from "../wire/problem.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { decodeBeginning, readExcerpt } from "./excerpt.ts";
import { orThrow } from "./or_throw.ts";
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
) => Awaitable<DecodedResponse>;

/** Makes the error of a response that is not what the contract declares. */
export type Fail = (code: ClientErrorCode, state: string, details: ClientErrorDetails) => Error;

/** Works out how the responses of a route are decoded. */
export function planResponses({ method, responses }: RouteNode): DecodeResponse {
  const decoders = new Map(
    Object.entries(responses).map(([status, declared]) => [Number(status), planResponse(declared, method === "HEAD")]),
  );
  return (response, signal, fail) => {
    const decode = decoders.get(response.status);
    if (decode) return decode(response, signal, fail);
    const state = `status ${response.status} is not declared (declared: ${[...decoders.keys()].join(", ")})`;
    return failUnread("unexpected-status", state, response, signal, fail);
  };
}

async function failUnread(
  code: ClientErrorCode,
  state: string,
  response: Response,
  signal: AbortSignal | undefined,
  fail: Fail,
): Promise<never> {
  throw fail(code, state, await readExcerpt(response, signal));
}

function planResponse({ kind, contentType, schema, headers }: ResponseDeclaration, isHead: boolean): DecodeResponse {
  const representation = kind === "empty" || isHead ? undefined : kind;
  const essence = contentType && mediaTypeEssence(contentType);
  const decodeContent = planCodec(schema);
  const decodeFields = planCodec(headers);
  const names = headers && isCodec(headers) ? declaredKeys(headers) : undefined;
  const toResult = (response: Response, content: Content | undefined): Awaitable<DecodedResponse> =>
    whenReady(
      content === undefined ? undefined : decodeContent(parseContent(representation!, content)),
      (body) =>
        whenReady(
          headers ? decodeFields(readFields(response.headers, names)) : response.headers,
          (fields) => ({ status: response.status, body, headers: fields, response }),
        ),
    );
  return (response, signal, fail) => {
    const given = response.headers.get("content-type") ?? "";
    const received = given === contentType ? essence : mediaTypeEssence(given);
    // a server's problem is no empty response either, whatever its status
    if (representation ? received !== essence : received === problemType && !isHead) {
      const state = `content type ${JSON.stringify(received)} is not ${essence ?? "of an empty response"}`;
      return failUnread("unexpected-content-type", state, response, signal, fail);
    }
    const decode = (content?: Content): Awaitable<DecodedResponse> =>
      orThrow(() => toResult(response, content), (cause) => toInvalidBody(fail, response, content, cause));
    if (representation) return readContent(representation, response, signal).then(decode);
    discard(response);
    return decode();
  };
}

function toInvalidBody(fail: Fail, response: Response, content: Content | undefined, cause: unknown): Error {
  const state = `its body or its headers cannot be decoded: ${
    cause instanceof Error ? cause.message : "a codec threw"
  }`;
  const text = content === undefined ? undefined : decodeBeginning(content);
  return fail("invalid-body", state, { response, text, cause });
}

/** What gives the application value of a codec's wire value; any other schema was the server's to check. */
function planCodec(schema: Schema | undefined): (value: unknown) => Awaitable<unknown> {
  if (!schema || !isCodec(schema)) return (value) => value;
  const check = toCheck(schema);
  return (value) =>
    whenReady(check(value), (checked) => {
      if (checked.issues) throw new TypeError(formatIssues(checked.issues));
      return checked.value;
    });
}

/** Reads a whole body, JSON as text: with a signal by a reader of our own, for an abort to release the source. */
function readContent(kind: BodyKind, response: Response, signal: AbortSignal | undefined): Promise<Content> {
  if (signal) return readAborting(response, signal);
  return kind === "json" ? response.text() : response.arrayBuffer().then((buffer) => new Uint8Array(buffer));
}

async function readAborting(response: Response, signal: AbortSignal): Promise<Content> {
  const { bytes, complete } = await readBytes(response.body, { maxBytes: Infinity, signal });
  if (!complete) throw signal.reason;
  return bytes;
}

function parseContent(kind: BodyKind, content: Content): unknown {
  return typeof content === "string" ? JSON.parse(content) : decodeBody(kind, content);
}

/** What was read of a body: bytes, or where the runtime decodes them faster, text. */
type Content = string | Uint8Array<ArrayBuffer>;

/** Cancels a body that nothing is asked of. Waits for nothing: a copy of it that nobody reads would keep it waiting. */
export function discard(response: Response): undefined {
  response.body?.cancel().catch(() => {}); // how its source takes it is its own affair
}

/** Header fields by lower-case name; cookies as a list, since they can't be joined (RFC 6265, section 3). */
function readFields(headers: Headers, names: readonly string[] | undefined): Record<string, unknown> {
  const fields = readHeaders(headers, names);
  return "set-cookie" in fields ? { ...fields, "set-cookie": headers.getSetCookie() } : fields;
}
