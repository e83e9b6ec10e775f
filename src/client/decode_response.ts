import { whenReady, whenSettled } from "../awaitable.ts";
import { isCodec } from "../contract/codec.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { type RouteNode } from "../contract/node.ts";
import { type Problem } from "../contract/problem.ts";
import { type ResponseDeclaration, type ResponseKind } from "../contract/response.ts";
import { openStream } from "../producer.ts";
import { formatIssues } from "../issue.ts";
import { declaredKeys, type Schema, toCheck } from "../schema.ts";
import { decodeBody } from "../wire/body.ts";
import { readHeaders } from "../wire/headers.ts";
import { problemType, toProblem } from "../wire/problem.ts";
import { checkChunk, pullStream } from "../wire/pull_stream.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { describeStatus, quoteField } from "./describe_response.ts";
import { decodeBeginning, readExcerpt } from "./excerpt.ts";
import { type ClientErrorCode, type Fail } from "./error.ts";
import { orThrow } from "./or_throw.ts";
import { readItems } from "./read_items.ts";

/** A decoded response. */
export interface DecodedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: unknown;
  readonly response: Response;
}

/** Decodes a response; its body is consumed or cancelled in any case, but for one that the result is to read. */
export type DecodeResponse = (response: Response, reading: Reading) => DecodedResponse | Promise<DecodedResponse>;

/** What the responses of one call are read with. */
export interface Reading {
  /** Ends the reading when it aborts. */
  readonly signal: AbortSignal | undefined;
  readonly fail: Fail;
  /** The error that a caller gets of a failure. */
  readonly explain: (cause: unknown, response: Response) => Error;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
  /** Runs when a body that is read after the call has ended. */
  readonly release: () => void;
}

/** Works out how the responses of a route are decoded. */
export function planResponses({ method, responses }: RouteNode): DecodeResponse {
  const decoders = new Map(
    Object.entries(responses).map(([status, declared]) => [Number(status), planResponse(declared, method === "HEAD")]),
  );
  return (response, reading) => {
    const decode = decoders.get(response.status);
    if (decode) return decode(response, reading);
    return failUnread("unexpected-status", describeStatus(response, decoders.keys()), response, reading);
  };
}

async function failUnread(
  code: ClientErrorCode,
  state: string,
  response: Response,
  { signal, fail }: Reading,
): Promise<never> {
  throw fail(code, state, await readExcerpt(response, signal));
}

function planResponse({ kind, contentType, schema, headers }: ResponseDeclaration, isHead: boolean): DecodeResponse {
  if (kind === "raw" && !isHead) return takeRaw;
  const hasContent = contentType !== undefined && !isHead;
  const essence = contentType && mediaTypeEssence(contentType);
  const isUncheckedProblem = kind === "problem" && !schema;
  const content = planContent(hasContent ? kind : "empty", isUncheckedProblem ? decodeProblem : planCodec(schema));
  const decodeFields = planCodec(headers);
  const names = headers && isCodec(headers) ? declaredKeys(headers) : undefined;
  const decode = (taken: Taken): DecodedResponse | Promise<DecodedResponse> => {
    const { headers: received } = taken.response;
    return whenSettled(headers ? decodeFields(readFields(received, names)) : received, takeFields, taken);
  };
  const takeFields = (fields: unknown, taken: Taken): DecodedResponse | Promise<DecodedResponse> => {
    taken.fields = fields;
    return whenSettled(content.decode(taken), toResult, taken);
  };
  const takeText = (text: Content | undefined, taken: Taken): DecodedResponse | Promise<DecodedResponse> => {
    taken.text = text;
    return orThrow(decode, toInvalidBody, taken);
  };
  return (response, reading) => {
    const given = response.headers.get("content-type") ?? "";
    const received = given === contentType ? essence : mediaTypeEssence(given);
    // a server's problem is no empty response either, whatever its status
    if (hasContent ? received !== essence : received === problemType && !isHead) {
      const state = `content type ${quoteField(mediaTypeEssence(given))} is not ${essence ?? "of an empty response"}`;
      return failUnread("unexpected-content-type", state, response, reading);
    }
    return whenSettled(content.read?.(response, reading), takeText, {
      response,
      reading,
      text: undefined,
      fields: undefined,
    });
  };
}

