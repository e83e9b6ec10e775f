import { isMarked, markAs, type Marked } from "../mark.ts";
import { checkPath } from "../path.ts";
import { isSchema, type Schema } from "../schema.ts";
import type { FitsText, RequestFitsJson } from "./infer.ts";
import { isRequestBody, json, type JsonBody, type RequestBody } from "./request.ts";
import {
  type Refusals,
  type RefusalsByStatus,
  type RefusalsFit,
  type RefusalsOption,
  refusalStatuses,
} from "./refusals.ts";
import {
  copyResponses,
  type DeclaredResponses,
  type FitsResponses,
  type Responses,
  type ResponsesOf,
} from "./response.ts";
import type { Security } from "./security_scheme.ts";
import type { Deprecated, Docs } from "./docs.ts";
import { copySecurity } from "./security.ts";
import type { ResponsePlace } from "../representation/representation.ts";
import {
  aBoolean,
  checkObject,
  checkOptions,
  checkRule,
  checkSchema,
  failAt,
  freezeCopy,
  type SchemaPlace,
  type ValueRule,
} from "../options.ts";

/** The HTTP methods that a route can have (RFC 9110, section 9; PATCH is RFC 5789; QUERY is the HTTP QUERY method). */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "QUERY";

/** All members of a declared route, as one type. */
export interface RouteShape {
  readonly method: Method;
  /** The path: the declared one, or the full path of a resolved route. */
  readonly path: string;
  readonly params: Schema | undefined;
  readonly query: Schema | undefined;
  readonly headers: Schema | undefined;
  readonly body: RequestBody | undefined;
  readonly responses: Responses;
  /** The security schemes. `undefined` if none are declared. */
  readonly security: Security | undefined;
  /** The responses of refusals. `undefined` if none are declared. */
  readonly refusals: Refusals | undefined;
}

/**
 * All members of a declared route that its place in a contract resolves.
 *
 * @internal
 */
export interface DeclaredShape extends RouteShape {
  /** Whether the full path ends with a slash. */
  readonly trailingSlash: boolean;
}

/** A declared route, before it has a place in a contract. The {@linkcode route} functions return it. */
export interface RouteDeclaration<Shape extends DeclaredShape = DeclaredShape> extends Marked<"route declaration"> {
  /** The HTTP method. */
  readonly method: Shape["method"];
  /** The declared path, without the paths of routers. */
  readonly path: Shape["path"];
  /** Whether the full path ends with a slash. */
  readonly trailingSlash: Shape["trailingSlash"];
  /** The schema of the path parameters. */
  readonly params: Shape["params"];
  /** The schema of the query. */
  readonly query: Shape["query"];
  /** The schema of the headers. */
  readonly headers: Shape["headers"];
  /** The declared request body, or `undefined` if requests have none. */
  readonly body: Shape["body"];
  /** The declared responses by status code, without inherited ones. */
  readonly responses: Shape["responses"];
  /** The declared refusals, without what it inherits. */
  readonly refusals: Shape["refusals"];
  /** The declared security, without what it inherits. */
  readonly security: Shape["security"];
  /** The declared deprecation, without what it inherits. */
  readonly deprecated: Deprecated | undefined;
  /** The prose for the OpenAPI document. */
  readonly docs: Docs;
  /** All of these types as one. Never present at run time. A contract of another copy of the package infers it. */
  readonly types?: Shape | undefined;
}

/**
 * What the options of a route declare, as one type.
 *
 * @internal
 */
export interface OptionShape extends Omit<DeclaredShape, "method" | "path" | "body" | "responses" | "refusals"> {
  readonly body: RequestBody | Schema | undefined;
  readonly responses: DeclaredResponses;
  readonly refusals: RefusalsOption | undefined;
}

