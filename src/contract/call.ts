/** Calls as data: what a client needs of a route, from a whole contract or from the row of a slim one. */
import type { Awaitable } from "../awaitable.ts";
import { isObject, mark, markAs, type Marked } from "../mark.ts";
import { parsePath, type Segment } from "../path.ts";
import { empty } from "../representation/whole_body.ts";
import type {
  Representation,
  RequestRepresentation,
  ResponseRepresentation,
} from "../representation/representation.ts";
import type { AcceptedScheme } from "../wire/credentials.ts";
import type { ReceivedFields } from "../wire/headers.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { toProblem } from "../wire/problem.ts";
import type { Method } from "./route.ts";

/**
 * What a client needs of a route.
 *
 * @typeParam Route The types of the route.
 */
export interface RouteCall<Route = unknown> extends Marked<"call"> {
  /** The dotted key: `users.byId`. */
  readonly key: string;
  readonly method: Method;
  /** The full path, as declared. */
  readonly path: string;
  readonly segments: readonly Segment[];
  /** The inputs that a call takes, in order. `params` is one of them if the path has parameters. */
  readonly slots: readonly CallSlot[];
  readonly coders: { readonly [slot: string]: Coder | undefined };
  /** The body. `undefined` if none is declared. */
  readonly body: CallBody | undefined;
  /** How responses are decoded, by status. */
  readonly responses: ReadonlyMap<number, CallResponse>;
  /** The schemes of each entry of the security: a call sends the credentials of one entry. */
  readonly security: readonly (readonly AcceptedScheme[])[];
  /** The types of the route. Never present at run time. */
  readonly types?: Route | undefined;
}

/**
 * The calls of a tree of routes, under the same keys.
 *
 * @internal
 */
export interface CallTree {
  readonly [key: string]: RouteCall | CallTree;
}

/** An input of a call. */
export type CallSlot = typeof slotNames[number];

export const slotNames = ["params", "query", "headers", "body"] as const;

/** How the values of a schema are encoded and decoded. They stay as they are where a function is absent. */
export interface Coder extends SlotCoder, Partial<WireReader> {}

/** How the values of a slot are encoded. */
export interface SlotCoder {
  /** Returns the wire value. Throws a `TypeError` that names the slot if there is none. */
  readonly encode?: (value: unknown, slot: string) => Awaitable<unknown>;
  /** Whether spaces in its text are `%20`. */
  readonly isSpaced?: boolean;
}

/**
 * Decodes the wire values that a schema describes.
 *
 * @internal
 */
export interface WireReader {
  /** Returns the application's value. Throws a `TypeError` if the schema refuses the value. */
  readonly decode: (value: unknown) => Awaitable<unknown>;
  /** The same for the header fields of a response. */
  readonly decodeFields: (fields: ReceivedFields) => Awaitable<unknown>;
  /** The keys that the schema declares. `undefined` if they are unknown. */
  readonly names: () => readonly string[] | undefined;
}

/** What a codec does for calls. Each carries its own, so that bundles without codecs do not contain these functions. */
export type CodecClient = Required<Pick<Coder, "encode" | keyof WireReader>>;

/** The body of a call. */
export interface CallBody {
  readonly representation: RequestRepresentation;
  /** The media type, or the media types and ranges of which a call has one. */
  readonly contentType: string | readonly string[];
  /** Whether the body may be absent. Default: `false`. */
  readonly optional?: boolean;
  /** The maximum size in bytes. */
  readonly maxBytes?: number | undefined;
}

/** How the responses with one status are decoded. */
export interface CallResponse {
  /** The representation: that of an empty response for HEAD. */
  readonly representation: ResponseRepresentation;
  readonly contentType: string | readonly string[] | undefined;
  /** The essence of the required content type, or the accepted ranges. `undefined` if there is no content. */
  readonly expected: string | readonly string[] | undefined;
  readonly isOfAnyType: boolean;
  /** Decodes the content. `undefined` if it stays as it is. */
  readonly decode: Coder["decode"];
  /** How the declared headers are decoded. `undefined` if none are declared. */
  readonly fields: CallFields | undefined;
}

/** How the declared headers of a response are decoded. */
export interface CallFields {
  /** Decodes the fields. `undefined` if their texts stay as they are. */
  readonly decodeFields: Coder["decodeFields"];
  /** The names of the fields that are read. `undefined` for all. */
  readonly names: readonly string[] | undefined;
}

/** What a call is computed from: a resolved route, or the row of one. A schema is a codec, styled, or any other value. */
export interface CallSource {
  readonly key: string;
  readonly method: Method;
  readonly path: string;
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: ContentSource<RequestRepresentation> | undefined;
  readonly responses: Readonly<Record<number, ContentSource<ResponseRepresentation>>>;
}

/** A request body or a response, as far as calls need it. */
export interface ContentSource<Format extends Representation> extends Pick<CallBody, "optional" | "maxBytes"> {
  readonly representation: Format;
  readonly contentType: string | readonly string[] | Format["contentType"];
  readonly schema?: unknown;
  readonly headers?: unknown;
}

/** Returns the coder of a schema. A client has codecs and styles only: the server checks all other schemas. */
export type ToCoder = (schema: unknown) => Coder;

/** Returns the coder that a codec, a styled schema or the styles of a row carry. */
export function coderOf(schema: unknown): Coder {
  return isCoded(schema) ? schema.client : {};
}

function isCoded(schema: unknown): schema is { readonly client: Coder } {
  return isObject(schema) && mark in schema && "client" in schema;
}

/** Computes the call of a route. `security` has the schemes of each entry. */
export function toCall(source: CallSource, security: RouteCall["security"], toCoder: ToCoder = coderOf): RouteCall {
  const { key, method, path, body, responses } = source;
  const segments = parsePath(path);
  const hasParameters = segments.some((segment) => "parameter" in segment);
  const slots = slotNames.filter((slot) => source[slot] !== undefined || (slot === "params" && hasParameters));
  return markAs("call", {
    key,
    method,
    path,
    segments,
    slots,
    coders: Object.fromEntries(slots.map((slot) => [slot, toCoder(slot === "body" ? body?.schema : source[slot])])),
    body,
    responses: new Map(
      Object.entries(responses).map(([status, declared]) => [
        Number(status),
        toCallResponse(declared, method === "HEAD", toCoder),
      ]),
    ),
    security,
  });
}

function toCallResponse(
  { representation, contentType, schema, headers }: ContentSource<ResponseRepresentation>,
  isHead: boolean,
  toCoder: ToCoder,
): CallResponse {
  const { names, decodeFields } = toCoder(headers);
  return {
    representation: isHead ? empty : representation,
    contentType,
    expected: typeof contentType === "string" ? mediaTypeEssence(contentType) : contentType,
    isOfAnyType: isHead || representation.isNative === true,
    decode: schema === undefined ? representation.planUndescribed?.(toProblem) : toCoder(schema).decode,
    fields: headers === undefined ? undefined : { names: names?.(), decodeFields },
  };
}
