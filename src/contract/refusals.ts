/**
 * The option `refusals`: the responses that the server sends without a handler, at run time and in types. Every page
 * with a contract runs this code, so the checks are with the server (`src/server/define/refuse.ts`).
 */
import { isMarked, type Marked } from "../mark.ts";
import { hasParameters } from "../path.ts";
import type { ResponseContent, ResponseDeclaration, ResponseKind, Responses } from "./response.ts";
import {
  checksOf,
  type CombinedSchemes,
  type EachScheme,
  type Security,
  type SecurityEntry,
} from "./security_scheme.ts";

/** A response that a refusal can have: one with a whole body, or an empty one. */
export type RefusalResponse = ResponseDeclaration<
  ResponseContent,
  Exclude<ResponseKind, "stream" | "ndjson" | "sse" | "raw" | "socket">
>;

/** The statuses with which the server can refuse requests. */
export const refusalStatuses = [400, 401, 403, 404, 405, 413, 415, 500] as const;

/**
 * The responses that the server sends without a handler, by status: 400, 401, 403, 413, 415 and 500, and for requests
 * that match no route 404 and 405. A number is the status that is sent instead: `{ 400: 422, 422: Errors }`.
 */
export interface Refusals {
  /** A response, or the status of another one. */
  readonly [status: number]: RefusalResponse | number;
}

/**
 * The option `refusals`: responses by status, or one response for all statuses.
 *
 * @internal
 */
export type RefusalsOption = Refusals | RefusalResponse;

/**
 * The refusals of the option `refusals`, by status.
 *
 * @internal
 */
export type RefusalsByStatus<Refused extends RefusalsOption | undefined> = Refused extends Refusals | undefined
  ? Refused
  : { readonly [Status in typeof refusalStatuses[number]]: Extract<Refused, RefusalResponse> };

/**
 * `unknown` if all keys can be statuses of refusals. Otherwise an error message as a type.
 *
 * @internal
 */
export type RefusalsFit<Refused> = Refusals extends Refused ? unknown : {
  readonly [Status in keyof Refused]: number extends Status ? unknown
    : `${Status & number}` extends `4${string}` | `5${string}` ? unknown
    : "refusals have statuses from 400 to 599";
};

/**
 * The declared responses among refusals, by the status that is sent. Several maps are merged.
 *
 * @internal
 */
export type RefusalBodies<Refused> = {
  readonly [Status in KeyOfEach<Refused> as DeclaredAt<Refused, Status> extends never ? never : Status]: DeclaredAt<
    Refused,
    Status
  >;
};

/** The keys of all members of a union. */
type KeyOfEach<Refused> = Refused extends unknown ? keyof Refused & number : never;

/** The responses that the members of a union declare for a status. */
type DeclaredAt<Refused, Status> = Refused extends unknown
  ? Status extends keyof Refused ? Extract<Refused[Status], Marked<"response">> : never
  : never;

/** Inherited refusals together with nearer ones, which win. */
export type InheritRefusals<Above extends Refusals | undefined, Nearer extends Refusals | undefined> = Nearer extends
  undefined ? Above
  : Above extends undefined ? Nearer
  : {
    readonly [Status in (keyof Above | keyof Nearer) & number]: Status extends keyof Nearer ? Nearer[Status]
      : Above[Status & keyof Above];
  };

/** The members of a resolved route that decide which refusals can occur. */
interface RefusableShape {
  readonly method: string;
  readonly path: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly responses: Responses;
  readonly security: Security | undefined;
  readonly refusals: Refusals | undefined;
}

/** The responses of the refusals that can occur on a route, by the status that is sent. */
export type RefusalsOf<Shape extends RefusableShape> = Shape["refusals"] extends infer Refused extends Refusals ? {
    readonly [Status in keyof Refused & RefusalStatus<Shape> as SentStatus<Refused, Status>]: Extract<
      Refused[SentStatus<Refused, Status>],
      RefusalResponse
    >;
  }
  : Record<never, never>;

/** The status that is sent instead of the server's own. */
type SentStatus<Refused extends Refusals, Status extends keyof Refused> = Refused[Status] extends number
  ? Refused[Status]
  : Status;

/**
 * The statuses with which the server can refuse the requests of a route, in the same steps as
 * {@linkcode listRefusalStatuses}. The types do not tell whether browsers attach the credential of a custom scheme, so
 * they assume it.
 */
