import type { Contract, SlimContract } from "../../contract/contract.ts";
import type { RouteNode, RouterNode, SecurityBelow } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import type { HeadersWithContentType, ResponseDeclaration, ResponseKind } from "../../contract/response.ts";
import type { Method } from "../../contract/route.ts";
import type { EntryOf, Security } from "../../contract/security_scheme.ts";
import type { StatusesIn, StatusRange } from "../../native_response.ts";
import type { Schema } from "../../schema.ts";
import type { AnyRow, SchemeArguments } from "./rows.ts";
import { createSlimContract, type CredentialPlaces } from "./slim_contract.ts";

/** The types of a route that has no schemas: of what a client sends and receives. */
export interface RouteTypes {
  /** The HTTP method. */
  readonly method: Method;
  /** The full path. */
  readonly path: string;
  /** The parameters of the path. Default: strings. */
  readonly params?: object;
  /** The query. Default: none. */
  readonly query?: object;
  /** The headers. Default: none. */
  readonly headers?: object;
  /** The body, as {@linkcode TypedBody}. Default: none. */
  readonly body?: RequestBody;
  /** The responses by status, each as {@linkcode TypedResponse}. */
  readonly responses: { readonly [status: number]: ResponseDeclaration };
  /** The security schemes. Default: none. */
  readonly security?: Security;
}

/** A body of a type, without a schema. It includes `undefined` if it may be absent. */
export type TypedBody<Kind extends RequestKind, Value> = RequestBody<
  { readonly received: Value; readonly sent: Value },
  Kind
>;

/** A response whose body has a type, without a schema. */
export type TypedResponse<Kind extends ResponseKind, Value, Headers extends object | undefined = undefined> =
  ResponseDeclaration<
    { readonly sent: Value; readonly received: Value; readonly headers: HeadersOf<Headers> },
    Kind
  >;

/**
 * The headers of a response as a schema's type.
 *
 * @internal
 */
type HeadersOf<Headers> = Headers extends HeadersWithContentType | undefined ? Headers : Schema<Headers, Headers>;

/** Responses by status, with one for all statuses of a range that have none of their own. */
export type WithStatuses<
  Range extends StatusRange,
  Declared extends ResponseDeclaration,
  Own extends { readonly [status: number]: ResponseDeclaration } = Record<never, never>,
> = Own & { readonly [Status in Exclude<StatusesIn[Range], keyof Own>]: Declared };

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
export type NodeOf<Types extends RouteTypes> = RouteNode<{
  readonly key: string;
  readonly method: Types["method"];
  readonly path: Types["path"];
  readonly params: SlotOf<Types, "params">;
  readonly query: SlotOf<Types, "query">;
  readonly headers: SlotOf<Types, "headers">;
  readonly body: Types["body"] extends RequestBody ? Types["body"] : undefined;
  readonly responses: Types["responses"];
  readonly ownResponses: undefined;
  readonly security: Types["security"] extends Security ? Types["security"] : undefined;
  readonly refusals: undefined;
}>;

/** A slot as a schema's type. */
type SlotOf<Types extends RouteTypes, Slot extends "params" | "query" | "headers"> = Types[Slot] extends object
  ? Schema<Types[Slot], Types[Slot]>
  : undefined;

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