/** The options of every `route.<method>`. The server does not read an input that is not declared. */
export interface RouteOptions<Shape extends OptionShape = OptionShape> {
  /**
   * A schema of the parameters of the full path: an object of percent-decoded strings by name. Parameters that it leaves
   * out stay strings. A schema that refuses them is an error, as far as its Standard JSON Schema shows it. Default: no
   * schema, and the handler receives the strings.
   */
  readonly params?: Shape["params"] & FitsText<Shape["params"], string>;
  /**
   * A schema of the query: an object of strings by name, with a list for a key that occurs several times. `styled()`
   * declares other forms. Default: the query is not read.
   */
  readonly query?: Shape["query"] & FitsText<Shape["query"], string | string[]>;
  /** A schema of the headers: an object of strings by lowercase name. Default: the headers are not read. */
  readonly headers?: Shape["headers"] & FitsText<Shape["headers"], string>;
  /**
   * The responses by status code, at least one: a `response.*` declaration, or a schema, which means
   * `response.json(schema)`. They replace inherited responses with the same status.
   */
  readonly responses: Shape["responses"] & FitsResponses<Shape["responses"]>;
  /**
   * The responses that the server sends without a handler, by status, as far as they can occur. A number is the status
   * that is sent instead: `{ 400: 422, 422: Errors }`. A response in the place of the object is that of all statuses.
   * A nearer status wins. The server's `refuse` builds their bodies; problem documents and empty responses need none.
   * Default: inherited, or problem documents.
   */
  readonly refusals?: Shape["refusals"] & RefusalsFit<Shape["refusals"]>;
  /**
   * The security schemes: a caller needs the credential of one of them, and `[]` accepts everyone. The list replaces an
   * inherited one. Once one route of a contract has a list, every route must have one. Default: the list of the nearest
   * router or contract.
   */
  readonly security?: Shape["security"];
  /**
   * Whether callers should stop using the route. With a date, each response has the header `deprecation`, and `sunset`
   * and `link` if they are declared. `true` appears only in the OpenAPI document, and `false` ends an inherited
   * deprecation. Default: inherited.
   */
  readonly deprecated?: Deprecated;
  /**
   * Whether the full path ends with a slash: `/users/42/`, and not `/users/42`. Both can be declared, as two routes.
   * Default: `false`.
   */
  readonly trailingSlash?: Shape["trailingSlash"];
  /** Prose for the OpenAPI document. The server ignores it. Default: none. */
  readonly docs?: Docs;
}

/** The options of a `route.<method>` that can have a request body. */
export interface BodyRouteOptions<Shape extends OptionShape = OptionShape> extends RouteOptions<Shape> {
  /** The request body: a `request.*` declaration, or a schema, which means `request.json(schema)`. Default: none. */
  readonly body?: Shape["body"] & FitsBody<Shape["body"]>;
}

/**
 * `unknown` if the schema of a body fits JSON. Otherwise an error message as a type.
 *
 * @internal
 */
export type FitsBody<Body> = [Body] extends [Marked<"request"> | undefined] ? unknown
  : [Body] extends [Schema] ? RequestFitsJson<Body>
  : unknown;

/**
 * The declared body of the option `body`.
 *
 * @internal
 */
export type BodyOf<Body extends RequestBody | Schema | undefined> = Body extends RequestBody ? Body
  : Body extends Schema ? JsonBody<Body>
  : undefined;

/** Declares a route with a method that has no request body. */
export interface DeclareRoute<Verb extends Method> {
  /** Declares a route at `path`, relative to the paths of its routers and its contract. */
  <
    const Path extends string,
    Declared extends DeclaredResponses,
    Params extends Schema | undefined = undefined,
    Query extends Schema | undefined = undefined,
    Headers extends Schema | undefined = undefined,
    Secured extends Security | undefined = undefined,
    const Refused extends RefusalsOption | undefined = undefined,
    Slash extends boolean = false,
  >(
    path: Path,
    options: RouteOptions<
      {
        readonly params: Params;
        readonly query: Query;
        readonly headers: Headers;
        readonly body: undefined;
        readonly responses: Declared;
        readonly security: Secured;
        readonly refusals: Refused;
        readonly trailingSlash: Slash;
      }
    >,
  ): RouteDeclaration<
    {
      readonly method: Verb;
      readonly path: Path;
      readonly params: Params;
      readonly query: Query;
      readonly headers: Headers;
      readonly body: undefined;
      readonly responses: ResponsesOf<Declared>;
      readonly security: Secured;
      readonly refusals: RefusalsByStatus<Refused>;
      readonly trailingSlash: Slash;
    }
  >;
}

