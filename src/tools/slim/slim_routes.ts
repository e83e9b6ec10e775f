import type { Contract, SlimContract } from "../../contract/contract.ts";
import type { RouterNode, SecurityBelow } from "../../contract/node.ts";
import type { RequestKind } from "../../contract/request.ts";
import type { HeadersWithContentType, ResponseKind } from "../../contract/response.ts";
import type { EntryOf } from "../../contract/security_scheme.ts";
import type { Schema } from "../../schema.ts";
import type { DeclaredBody, DeclaredResponse, DeclaredRoute, DeclaredTypes } from "../types/declared_routes.ts";
import type { AnyRow, SchemeArguments } from "./rows.ts";
import { createSlimContract, type CredentialPlaces } from "./slim_contract.ts";

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
  DeclaredResponse<Kind, Value, Value, HeadersOf<Headers>>;

/**
 * The headers of a response as a schema's type.
 *
 * @internal
 */
type HeadersOf<Headers> = Headers extends HeadersWithContentType | undefined ? Headers : Schema<Headers, Headers>;

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