type RefusalStatus<Shape extends RefusableShape> =
  | (HasInput<Shape> extends true ? 400 : never)
  | SecurityStatus<Shape["security"] extends Security ? Shape["security"][number] : never, Shape>
  | (Shape["body"] extends undefined ? never : 413 | 415)
  | 500;

/** Whether a request has anything to read besides its path. */
type HasInput<Shape extends RefusableShape> = Shape["path"] extends `${string}/:${string}` ? true
  : [Shape["params"], Shape["query"], Shape["headers"], Shape["body"]] extends
    [undefined, undefined, undefined, undefined] ? false
  : true;

/** The statuses of the security of a route, whose list has these entries. */
type SecurityStatus<Entry, Shape extends RefusableShape> =
  | ([StrictEntry<EachScheme<Entry>>] extends [never] ? never : 401)
  | ([Extract<EachScheme<Entry>, Marked<"scoped scheme">> | ForgeableEntry<Entry, Shape>] extends [never] ? never
    : 403);

/** The entries whose credential may be missing or invalid. Beside `security.none`, an invalid cookie counts as none. */
type StrictEntry<Entry> = [Extract<Entry, Marked<"no security">>] extends [never] ? Entry
  : Entry extends Marked<"no security"> ? never
  : CredentialKey<Entry> extends "value" ? never
  : Entry;

/** The entries whose credential browsers attach to requests that may change something. */
type ForgeableEntry<Entry, Shape extends RefusableShape> = Shape["method"] extends "GET" | "HEAD" | "OPTIONS" | "QUERY"
  ? 101 extends keyof Shape["responses"] ? AmbientEntry<Entry> : never
  : AmbientEntry<Entry>;

/** The entries whose credentials browsers may attach, all of them. */
type AmbientEntry<Entry> = Entry extends Marked<"no security"> ? never
  : Entry extends CombinedSchemes<infer Entries>
    ? [Exclude<Entries[number], AmbientEntry<Entries[number]>>] extends [never] ? Entry : never
  : CredentialKey<Entry> extends "username" | "password" | "value" ? Entry
  : never;

/**
 * The keys of the credential that a verifier receives, which tell the kinds of schemes apart. A custom scheme has none.
 */
type CredentialKey<Entry> = Entry extends SecurityEntry<string, infer Credential> ? keyof Credential : never;

/**
 * Returns the statuses with which the server can refuse the requests of a route. 404 and 405 are those of other
 * requests.
 */
function listRefusalStatuses(route: RefusableShape): readonly number[] {
  const { path, params, query, headers, body, security = [] } = route;
  const isRead = params || query || headers || body || hasParameters(path);
  return [
    ...(isRead ? [400] : []),
    ...(checksOf(security)?.listStatuses(security, route) ?? []),
    ...(body ? [413, 415] : []),
    500,
  ];
}

/** Returns the status that is sent instead of the server's own. `undefined` if refusals declare none. */
export function sentStatus(refusals: Refusals | undefined, status: number): number | undefined {
  const declared = refusals?.[status];
  return typeof declared === "number" ? declared : declared && status;
}

/** Returns the responses that refusals declare, by the status that is sent. */
export function declaredRefusals(refusals: Refusals = {}): Responses {
  return Object.fromEntries(Object.entries(refusals).filter(([, declared]) => isMarked(declared, "response")));
}

/** Returns the refusals of a declaration together with inherited ones, which lose. */
export function inheritRefusals(own: Refusals | undefined, above: Refusals | undefined): Refusals | undefined {
  return own && above ? Object.freeze({ ...above, ...own }) : own ?? above;
}

/** Returns the responses of the refusals that can occur on a route, by the status that is sent. */
export function possibleRefusals(route: RefusableShape): Responses {
  const sent = listRefusalStatuses(route).map((status) => sentStatus(route.refusals, status));
  const declared = Object.entries(declaredRefusals(route.refusals));
  return Object.fromEntries(declared.filter(([status]) => sent.includes(Number(status))));
}

/** The responses that the server can build itself. */
export type SelfFilled = ResponseDeclaration<
  { readonly sent: unknown; readonly received: unknown; readonly headers: undefined },
  "problem" | "empty"
>;
