/** Cross-origin requests: preflights, and the headers of all other responses. */
import { ignore, whenReady } from "../../awaitable.ts";
import type { RouteNode } from "../../contract/node.ts";
import { isCount, isInstance, isObject } from "../../mark.ts";
import { isAmbient, requirementsOf } from "../../contract/security_scheme.ts";
import { describeValue, routeLabel } from "../../messages.ts";
import { declaredKeys, type Schema } from "../../schema.ts";
import type { Endpoint } from "../define/implementation.ts";
import { describeResult } from "../define/result.ts";
import { addVary, isToken } from "../../wire/headers.ts";
import {
  type EditableFields,
  editAnswer,
  planHead,
  Refusal,
  removeAllowances,
  type Sent,
  statusOf,
} from "../http/answer.ts";
import type { Exchange } from "../http/exchange.ts";
import { listMethods, matchRoute, type RouteTable } from "../http/route_table.ts";
import { type OnError, reportOnly } from "./answer_stop.ts";
import { checkNames, checkRule, failAt } from "../../options.ts";

/** Answers requests. */
type AnswerExchange = (exchange: Exchange) => Sent | Promise<Sent>;

/** What CORS needs of the engine. */
interface CorsSettings {
  readonly cors: CorsOptions;
  /** Whether an origin is allowed. */
  readonly allowsOrigin: AllowsOrigin;
  readonly onError: OnError;
}

/**
 * Wraps a handler: answers preflights, and adds to all other responses the headers that let pages of allowed origins
 * read them.
 */
export function planCors(
  answer: AnswerExchange,
  table: RouteTable<{ readonly endpoint: Endpoint }>,
  { cors, allowsOrigin, onError }: CorsSettings,
): AnswerExchange {
  const { origins } = cors;
  const ambient = table.targets.map(({ endpoint }) => endpoint.node).find(({ security = [] }) => isAmbient(security));
  if (ambient && origins === "*") {
    const state = '"cors.origins" must list the origins, because browsers attach its credentials, got "*"';
    failAt(`Cannot mount ${routeLabel(ambient)}`, state);
  }
  const vary = origins === "*" ? none : ["origin"]; // caches need it even if the origin is not allowed
  const exposed = toLowerCase(cors.exposed);
  const allow: AllowOrigin = ({ exchange, origin }, sent) => {
    const report = (error: unknown): void => reportOnly(onError, { error, phase: "cors" }, exchange, sent);
    if (!allowsOrigin(origin, report)) return undefined;
    const allowed = origins === "*" ? "*" : origin!; // `null` is never allowed
    return { "access-control-allow-origin": allowed, ...(ambient && { "access-control-allow-credentials": "true" }) };
  };
  const addFields = (sent: Sent, asked: AskedOrigin): Sent => {
    if (statusOf(sent) === 101) return sent;
    const allowance = allow(asked, sent);
    return editAnswer(sent, (headers) => {
      const names = removeAllowances(headers); // a handler cannot allow origins
      addVary(headers, vary);
      if (!allowance) return;
      setFields(headers, {
        ...allowance,
        "access-control-expose-headers": joinOnce([...names.filter((name) => !notExposed.has(name)), ...exposed]),
      });
    });
  };
  const answerPreflight = planPreflight(table, cors, [...vary, methodField, headersField], allow);
  return (exchange) => {
    const methods = isPreflight(exchange) ? listMethods(table, exchange.target, exchange.pathStart) : none;
    const asked = { exchange, origin: exchange.headers.get("origin") };
    return methods.length > 0 ? answerPreflight(asked, methods) : whenReady(answer(exchange), addFields, asked);
  };
}

/** Returns the headers that allow the origin of a request. `undefined` if it is not allowed. */
type AllowOrigin = (asked: AskedOrigin, sent: Sent) => Readonly<Record<string, string>> | undefined;

