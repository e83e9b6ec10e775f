import type { RouteCall } from "../contract/call.ts";
import type { RouteNode } from "../contract/node.ts";
import type { ContentOf, ResponseContent } from "../contract/response.ts";
import type { Method } from "../contract/route.ts";
import { isInstance, mark, type Marked } from "../mark.ts";
import { describeConfidential, routeLabel } from "../messages.ts";
import type { OutputOf, Schema } from "../schema.ts";
import { isProblem } from "../wire/media_type.ts";
import { type Problem, toProblem } from "../wire/problem.ts";
import { type CalledRoute, ClientError } from "./error.ts";

/** The result of a call: a union discriminated by `status`. It includes the declared 4xx and 5xx responses. */
export type ClientResult<Route extends RouteNode> = ReceivedByStatus<Route>[keyof Route["responses"] & number];

/**
 * Each declared response, as a client receives it.
 *
 * @internal
 */
export type ReceivedByStatus<Route extends RouteNode> = {
  [Status in keyof Route["responses"] & number]: Received<
    Status,
    Route["method"],
    ContentOf<Route["responses"][Status]>
  >;
};

/**
 * A {@linkcode ReceivedResponse} of a route with this method. It is the type of a member, because editors show more lines
 * for an alias.
 */
type Received<Status, Verb extends Method, Content extends ResponseContent> = {
  readonly response: ReceivedResponse<
    Status,
    Verb extends "HEAD" ? undefined : Content["received"],
    ReceivedHeaders<Content["headers"]>
  >;
}["response"];

/** One declared response, as a client receives it. */
export interface ReceivedResponse<Status, Body, Fields = Headers> {
  /** The status code, which tells the types of `body` and `headers` apart. */
  readonly status: Status;
  /**
   * The decoded body. `undefined` for an empty response and for HEAD. If it is a stream or an async iterable, the
   * caller reads it or cancels it.
   */
  readonly body: Body;
  /** The declared headers by lowercase name, or the native `Headers` if none are declared. */
  readonly headers: Fields;
  /**
   * The native response. Its body has been read, or `body` reads it. For `response.raw()` it is the same object as
   * `body`.
   */
  readonly response: Response;
}

/**
 * The declared headers: the output of the codec if there is one. Otherwise text: several fields with one name are joined
 * by `, `, and cookies are a list. An editor shows this name in a function that is generic over a route.
 */
type ReceivedHeaders<Declared extends ResponseContent["headers"]> = Declared extends Schema
  ? Declared extends Marked<"codec"> ? OutputOf<Declared>
  : { readonly [Name in keyof OutputOf<Declared>]: ReceivedField<Name, OutputOf<Declared>[Name]> }
  : Headers;

/** One header field, as it arrives. */
type ReceivedField<Name, Value> = Name extends "set-cookie" ? readonly string[] | Extract<Value, undefined>
  : Value extends readonly string[] ? string
  : Value;

/** Any result. {@linkcode unwrap} uses only these members. */
export interface AnyResult {
  /** The status code of the response, from 200 to 599. */
  readonly status: number;
  /** The body, decoded and validated by its declared response; `undefined` if it declares none. */
  readonly body: unknown;
}

/** The members of a result union that have a 2xx status. */
export type SuccessfulResult<Result extends AnyResult> = Result extends unknown
  ? `${Result["status"]}` extends `2${string}` ? Result : never
  : never;

/**
 * Returns the body of a 2xx result and throws for any other, for callers that treat every other status as an error.
 *
 * @example A body, or an error
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { ClientError, createClient, unwrap } from "@scope/api/client";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const contract = defineContract({
 *   routes: {
 *     greet: route.get("/greet/:name", { responses: { 200: response.text(), 404: response.empty() } }),
 *   },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: ({ url }) => url.endsWith("/Ada") ? new Response("Hello, Ada!") : new Response(null, { status: 404 }),
 * });
 *
 * assertEquals(unwrap(await client.greet({ params: { name: "Ada" } })), "Hello, Ada!");
 * const error = await assertRejects(async () => unwrap(await client.greet({ params: { name: "Bob" } })), ClientError);
 * assertEquals(error.code, "unsuccessful");
 * ```
 *
 * @throws {ClientError} With code `unsuccessful`, the `result` and its `problem`, if the status is not 2xx.
 */
export function unwrap<Result extends AnyResult>(result: Result): SuccessfulResult<Result>["body"] {
  return unwrapResult(result).body;
}

