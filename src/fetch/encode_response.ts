import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { closeSource } from "../producer.ts";
import { type Check, type Schema } from "../schema.ts";
import { describe, isResult, noResult, type ResponseHeaders, type Result } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { bodyEncoders, type EncodedBody } from "../wire/body.ts";
import { encodeJson } from "../wire/encode_json.ts";
import { appendHeaders } from "./append_headers.ts";
import { type Assert, outputOf, toAssert, toSendingCheck } from "./check_result.ts";
import { encodeRaw } from "./encode_raw.ts";
import { planStream, type TellOfStream } from "./encode_stream.ts";
import { type Respond } from "./respond.ts";

/** Checks and encodes what a handler gave; throws where it is not what the route declares. */
export type EncodeResponse = (result: unknown, respond: Respond, request: Request) => Awaitable<Response>;

/** Checks and encodes a result of one status. */
type EncodeResult = (result: Result, respond: Respond, request: Request) => Awaitable<Response>;

/** Builds the response of a body and headers that were checked. */
type Build = (body: unknown, headers: ResponseHeaders | undefined, respond: Respond, request: Request) => Response;

/** What encodes the results of a route, by status. */
export function planEncode(node: RouteNode, tell: TellOfStream): EncodeResponse {
  const where = `${node.method} ${node.path} (${node.key})`;
  const encoders = new Map(
    Object.entries(node.responses).map(([status, declared]: [string, ResponseDeclaration]) =>
      [Number(status), planResponse(Number(status), declared, where, tell)] as const
    ),
  );
  return (result, respond, request) => {
    if (!isResult(result)) {
      closeSource(result);
      throw noResult(where, "the handler", result);
    }
    const encode = encoders.get(result.status);
    if (encode) return encode(result, respond, request);
    closeSource(result.body);
    throw new ResultError(
      `Cannot answer ${where} with ${result.status}: declared are ${[...encoders.keys()].join(", ")}`,
    );
  };
}

function planResponse(
  status: number,
  declared: ResponseDeclaration,
  where: string,
  tell: TellOfStream,
): EncodeResult {
  const { kind } = declared;
  const ofBody = `the body of ${status} from ${where}`;
  if (kind === "raw") return closing(planResult(undefined, undefined, encodeRaw(status, ofBody)));
  const checkHeaders = toAssert(declared.headers, `the headers of ${status} from ${where}`);
  if (kind === "stream" || kind === "ndjson" || kind === "sse") {
    return closing(planResult(undefined, checkHeaders, planStream(status, kind, declared, ofBody, tell)));
  }
  const encode = kind === "empty" ? encodeNothing : kind === "problem" ? encodeProblem : bodyEncoders[kind];
  const build = planBuild(status, declared, encode);
  return planResult(declared.schema && planBody(declared.schema, ofBody), checkHeaders, build);
}

/** How a body is checked, and what messages call it. */
interface CheckedBody {
  readonly check: Check;
  readonly what: string;
}

function planBody(schema: Schema, what: string): CheckedBody {
  return { check: toSendingCheck(schema), what };
}

/** Checks a result's body, then its headers, then builds the response. */
function planResult(
  checkedBody: CheckedBody | undefined,
  checkHeaders: Assert | undefined,
  build: Build,
): EncodeResult {
  const send: (...given: Parameters<Build>) => Awaitable<Response> = !checkHeaders
    ? build
    : (body, headers, respond, request) =>
      whenReady(checkHeaders(headers ?? {}), (sent) => build(body, sent as ResponseHeaders, respond, request));
  if (!checkedBody) return ({ body, headers }, respond, request) => send(body, headers, respond, request);
  const { check, what } = checkedBody;
  return ({ body, headers }, respond, request) => {
    const checked = check(body);
    if (!isPromise(checked)) return send(outputOf(checked, what), headers, respond, request);
    return Promise.resolve(checked).then((checked) => send(outputOf(checked, what), headers, respond, request));
  };
}

/** Closes a stream that a handler gave where it is not going to be sent. */
function closing(encode: EncodeResult): EncodeResult {
  return (result, respond, request) => {
    const fail = (error: unknown): never => {
      closeSource(result.body);
      throw error;
    };
    try {
      const response = encode(result, respond, request);
      return isPromise(response) ? response.then(undefined, fail) : response;
    } catch (error) {
      return fail(error);
    }
  };
}

/** What builds the response: its init is made once, and where a handler adds no header the message needs nothing else. */
function planBuild(
  status: number,
  { kind, contentType }: ResponseDeclaration,
  encode: (body: unknown) => EncodedBody | null,
): Build {
  const isStated = status === 200 && kind === "text" && contentType === typeOfText();
  const init = isStated ? undefined : {
    ...(status !== 200 && { status }),
    ...(contentType !== undefined && { headers: { "content-type": contentType } }),
  };
  return (body, headers, respond) => {
    const response = respond(encode(body), init);
    if (headers !== undefined) appendHeaders(response.headers, headers, contentType !== undefined);
    return response;
  };
}

/**
 * The content type that the runtime's responses state of text by themselves, in half the time that it takes to state one. Bun's state
 * none in memory, and send another; those of @hono/node-server state another.
 */
function typeOfText(): string | null {
  return new Response("").headers.get("content-type");
}

function encodeNothing(body: unknown): null {
  if (body === undefined || body === null) return null;
  throw new ResultError(`An empty response has no body, not ${describe(body)}`);
}

function encodeProblem(body: unknown): string {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return encodeJson(body);
  throw new ResultError(`A problem is an object, not ${describe(body)}`);
}
