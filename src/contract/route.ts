import { isMarked, markAs, type Marked } from "../mark.ts";
import { checkPath } from "./check_path.ts";
import { type InputOf, isSchema, type Schema } from "../schema.ts";
import { cannotDeclare, checkOptions, checkSchema } from "./declared.ts";
import { type Deprecated } from "./deprecation.ts";
import { type Docs } from "./docs.ts";
import { type FitsJson, type FitsText, type RequestWireOf } from "./infer.ts";
import { type JsonBody, type RequestBody } from "./request.ts";
import { json } from "./request_helpers.ts";
import { type Responses } from "./response.ts";
import { type Security } from "./security_scheme.ts";
import { copyShared, sharedNames } from "./shared_options.ts";

/** The methods a route may have (RFC 9110, section 9; PATCH, RFC 5789; QUERY, the HTTP QUERY method). */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "QUERY";

/**
 * What a route declares, as one type.
 *
 * @internal
 */
export interface RouteShape {
  /** The method. */
  readonly method: Method;
  /** The path: of the declaration alone, or with everything above it. */
  readonly path: string;
  /** The schema of the path parameters. */
  readonly params: Schema | undefined;
  /** The schema of the query. */
  readonly query: Schema | undefined;
  /** The schema of the headers. */
  readonly headers: Schema | undefined;
  /** The request's body. */
  readonly body: RequestBody | undefined;
  /** The responses by status. */
  readonly responses: Responses;
  /** The security schemes that let a caller in; `undefined` where none are declared. */
  readonly security: Security | undefined;
}

/** A route that stands nowhere yet; made by {@linkcode route}. */
export interface RouteDeclaration<Shape extends RouteShape = RouteShape> extends Marked<"route declaration"> {
  /** The method. */
  readonly method: Shape["method"];
  /** The path that was declared here. */
  readonly path: Shape["path"];
  /** The schema of the path parameters. */
  readonly params: Shape["params"];
  /** The schema of the query. */
  readonly query: Shape["query"];
  /** The schema of the headers. */
  readonly headers: Shape["headers"];
  /** The request's body. */
  readonly body: Shape["body"];
  /** The responses that were declared here, by status. */
  readonly responses: Shape["responses"];
  /** The security that was declared here. */
  readonly security: Shape["security"];
  /** What was declared here of its deprecation. */
  readonly deprecated: Deprecated | undefined;
  /** What documentation says of it. */
  readonly docs: Docs;
}

/** The options of every `route.<method>`. A slot that is not declared is not read. */
export interface RouteOptions<
  Params extends Schema | undefined,
  Query extends Schema | undefined,
  Headers extends Schema | undefined,
  Declared extends Responses,
  Secured extends Security | undefined,
> {
  /** A schema of all parameters of the full path, decoded: an object of strings by name. Default: the strings as they are. */
  readonly params?: Params & FitsSlot<Params, string>;
  /** A schema of the query: an object of strings, and of lists where a key occurs several times. */
  readonly query?: Query & FitsSlot<Query, string | string[]>;
  /** A schema of the headers: an object of strings by lower-case name. */
  readonly headers?: Headers & FitsSlot<Headers, string>;
  /** The responses by status, at least one. They win over inherited ones of the same status. */
  readonly responses: Declared;
  /**
   * The security schemes: a caller needs the credential of any one of them, and `[]` lets everyone in. It replaces an inherited list.
   * Default: the list of the nearest router or contract. Once a route of a contract has a list, every route must have one.
   */
  readonly security?: Secured;
  /**
   * Whether callers should stop using the route. With a date since when, each answer says so by the fields `deprecation`, `sunset` and
   * `link`; `true` is for documents only. `false` ends what is inherited. Default: inherited.
   */
  readonly deprecated?: Deprecated;
  /** What documentation says of the route. */
  readonly docs?: Docs;
}

/** The options of a `route.<method>` whose method has a body. */
export interface BodyRouteOptions<
  Params extends Schema | undefined,
  Query extends Schema | undefined,
  Headers extends Schema | undefined,
  Body extends RequestBody | Schema | undefined,
  Declared extends Responses,
  Secured extends Security | undefined,
> extends RouteOptions<Params, Query, Headers, Declared, Secured> {
  /** The request's body: a `request.*` declaration, or a schema for JSON. */
  readonly body?: Body & FitsBody<Body>;
}

/**
 * `unknown` where text can satisfy a slot's schema, else words that no value is assignable to.
 *
 * @internal
 */
export type FitsSlot<Declared extends Schema | undefined, Text> = Declared extends Schema
  ? FitsText<InputOf<Declared>, Text>
  : unknown;

/**
 * `unknown` where a body's bare schema fits JSON, else words that no value is assignable to.
 *
 * @internal
 */
export type FitsBody<Body> = Body extends Marked<"request"> ? unknown
  : Body extends Schema ? FitsJson<RequestWireOf<Body>>
  : unknown;

/**
 * The body that a `body` slot declares.
 *
 * @internal
 */
export type BodyOf<Body extends RequestBody | Schema | undefined> = Body extends RequestBody ? Body
  : Body extends Schema ? JsonBody<Body>
  : undefined;

