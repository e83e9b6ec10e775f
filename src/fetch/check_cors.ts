import { type RouteNode } from "../contract/node.ts";
import { routeLabel } from "../route_label.ts";
import { isToken } from "../wire/headers.ts";

/** Which pages of other origins may call a server, and what they see beside what follows from the contract. */
export interface CorsOptions {
  /**
   * The origins whose pages may call: a list, `"*"` for all, or a synchronous function of an origin, called with what `new URL` accepts. `"*"` is refused where a route
   * takes a credential that browsers attach by themselves.
   */
  readonly origins: "*" | readonly string[] | ((origin: string) => boolean);
  /** Request headers that no route declares, such as `traceparent`, for pages to set. Default: none. */
  readonly headers?: readonly string[];
  /** Response headers that pages may read although the adapter does not add them, such as those of a proxy. Default: none. */
  readonly exposed?: readonly string[];
  /** How many seconds browsers may keep the answer to a preflight. Default: 7200. */
  readonly maxAge?: number;
}

/** Refuses to let the pages of all origins call where a route takes a credential that browsers attach by themselves. */
export function refuseAllOrigins({ origins }: CorsOptions, route: RouteNode): void {
  if (origins !== "*") return;
  throw new TypeError(
    `Cannot mount: option cors allows all origins, but browsers attach credentials to requests of ${
      routeLabel(route)
    } by themselves; list the origins`,
  );
}

/** Says what is wrong with the option `cors`. */
export function refuseCors(cors: unknown): string | undefined {
  if (typeof cors !== "object" || cors === null || Array.isArray(cors)) {
    return 'must be an object like { origins: ["https://app.example.com"] }';
  }
  const { origins, headers, exposed, maxAge, ...others } = cors as Partial<Record<keyof CorsOptions, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has the unknown member ${unknown} (allowed: origins, headers, exposed, maxAge)`;
  return refuseOrigins(origins) ?? refuseNames("headers", headers) ?? refuseNames("exposed", exposed) ??
    refuseMaxAge(maxAge);
}

function refuseOrigins(origins: unknown): string | undefined {
  if (origins === "*" || typeof origins === "function") return undefined;
  if (!Array.isArray(origins)) return 'needs origins: a list, a function or "*"';
  return firstState(origins, refuseOrigin);
}

/** Says what is wrong with an entry of a list of origins. */
function refuseOrigin(origin: unknown): string | undefined {
  if (origin === "null") return 'cannot allow the origin "null": any sandboxed page has it';
  if (origin === "*") return 'has "*" in a list of origins; write origins: "*" to allow all';
  if (typeof origin === "string" && isOrigin(origin)) return undefined;
  const shown = typeof origin === "string" ? JSON.stringify(origin) : typeof origin;
  return `has the invalid origin ${shown}; write scheme://host or scheme://host:port in lower case, or a function of origins`;
}

/** Whether browsers send `text` as an origin. `URL` gives that of the schemes it knows, without their usual port. */
function isOrigin(text: string): boolean {
  if (!schemeAndHost.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  return origin === text || (origin === "null" && !text.startsWith("file:"));
}

const schemeAndHost = /^[a-z][a-z\d+.-]*:\/\/[a-z\d._:[\]-]+$/;

function refuseNames(member: string, names: unknown): string | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names)) return `needs ${member} to be a list of header names`;
  return firstState(
    names,
    (name) => isName(name) ? undefined : `has an invalid name in ${member}: ${JSON.stringify(name)}`,
  );
}

/** Whether `name` names a header. An asterisk would stand for all of them. */
function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "*" && isToken(name);
}

function refuseMaxAge(maxAge: unknown): string | undefined {
  if (maxAge === undefined || (Number.isSafeInteger(maxAge) && (maxAge as number) >= 0)) return undefined;
  return "needs maxAge to be a whole number of seconds from 0";
}

/** What is wrong with the first entry of a list that has something wrong; a list's holes are entries too. */
function firstState(list: readonly unknown[], refuse: (entry: unknown) => string | undefined): string | undefined {
  for (const entry of list) {
    const state = refuse(entry);
    if (state !== undefined) return state;
  }
}
