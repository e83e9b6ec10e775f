import { type CallTree, type ContentSource, type RouteCall, toCall } from "../../contract/call.ts";
import type { Contract, SlimContract } from "../../contract/contract.ts";
import type { RouterNode, SecurityBelow } from "../../contract/node.ts";
import type { RequestKind } from "../../contract/request.ts";
import type { HeadersWithContentType, ResponseKind } from "../../contract/response.ts";
import type { EntryOf } from "../../contract/security_scheme.ts";
import { markAs } from "../../mark.ts";
import type { Representation } from "../../representation/representation.ts";
import type { Schema } from "../../schema.ts";
import type { CredentialPlace } from "../../wire/credentials.ts";
import type { DeclaredBody, DeclaredResponse, DeclaredRoute, DeclaredTypes } from "../types/declared_routes.ts";
import type { AnyEntry, AnyRow, AnyRows, SchemeArguments, SlimRows } from "./rows.ts";

/**
 * Creates a contract for clients from rows that the command `slim/cli` generates. It lacks the schemas of the whole
 * contract, so pages do not bundle a schema library. Pass it to `createClient` instead of the whole contract: types,
 * results and errors are the same. Everything else requires the whole contract. Rows that do not match the whole
 * contract do not compile.
 *
 * @example A client without schemas
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient, unwrap } from "@scope/api/client";
 * import { json, slimContract } from "@scope/api/slim";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const whole = defineContract({
 *   routes: { byId: route.get("/users/:id", { responses: { 200: response.json(type({ name: "string" })) } }) },
 * });
 *
 * const contract = slimContract<typeof whole>({ byId: ["GET", "/users/:id", {}, { 200: json }] });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => Response.json({ name: "Ada" }),
 * });
 *
 * assertEquals(unwrap(await client.byId({ params: { id: "42" } })).name, "Ada");
 * ```
 *
 * @typeParam Whole The type of the whole contract: `typeof contract`, from a type-only import.
 * @param rows The routes by key: method, path, slots and responses.
 * @param schemes How requests carry the credentials of the security schemes, by name, if there are any.
 */
export function slimContract<Whole extends Contract>(
  rows: SlimRows<Whole["routes"]>,
  ...schemes: SchemeArguments<EntryOf<SecurityBelow<Whole["routes"]>>>
): SlimContract<Whole>;
export function slimContract(rows: object, places?: CredentialPlaces): SlimContract {
  return createSlimContract(rows as AnyRows, places); // SlimRows has checked the shape of the rows
}

/** The types of a route that has no schemas: of what a client sends and receives. */
export interface RouteTypes extends Pick<DeclaredTypes, "method" | "path" | "body" | "responses" | "security"> {
  /** The parameters of the path. Default: strings. */
  readonly params?: object;
  /** The query. Default: none. */
  readonly query?: object;
  /** The headers. Default: none. */
  readonly headers?: object;
}

/** A body of a type, without a schema. It includes `undefined` if it may be absent. */
export type TypedBody<Kind extends RequestKind, Value> = DeclaredBody<Kind, Value>;

/** A response whose body has a type, without a schema. */
export type TypedResponse<Kind extends ResponseKind, Value, Headers extends object | undefined = undefined> =
  DeclaredResponse<Kind, Value, Value, RowHeaders<Headers>>;

/**
 * The headers of a response as a schema's type.
 *
 * @internal
 */
type RowHeaders<Headers> = Headers extends HeadersWithContentType | undefined ? Headers : Schema<Headers, Headers>;

/** A row of a route with its types: what `--schemas none` of `@scope/api/import/cli` writes for an operation. */
export type SlimRoute<Types extends RouteTypes = RouteTypes> = AnyRow & {
  /** The types of the route. Never present at run time. */
  readonly types?: Types;
};

/** Rows of routes by key, and objects of them. */
export interface SlimRoutes {
  /** A row, or an object of them. */
  readonly [key: string]: SlimRoute | SlimRoutes;
}

/**
 * The resolved routes of rows.
 *
 * @internal
 */
