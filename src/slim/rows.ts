/** The rows that a slim contract is made of, in types: whatever a contract's types tell is checked, so that outdated rows do not compile. */
import { type NodeKey, type NodeShape, type RouteNode } from "../contract/node.ts";
import { type RequestBody, type RequestKind } from "../contract/request.ts";
import {
  type ContentOf,
  type ResponseContent,
  type ResponseDeclaration,
  type ResponseKind,
} from "../contract/response.ts";
import { type SchemeName } from "../contract/security_below.ts";
import { type Security } from "../contract/security_scheme.ts";
import { type Marked } from "../mark.ts";
import { type RequestRepresentation, type ResponseRepresentation } from "../representation/representation.ts";
import { type EventReader, type ItemReader } from "../representation/stream.ts";
import { type Schema } from "../schema.ts";
import { type CredentialPlace } from "../wire/credential_place.ts";

/**
 * The rows of a tree of routes, by the same keys.
 *
 * @internal
 */
export type SlimRows<Node> = {
  readonly [Key in NodeKey<Node>]: Node[Key] extends RouteNode<infer Shape> ? SlimRow<Shape> : SlimRows<Node[Key]>;
};

/**
 * The row of a route: its method and path, its slots, its responses by status and, where it has security, the names of its schemes in
 * their order.
 *
 * @internal
 */
export type SlimRow<Route extends NodeShape> = readonly [
  method: Route["method"],
  path: Route["path"],
  slots: SlotRows<Route>,
  responses: { readonly [Status in keyof Route["responses"] & number]: ResponseRow<Route["responses"][Status]> },
  ...schemes: SchemeRow<SchemeName<Route["security"]>>,
];

/**
 * The declared slots, one by one: a mapped type that leaves out the others costs a route 100 instantiations more.
 *
 * @internal
 */
export type SlotRows<Route extends NodeShape> =
  & SlotRow<"params", Route["params"]>
  & SlotRow<"query", Route["query"]>
  & SlotRow<"headers", Route["headers"]>
  & (Route["body"] extends RequestBody ? { readonly body: BodyRow<Route["body"]> } : unknown);

/**
 * A slot, if it is declared.
 *
 * @internal
 */
export type SlotRow<Slot extends string, Declared> = Declared extends undefined ? unknown
  : { readonly [Each in Slot]: SchemaRow<Declared> };

/**
 * A codec itself, or `1` for any other schema.
 *
 * @internal
 */
export type SchemaRow<Declared> = Declared extends Marked<"codec"> ? Declared : 1;

/**
 * A request body: its representation, and what differs from the usual.
 *
 * @internal
 */
export type BodyRow<Body extends RequestBody> = RepresentationRow<
  RequestRepresentation<Body["kind"]>,
  NonNullable<Body["types"]>["isCodec"] extends true ? CodecDetail<NonNullable<Body["types"]>["seen"]> : unknown,
  BodyDetails
>;

/**
 * A response: its representation, and what differs from the usual.
 *
 * @internal
 */
export type ResponseRow<Declared extends ResponseDeclaration> = RepresentationRow<
  ResponseRepresentation<Declared["kind"]>,
  ResponseDetail<Declared["kind"], ContentOf<Declared>>,
  ResponseDetails
>;

/**
 * A representation where nothing more must be said, or one with what must be and what may be.
 *
 * @internal
 */
export type RepresentationRow<Representation, Required, Details> = unknown extends Required
  ? Representation | readonly [Representation, Details]
  : readonly [Representation, Details & Required];

/**
 * What a row must say of a response; `unknown` where that is nothing.
 *
 * @internal
 */
export type ResponseDetail<Kind extends ResponseKind, Content extends ResponseContent> =
  & (Content["isCodec"] extends true ? CodecDetail<Content["seen"]>
    : Kind extends "problem" ? "isCodec" extends keyof Content ? { readonly described: 1 } : unknown
    : unknown)
  & (Content["headers"] extends Schema ? { readonly headers: SchemaRow<Content["headers"]> } : unknown);

/**
 * A codec that gives what the other side sees.
 *
 * @internal
 */
export interface CodecDetail<Seen> {
  /** The codec. */
  readonly codec: Marked<"codec"> & Schema<unknown, DecodedOf<Seen>>;
}

/**
 * What a codec decodes for a value: the items of a reader, else the value itself.
 *
 * @internal
 */
export type DecodedOf<Seen> = Seen extends EventReader<infer Data> ? Data
  : Seen extends ItemReader<infer Item> ? Item
  : Seen;

/**
 * What may be said of a request body.
 *
 * @internal
 */
export interface BodyDetails {
  /** The media type, or the media types and ranges, where it is not the usual one of the representation. */
  readonly contentType?: string | readonly string[];
  /** Whether it may be absent. */
  readonly optional?: true;
  /** The most bytes that it may have. */
  readonly maxBytes?: number;
}

/**
 * What may be said of a response.
 *
 * @internal
 */
export interface ResponseDetails {
  /** The media type, or the media types and ranges, where it is not the usual one of the representation. */
  readonly contentType?: string | readonly string[];
}

/**
 * The names of a route's schemes, each once, or nothing where it has none.
 *
 * @internal
 */
export type SchemeRow<Names extends string> = [Names] extends [never] ? [] : [names: Permutation<Names>];

/**
 * A list of all names, in any order.
 *
 * @internal
 */
export type Permutation<Names extends string, Each extends string = Names> = string extends Names ? readonly string[]
  : [Names] extends [never] ? readonly []
  : Each extends Names ? readonly [Each, ...Permutation<Exclude<Names, Each>>]
  : never;

/**
 * What a slim contract is made of beside its rows: where requests carry the credentials of its schemes, by their names, or nothing where
 * it has none.
 *
 * @internal
 */
export type SchemeArguments<Entry extends Security[number]> = [Exclude<Entry["name"], "">] extends [never] ? []
  : [schemes: { readonly [Each in Entry as Exclude<Each["name"], "">]: SchemePlace<NonNullable<Each["types"]>> }];

/**
 * Where requests carry a credential; `undefined` for that of a custom scheme, which no client sends.
 *
 * @internal
 */
export type SchemePlace<Credential extends object> = keyof Credential extends never ? undefined
  : CredentialPlace<Credential>;

/** A row as code sees it. */
export type AnyRow = readonly [
  method: RouteNode["method"],
  path: string,
  slots: {
    readonly params?: Schema | 1;
    readonly query?: Schema | 1;
    readonly headers?: Schema | 1;
    readonly body?: AnyEntry<RequestRepresentation<RequestKind>>;
  },
  responses: { readonly [status: string]: AnyEntry<ResponseRepresentation<ResponseKind>> },
  schemes?: readonly string[],
];

/** A representation with what is said of it, as code sees it. */
export type AnyEntry<Representation> = Representation | readonly [Representation, AnyDetails];

/** What may be said of bodies and responses. */
export interface AnyDetails extends BodyDetails {
  readonly codec?: Schema;
  readonly described?: 1;
  readonly headers?: Schema | 1;
}

/** A tree of rows as code sees it. */
export interface AnyRows {
  readonly [key: string]: AnyRow | AnyRows;
}