/** Declares a route with a method that can have a request body. */
export interface DeclareBodyRoute<Verb extends Method> {
  /** Declares a route at `path`, relative to the paths of its routers and its contract. */
  <
    const Path extends string,
    Declared extends DeclaredResponses,
    Params extends Schema | undefined = undefined,
    Query extends Schema | undefined = undefined,
    Headers extends Schema | undefined = undefined,
    Body extends RequestBody | Schema | undefined = undefined,
    Secured extends Security | undefined = undefined,
    const Refused extends RefusalsOption | undefined = undefined,
    Slash extends boolean = false,
  >(
    path: Path,
    options: BodyRouteOptions<
      {
        readonly params: Params;
        readonly query: Query;
        readonly headers: Headers;
        readonly body: Body;
        readonly responses: Declared;
        readonly security: Secured;
        readonly refusals: Refused;
        readonly trailingSlash: Slash;
      }
    >,
  ): RouteDeclaration<
    {
      readonly method: Verb;
      readonly path: Path;
      readonly params: Params;
      readonly query: Query;
      readonly headers: Headers;
      readonly body: BodyOf<Body>;
      readonly responses: ResponsesOf<Declared>;
      readonly security: Secured;
      readonly refusals: RefusalsByStatus<Refused>;
      readonly trailingSlash: Slash;
    }
  >;
}

/** The functions of {@linkcode route}, one per method. */
export interface RouteHelpers {
  /** Declares a GET route (safe). It also answers HEAD requests if no `route.head` has the path. */
  readonly get: DeclareRoute<"GET">;
  /** Declares a HEAD route: the headers of a GET without its body. */
  readonly head: DeclareRoute<"HEAD">;
  /** Declares a POST route: the resource processes the body. */
  readonly post: DeclareBodyRoute<"POST">;
  /** Declares a PUT route: replaces the resource (idempotent). */
  readonly put: DeclareBodyRoute<"PUT">;
  /** Declares a PATCH route: changes a part of the resource. */
  readonly patch: DeclareBodyRoute<"PATCH">;
  /** Declares a DELETE route: removes the resource (idempotent). */
  readonly delete: DeclareBodyRoute<"DELETE">;
  /** Declares an OPTIONS route: describes the resource. */
  readonly options: DeclareBodyRoute<"OPTIONS">;
  /** Declares a QUERY route: reads the resource (safe), with the query in the request body. */
  readonly query: DeclareBodyRoute<"QUERY">;
}

/** Returns what is kept of an option that is set. Throws a `TypeError` if it is invalid. `place` are all options. */
type ReadOption<Kept = unknown> = (value: unknown, where: string, place: ResponsePlace, name: string) => Kept;

/** What is read of a declaration, by the names of its options. */
type ReadOptions<Readers> = {
  readonly [Name in keyof Readers]:
    | (Readers[Name] extends ReadOption<infer Kept> ? Kept : never)
    | (Name extends keyof typeof defaults ? never : undefined);
};

/** What options are that are not set. All others are `undefined`. */
const defaults = {
  responses: /* @__PURE__ */ Object.freeze<Responses>({}),
  docs: /* @__PURE__ */ Object.freeze<Docs>({}),
  trailingSlash: false,
  basePath: "/",
};

/** Reads the options of a declaration, each once. Throws a `TypeError` if one is unknown or invalid. */
export function readDeclared<Readers extends Readonly<Record<string, ReadOption>>>(
  options: unknown,
  readers: Readers,
  where: string,
  place?: ResponsePlace,
): ReadOptions<Readers> {
  const names = Object.keys(readers);
  checkOptions(options, names, where);
  const given: ResponsePlace & Readonly<Record<string, unknown>> = { ...options as object, ...place };
  const read: Record<string, unknown> = {};
  for (const name of names) {
    const value = given[name];
    read[name] = value === undefined
      ? (defaults as Partial<typeof read>)[name]
      : readers[name]!(value, where, given, name);
  }
  return read as ReadOptions<Readers>; // each by its reader
}

/** Returns the reader of an option that follows a rule. */
export function readByRule<Kept>(rule: ValueRule): ReadOption<Kept> {
  return (value, where, _place, name) => {
    checkRule(value, `"${name}"`, rule, where);
    return value as Kept; // the rule says so
  };
}

/** What routes below inherit, from one declaration or from all above. */
export interface Inherited {
  readonly responses: Responses;
  readonly refusals: Refusals | undefined;
  readonly security: Security | undefined;
  readonly deprecated: Deprecated | undefined;
  readonly docs: Docs;
}

/** Reads the options that contracts, routers and routes share. */
export const sharedReaders = {
  responses: copyResponses,
  refusals: copyRefusals,
  security: copySecurity,
  deprecated: copyDeprecated,
  docs: (docs, where) => freezeCopy<Docs>(checkObject(docs, where, '"docs"')), // documents check its names
} satisfies { readonly [Name in keyof Inherited]: ReadOption<Inherited[Name]> };

