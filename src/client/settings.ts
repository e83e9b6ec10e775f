import { type Awaitable } from "../awaitable.ts";
import { type TextValue } from "../contract/fields.ts";
import { type NodeKey, type RouteNode } from "../contract/node.ts";
import { type Around, type AroundCalls, foldAround } from "./around.ts";
import { type ClientCredentials, type CredentialSources, toCredentialSources } from "./credentials.ts";

/** Header fields: a list is sent as several fields, `undefined` removes what an earlier source set. */
export type HeaderFields = Headers | Readonly<Record<string, TextValue | readonly TextValue[] | undefined>>;

/** What else a `Request` may be built with: credentials, cache, mode, redirect, a runtime's own options. */
export type ClientInit = Omit<RequestInit, "method" | "headers" | "body" | "signal">;

/** The options of `createClient`; `Routes` are those of the contract: `ClientOptions<typeof contract.routes>`. */
export interface ClientOptions<Routes = never> {
  /** Where the server is: an absolute URL that may carry a path; relative only where a document has a location. Without query and fragment. */
  readonly baseUrl: string | URL;
  /** Sends requests: anything like `fetch`; a mounted handler works, so that tests need no network. Default: the global `fetch`. */
  readonly fetch?: ((request: Request) => Awaitable<Response>) | undefined;
  /** Header fields of every call, or a function that is run for each. A call's own win over them. Default: none. */
  readonly headers?: HeaderFields | (() => Awaitable<HeaderFields>) | undefined;
  /**
   * The credentials of callers, by the names of the contract's security schemes: a value, or a function that is run for each call. A call
   * sends the first one that its route accepts and that has a value, unless its header fields show one. Default: none.
   */
  readonly credentials?: ClientCredentials<Routes> | undefined;
  /**
   * Runs around the attempts of every call: retries, token refresh, logging. A function, or a list of them, the first outermost.
   * Default: none, and a call is one attempt.
   */
  readonly around?: Around<RouteKey<Routes>> | readonly Around<RouteKey<Routes>>[] | undefined;
  /** What every request is built with. Default: `{ redirect: "manual" }`: redirects are not followed. */
  readonly init?: ClientInit | undefined;
  /**
   * The most bytes of a body that is read as a whole, counted after decompression; a longer one is refused with `invalid-body`. Streams
   * and raw responses have no limit. A whole number, or `Infinity`. Default: 67,108,864 (64 MiB).
   */
  readonly maxBodyBytes?: number | undefined;
  /** The most bytes that one line of NDJSON, or the data of one event, may have: a whole number, or `Infinity`. Default: 1,048,576. */
  readonly maxRecordBytes?: number | undefined;
}

/**
 * The keys of all routes below a node: any text where the routes' types say nothing, none where there are no routes to name.
 *
 * @internal
 */
export type RouteKey<Routes> = [Routes] extends [never] ? never
  : [KeyBelow<Routes>] extends [never] ? string
  : KeyBelow<Routes>;

/**
 * The keys of all routes below a node.
 *
 * @internal
 */
export type KeyBelow<Node> = Node extends RouteNode ? Node["key"]
  : { [Key in NodeKey<Node>]: KeyBelow<Node[Key]> }[NodeKey<Node>];

/** The options of one call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** The most milliseconds that the call may take, its body included: from 0 to 2,147,483,647, or `Infinity`. Default: `Infinity`. */
  readonly timeout?: number | undefined;
  /**
   * The most milliseconds in which not a byte of a stream or of events arrives while it is read: from 0 to 2,147,483,647, or `Infinity`.
   * Then the stream ends with `timeout`. Default: `Infinity`.
   */
  readonly silence?: number | undefined;
  /** Header fields of this call. The route's own `headers` win over them. */
  readonly headers?: HeaderFields | undefined;
  /** What this request is built with, over the client's; `{ redirect: "follow" }` follows redirects. */
  readonly init?: ClientInit | undefined;
  /** The most bytes of a body that is read as a whole, after decompression. Default: the client's. */
  readonly maxBodyBytes?: number | undefined;
  /** The most bytes that one line of NDJSON, or the data of one event, may have. Default: the client's. */
  readonly maxRecordBytes?: number | undefined;
}

