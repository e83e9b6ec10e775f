import { type SentOf } from "../contract/infer.ts";
import {
  type ContentOf,
  type HeadersWithContentType,
  type ResponseContent,
  type Responses,
} from "../contract/response.ts";
import { isResponse } from "../native_response.ts";
import { closeSource } from "../producer.ts";
import { type Schema } from "../schema.ts";
import { type RouteInfo } from "./call.ts";
import { routeLabel } from "../route_label.ts";
import { ResultError } from "./stop.ts";

/** Header fields of a response: a list is sent as several fields, `undefined` is left out. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a handler answers with, as the fetch layer sees it. */
export interface Result {
  /** The status. */
  readonly status: number;
  /** What the declared representation encodes. */
  readonly body?: unknown;
  /** The header fields. */
  readonly headers?: ResponseHeaders | undefined;
}

/** The results that declared responses allow: a union discriminated by status. */
export type ResultOf<Declared extends Responses> = ResultsByStatus<Declared>[keyof Declared & number];

/**
 * The result of each declared response.
 *
 * @internal
 */
export type ResultsByStatus<Declared extends Responses> = {
  readonly [Status in keyof Declared & number]: ResultWith<Status, ContentOf<Declared[Status]>>;
};

/**
 * The result of one declared response: its body may be left out where it may be `undefined`, its header fields where none are
 * required.
 *
 * @internal
 */
export type ResultWith<Status, Content extends ResponseContent> = undefined extends Content["sent"]
  ? HeadersRequired<Content> extends true
    ? { readonly status: Status; readonly body?: Content["sent"]; readonly headers: HeadersOf<Content> }
  : { readonly status: Status; readonly body?: Content["sent"]; readonly headers?: HeadersOf<Content> | undefined }
  : HeadersRequired<Content> extends true
    ? { readonly status: Status; readonly body: Content["sent"]; readonly headers: HeadersOf<Content> }
  : { readonly status: Status; readonly body: Content["sent"]; readonly headers?: HeadersOf<Content> | undefined };

/**
 * The header fields that a handler gives. The schema is inferred, because TypeScript follows an indexed one of ArkType's without end.
 *
 * @internal
 */
export type HeadersOf<Content extends ResponseContent> = Content["headers"] extends undefined ? ResponseHeaders
  : Content["headers"] extends infer Declared extends Schema ? SentOf<Declared>
  : Content["headers"] extends HeadersWithContentType ? HeadersWithContentType
  : ResponseHeaders;

/**
 * Whether a handler must give header fields.
 *
 * @internal
 */
export type HeadersRequired<Content extends ResponseContent> = Content["headers"] extends undefined ? false
  : Record<never, never> extends HeadersOf<Content> ? false
  : true;

/**
 * Builds a result of a declared status. A function that takes a `CreateResult<{ 404: typeof NotFound }>` may be passed the `response`
 * of every route that declares this 404, whatever else it declares, and of no other route.
 */
export interface CreateResult<Declared extends Responses> {
  /** Builds a result of a declared status, with the body and headers that the contract declares for it. */
  <Status extends keyof Declared & number>(
    status: Status,
    ...rest: ArgumentsOf<ContentOf<Declared[Status]>>
  ): ResultsByStatus<Declared>[Status];
  /** What it takes by status, in types only: without it, TypeScript accepts any `CreateResult` for any other. */
  readonly "~declared"?: TakesByStatus<Declared> | undefined;
}

/**
 * What {@linkcode CreateResult} takes after each status, as functions: a function that takes more may replace one that takes less.
 *
 * @internal
 */
export type TakesByStatus<Declared extends Responses> = {
  readonly [Status in keyof Declared & number]: Takes<ContentOf<Declared[Status]>>;
};

/**
 * A function that takes the body and headers of a response; of one of several, a function for each.
 *
 * @internal
 */
export type Takes<Content extends ResponseContent> = Content extends unknown
  ? (...rest: ResultArguments<Content>) => void
  : never;

/**
 * What {@linkcode CreateResult} takes after the status: of one of several responses, what each of them takes.
 *
 * @internal
 */
export type ArgumentsOf<Content extends ResponseContent> = [Takes<Content>] extends [(...rest: infer Rest) => void]
  ? Rest
  : never;

/**
 * The body of a response, and its headers where they are required.
 *
 * @internal
 */
export type ResultArguments<Content extends ResponseContent> = Content["headers"] extends undefined
  ? undefined extends Content["sent"] ? [body?: Content["sent"], headers?: ResponseHeaders]
  : [body: Content["sent"], headers?: ResponseHeaders]
  : HeadersRequired<Content> extends true ? [body: Content["sent"], headers: HeadersOf<Content>]
  : undefined extends Content["sent"] ? [body?: Content["sent"], headers?: HeadersOf<Content>]
  : [body: Content["sent"], headers?: HeadersOf<Content>];

/** The `response` of a route's handler or middleware. It throws where the status is not declared. */
export function toCreateResult(route: RouteInfo | undefined, responses: Responses): CreateResult<Responses> {
  const declared = new Set(Object.keys(responses).map(Number));
  const createResult = (status: number, body?: unknown, headers?: ResponseHeaders): Result => {
    if (!declared.has(status)) {
      closeSource(body);
      throw undeclaredStatus(route, status, declared);
    }
    return { status, body, headers };
  };
  return createResult as CreateResult<Responses>; // which states the exact type for each status
}

/** A route as messages name it, or what has none. */
export function labelOf(route: RouteInfo | undefined): string {
  return route ? routeLabel(route) : "a request without a route";
}

/** The error of a result whose status is not declared. */
export function undeclaredStatus(
  route: RouteInfo | undefined,
  status: unknown,
  declared: Iterable<number>,
): ResultError {
  return new ResultError(`Cannot answer ${labelOf(route)} with ${status}: declared are ${[...declared].join(", ")}`);
}

/** Whether something that a handler threw is a result. */
export function isResult(value: unknown): value is Result {
  if (typeof value !== "object" || value === null || typeof (value as Partial<Result>).status !== "number") {
    return false;
  }
  // most are plain objects, and to ask two classes takes 20 ns
  return Object.getPrototypeOf(value) === Object.prototype || !(value instanceof Error || isResponse(value));
}

/** The error of something that is no result, where `role` was to give one. */
export function noResult(
  route: RouteInfo | undefined,
  role: string,
  value: unknown,
): ResultError {
  return new ResultError(
    `Cannot answer ${labelOf(route)}: ${role} gave ${describeValue(value)}; return response(status, …)`,
  );
}

/** What a value is, in words. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (isResponse(value)) return "a native Response";
  return value instanceof Error ? "an Error" : Array.isArray(value) ? "an array" : typeof value;
}
