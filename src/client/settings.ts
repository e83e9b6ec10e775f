/** The options of clients and calls. */
import type { Awaitable } from "../awaitable.ts";
import type { RouteCall, WireReader } from "../contract/call.ts";
import type { TextValue } from "../contract/infer.ts";
import type { RouteKeyBelow, SecurityBelow } from "../contract/node.ts";
import type { EntryOf, SecurityEntry } from "../contract/security_scheme.ts";
import { isCount } from "../mark.ts";
import { describeConfidential } from "../messages.ts";
import type { Schema } from "../schema.ts";
import type { AcceptedScheme, BasicCredential, SignedContent } from "../wire/credentials.ts";
import type { CalledRoute } from "./error.ts";
import type { ReceivedResponse } from "./result.ts";
import { aFunction, anObject, checkKeys, checkRule, failAt, readPlainOptions, type ValueRule } from "../options.ts";

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
   * Sends requests: any function like `fetch`. Pass a mounted handler to test without a network. The second argument is
   * the options `init` of client and call, if there are any. Default: the global `fetch`.
   */
  readonly fetch?: ((request: Request, init?: RequestInit) => Awaitable<Response>) | undefined;
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
  /**
   * Options for every `Request`. `fetch` also receives them as its second argument, because a `Request` drops those that
   * the Fetch Standard does not define, such as `next` of Next.js, or `proxy` of Bun. Default:
   * `{ redirect: "manual" }`, so redirects are not followed.
   */
  readonly init?: ClientInit | undefined;
  /**
   * Pass {@linkcode validateResponses} to validate received bodies, headers and items of streams by the declared
   * schemas. Default: only codecs validate what they decode, because a server of this package validates its responses.
   */
  readonly validate?: ResponseValidation | undefined;
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
 * Returns what reads the wire values of a schema: `validateResponses()` is the only one.
 *
 * @internal
 */
export type ResponseValidation = (schema: Schema) => WireReader;

/**
 * The keys of all routes below a node: any string if the types of the routes are not known, `never` if there is no
 * contract.
 *
 * @internal
 */
export type RouteKey<Routes> = [Routes] extends [never] ? never
  : [RouteKeyBelow<Routes>] extends [never] ? string
  : RouteKeyBelow<Routes>;

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
interface UncheckedOptions extends Omit<ClientOptions, "credentials" | "around"> {
  readonly around?: unknown;
  readonly credentials?: object | undefined;
}

/** The checked options of a client. */
export interface ClientSettings extends Limits {
  /** The base URL without a trailing slash. */
  readonly base: string;
  /** Sends a request. `init` is what the options `init` of client and call contain, if there are any. */
  readonly fetch: (request: Request, init?: RequestInit) => Awaitable<Response>;
  readonly headers: ClientOptions["headers"];
  readonly credentials: CredentialSources;
  /** The functions that run around calls, the first outermost. */
  readonly around: readonly Around<string>[];
  readonly init: ClientInit | undefined;
}

/** The rule of limits for the sizes of bodies and records. */
export const aLimit: ValueRule = [
  "a non-negative integer or Infinity",
  (value) => value === Infinity || isCount(value),
];

const rules = {
  baseUrl: undefined, // toBase() checks it, checkCredentials() and checkAround() theirs, and createClient() "validate"
  fetch: aFunction,
  headers: ["an object or a function", (value) => Object(value) === value],
  credentials: undefined,
  around: undefined,
  init: anObject,
  validate: undefined,
  maxBodyBytes: aLimit,
  maxRecordBytes: aLimit,
} satisfies Readonly<Record<keyof ClientOptions, ValueRule | undefined>>;

/**
 * Returns the options of a client. {@linkcode toSettings} checks the others, and a missing base URL.
 *
 * @throws {TypeError} If one is unknown or not what its rule says.
 */
export function readClientOptions(given: unknown): UncheckedOptions {
  return readPlainOptions(given, rules, clientName) as UncheckedOptions;
}

/**
 * Returns the settings of a client with these calls, from the options that were read.
 *
 * @throws {TypeError} If an option is invalid.
 */
export function toSettings(options: UncheckedOptions, calls: readonly RouteCall[]): ClientSettings {
  const { fetch: send, headers, maxBodyBytes = 64 * 2 ** 20, maxRecordBytes = 2 ** 20 } = options;
  return {
    base: toBase(options.baseUrl),
    fetch: send ?? sendByPlatform,
    headers,
    credentials: checkCredentials(options.credentials, calls.flatMap(({ security }) => security.flat())),
    around: checkAround(options.around, calls),
    init: options.init,
    maxBodyBytes,
    maxRecordBytes,
  };
}

/**
 * Sends with the global `fetch`. It is looked up at each call, so that instrumentation installed later takes effect.
 * Bun before 1.2.23 drops `redirect` from the request.
 */
