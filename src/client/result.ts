import { type RouteNode } from "../contract/node.ts";
import { type ContentOf, type ResponseContent } from "../contract/response.ts";
import { type Marked } from "../mark.ts";
import { type OutputOf, type Schema } from "../schema.ts";
import { routeLabel } from "../route_label.ts";
import { type CalledRoute, ClientError } from "./error.ts";

/** What a call gives: a union discriminated by `status`, declared 4xx and 5xx included. */
export type ClientResult<Route extends RouteNode> = ReceivedByStatus<Route>[keyof Route["responses"] & number];

/**
 * Each declared response as a client receives it.
 *
 * @internal
 */
export type ReceivedByStatus<Route extends RouteNode> = {
  [Status in keyof Route["responses"] & number]: Received<
    Status,
    Route["method"] extends "HEAD" ? undefined : ContentOf<Route["responses"][Status]>["seen"],
    ReceivedHeaders<ContentOf<Route["responses"][Status]>>
  >;
};

/** One declared response as a client receives it. */
export interface Received<Status, Body, Fields = Headers> {
  /** The status. */
  readonly status: Status;
  /** The decoded body; `undefined` for an empty response and for HEAD. A stream, or what iterates one, is the caller's to read or leave. */
  readonly body: Body;
  /** The declared headers by lower-case name, or the native `Headers` where none are declared. */
  readonly headers: Fields;
  /** The native response; its body has been read, or is what `body` reads. Of a raw response it is `body` itself. */
  readonly response: Response;
}

/**
 * The header fields of a declared response as they arrive.
 *
 * @internal
 */
export type ReceivedHeaders<Content extends ResponseContent> = Content["headers"] extends Schema
  ? SeenHeaders<Content["headers"]>
  : Headers;

/**
 * A codec's application value; else text, as header fields arrive: several of one name joined by `, `, cookies as a list.
 *
 * @internal
 */
export type SeenHeaders<Declared extends Schema> = Declared extends Marked<"codec"> ? OutputOf<Declared>
  : { readonly [Name in keyof OutputOf<Declared>]: SeenHeader<Name, OutputOf<Declared>[Name]> };

/**
 * One header field as it arrives.
 *
 * @internal
 */
export type SeenHeader<Name, Value> = Name extends "set-cookie" ? readonly string[] | Extract<Value, undefined>
  : Value extends readonly string[] ? string
  : Value;

/** Any result, as far as {@linkcode unwrap} looks at it. */
export interface AnyResult {
  /** The status. */
  readonly status: number;
  /** The decoded body. */
  readonly body: unknown;
}

/** The members of a result union that have a 2xx status. */
export type Successful<Result extends AnyResult> = Result extends unknown
  ? `${Result["status"]}` extends `2${string}` ? Result : never
  : never;

/**
 * The body of a 2xx result; for callers that treat every other result as an error.
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
 * @throws {ClientError} With code `unsuccessful` and the `result`, where the status is no 2xx.
 */
export function unwrap<Result extends AnyResult>(result: Result): Successful<Result>["body"] {
  return unwrapResult(result).body;
}

/**
 * A result itself, if it is of a 2xx status: like {@linkcode unwrap}, for callers that also need the status or the headers.
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
 * @throws {ClientError} With code `unsuccessful` and the `result`, where the status is not 2xx.
 */
export function unwrapResult<Result extends AnyResult>(result: Result): Successful<Result> {
  const { status } = result;
  if (isSuccessful(result)) return result as Successful<Result>; // which its status says
  const { response } = result as { readonly response?: Response };
  const { [calledRoute]: route } = result as { readonly [calledRoute]?: CalledRoute };
  const where = route ? ` of ${routeLabel(route)}` : "";
  throw new ClientError("unsuccessful", `Cannot unwrap the result${where}: its status is ${status}`, {
    route,
    status,
    response,
    result,
  });
}

/** Whether a result is of a 2xx status. */
export function isSuccessful({ status }: { readonly status: number }): boolean {
  return status >= 200 && status <= 299;
}

/** The key of the route that a result came from, which no enumeration shows: what an error of {@linkcode unwrap} tells. */
const calledRoute: unique symbol = Symbol("@scope/api called route");

/** Tells in a result which route it came from. */
export function rememberRoute(result: object, route: CalledRoute): void {
  Object.defineProperty(result, calledRoute, { value: route });
}
