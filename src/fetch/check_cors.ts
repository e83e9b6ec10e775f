import { type RouteNode } from "../contract/node.ts";
import { describeValue } from "../describe_value.ts";
import { routeLabel } from "../route_label.ts";
import { isToken } from "../wire/headers.ts";

/**
 * The option `cors`: which origins may call a server, and the headers to allow besides those that follow from the
 * contract.
 */
export interface CorsOptions {
  /**
   * The origins whose pages may call: a list, `"*"` for all, or a synchronous function of an origin, which is only
   * called with strings that `new URL` accepts. `"*"` is invalid if a route accepts a credential that browsers attach
   * automatically.
   */
  readonly origins: "*" | readonly string[] | ((origin: string) => boolean);
  /** Request headers that no route declares and pages may send, such as `traceparent`. Default: none. */
  readonly headers?: readonly string[];
  /**
   * Response headers that pages may read although the adapter does not add them, such as those of a proxy. Default:
   * none.
   */
  readonly exposed?: readonly string[];
  /** How long browsers may cache the response to a preflight, in seconds. Default: 7200. */
  readonly maxAge?: number;
}

/** Throws a `TypeError` if all origins may call and a route accepts a credential that browsers attach automatically. */
export function refuseAllOrigins({ origins }: CorsOptions, route: RouteNode): void {
  if (origins !== "*") return;
  throw new TypeError(
    `Cannot mount ${
      routeLabel(route)
    }: "cors.origins" must list the origins, because browsers attach its credentials, got "*"`,
  );
}

/** Returns why the option `cors` is invalid, or `undefined`. */
export function refuseCors(cors: unknown): string | undefined {
  if (typeof cors !== "object" || cors === null || Array.isArray(cors)) {
    return `"cors" must be an object like { origins: ["https://app.example.com"] }, got ${describeValue(cors)}`;
  }
  const { origins, headers, exposed, maxAge, ...others } = cors as Partial<Record<keyof CorsOptions, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    return `unknown option ${JSON.stringify(unknown)} in "cors" (allowed: origins, headers, exposed, maxAge)`;
  }
  return refuseOrigins(origins) ?? refuseNames("headers", headers) ?? refuseNames("exposed", exposed) ??
    refuseMaxAge(maxAge);
}

function refuseOrigins(origins: unknown): string | undefined {
  if (origins === "*" || typeof origins === "function") return undefined;
  if (!Array.isArray(origins)) {
    return `"cors.origins" must be an array of origins, a function or "*", got ${describeValue(origins)}`;
  }
  return firstState(origins, refuseOrigin);
}

/** Returns why an entry of a list of origins is invalid, or `undefined`. */
function refuseOrigin(origin: unknown): string | undefined {
  if (origin === "null") return '"cors.origins" must not contain "null", the origin of every sandboxed page; remove it';
  if (origin === "*") return '"cors.origins" must not contain "*"; write origins: "*" to allow all';
  if (typeof origin === "string" && isOrigin(origin)) return undefined;
  return `"cors.origins" must contain origins like "https://app.example.com" in lower case, got ${
    describeValue(origin)
  }`;
}

/** Whether browsers send `text` as an origin. For the schemes that `URL` knows, that is without the default port. */
function isOrigin(text: string): boolean {
  if (!schemeAndHost.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  return origin === text || (origin === "null" && !text.startsWith("file:"));
}

const schemeAndHost = /^[a-z][a-z\d+.-]*:\/\/[a-z\d._:[\]-]+$/;

function refuseNames(member: string, names: unknown): string | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names)) return `"cors.${member}" must be an array of header names, got ${describeValue(names)}`;
  return firstState(
    names,
    (name) => isName(name) ? undefined : `"cors.${member}" must contain header names, got ${describeValue(name)}`,
  );
}

/** Whether `name` is a header name. An asterisk would mean all headers. */
function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "*" && isToken(name);
}

function refuseMaxAge(maxAge: unknown): string | undefined {
  if (maxAge === undefined || (Number.isSafeInteger(maxAge) && (maxAge as number) >= 0)) return undefined;
  return `"cors.maxAge" must be a non-negative integer of seconds, got ${describeValue(maxAge)}`;
}

/** Returns why the first invalid entry of a list is invalid. Holes in the list are entries too. */
function firstState(list: readonly unknown[], refuse: (entry: unknown) => string | undefined): string | undefined {
  for (const entry of list) {
    const state = refuse(entry);
    if (state !== undefined) return state;
  }
}