function sendByPlatform(request: Request, init?: RequestInit): Promise<Response> {
  return init || request.redirect === "manual" ? fetch(request, init) : fetch(request, { redirect: "manual" });
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
  return base ?? failAt(
    clientName,
    `"baseUrl" must be an absolute http or https URL without credentials, query and fragment${
      isGiven ? "" : `, got ${describeConfidential(baseUrl)}`
    }`,
  );
}

/** A declared result of any route, as a function in `around` receives it. */
export interface AnyOutcome extends ReceivedResponse<number, unknown, unknown> {}

/** The call that a function in `around` runs for. */
export interface AroundCall {
  /** The route of the call. */
  readonly route: CalledRoute;
  /** Aborts when the caller's signal aborts, or when the `timeout` of the whole call is over. */
  readonly signal: AbortSignal | undefined;
  /**
   * Whether the request can safely be sent twice: its method is idempotent (neither POST nor PATCH), or its `headers`
   * include `idempotency-key`. RFC 9110, section 9.2.2.
   */
  readonly idempotent: boolean;
  /** Whether a second attempt is possible. It is `false` if the body is a stream, which can be sent only once. */
  readonly replayable: boolean;
}

/**
 * Runs around the attempts of a call. `attempt()` encodes and sends the request and decodes the response. It resolves
 * to a declared result or rejects with a `ClientError`. The function must do the same: it returns the result of the
 * first attempt, or of another one.
 */
export interface Around<Key extends string = never> {
  /** Runs around one call. */
  <Outcome extends AnyOutcome>(attempt: () => Promise<Outcome>, call: AroundCall): Promise<Outcome>;
  /**
   * The keys of the routes that the function handles differently. `createClient` throws a `TypeError` for a key that
   * the contract does not have.
   */
  readonly routes?: readonly Key[] | undefined;
}

/**
 * Checks the option `around` of a client with these calls.
 *
 * @throws {TypeError} If it is invalid.
 */
function checkAround(around: unknown, calls: readonly RouteCall[]): readonly Around<string>[] {
  const list: readonly unknown[] = around === undefined ? [] : [around].flat();
  for (const each of list) {
    checkRule(
      each,
      '"around"',
      ["a function or an array of functions", aFunction[1]],
      clientName,
      describeConfidential,
    );
    const { routes = [] } = each as Around<string>;
    const unknown = [routes].flat().find((key) => !calls.some((call) => call.key === key));
    if (unknown !== undefined) failAt(clientName, `"around" names the unknown route ${JSON.stringify(unknown)}`);
  }
  return list as readonly Around<string>[];
}

/**
 * The credentials for a contract's security schemes, by scheme name. Each is the token, key or cookie as text, or a
 * username and a password. It may also be a function that returns one, synchronously or not. `undefined` means no
 * credential.
 */
export type ClientCredentials<Routes> = [Routes] extends [never] ? undefined
  : SecurityBelow<Routes> extends infer Secured // inferred, because otherwise TypeScript 7 follows the tree without end
    ? [Secured] extends [never] ? AnyCredentials // the types of these routes are not known
    : CredentialsOf<EntryOf<Secured>>
  : never;

/**
 * The credentials for some entries of lists of security schemes.
 *
 * @internal
 */
type CredentialsOf<Entry extends SecurityEntry> = string extends Entry["name"] ? AnyCredentials
  : [CredentialName<Entry>] extends [never] ? Readonly<Record<string, never>>
  : { readonly [Each in Entry as CredentialName<Each>]?: CredentialSource<CredentialValue<Each>> };

/**
 * The name of an entry whose credential a client can send. It excludes `security.none`, which takes none, signatures,
 * and custom schemes, which read their own.
 */
type CredentialName<Entry extends SecurityEntry> = Entry extends unknown
  ? keyof NonNullable<Entry["types"]> extends keyof SignedContent ? never : Exclude<Entry["name"], "">
  : never;

/** The type of the credential that an entry takes. */
type CredentialValue<Entry extends SecurityEntry> = NonNullable<Entry["types"]> extends BasicCredential
  ? BasicCredential
  : string;

/** A credential, or a function that returns it. */
type CredentialSource<Value> = Value | (() => Awaitable<Value | undefined>) | undefined;

/**
 * The credentials for a contract whose types do not contain its schemes.
 *
 * @internal
 */
type AnyCredentials = Readonly<Record<string, CredentialSource<string | BasicCredential>>>;

/** Credentials, or functions that return them, by scheme name. */
export type CredentialSources = Readonly<Record<string, unknown>>;

/**
 * Checks the option `credentials` for routes with these schemes.
 *
 * @throws {TypeError} For a scheme that the routes do not have, or a custom one.
 */
export function checkCredentials(credentials: unknown, accepted: readonly AcceptedScheme[]): CredentialSources {
  const names = new Set(accepted.flatMap(({ scheme: { name, credential } }) => credential ? name : []));
  return checkKeys(credentials, [...names], "credential", clientName) as CredentialSources;
}

/** Limits for the sizes of bodies and records. */
export interface Limits {
  /** The most bytes of a body that is read as a whole. */
  readonly maxBodyBytes: number;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
}

/** The name of `createClient()` in messages. */
export const clientName = "createClient()";
