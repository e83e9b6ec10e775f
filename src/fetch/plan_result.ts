import { attempt, type Ready, whenReady } from "../awaitable.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { closeSource } from "../producer.ts";
import { type Check } from "../schema.ts";
import { type ResponseHeaders, type Result } from "../server/result.ts";
import { type BodyReading } from "./body_stream.ts";
import { outputOf, toSendingCheck } from "./check_result.ts";
import { revalidate } from "./conditional.ts";

/** The request that a response answers. */
export interface AnsweredRequest extends BodyReading {
  readonly request: Request;
  /** Whether the request is a HEAD, whose response has no content. */
  readonly isHead: boolean;
}

/** Validates and encodes a result of one status. Throws if it is not what the contract declares. */
export type EncodeResult = (result: Result, exchange: AnsweredRequest) => Ready<Response>;

/** Plans how to encode the results of one status. */
export type PlanResult = (place: ResultPlace) => EncodeResult;

/** The response that a result belongs to. */
export interface ResultPlace {
  readonly status: number;
  readonly declared: ResponseDeclaration;
  /** The response's name in messages: `200 from GET /users (users.list)`. */
  readonly name: string;
  /** Whether the response can be a 304: it answers GET or HEAD with 200. */
  readonly mayRevalidate: boolean;
  /** Reports a stream that failed after its response had begun. */
  readonly reportFailure: ReportFailure;
}

/** Reports a stream that failed after its response had begun. */
export type ReportFailure = (error: unknown, exchange: AnsweredRequest, response: Response) => void;

/** Builds the response of a validated body and validated headers. */
export type Build = (body: unknown, headers: ResponseHeaders | undefined, exchange: AnsweredRequest) => Ready<Response>;

/**
 * Plans to validate the body of a result, if a schema describes all of it, then its headers, and to build the response.
 */
export function planResult({ declared, name }: ResultPlace, build: Build): EncodeResult {
  const { headers: headersSchema, representation: { describes } } = declared;
  const send = planResultHeaders(headersSchema && toSendingCheck(headersSchema), `the headers of ${name}`, build);
  if (!declared.schema || describes !== "value") return ({ body, headers }, exchange) => send(body, headers, exchange);
  const check = toSendingCheck(declared.schema);
  const what = `the body of ${name}`;
  return ({ body, headers }, exchange) =>
    whenReady(check(body), (checked) => send(outputOf(checked, what), headers, exchange));
}

function planResultHeaders(check: Check | undefined, what: string, build: Build): Build {
  if (!check) return build;
  return (body, headers, exchange) =>
    whenReady(
      check(headers ?? {}),
      (checked) => build(body, outputOf(checked, what) as ResponseHeaders, exchange),
    );
}

/** Plans to answer 304, without encoding the result, if the client's copy is current. `close` releases the body. */
export function planRevalidation(
  { mayRevalidate }: ResultPlace,
  build: Build,
  close?: (body: unknown) => void,
): Build {
  if (!mayRevalidate) return build;
  return (body, headers, exchange) => {
    const notModified = revalidate(headers, exchange.request);
    if (notModified === undefined) return build(body, headers, exchange);
    close?.(body);
    return notModified;
  };
}

/** Closes the stream of a handler's result if it is not sent. */
export function closeOnFailure(encode: EncodeResult): EncodeResult {
  return (result, exchange) =>
    attempt(() => encode(result, exchange), (error) => {
      closeSource(result.body);
      throw error;
    });
}