/** Plans the answer to a preflight for a path with these methods. */
function planPreflight(
  table: RouteTable<{ readonly endpoint: Endpoint }>,
  { headers, maxAge = 7200 }: CorsOptions,
  vary: readonly string[],
  allow: AllowOrigin,
): (asked: AskedOrigin, methods: readonly string[]) => Sent {
  const head = planHead(204, { vary: vary.join(", ") });
  const sent = { head, body: null, fields: head.fields };
  const requestFieldsOf = planRequestFields(toLowerCase(headers));
  return (asked, methods) => {
    const allowance = allow(asked, sent);
    if (!allowance) return sent;
    const { headers, target, pathStart } = asked.exchange;
    const match = matchRoute(table, headers.get(methodField)!, target, pathStart);
    const node = match instanceof Refusal ? undefined : match.target.endpoint.node;
    const fields = requestFieldsOf(node, headers.get(headersField));
    return editAnswer(sent, (headers) =>
      setFields(headers, {
        ...allowance,
        "access-control-allow-methods": joinOnce(methods.flatMap((each) => each === "GET" ? [each, "HEAD"] : each)),
        "access-control-allow-headers": joinOnce(fields),
        "access-control-max-age": String(maxAge),
      }));
  };
}

/** A request whose origin was read before it was answered. On Deno, an upgrade closes its headers. */
interface AskedOrigin {
  readonly exchange: Exchange;
  readonly origin: string | null;
}

const none: readonly never[] = [];

/** Returns whether a request asks whether a page may send another one. */
export function isPreflight({ method, headers }: Pick<Exchange, "method" | "headers">): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has(methodField);
}

/** The header of a preflight with the method of the other request. */
export const methodField = "access-control-request-method";
const headersField = "access-control-request-headers";

function toLowerCase(names: readonly string[] = none): readonly string[] {
  return names.map((name) => name.toLowerCase());
}

function joinOnce(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}

/** Sets the fields that are not empty. */
function setFields(headers: EditableFields, fields: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(fields)) if (value !== "") headers.set(name, value);
}

/** Plans which headers a page may send to a route. They are computed at the first request for them. */
function planRequestFields(
  further: readonly string[],
): (node: RouteNode | undefined, requested: string | null) => readonly string[] {
  const known = new Map<RouteNode, RequestFields>();
  return (node, requested) => {
    if (node === undefined) return further;
    let fields = known.get(node);
    if (!fields) known.set(node, fields = listRequestFields(node));
    return [...fields.names, ...further, ...fields.isOpen ? parseNames(requested) : none];
  };
}

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

/** Throws a `TypeError` if the option `cors` is invalid. Holes in its lists are entries too. */
export function checkCors(cors: unknown, where: string): void {
  const isOptions = isObject(cors) && !Array.isArray(cors);
  checkRule(cors, '"cors"', ['an object like { origins: ["https://app.example.com"] }', () => isOptions], where);
  const { origins, maxAge, ...lists } = cors as Partial<Record<keyof CorsOptions, unknown>>;
  checkNames(cors as object, ["origins", "headers", "exposed", "maxAge"], where, '"cors"');
  const must = (name: string, be: string, value: unknown): never =>
    failAt(where, `"cors.${name}" must ${be}, got ${describeValue(value)}`);
  if (Array.isArray(origins)) {
    for (const origin of origins) {
      const hint = typeof origin === "string" ? wrongOrigins.get(origin) : undefined;
      if (hint !== undefined) failAt(where, `"cors.origins" must not contain "${origin}"${hint}`);
      if (typeof origin !== "string" || !isOrigin(origin)) {
        must("origins", 'contain origins like "https://app.example.com" in lower case', origin);
      }
    }
  } else if (origins !== "*" && typeof origins !== "function") {
    must("origins", 'be an array of origins, a function or "*"', origins);
  }
  for (const [name, names] of Object.entries(lists)) {
    if (names === undefined) continue;
    if (!Array.isArray(names)) must(name, "be an array of header names", names);
    for (const each of names as unknown[]) if (!isName(each)) must(name, "contain header names", each);
  }
  if (maxAge !== undefined && !isCount(maxAge)) must("maxAge", "be a non-negative integer of seconds", maxAge);
}