/** The options of a client, whatever its contract. */
export interface UncheckedOptions extends Omit<ClientOptions, "credentials" | "around"> {
  readonly around?: unknown;
  readonly credentials?: object | undefined;
}

/** The options of a client, checked. */
export interface ClientSettings {
  /** The base URL without a slash at its end. */
  readonly base: string;
  /** Sends a request that was built with this `redirect`. */
  readonly fetch: (request: Request, redirect: RequestRedirect) => Awaitable<Response>;
  readonly headers: ClientOptions["headers"];
  readonly credentials: CredentialSources;
  /** `undefined` where nothing runs around calls. */
  readonly around: AroundCalls | undefined;
  readonly init: ClientInit | undefined;
  readonly limits: Limits;
}

/** How many bytes a client takes. */
export interface Limits {
  /** The most bytes of a body that is read as a whole. */
  readonly maxBodyBytes: number;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
}

/** Limits, each of which may be left out. */
type LimitOptions = Pick<CallOptions, keyof Limits>;

const defaultLimits: Limits = { maxBodyBytes: 64 * 2 ** 20, maxRecordBytes: 2 ** 20 };

/** Checks the options of a client of `nodes`; throws a `TypeError` where one is invalid. */
export function checkSettings(options: UncheckedOptions, nodes: readonly RouteNode[]): ClientSettings {
  const { baseUrl, fetch: send, headers, credentials, around, init, maxBodyBytes, maxRecordBytes, ...unknown } =
    options;
  const [surplus] = Object.keys(unknown);
  if (surplus !== undefined) {
    refuse(
      `unknown option ${
        JSON.stringify(surplus)
      } (allowed: baseUrl, fetch, headers, credentials, around, init, maxBodyBytes, maxRecordBytes)`,
    );
  }
  if (send !== undefined && typeof send !== "function") refuse("fetch is no function");
  if (headers !== undefined && Object(headers) !== headers) refuse("headers is neither an object nor a function");
  const limits = { maxBodyBytes, maxRecordBytes };
  const limit = refuseLimits(limits);
  if (limit !== undefined) refuse(limit);
  return {
    base: toBase(baseUrl),
    fetch: send ? (request) => send(request) : sendByPlatform,
    headers,
    credentials: toCredentialSources(credentials, nodes),
    around: foldAround(around, nodes),
    init,
    limits: joinLimits(limits, defaultLimits),
  };
}

/** Sends by the global `fetch`, looked up at each call, so that one that is instrumented later is used. Bun before 1.2.23 needs `redirect`. */
function sendByPlatform(request: Request, redirect: RequestRedirect): Promise<Response> {
  return request.redirect === redirect ? fetch(request) : fetch(request, { redirect });
}

/** Limits, and the defaults of those that are left out. */
export function joinLimits({ maxBodyBytes, maxRecordBytes }: LimitOptions, defaults: Limits): Limits {
  return {
    maxBodyBytes: maxBodyBytes ?? defaults.maxBodyBytes,
    maxRecordBytes: maxRecordBytes ?? defaults.maxRecordBytes,
  };
}

/** Why a limit of bytes is invalid, if one is. */
export function refuseLimits(limits: LimitOptions): string | undefined {
  for (const name of ["maxBodyBytes", "maxRecordBytes"] as const) {
    const limit = limits[name];
    if (limit === undefined || limit === Infinity || (Number.isSafeInteger(limit) && limit >= 0)) continue;
    return `${name} must be a whole number from 0, or Infinity for no limit`;
  }
}

function toBase(baseUrl: unknown): string {
  const location = globalThis.location as { readonly href: string } | undefined; // only documents have one
  const text = String(baseUrl);
  if ((typeof baseUrl !== "string" && !(baseUrl instanceof URL)) || !URL.canParse(text, location?.href)) {
    return refuse(`baseUrl is no absolute URL; write one like "https://api.example.com"`);
  }
  const url = new URL(text, location?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") refuse("baseUrl is neither http nor https");
  if (/[?#]/.test(text)) refuse("baseUrl has a query or a fragment; leave it out");
  if (url.username !== "" || url.password !== "") {
    refuse("baseUrl has credentials, which no request can carry there; send a header instead");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function refuse(state: string): never {
  throw new TypeError(`Cannot create a client: ${state}`);
}
