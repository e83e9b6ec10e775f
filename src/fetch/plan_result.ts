import { attempt, type Ready, whenReady } from "../awaitable.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { closeSource } from "../producer.ts";
import { type Check } from "../schema.ts";
import { type ResponseHeaders, type Result } from "../server/result.ts";
import { type BodyReading } from "./body_stream.ts";
import { outputOf, toSendingCheck } from "./check_result.ts";
import { revalidate } from "./conditional.ts";

/** What a response answers. */
export interface Exchange extends BodyReading {
  readonly request: Request;
  /** Whether the request is a HEAD, whose response has no content. */
  readonly isHead: boolean;
}

/** Checks and encodes a result of one status; throws if it is not what the contract declares. */
export type EncodeResult = (result: Result, exchange: Exchange) => Ready<Response>;

/** Plans how the results of one status are encoded. */
export type PlanResult = (place: ResultPlace) => EncodeResult;

/** Where a result belongs. */
export interface ResultPlace {
  readonly status: number;
  readonly declared: ResponseDeclaration;
  /** The response in words: `200 from GET /users (users.list)`. */
  readonly name: string;
  /** Whether a client that has the result already is answered with 304: it answers GET or HEAD with 200. */
  readonly mayRevalidate: boolean;
  /** Reports a stream that failed after its response had begun. */
  readonly reportFailure: ReportFailure;
}

/** Reports a stream that failed after its response had begun. */
export type ReportFailure = (error: unknown, exchange: Exchange, response: Response) => void;

/** Builds the response of a body and headers that were checked. */
export type Build = (body: unknown, headers: ResponseHeaders | undefined, exchange: Exchange) => Ready<Response>;

/** Checks the body of a result, where a schema describes the whole of it, then its headers, then builds the response. */
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

/** Answers with 304 where the client has the result already, without encoding it. `close` lets go of its body. */
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

/** Closes a stream that a handler gave, if it is not going to be sent. */
export function closeOnFailure(encode: EncodeResult): EncodeResult {
  return (result, exchange) =>
    attempt(() => encode(result, exchange), (error) => {
      closeSource(result.body);
      throw error;
    });
}
