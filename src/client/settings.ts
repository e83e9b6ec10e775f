import { type Awaitable } from "../awaitable.ts";
import { type TextValue } from "../contract/fields.ts";
import { type NodeKey, type RouteNode } from "../contract/node.ts";
import { describeConfidential } from "../describe_value.ts";
import { type Around, checkAround } from "./around.ts";
import { cannotCreate, checkKeys, checkLimits, type Limits } from "./check_options.ts";
import { checkCredentials, type ClientCredentials, type CredentialSources } from "./credentials.ts";

/** Header fields. A list is sent as several fields. `undefined` removes a field that an earlier source set. */
export type HeaderFields = Headers | Readonly<Record<string, TextValue | readonly TextValue[] | undefined>>;

/** Further options for the `Request`: credentials, cache, mode, redirect, and the runtime's own options. */
export type ClientInit = Omit<RequestInit, "method" | "headers" | "body" | "signal">;

/**
 * The options of `createClient`. `Routes` is the type of the contract's routes:
 * `ClientOptions<typeof contract.routes>`.
 */
export interface ClientOptions<Routes = never> {
  /**
   * The URL of the server: absolute, with an optional path, without query and fragment. A page in a browser may also
   * pass a relative URL.
   */
  readonly baseUrl: string | URL;
  /**
   * Sends requests: any function like `fetch`. Pass a mounted handler to test without a network. Default: the global
   * `fetch`.
   */
  readonly fetch?: ((request: Request) => Awaitable<Response>) | undefined;
  /**
   * Header fields for every call, or a function that returns them, called once per attempt. The call's own fields
   * override them. Default: none.
   */
  readonly headers?: HeaderFields | (() => Awaitable<HeaderFields>) | undefined;
  /**
   * Credentials by the names of the contract's security schemes: a value, or a function that is called once per
   * attempt. An attempt sends the first credential that its route accepts and that has a value, unless its header
   * fields already contain one. Default: none.
   */
  readonly credentials?: ClientCredentials<Routes> | undefined;
  /**
   * A function that runs around the attempts of every call, for retries, token refresh or logging. A list of functions
   * runs the first outermost. Default: none; a call is one attempt.
   */
  readonly around?: Around<RouteKey<Routes>> | readonly Around<RouteKey<Routes>>[] | undefined;
  /** Options for every `Request`. Default: `{ redirect: "manual" }`, so redirects are not followed. */
  readonly init?: ClientInit | undefined;
  /**
   * The most bytes of a body that is read as a whole, counted after decompression. A longer body fails with code
   * `invalid-body`. The limit does not apply to streams and raw responses. A non-negative integer, or `Infinity`.
   * Default: 67,108,864 (64 MiB).
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * The most bytes of one line of NDJSON, or of the data of one event. A non-negative integer, or `Infinity`. Default:
   * 1,048,576 (1 MiB).
   */
  readonly maxRecordBytes?: number | undefined;
}

/**
 * The keys of all routes below a node: any string if the types of the routes are not known, `never` if there is no
 * contract.
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
  /** Aborts the call. It then rejects with code `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The most milliseconds that the call may take, including its body: from 0 to 2,147,483,647, or `Infinity`. The call
   * then rejects with code `timeout`. Default: `Infinity`.
   */
  readonly timeout?: number | undefined;
  /**
   * The most milliseconds that may pass without a byte while a stream or events are read: from 0 to 2,147,483,647, or
   * `Infinity`. The stream then fails with code `timeout`. Default: `Infinity`.
   */
  readonly silence?: number | undefined;
  /** Header fields for this call. The route's declared `headers` override them. */
  readonly headers?: HeaderFields | undefined;
  /** Options for this `Request`, which override the client's. `{ redirect: "follow" }` follows redirects. */
  readonly init?: ClientInit | undefined;
  /** The most bytes of a body that is read as a whole, counted after decompression. Default: the client's. */
  readonly maxBodyBytes?: number | undefined;
  /** The most bytes of one line of NDJSON, or of the data of one event. Default: the client's. */
  readonly maxRecordBytes?: number | undefined;
}

/** The options of a client for any contract. */
export interface UncheckedOptions extends Omit<ClientOptions, "credentials" | "around"> {
  readonly around?: unknown;
  readonly credentials?: object | undefined;
}

/** The checked options of a client. */
export interface ClientSettings extends Limits {
  /** The base URL without a trailing slash. */
  readonly base: string;
  /** Sends a request. `redirect` is the option that the request was built with. */
  readonly fetch: (request: Request, redirect: RequestRedirect) => Awaitable<Response>;
  readonly headers: ClientOptions["headers"];
  readonly credentials: CredentialSources;
  /** The functions that run around calls, the first outermost. */
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

/**
 * Checks the options of a client for a contract with the routes `nodes`.
 *
 * @throws {TypeError} If an option is invalid.
 */
export function checkSettings(options: UncheckedOptions, nodes: readonly RouteNode[]): ClientSettings {
  checkKeys(options, optionNames, "option", cannotCreate);
  checkLimits(options, cannotCreate);
  const { fetch: send, headers, maxBodyBytes = 64 * 2 ** 20, maxRecordBytes = 2 ** 20 } = options;
  if (send !== undefined && typeof send !== "function") {
    cannotCreate(`"fetch" must be a function, got ${describeConfidential(send)}`);
  }
  if (headers !== undefined && Object(headers) !== headers) {
    cannotCreate(`"headers" must be an object or a function, got ${describeConfidential(headers)}`);
  }
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

/**
 * Sends with the global `fetch`. It is looked up at each call, so that instrumentation installed later takes effect.
 * Bun before 1.2.23 needs `redirect` as an argument.
 */
function sendByPlatform(request: Request, redirect: RequestRedirect): Promise<Response> {
  return request.redirect === redirect ? fetch(request) : fetch(request, { redirect });
}

/**
 * An absolute URL without credentials, query and fragment, which requests never carry. Trailing slashes are not
 * captured.
 */
const baseUrlPattern = /^(https?:\/\/[^/?#@]+(?:\/+[^/?#]+)*)\/*$/;

function toBase(baseUrl: unknown): string {
  const location = globalThis.location as { readonly href: string } | undefined; // only documents have a location
  const isGiven = typeof baseUrl === "string" || baseUrl instanceof URL;
  const isUrl = isGiven && URL.canParse(baseUrl, location?.href);
  const [, base] = isUrl ? baseUrlPattern.exec(new URL(baseUrl, location?.href).href) ?? [] : [];
  return base ?? cannotCreate(
    `"baseUrl" must be an absolute http or https URL without credentials, query and fragment${
      isGiven ? "" : `, got ${describeConfidential(baseUrl)}`
    }`,
  );
}
