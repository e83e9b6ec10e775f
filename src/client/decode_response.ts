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
import { pullStream, takeChunk } from "../wire/pull_stream.ts";
import { describeStatus, quoteField } from "./describe_response.ts";
import { decodeBeginning, readExcerpt } from "./excerpt.ts";
import { type ClientErrorCode } from "./error.ts";
import { orThrow } from "./or_throw.ts";
import { readItems } from "./read_items.ts";
import { discard, readWhole, type WholeReading } from "./read_whole.ts";

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
export interface Reading extends WholeReading {
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
  const takeBytes = (
    bytes: Uint8Array<ArrayBuffer> | undefined,
    taken: Taken,
  ): DecodedResponse | Promise<DecodedResponse> => {
    taken.bytes = bytes;
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
    return whenSettled(content.read?.(response, reading), takeBytes, {
      response,
      reading,
      bytes: undefined,
      fields: undefined,
    });
  };
}

/** A response that is being decoded, each part when it is there; written to by the steps above alone, as an outgoing request is. */
interface Taken {
  readonly response: Response;
  readonly reading: Reading;
  /** What was read of a whole body. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  fields: unknown;
}

function toResult(body: unknown, { response, fields }: Taken): DecodedResponse {
  return { status: response.status, body, headers: fields, response };
}

function toInvalidBody(cause: unknown, { response, reading, bytes }: Taken): Error {
  discard(response);
  const state = `its body or its headers cannot be decoded: ${
    cause instanceof Error ? cause.message : "a codec threw"
  }`;
  return reading.fail("invalid-body", state, {
    response,
    text: bytes && decodeBeginning(bytes),
    cause,
  });
}

function takeRaw(response: Response): DecodedResponse {
  const { status, headers } = response;
  return { status, body: response, headers, response };
}

/** How content is taken: a whole body is read first, the reading of a stream begins when it is decoded. */
interface ContentDecoder {
  readonly read?: (response: Response, reading: Reading) => Promise<Uint8Array<ArrayBuffer>>;
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
    read: readWhole,
    decode: ({ bytes }) => decode(decodeBody(representation, bytes!)), // read before
  };
}

/** The bytes of a response as they come: a failure is the call's. */
function readChunks(
  response: Response,
  { signal, explain, release }: Reading,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return pullStream(openStream(response.body ?? new Blob().stream()), {
    encode: takeChunk,
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

/** Header fields by lower-case name; cookies as a list, since they can't be joined (RFC 6265, section 3). */
function readFields(headers: Headers, names: readonly string[] | undefined): Record<string, unknown> {
  const fields = readHeaders(headers, names);
  return "set-cookie" in fields ? { ...fields, "set-cookie": headers.getSetCookie() } : fields;
}