/**
 * Declares a route: `route.get`, `head`, `post`, `put`, `patch`, `delete`, `options` or `query`, each with a path and
 * options. A path consists of segments between slashes. `:name` is a parameter for one whole segment.
 *
 * Each function throws a `TypeError` if the path or an option is invalid. The message names it and the fix.
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
}) as RouteHelpers; // RouteHelpers declares the exact types

type AnyRouteOptions = BodyRouteOptions;

function declare(method: Method): (path: string, options: AnyRouteOptions) => RouteDeclaration {
  const readers = {
    params: readSchema,
    query: readSchema,
    headers: readSchema,
    ...(method !== "GET" && method !== "HEAD" && { body: readBody }),
    trailingSlash: readByRule<boolean>(aBoolean),
    ...sharedReaders,
  };
  const name = `route.${method.toLowerCase()}`;
  return (path, options) => {
    checkPath(path, `${name}()`);
    const where = `${name}(${JSON.stringify(path)})`;
    const read = readDeclared(options, readers, where, { method });
    if (Object.keys(read.responses).length === 0) {
      failAt(where, '"responses" must declare at least one status, like { 200: response.json(…) }');
    }
    return markAs("route declaration", { method, path, body: undefined, ...read });
  };
}

function readSchema(schema: unknown, where: string, _place: ResponsePlace, slot: string): Schema {
  checkSchema(schema, `"${slot}"`, where, slot as SchemaPlace); // the name of the option
  return schema;
}

function readBody(body: unknown, where: string): RequestBody {
  const declared = isSchema(body) ? json(body) : body;
  checkRule(declared, '"body"', aBody, where);
  return declared as RequestBody; // it was checked
}

const aBody: ValueRule = ["a schema or a declaration like request.json(…)", isRequestBody];

/** Returns a frozen copy of the option `refusals`, by status. */
function copyRefusals(refusals: unknown, where: string): Refusals {
  if (isSchema(refusals)) {
    failAt(where, '"refusals" must be a response or an object, got a schema; write response.json(schema)');
  }
  const byStatus = isMarked(refusals, "response")
    ? Object.fromEntries(refusalStatuses.map((status) => [status, refusals]))
    : { ...checkObject(refusals, where, '"refusals"') };
  return Object.freeze(byStatus) as Refusals; // servers check its members
}

/** Returns the docs of a route, with what it inherits. */
export function inheritDocs({ tags, audience }: Docs, own: Docs): Docs {
  return tags || audience ? freezeCopy<object>({ tags, audience, ...own }) as Docs : own; // without what is undefined
}

/** Returns a frozen copy of the option `deprecated`. Throws a `TypeError` if it is invalid. */
function copyDeprecated(deprecated: unknown, where: string): Deprecated {
  if (typeof deprecated === "boolean") return deprecated;
  checkOptions(deprecated, ["since", "sunset", "link"], where, '"deprecated"');
  const copy = Object.freeze({ ...deprecated as Exclude<Deprecated, boolean> }); // its members are checked next
  const { since, sunset, link } = copy;
  checkRule(since, '"deprecated.since"', aTime, where);
  if (sunset !== undefined) checkRule(sunset, '"deprecated.sunset"', aTime, where);
  if (parseTime(sunset) < parseTime(since)) {
    failAt(where, `"deprecated.sunset" must not be before "deprecated.since" (${since}), got ${sunset}`);
  }
  if (link !== undefined) checkRule(link, '"deprecated.link"', aReference, where);
  return copy;
}

/** A URI reference (RFC 3986). */
const aReference: ValueRule = [
  "a percent-encoded URL",
  (link) =>
    typeof link === "string" && /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})+$/.test(link) &&
    URL.canParse(link, "https://localhost"),
];

const aTime: ValueRule = ['a date like "2026-06-01" or a UTC time', (text) => !Number.isNaN(parseTime(text))];

/** Returns the milliseconds since 1970. `NaN` if the text is not a date or a UTC time, or does not exist, such as February 30. */
function parseTime(text: unknown): number {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?$/.test(text)) return NaN;
  const time = new Date(text);
  return time.toJSON()?.startsWith(text.slice(0, 19)) ? time.getTime() : NaN; // `null` for an invalid date
}
