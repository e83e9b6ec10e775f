import type { SentOf } from "../../contract/infer.ts";
import type {
  ContentOf,
  HeadersWithContentType,
  ResponseContent,
  ResponseDeclaration,
  ResponseKind,
  Responses,
} from "../../contract/response.ts";
import { describeConfidential, routeLabel } from "../../messages.ts";
import { isInstance } from "../../mark.ts";
import type { ItemSource } from "../../representation/stream.ts";
import { isResponse } from "../../native_response.ts";
import { closeSource } from "../../wire/producer.ts";
import type { Schema } from "../../schema.ts";
import type { RouteInfo, ServerCall, Slots } from "./call.ts";
import type { SentComment, SentId } from "../../representation/sse.ts";

/** The headers of a response. A list is sent as several fields, and `undefined` is left out. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The result of a handler, as the fetch layer sees it. */
export interface Result {
  /** The status code, which must be one of the declared statuses of the route. */
  readonly status: number;
  /** The value that the declared representation encodes. */
  readonly body?: unknown;
  /** Headers to send besides those of the representation. */
  readonly headers?: ResponseHeaders | undefined;
}

/** The key of {@linkcode ChangeableResult}. Applications do not have it. */
export const innerHeadersOf: unique symbol = Symbol("inner headers");

/** A result whose headers middleware may have changed. */
export interface ChangeableResult extends Result {
  /** The headers as the handler returned them, or the middleware that answered instead. */
  readonly [innerHeadersOf]?: ResponseHeaders | undefined;
}

/** The results that declared responses allow: a union discriminated by `status`. */
export type ResultOf<Declared extends Responses> = ResultsByStatus<Declared>[keyof Declared & number];

/**
 * The result of each declared response.
 *
 * @internal
 */
type ResultsByStatus<Declared extends Responses> = {
  readonly [Status in keyof Declared & number]: ResultWith<Status, ContentOf<Declared[Status]>>;
};

/**
 * The result of one declared response. The body is optional if it can be `undefined`, and the headers are optional
 * unless some are required.
 */
type ResultWith<Status, Content extends ResponseContent> = undefined extends Content["sent"]
  ? HeadersRequired<Content> extends true
    ? { readonly status: Status; readonly body?: Content["sent"]; readonly headers: HeadersOf<Content> }
  : { readonly status: Status; readonly body?: Content["sent"]; readonly headers?: HeadersOf<Content> | undefined }
  : HeadersRequired<Content> extends true
    ? { readonly status: Status; readonly body: Content["sent"]; readonly headers: HeadersOf<Content> }
  : { readonly status: Status; readonly body: Content["sent"]; readonly headers?: HeadersOf<Content> | undefined };

/**
 * The headers of a handler's result. The schema is inferred, because TypeScript expands an indexed access to an ArkType
 * schema without end.
 */
type HeadersOf<Content extends ResponseContent> = Content["headers"] extends undefined ? ResponseHeaders
  : Content["headers"] extends infer Declared extends Schema ? SentOf<Declared>
  : Content["headers"] extends HeadersWithContentType ? HeadersWithContentType
  : ResponseHeaders;

/** Whether a result must have headers. */
type HeadersRequired<Content extends ResponseContent> = Content["headers"] extends undefined ? false
  : Record<never, never> extends HeadersOf<Content> ? false
  : true;

/**
 * The type of `response`, which builds the result of a declared status. A function with a parameter of type
 * `CreateResult<{ 404: typeof NotFound }>` accepts the `response` of every route that declares this 404, and of no
 * other route.
 */
export interface CreateResult<Declared extends Responses> {
  /** Builds the result of a declared status, with the body and headers that the contract declares for it. */
  <Status extends keyof Declared & number>(
    status: Status,
    ...rest: ArgumentsOf<ContentOf<Declared[Status]>>
  ): ResultsByStatus<Declared>[Status];
  /**
   * The arguments by status. Never present at run time. Without it, TypeScript accepts any `CreateResult` for any
   * other.
   */
  readonly "~declared"?: TakesByStatus<Declared> | undefined;
}

/**
 * The `response` of a route. If its responses have items, a compiler says in one line what is wrong with those of a
 * generator. Its own explanation has ten.
 */
export type CreateRouteResult<Declared extends Responses> = Declared extends ResponsesWithoutItems
  ? CreateResult<Declared>
  : CreateItemsResult<Declared>;

/** Responses without items. */
interface ResponsesWithoutItems {
  readonly [status: number]: ResponseDeclaration<ResponseContent, Exclude<ResponseKind, "ndjson" | "sse">>;
}

/** {@linkcode CreateResult} of a route whose responses have items. */
interface CreateItemsResult<Declared extends Responses> {
  /** Builds the result of a declared status, with the body and headers that the contract declares for it. */
  <Status extends keyof Declared & number, Given extends readonly unknown[]>(
    status: Status,
    ...rest: CheckedArguments<ArgumentsOf<ContentOf<Declared[Status]>>, Given>
  ): ResultsByStatus<Declared>[Status];
  /** The arguments by status, as in {@linkcode CreateResult}. */
  readonly "~declared"?: TakesByStatus<Declared> | undefined;
}

