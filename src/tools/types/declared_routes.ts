/** What compiled declarations are written with: a route, a body and a response, each with the types of both sides. */
import type { FormDataValue, TextInput } from "../../contract/infer.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { Refusals } from "../../contract/refusals.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import type { HeadersWithContentType, ResponseDeclaration, ResponseKind, Responses } from "../../contract/response.ts";
import type { Method } from "../../contract/route.ts";
import type { Security } from "../../contract/security_scheme.ts";
import type { Conversation, SocketResponse } from "../../contract/socket.ts";
import type { StatusesIn, StatusRange } from "../../native_response.ts";
import type { ItemSource } from "../../representation/stream.ts";
import type { Schema } from "../../schema.ts";
import type { SentComment, SentEvent, SentId } from "../../representation/sse.ts";

/** The types of a route with everything that it inherits. What is left out is `undefined`. */
export interface DeclaredTypes {
  /** The dotted key: `users.byId`. */
  readonly key: string;
  /** The HTTP method. */
  readonly method: Method;
  /** The full path. */
  readonly path: string;
  /** The schema of the path parameters. */
  readonly params?: Schema;
  /** The schema of the query. */
  readonly query?: Schema;
  /** The schema of the headers. */
  readonly headers?: Schema;
  /** The request body, as {@linkcode DeclaredBody}. */
  readonly body?: RequestBody;
  /** The responses by status, each as {@linkcode DeclaredResponse}. */
  readonly responses: Responses;
  /** The responses without those that only refusals have, if refusals are declared. */
  readonly ownResponses?: Responses;
  /** The security schemes. */
  readonly security?: Security;
  /** The responses of refusals. */
  readonly refusals?: Refusals;
}

/** A resolved route of a contract. */
export type DeclaredRoute<Types extends DeclaredTypes> = RouteNode<{
  readonly key: Types["key"];
  readonly method: Types["method"];
  readonly path: Types["path"];
  readonly params: MemberOf<Types, "params", Schema>;
  readonly query: MemberOf<Types, "query", Schema>;
  readonly headers: MemberOf<Types, "headers", Schema>;
  readonly body: MemberOf<Types, "body", RequestBody>;
  readonly responses: Types["responses"];
  readonly ownResponses: MemberOf<Types, "ownResponses", Responses>;
  readonly security: MemberOf<Types, "security", Security>;
  readonly refusals: MemberOf<Types, "refusals", Refusals>;
}>;

/**
 * The type of a member. `undefined` if it is left out.
 *
 * @internal
 */
type MemberOf<Types, Name extends keyof DeclaredTypes, Bound> = Types extends
  { readonly [Key in Name]: infer Member extends Bound } ? Member : undefined;

/** A request body with the types of both sides. They include `undefined` if the body may be absent. */
export type DeclaredBody<Kind extends RequestKind, Received, Sent = Received, Codec extends boolean = false> =
  RequestBody<{ readonly received: Received; readonly sent: Sent } & CodecMark<Codec>, Kind>;

/** A request body with one of several media types, which the client passes and the handler receives as `contentType`. */
export type DeclaredRangedBody<
  Kind extends RequestKind,
  Received,
  Sent,
  ContentType extends string | undefined,
  Codec extends boolean = false,
> =
  & RequestBody<
    { readonly received: Received; readonly sent: Sent; readonly contentType: ContentType } & CodecMark<Codec>,
    Kind
  >
  & {
    /** The media types and ranges, in lowercase. */
    readonly contentType: readonly string[];
  };

/**
 * The mark of content whose schema is a codec.
 *
 * @internal
 */
type CodecMark<Codec extends boolean> = Codec extends true ? { readonly isCodec: true } : unknown;

/** A response with the types of both sides, and the schema of its headers. */
export type DeclaredResponse<
  Kind extends ResponseKind,
  Received,
  Sent = Received,
  Headers extends Schema | HeadersWithContentType | undefined = undefined,
  Codec extends boolean = false,
> = ResponseDeclaration<
  { readonly received: Received; readonly sent: Sent; readonly headers: Headers } & CodecMark<Codec>,
  Kind
>;

/**
 * A response by `response.socket()`, with the types of a client's messages, of the server's, and the close codes. The last
 * two are the types on the server, if they differ.
 */
export type DeclaredSocket<
  FromClient,
  FromServer,
  Code extends number = never,
  Codec extends boolean = false,
  Received = FromClient,
  Sent = FromServer,
> = ResponseDeclaration<
  {
    readonly sent: Conversation<Received, Sent, Code> | Response;
    readonly received: SocketResponse<FromClient, FromServer, Code>;
    readonly headers: Schema<{ readonly [name: string]: never }>;
  } & CodecMark<Codec>,
  "socket"
>;

/** Responses by status, with one for all statuses of a range that have none of their own. */
export type WithStatuses<
  Range extends StatusRange,
  Declared extends ResponseDeclaration,
  Own extends Responses = Record<never, never>,
> = Own & { readonly [Status in Exclude<StatusesIn[Range], keyof Own>]: Declared };

/** What a client passes as a form, for the input of its schema. */
export type FormFields<Input> = TextInput<Input>;

/** What a client passes as form data, for the input of its schema. */
export type FormDataFields<Input> = TextInput<Input, FormDataValue> | FormData;

/** The same for form data with styles, whose values are not yet text. */
export type StyledFormDataFields<Input> = TextInput<Input, FormDataValue>;

/** What a handler sends as server-sent events with `data` of a type. */
export type SentEvents<Data> = ItemSource<SentEvent<Data> | SentId | SentComment>;