/** A response that is being decoded, each part when it is there; written to by the steps above alone, as an outgoing request is. */
interface Taken {
  readonly response: Response;
  readonly reading: Reading;
  /** What was read of a whole body. */
  text: Content | undefined;
  fields: unknown;
}

function toResult(body: unknown, { response, fields }: Taken): DecodedResponse {
  return { status: response.status, body, headers: fields, response };
}

function toInvalidBody(cause: unknown, { response, reading, text }: Taken): Error {
  discard(response);
  const state = `its body or its headers cannot be decoded: ${
    cause instanceof Error ? cause.message : "a codec threw"
  }`;
  return reading.fail("invalid-body", state, {
    response,
    text: text === undefined ? undefined : decodeBeginning(text),
    cause,
  });
}

function takeRaw(response: Response): DecodedResponse {
  const { status, headers } = response;
  return { status, body: response, headers, response };
}

/** How content is taken: a whole body is read first, the reading of a stream begins when it is decoded. */
interface ContentDecoder {
  readonly read?: (response: Response, reading: Reading) => Promise<Content>;
  readonly decode: (taken: Taken) => unknown;
}

function planContent(kind: ResponseKind, decode: (value: unknown) => unknown): ContentDecoder {
  if (kind === "empty" || kind === "raw") return { decode: ({ response }) => discard(response) };
  if (kind === "stream") return { decode: ({ response, reading }) => readChunks(response, reading) };
  if (kind === "ndjson" || kind === "sse") {
    return {
      decode: ({ response, reading }) =>
        readItems({ kind, response, bytes: readChunks(response, reading), decode, ...reading }),
    };
  }
  const representation = kind === "problem" ? "json" : kind;
  return {
    // the platform's promise may be of another realm, as in some test runners
    read: (response, { signal }) => Promise.resolve(readContent(representation, response, signal)),
    decode: ({ text }) => decode(parseContent(representation, text!)), // read before
  };
}

/** The bytes of a response as they come: a failure is the call's. */
function readChunks(
  response: Response,
  { signal, explain, release }: Reading,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return pullStream(openStream(response.body ?? new Blob().stream()), {
    encode: checkChunk,
    signal,
    explain: (cause) => explain(cause, response),
    onEnd: release,
  });
}

/** What gives the application value of a codec's wire value; any other schema was the server's to check. */
function planCodec(schema: Schema | undefined): (value: unknown) => unknown {
  if (!schema || !isCodec(schema)) return (value) => value;
  const check = toCheck(schema);
  return (value) =>
    whenReady(check(value), (checked) => {
      if (checked.issues) throw new TypeError(formatIssues(checked.issues));
      return checked.value;
    });
}

/** A problem document that no schema describes: what of it is of another type is left out, so that its type holds. */
function decodeProblem(document: unknown): Problem {
  const problem = toProblem(document);
  if (problem) return problem;
  throw new TypeError("A problem document must be a JSON object");
}

/** Reads a whole body, JSON as text: with a signal by a reader of our own, for an abort to release the source. */
function readContent(kind: WholeKind, response: Response, signal: AbortSignal | undefined): Promise<Content> {
  if (signal) return readAborting(response, signal);
  return kind === "json" ? response.text() : response.arrayBuffer().then((buffer) => new Uint8Array(buffer));
}

async function readAborting(response: Response, signal: AbortSignal): Promise<Content> {
  const { bytes, complete } = await readBytes(response.body, { maxBytes: Infinity, signal });
  if (!complete) throw signal.reason;
  return bytes;
}

function parseContent(kind: WholeKind, content: Content): unknown {
  return typeof content === "string" ? JSON.parse(content) : decodeBody(kind, content);
}

/** A representation that is read as a whole. */
type WholeKind = "json" | "text" | "bytes";

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