/**
 * The arguments of a declared response. Items that do not fit lack a property whose name is an error message. `Given` are
 * the arguments that a call has: they are inferred from the branch that is never chosen, and `never` before that.
 */
type CheckedArguments<Rest extends readonly unknown[], Given extends readonly unknown[]> = [Given] extends
  [readonly [AsyncIterable<infer Item> | Generator<infer Item, unknown, never>, ...unknown[]]]
  ? Rest extends readonly [ItemSource<infer Fitting>, ...unknown[]] ? [ItemMisfit<Item, Fitting>] extends [never] ? Rest
    : [body: Record<ItemMisfit<Item, Fitting>, never> & AsyncIterable<Fitting> & Iterable<Fitting>, headers?: unknown]
  : Rest
  : [Rest] extends [never] ? [...Given]
  : Rest;

/**
 * An error message for each type of items that does not fit. There is none where the item is wider than it should be,
 * because a compiler may find its literals later.
 */
type ItemMisfit<Item, Fitting> = unknown extends Item ? never
  : Item extends unknown
    ? SentComment extends Fitting
      ? `an event must be { data, event?, id?, retry? }, { id } or { comment }${AtPath<EventMisfit<Item, Fitting>>}`
    : `an item must fit its schema${AtPath<MisfitResultPath<Item, Fitting>>}`
  : never;

/** The end of a message about what is at a path. */
type AtPath<Path extends string> = Path extends "" ? "" : `: "${Path}" is missing or has another type`;

/** The path of what does not fit in an event. An ID alone has nothing but `retry` beside it. */
type EventMisfit<Item, Fitting, Event = Extract<Fitting, { readonly data: unknown }>> = Item extends SentId
  ? Item[Exclude<keyof Item, keyof SentId>] extends undefined ? never : "data"
  : Item extends Fitting ? never
  : [Item, Event] extends [{ readonly data: infer Data }, { readonly data: infer FittingData }]
    ? [Data] extends [FittingData] ? MisfitResultPath<Item, Event> : MisfitResultPath<Data, FittingData, "data.">
  : MisfitResultPath<Item, Event>;

/** The path of what does not fit, one key deep. Empty if it is the value itself. */
type MisfitResultPath<Item, Fitting, Above extends string = ""> = [Item] extends [Fitting] ? never
  : [Item, Fitting] extends [object, object] ? `${Above}${MisfitResultKey<Item, Fitting>}`
  : [Fitting] extends [Item] ? never
  : Above extends `${infer Key}.` ? Key
  : Above;

/** The keys at which an item lacks something, or has something else. */
type MisfitResultKey<Item, Fitting> =
  & {
    [Key in keyof Fitting]-?: Key extends keyof Item
      ? [Item[Key]] extends [Fitting[Key]] ? never : [Fitting[Key]] extends [Item[Key]] ? never : Key
      : Record<never, never> extends Pick<Fitting, Key> ? never
      : Key;
  }[keyof Fitting]
  & string;

/**
 * The arguments of {@linkcode CreateResult} after each status, as function types: a function that accepts more is
 * assignable to one that accepts less.
 *
 * @internal
 */
type TakesByStatus<Declared extends Responses> = {
  readonly [Status in keyof Declared & number]: Takes<ContentOf<Declared[Status]>>;
};

/** A function type with the body and headers of a response as parameters. A union of responses has one for each. */
type Takes<Content extends ResponseContent> = Content extends unknown ? (...rest: ResultArguments<Content>) => void
  : never;

/**
 * The arguments of {@linkcode CreateResult} after the status. For a union of responses, the arguments that each of them
 * accepts.
 *
 * @internal
 */
type ArgumentsOf<Content extends ResponseContent> = [Takes<Content>] extends [(...rest: infer Rest) => void] ? Rest
  : never;

/** The body of a response, and its headers, which may be required. */
type ResultArguments<Content extends ResponseContent> = Content["headers"] extends undefined
  ? undefined extends Content["sent"] ? [body?: Content["sent"], headers?: ResponseHeaders]
  : [body: Content["sent"], headers?: ResponseHeaders]
  : HeadersRequired<Content> extends true ? [body: Content["sent"], headers: HeadersOf<Content>]
  : undefined extends Content["sent"] ? [body?: Content["sent"], headers?: HeadersOf<Content>]
  : [body: Content["sent"], headers?: HeadersOf<Content>];

/** Creates the `response` function of a route's handler or middleware. It throws if the status is not declared. */
export function toCreateResult(route: RouteInfo | undefined, responses: Responses): CreateResult<Responses> {
  const declared = new Set(Object.keys(responses).map(Number));
  const createResult = (status: number, body?: unknown, headers?: ResponseHeaders): Result => {
    if (!declared.has(status)) {
      closeSource(body);
      throw undeclaredStatusError(route, status, declared);
    }
    return { status, body, headers };
  };
  return createResult as CreateResult<Responses>; // it declares the exact type of each status
}