export type RoutesOf<Rows> = RouterNode<
  { readonly [Key in keyof Rows]: Rows[Key] extends SlimRoute<infer Types> ? NodeOf<Types> : RoutesOf<Rows[Key]> }
>;

/** The resolved route of a row. */
type NodeOf<Types extends RouteTypes> = DeclaredRoute<
  & { readonly key: string }
  & {
    readonly [Name in keyof Types]: Name extends "params" | "query" | "headers" ? Schema<Types[Name], Types[Name]>
      : NonNullable<Types[Name]>;
  }
>;

/**
 * The contract of rows that have their types. As the annotation of a constant, it lets an editor compute the types of a
 * route where the route is used: `const contract: SlimContractOf<typeof rows> = slimRoutes(rows)`.
 */
export type SlimContractOf<Rows extends SlimRoutes> = SlimContract<Contract<RoutesOf<Rows>>>;

/**
 * Creates a contract for clients from rows that have their types: those which `@scope/api/import/cli` writes with
 * `--schemas none`. It contains the rows that are passed, so a page that passes three contains three.
 *
 * @example A client of one operation
 * ```ts
 * import { createClient, unwrap } from "@scope/api/client";
 * import { json, type SlimRoute, slimRoutes, type TypedResponse } from "@scope/api/slim";
 * import { assertEquals } from "@std/assert";
 *
 * const read: SlimRoute<{
 *   method: "GET";
 *   path: "/users/:id";
 *   responses: { 200: TypedResponse<"json", { name: string }> };
 * }> = ["GET", "/users/:id", {}, { 200: json }];
 *
 * const client = createClient(slimRoutes({ read }), {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => Response.json({ name: "Ada" }),
 * });
 * assertEquals(unwrap(await client.read({ params: { id: "42" } })).name, "Ada");
 * ```
 *
 * @param rows The rows by key, or objects of them.
 * @param schemes How requests carry the credentials of the security schemes, by name, if there are any.
 */
export function slimRoutes<Rows extends SlimRoutes>(
  rows: Rows,
  ...schemes: SchemeArguments<EntryOf<SecurityBelow<RoutesOf<Rows>>>>
): SlimContractOf<Rows>;
export function slimRoutes(rows: SlimRoutes, places?: CredentialPlaces): SlimContract {
  return createSlimContract(rows, places);
}

/** How requests carry the credentials of security schemes, by the names of these. */
export type CredentialPlaces = Readonly<Record<string, CredentialPlace | undefined>>;

/** Creates a contract from rows. */
export function createSlimContract(rows: AnyRows, places: CredentialPlaces = {}): SlimContract {
  return markAs("slim contract", { calls: toCalls(rows, "", places) });
}

function toCalls(rows: AnyRows, above: string, places: CredentialPlaces): CallTree {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      isRow(row) ? rowToCall(row, above + name, places) : toCalls(row, `${above}${name}.`, places),
    ]),
  );
}

function isRow(row: AnyRow | AnyRows): row is AnyRow {
  return Array.isArray(row);
}

function rowToCall(
  [method, path, { body, ...schemas }, responses, names = []]: AnyRow,
  key: string,
  places: CredentialPlaces,
): RouteCall {
  const sources = Object.entries(responses).map(([status, row]) => [status, toSource(row)]);
  const security = names.map((entry) =>
    entry.split("+").map((name) => ({ scheme: { name, credential: places[name] } }))
  );
  const source = { key, method, path, ...schemas, body: body && toSource(body) };
  return toCall({ ...source, responses: Object.fromEntries(sources) }, security);
}

/** Returns the body or the response of a row, which has only what differs from the usual. */
function toSource<Format extends Representation>(row: AnyEntry<Format>): ContentSource<Format> {
  const [representation, details] = isAlone(row) ? [row] : row;
  return { contentType: representation.contentType, ...details, representation };
}

function isAlone<Format extends Representation>(entry: AnyEntry<Format>): entry is Format {
  return "kind" in entry;
}