/**
 * Returns the result itself if its status is 2xx, and throws for any other. It is like {@linkcode unwrap}, for callers
 * that also need the status or the headers.
 *
 * @example A body and a header
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient, unwrapResult } from "@scope/api/client";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({
 *   routes: { page: route.get("/page", { responses: { 200: response.text(), 404: response.empty() } }) },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => new Response("Hello", { headers: { "content-type": "text/plain", etag: `"1"` } }),
 * });
 *
 * const { body, headers } = unwrapResult(await client.page());
 * assertEquals([body, headers.get("etag")], ["Hello", `"1"`]);
 * ```
 *
 * @throws {ClientError} With code `unsuccessful` and the `result`, if the status is not 2xx.
 */
export function unwrapResult<Result extends AnyResult>(result: Result): SuccessfulResult<Result> {
  if (isSuccessful(result)) return result as SuccessfulResult<Result>; // its status is 2xx
  const { [calledRoute]: route } = result as { readonly [calledRoute]?: CalledRoute };
  throw toUnsuccessful(`unwrap the result${route ? ` of ${routeLabel(route)}` : ""}`, result, route);
}

/** Returns the error for a result whose status does not allow a step. */
export function toUnsuccessful(step: string, result: AnyResult, route: CalledRoute | undefined): ClientError {
  const { status, body, response }: AnyResult & { readonly response?: Response } = result;
  const problem = response && isProblem(response) ? toProblem(body) : undefined;
  const message = `Cannot ${step}: its status is ${status}${describeProblem(problem)}`;
  return new ClientError("unsuccessful", message, { route, status, response, problem, result });
}

/** The most characters of a problem document that a message quotes. */
const quotedLength = 300;

/** Quotes the title and the detail of a problem document, without control characters and line breaks. */
function describeProblem({ title, detail }: Problem = {}): string {
  const text = [title, detail].filter((part) => part).join(": ");
  if (text === "") return "";
  const short = text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text;
  return ` (${short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")})`;
}

/** Returns whether the status of a result is 2xx. */
export function isSuccessful({ status }: { readonly status: number }): boolean {
  return status >= 200 && status <= 299;
}

/** The key of a result's hidden property that holds its route, for the error of {@linkcode unwrap}. */
export const calledRoute: unique symbol = Symbol("@scope/api called route");

/**
 * Any call of a client.
 *
 * @internal
 */
export type AnyCall = ((...args: never) => Promise<AnyResult>) & unknown;

/**
 * The results of a call that are not 2xx.
 *
 * @internal
 */
export type UnsuccessfulOf<Call extends AnyCall> = Exclude<
  Awaited<ReturnType<Call>>,
  SuccessfulResult<Awaited<ReturnType<Call>>>
>;

/**
 * The error of a call with these results that are not 2xx: `result` is one of them, or `undefined` if the call failed
 * otherwise.
 */
export interface CallError<Failed> extends ClientError<Failed | undefined> {}

/** The {@linkcode CallError} of a call, such as `ErrorOf<typeof client.users.byId>`. */
export type ErrorOf<Call> = Call extends AnyCall ? CallError<UnsuccessfulOf<Call>> : never; // editors show no alias

/**
 * Returns whether an error is a {@linkcode ClientError} of a call. It narrows `result` to the types of that call.
 * Errors are matched by route, so the call may belong to any client of the same contract.
 *
 * @example The declared 404, after `unwrap()` has thrown
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient, isErrorOf, unwrap } from "@scope/api/client";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     byId: route.get("/users/:id", {
 *       responses: { 200: response.text(), 404: response.json(type({ message: "string" })) },
 *     }),
 *   },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => Response.json({ message: "No user 42" }, { status: 404 }),
 * });
 *
 * try {
 *   unwrap(await client.byId({ params: { id: "42" } }));
 * } catch (error) {
 *   if (!isErrorOf(client.byId, error)) throw error;
 *   assertEquals(error.result?.body.message, "No user 42");
 * }
 * ```
 */
export function isErrorOf<Call extends AnyCall>(
  call: Call,
  error: unknown,
): error is ErrorOf<Call> {
  const { [mark]: declared }: { readonly [mark]?: CalledRoute } = Object(call);
  if (!declared) throw new TypeError("isErrorOf(): the call must be one of a client, like client.users.byId");
  if (!isInstance(error, ClientError)) return false;
  const { route } = error;
  return route?.key === declared.key && route.method === declared.method && route.path === declared.path;
}

/** Returns a call as data. Throws a `TypeError` of the function with this name for anything else. */
export function toDeclared(call: unknown, name: string): RouteCall {
  if (isCall(call)) return call[mark];
  throw new TypeError(
    `${name}(): the first argument must be a call of a client, like client.users.byId, got ${
      describeConfidential(call)
    }`,
  );
}

/** Returns whether a value is a call of a client, rather than any other function or value. */
export function isCall(value: unknown): value is { readonly [mark]: RouteCall } {
  return typeof value === "function" && mark in value;
}
