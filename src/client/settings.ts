import { type Awaitable } from "../awaitable.ts";
import { type TextValue } from "../contract/fields.ts";
import { type NodeKey, type RouteNode } from "../contract/node.ts";
import { type Around, checkAround } from "./around.ts";
import { cannotCreate, checkKeys, checkLimits, type Limits } from "./check_options.ts";
import { checkCredentials, type ClientCredentials, type CredentialSources } from "./credentials.ts";

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
export interface ClientSettings extends Limits {
  /** The base URL without a slash at its end. */
  readonly base: string;
  /** Sends a request that was built with this `redirect`. */
  readonly fetch: (request: Request, redirect: RequestRedirect) => Awaitable<Response>;
  readonly headers: ClientOptions["headers"];
  readonly credentials: CredentialSources;
  /** What runs around calls, the first outermost. */
  readonly around: readonly Around<string>[];
  readonly init: ClientInit | undefined;
}

const optionNames = [
  "baseUrl",
  "fetch",
  "headers",
  "credentials",
  "around",
  "init",
  "maxBodyBytes",
  "maxRecordBytes",
] satisfies (keyof ClientOptions)[];

/** Checks the options of a client of `nodes`; throws a `TypeError` where one is invalid. */
export function checkSettings(options: UncheckedOptions, nodes: readonly RouteNode[]): ClientSettings {
  checkKeys(options, optionNames, "option", cannotCreate);
  checkLimits(options, cannotCreate);
  const { fetch: send, headers, maxBodyBytes = 64 * 2 ** 20, maxRecordBytes = 2 ** 20 } = options;
  if (send !== undefined && typeof send !== "function") cannotCreate("fetch must be a function");
  if (headers !== undefined && Object(headers) !== headers) cannotCreate("headers must be an object or a function");
  return {
    base: toBase(options.baseUrl),
    fetch: send ? (request) => send(request) : sendByPlatform,
    headers,
    credentials: checkCredentials(options.credentials, nodes),
    around: checkAround(options.around, nodes),
    init: options.init,
    maxBodyBytes,
    maxRecordBytes,
  };
}

/** Sends by the global `fetch`, looked up at each call, so that one that is instrumented later is used. Bun before 1.2.23 needs `redirect`. */
function sendByPlatform(request: Request, redirect: RequestRedirect): Promise<Response> {
  return request.redirect === redirect ? fetch(request) : fetch(request, { redirect });
}

/** An absolute URL without credentials, query and fragment, which no request carries, but for slashes at its end. */
const baseUrlPattern = /^(https?:\/\/[^/?#@]+(?:\/+[^/?#]+)*)\/*$/;

function toBase(baseUrl: unknown): string {
  const location = globalThis.location as { readonly href: string } | undefined; // only documents have one
  const isGiven = typeof baseUrl === "string" || baseUrl instanceof URL;
  const isUrl = isGiven && URL.canParse(baseUrl, location?.href);
  const [, base] = isUrl ? baseUrlPattern.exec(new URL(baseUrl, location?.href).href) ?? [] : [];
  return base ?? cannotCreate(
    'baseUrl must be an absolute http or https URL without credentials, query and fragment, like "https://api.example.com"',
  );
}