/** Declares a route of a method without a request body. */
export interface DeclareRoute<Verb extends Method> {
  /** Declares a route at `path`, below the paths of the routers and the contract it will stand in. */
  <
    const Path extends string,
    Declared extends Responses,
    Params extends Schema | undefined = undefined,
    Query extends Schema | undefined = undefined,
    Headers extends Schema | undefined = undefined,
    Secured extends Security | undefined = undefined,
  >(
    path: Path,
    options: RouteOptions<Params, Query, Headers, Declared, Secured>,
  ): RouteDeclaration<
    {
      readonly method: Verb;
      readonly path: Path;
      readonly params: Params;
      readonly query: Query;
      readonly headers: Headers;
      readonly body: undefined;
      readonly responses: Declared;
      readonly security: Secured;
    }
  >;
}

/** Declares a route of a method that may have a request body. */
export interface DeclareBodyRoute<Verb extends Method> {
  /** Declares a route at `path`, below the paths of the routers and the contract it will stand in. */
  <
    const Path extends string,
    Declared extends Responses,
    Params extends Schema | undefined = undefined,
    Query extends Schema | undefined = undefined,
    Headers extends Schema | undefined = undefined,
    Body extends RequestBody | Schema | undefined = undefined,
    Secured extends Security | undefined = undefined,
  >(
    path: Path,
    options: BodyRouteOptions<Params, Query, Headers, Body, Declared, Secured>,
  ): RouteDeclaration<
    {
      readonly method: Verb;
      readonly path: Path;
      readonly params: Params;
      readonly query: Query;
      readonly headers: Headers;
      readonly body: BodyOf<Body>;
      readonly responses: Declared;
      readonly security: Secured;
    }
  >;
}

/** The functions behind {@linkcode route}, one a method. */
export interface RouteHelpers {
  /** A GET route: reads, safe. It also answers HEAD where no `head` route has the path. */
  readonly get: DeclareRoute<"GET">;
  /** A HEAD route: a GET's header fields alone. */
  readonly head: DeclareRoute<"HEAD">;
  /** A POST route: does what the resource does with the body. */
  readonly post: DeclareBodyRoute<"POST">;
  /** A PUT route: replaces, idempotent. */
  readonly put: DeclareBodyRoute<"PUT">;
  /** A PATCH route: changes a part. */
  readonly patch: DeclareBodyRoute<"PATCH">;
  /** A DELETE route: removes, idempotent. */
  readonly delete: DeclareBodyRoute<"DELETE">;
  /** An OPTIONS route: tells about the resource. */
  readonly options: DeclareBodyRoute<"OPTIONS">;
  /** A QUERY route: reads, safe, with a body that says what. */
  readonly query: DeclareBodyRoute<"QUERY">;
}

const slots = ["params", "query", "headers"] as const;

/**
 * Declares one route: `route.get`, `head`, `post`, `put`, `patch`, `delete`, `options` or `query`, each with a path and
 * options. A path is of segments between slashes; `:name` is a parameter that stands for a whole segment.
 *
 * @example A route with a parameter and two responses
 * ```ts
 * import { response, route } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const byId = route.get("/users/:id", {
 *   responses: {
 *     200: response.json(type({ id: "string", name: "string" })),
 *     404: response.json(type({ message: "string" })),
 *   },
 * });
 *
 * assertEquals(byId.method, "GET");
 * ```
 *
 * Each throws a `TypeError` if the path or the option is invalid. The message names it and the fix.
 */
export const route: RouteHelpers = /* @__PURE__ */ Object.freeze({
  get: /* @__PURE__ */ declare("GET"),
  head: /* @__PURE__ */ declare("HEAD"),
  post: /* @__PURE__ */ declare("POST"),
  put: /* @__PURE__ */ declare("PUT"),
  patch: /* @__PURE__ */ declare("PATCH"),
  delete: /* @__PURE__ */ declare("DELETE"),
  options: /* @__PURE__ */ declare("OPTIONS"),
  query: /* @__PURE__ */ declare("QUERY"),
}) as RouteHelpers; // the exact types are stated in RouteHelpers alone

type AnyRouteOptions = BodyRouteOptions<undefined, undefined, undefined, RequestBody | Schema, Responses, Security>;

function declare(method: Method): (path: string, options: AnyRouteOptions) => RouteDeclaration {
  const hasBody = method !== "GET" && method !== "HEAD";
  const allowed = [...slots, ...(hasBody ? ["body"] : []), ...sharedNames];
  const name = `route.${method.toLowerCase()}()`;
  return (path, options) => {
    checkPath(path, name);
    const where = `${name} ${JSON.stringify(path)}`;
    checkOptions(options, allowed, where);
    for (const slot of slots) if (options[slot] !== undefined) checkSchema(options[slot], slot, where);
    const { params, query, headers } = options;
    const body = toBody(options.body, where);
    const { responses, security, deprecated, docs } = copyShared(options, where);
    if (Object.keys(responses).length === 0) {
      cannotDeclare(where, "it has no responses; declare at least one by status, like 200");
    }
    return markAs("route declaration", {
      method,
      path,
      params,
      query,
      headers,
      body,
      responses,
      security,
      deprecated,
      docs,
    });
  };
}

function toBody(body: RequestBody | Schema | undefined, where: string): RequestBody | undefined {
  if (body === undefined || isMarked(body, "request")) return body as RequestBody | undefined;
  if (isSchema(body)) return json(body as Schema<never>);
  cannotDeclare(where, "body is neither a request declaration nor a Standard Schema; write request.json(…)");
}