/** The parts of an argument that are the same for all calls. */
export interface ArgumentShape {
  readonly route: RouteInfo;
  readonly response: CreateResult<Responses>;
  /** The inputs that the argument has. */
  readonly has: Readonly<Partial<Record<keyof Slots | "caller", boolean>>>;
}

/** The argument of a handler or middleware. A handler's has the declared inputs and no others. */
export class CallArgument {
  readonly #call: ServerCall;
  declare readonly context: object;
  declare readonly route: RouteInfo;
  declare readonly response: CreateResult<Responses>;
  declare params?: unknown;
  declare query?: unknown;
  declare headers?: unknown;
  declare body?: unknown;
  declare contentType?: string | undefined;
  declare caller?: object | undefined;
  declare next?: (added?: object) => Promise<Result>;

  /** @param next The function of a middleware's argument. */
  constructor({ route, response, has }: ArgumentShape, call: ServerCall, next?: (added?: object) => Promise<Result>) {
    const { slots } = call;
    this.#call = call;
    this.context = call.context;
    this.route = route;
    this.response = response;
    if (has.params) this.params = slots.params;
    if (has.query) this.query = slots.query;
    if (has.headers) this.headers = slots.headers;
    if (has.body) this.body = slots.body;
    if (has.contentType) this.contentType = slots.contentType;
    if (has.caller) this.caller = call.caller;
    if (next) this.next = next;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}

/** Returns the name of a route in messages, or of a request without one. */
export function labelOf(route: RouteInfo | undefined): string {
  return route ? routeLabel(route) : "a request without a route";
}

/** Returns the error of a result whose status is not declared. */
export function undeclaredStatusError(
  route: RouteInfo | undefined,
  status: unknown,
  declared: Iterable<number>,
): ResultError {
  return answerError(route, `status ${status} is not declared (declared: ${[...declared].join(", ")})`);
}

/** Returns the error of a result that cannot answer a request. */
export function answerError(route: RouteInfo | undefined, state: string): ResultError {
  return new ResultError(`Cannot answer ${labelOf(route)}: ${state}`);
}

/** Returns whether a value that a handler returned or threw is a result. */
export function isResult(value: unknown): value is Result {
  try {
    if (typeof value !== "object" || value === null || typeof (value as Partial<Result>).status !== "number") {
      return false;
    }
    // most are plain objects, and testing two classes takes 20 ns
    return Object.getPrototypeOf(value) === Object.prototype || !(value instanceof Error || isResponse(value));
  } catch {
    return false; // a revoked Proxy throws when it is read
  }
}

/** Returns the error of a value that is not a result, where `role` must return one. */
export function notAResultError(route: RouteInfo | undefined, role: string, value: unknown): ResultError {
  return answerError(route, `${role} must return response(status, …), got ${describeResult(value)}`);
}

/** Returns the result that `role` returned. Anything else is closed, and throws the error. */
export function checkResult(returned: unknown, role: string, route: RouteInfo | undefined): Result {
  if (isResult(returned)) return returned;
  closeSource(returned);
  throw notAResultError(route, role, returned);
}

/** Describes what a function of the server returned. */
export function describeResult(value: unknown): string {
  if (isResponse(value)) return "a native Response";
  if (value instanceof Error) return "an Error";
  return describeConfidential(value);
}

/** The step in which an error occurred. */
export type ErrorPhase =
  /** A request schema or a codec threw, or other code had read the body before the adapter. */
  | "decode"
  /** A verifier threw, or returned neither a caller nor `undefined` or `null`. */
  | "security"
  /** A guard threw something that is not a result. */
  | "guard"
  /** The context factory or `contextInput` threw. */
  | "context"
  /** The handler or a middleware threw. */
  | "handler"
  /**
   * The result cannot be sent: its status is not declared, its schema rejects the body, or a header is invalid. Or
   * `refuse` failed.
   */
  | "encode"
  /** A stream failed after its response had begun: its producer threw, or an item cannot be sent. */
  | "stream"
  /** The function of an open connection threw, or a message that it sent does not fit. The connection closes with 1011. */
  | "socket"
  /** The function `cors.origins` threw. */
  | "cors"
  /** The hook `onResponse` has read the body of a response, and returned none that can be sent. */
  | "response";

/** A value that ends the processing of a request: the steps after it do not run. */
export abstract class Stop {}

/** A step failed. Only the application's owner may see the error. */
export class Failure extends Stop {
  constructor(readonly phase: ErrorPhase, readonly error: unknown) {
    super();
  }
}

/** Returns whether a stop is a failure: not by its class, since a verifier may be of another copy of the package. */
export function isFailure(stop: Stop): stop is Failure {
  return "error" in stop;
}

/** A handler's result that does not fit the contract. It fails in the phase `encode`, no matter where it is thrown. */
export class ResultError extends TypeError {
  override readonly name = "ResultError";
}

/** Returns the failure of a step that threw `error`. */
export function toFailure(phase: ErrorPhase, error: unknown): Failure {
  return new Failure(isInstance(error, ResultError) ? "encode" : phase, error);
}

/** The return value of a step: its value, or a stop, now or later. */
export type Outcome<Value> = Value | Stop | Promise<Value | Stop>;
