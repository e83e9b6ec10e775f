/**
 * The types of a slim contract's rows. They check everything that the types of a contract contain, so that outdated
 * rows do not compile.
 */
import type { CallBody } from "../../contract/call.ts";
import type { NodeKey, NodeShape, RouteNode } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import type { ContentOf, ResponseDeclaration, ResponseKind } from "../../contract/response.ts";
import type { Security } from "../../contract/security_scheme.ts";
import type { Styled } from "../../contract/codec.ts";
import type { Marked } from "../../mark.ts";
import type { RequestRepresentation, ResponseRepresentation } from "../../representation/representation.ts";
import type { ItemReader } from "../../representation/stream.ts";
import type { Schema } from "../../schema.ts";
import type { CredentialPlace, SignedContent } from "../../wire/credentials.ts";
import type { SlimStyles } from "./field_styles.ts";
import type { EventReader } from "../../representation/sse.ts";

/**
 * The rows of a tree of routes, under the same keys.
 *
 * @internal
 */
export type SlimRows<Node> = {
  readonly [Key in NodeKey<Node>]: Node[Key] extends RouteNode ? SlimRow<Node[Key]> : SlimRows<Node[Key]>;
};

/**
 * The row of a route: its method, its path, its slots and its responses by status. A route with security also lists
 * the names of its schemes in order, those of one entry joined by `+`.
 */
export type SlimRow<Route extends NodeShape> = readonly [
  method: Route["method"],
  path: Route["path"],
  slots: SlotRows<Route>,
  responses: { readonly [Status in keyof Route["responses"] & number]: ResponseRow<Route["responses"][Status]> },
  ...schemes: SchemeRow<Route["security"]>,
];

/** The declared slots, one by one. A mapped type that omits the others would cost 100 instantiations more per route. */
export type SlotRows<Route extends NodeShape> =
  & SlotRow<"params", Route["params"]>
  & SlotRow<"query", Route["query"]>
  & SlotRow<"headers", Route["headers"]>
  & (Route["body"] extends RequestBody ? { readonly body: BodyRow<Route["body"]> } : unknown);

/** A slot, if it is declared. */
export type SlotRow<Slot extends string, Declared> = Declared extends undefined ? unknown
  : { readonly [Each in Slot]: SchemaRow<Declared> };

/** A codec itself, the styles of a schema that is none, or `1` for any other schema. */
export type SchemaRow<Declared> = Declared extends Marked<"codec"> ? Declared
  : Declared extends Styled<infer Inner, infer Styles> ? Inner extends Marked<"codec"> ? Declared : SlimStyles<Styles>
  : 1;

/** A request body: its representation, and its details if they differ from the defaults. */
export type BodyRow<Body extends RequestBody> = EntryRow<
  RequestRepresentation<Body["kind"]>,
  ContentDetail<Body["kind"], NonNullable<Body["types"]>>,
  Pick<AnyDetails, "contentType" | "optional" | "maxBytes">
>;

/** A response: its representation, and its details if they differ from the defaults. That of a socket has none. */
export type ResponseRow<Declared extends ResponseDeclaration> = EntryRow<
  ResponseRepresentation<Declared["kind"]>,
  Declared["kind"] extends "socket" ? unknown
    : ContentDetail<Declared["kind"], ContentOf<Declared>> & HeadersDetail<ContentOf<Declared>["headers"]>,
  Pick<AnyDetails, "contentType">
>;

/** The headers that a row must contain. `unknown` if none are declared. */
export type HeadersDetail<Declared> = Declared extends Schema ? { readonly headers: SchemaRow<Declared> } : unknown;

/** A representation without details, or a pair of a representation and its details. */
export type EntryRow<Representation, Required, Details> = unknown extends Required
  ? Representation | readonly [Representation, Details]
  : readonly [Representation, Details & Required];

/** The schema that a row must contain: a codec, or `1` if it describes a problem. `unknown` if it needs none. */
export type ContentDetail<
  Kind extends string,
  Content extends { readonly received: unknown; readonly isCodec?: unknown },
> = Content["isCodec"] extends true ? { readonly schema: CodecRow<Content["received"]> }
  : Kind extends "problem" ? "isCodec" extends keyof Content ? { readonly schema: 1 } : unknown
  : unknown;

/** A codec whose output matches the value on the other side, or the styles of a form. */
export type CodecRow<Seen> = (Marked<"codec" | "styled"> & Schema<unknown, DecodedOf<Seen>>) | SlimStyles;

/** The output of a codec: an item if the value is a reader, otherwise the value. */
export type DecodedOf<Seen> = Seen extends EventReader<infer Data> ? Data
  : Seen extends ItemReader<infer Item> ? Item
  : Seen;

/** The names of a route's entries, each once. An empty tuple if it has none. */
export type SchemeRow<Secured> = Secured extends Security ? NamesRow<Exclude<Secured[number]["name"], "">> : [];

/** Names in any order. An empty tuple if there are none. */
export type NamesRow<Names extends string> = [Names] extends [never] ? [] : [names: Permutation<Names>];

/** A list of all names, in any order. */
export type Permutation<Names extends string, Each extends string = Names> = string extends Names ? readonly string[]
  : [Names] extends [never] ? readonly []
  : Each extends Names ? readonly [Each, ...Permutation<Exclude<Names, Each>>]
  : never;

/**
 * The arguments of `slimContract` after the rows: how requests carry the credentials of its schemes, by name. Absent
 * for a contract without schemes.
 *
 * @internal
 */
export type SchemeArguments<Entry extends Security[number]> = [Exclude<Entry["name"], "">] extends [never] ? []
  : [schemes: { readonly [Each in Entry as Exclude<Each["name"], "">]: SchemePlace<NonNullable<Each["types"]>> }];

/** How requests carry a credential; `undefined` for a signature, and for a custom scheme: clients cannot send these. */
export type SchemePlace<Credential extends object> = keyof Credential extends keyof SignedContent ? undefined
  : CredentialPlace<Credential>;

/**
 * A row of any route.
 *
 * @internal
 */
export type AnyRow = readonly [
  method: RouteNode["method"],
  path: string,
  slots: {
    readonly params?: AnySchemaRow;
    readonly query?: AnySchemaRow;
    readonly headers?: AnySchemaRow;
    readonly body?: AnyEntry<RequestRepresentation<RequestKind>>;
  },
  responses: { readonly [status: string]: AnyEntry<ResponseRepresentation<ResponseKind>> },
  schemes?: readonly string[],
];

/** A codec, the styles of fields, or `1` for any other schema. */
export type AnySchemaRow = Schema | SlimStyles | 1;

/** A representation of any route, with its details. */
export type AnyEntry<Representation> = Representation | readonly [Representation, AnyDetails];

/** The details of any body or response, in which the usual is left out. */
export interface AnyDetails extends Partial<Pick<CallBody, "contentType" | "optional" | "maxBytes">> {
  readonly schema?: AnySchemaRow;
  readonly headers?: Schema | 1;
}

/** Any tree of rows. */
export interface AnyRows {
  readonly [key: string]: AnyRow | AnyRows;
}