/** What the message says about entries that look like origins. */
const wrongOrigins: ReadonlyMap<string, string> = new Map([
  ["null", ", the origin of every sandboxed page; remove it"],
  ["*", '; write origins: "*" to allow all'],
]);

/**
 * Returns whether browsers send `text` as an origin. For the schemes that `URL` knows, that is without the default
 * port.
 */
function isOrigin(text: string): boolean {
  if (!schemeAndHost.test(text) || !URL.canParse(text)) return false;
  const { origin } = new URL(text);
  return origin === text || (origin === "null" && !text.startsWith("file:"));
}

const schemeAndHost = /^[a-z][a-z\d+.-]*:\/\/[a-z\d._:[\]-]+$/;

/** Returns whether `name` is a header name. An asterisk would mean all headers. */
function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "*" && isToken(name);
}

/** The headers that requests to a route may have. */
interface RequestFields {
  /** Their names, in lowercase. */
  readonly names: readonly string[];
  /** Whether the route may read any other, because its schema does not reveal its keys. */
  readonly isOpen: boolean;
}

/**
 * Returns the headers that a page may send to a route: those of its inputs, its credentials and conditional requests.
 */
function listRequestFields(node: RouteNode): RequestFields {
  const declared = node.headers && declaredKeys(node.headers);
  const names = [
    ...(declared ?? []),
    ...(node.body ? ["content-type"] : []),
    ...credentialFields(node),
    ...conditionalFields(node.responses[200]?.headers),
  ];
  return { names, isOpen: node.headers !== undefined && declared === undefined };
}

/** Returns the headers of a route's credentials, without `cookie`, which pages cannot set. */
function credentialFields({ security = [] }: RouteNode): string[] {
  const fields = requirementsOf(security).flatMap(({ scheme: { credential } }) => credential?.field ?? []);
  return fields.filter((field) => field !== "cookie");
}

/**
 * Returns the headers with which a client asks whether its copy is current. A response may have any validator if the
 * schema of its headers does not list its keys, as that of a union.
 */
function conditionalFields(headers: Schema | undefined): string[] {
  if (!headers) return [];
  const declared = declaredKeys(headers) ?? ["etag", "last-modified"];
  return [
    ...(declared.includes("etag") ? ["if-none-match"] : []),
    ...(declared.includes("last-modified") ? ["if-modified-since"] : []),
  ];
}

/** Returns the header names in a preflight's request, in lowercase. */
function parseNames(requested: string | null): string[] {
  const names = (requested ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "*" && isToken(name));
}

/**
 * The headers that need not be exposed, since pages can always read them (Fetch Standard, "CORS-safelisted
 * response-header name"), or never ("forbidden response-header name").
 */
const notExposed: ReadonlySet<string> = new Set([
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
  "set-cookie",
  "set-cookie2",
]);

/**
 * Whether an origin is allowed. If the application's function throws, the error is passed to `report`, and the origin
 * is not allowed.
 */
export type AllowsOrigin = (origin: string | null, report: (error: unknown) => void) => boolean;

/** Plans which origins are allowed. A list never allows `null`, because any sandboxed page has that origin. */
export function planOrigins(origins: CorsOptions["origins"] | undefined): AllowsOrigin {
  if (origins === undefined) return () => false;
  if (origins === "*") return () => true;
  if (typeof origins === "function") return planAsking(origins);
  const allowed: ReadonlySet<string | null> = new Set(origins);
  return (origin) => allowed.has(origin);
}

function planAsking(ask: (origin: string) => unknown): AllowsOrigin {
  return (origin, report) => {
    if (origin === null || !URL.canParse(origin)) return false; // includes "null" and what no browser sends
    try {
      const allowed = ask(origin);
      if (typeof allowed === "boolean") return allowed;
      if (isInstance(allowed, Promise)) allowed.catch(ignore); // the error below replaces its rejection
      throw new TypeError(`cors.origins() must return a boolean, got ${describeResult(allowed)}`);
    } catch (error) {
      report(error);
      return false;
    }
  };
}
