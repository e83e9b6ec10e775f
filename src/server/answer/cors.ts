/** Cross-origin requests: preflights, and the headers of all other responses. */
import { ignore, whenReady } from "../../awaitable.ts";
import type { RouteNode } from "../../contract/node.ts";
import { isCount, isInstance, isObject } from "../../mark.ts";
import { schemesOf } from "../../contract/security_scheme.ts";
import { describeValue, routeLabel } from "../../messages.ts";
import { declaredKeys } from "../../schema.ts";
import type { Endpoint } from "../define/implementation.ts";
import { describeResult } from "../define/result.ts";
import { addVary, isToken, listItems } from "../../wire/headers.ts";
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
import { checkNames, checkRule, failAt, type ValueRule } from "../../options.ts";

/** Answers requests. */
type AnswerExchange = (exchange: Exchange) => Sent | Promise<Sent>;

/** What CORS needs of the engine. */
interface CorsSettings {
  readonly cors: CorsOptions;
  /** Whether an origin is allowed. */
  readonly allowsOrigin: AllowsOrigin;
  readonly onError: OnError;
}

/** The routes of a handler. */
type Routes = RouteTable<{ readonly endpoint: Endpoint }>;

/**
 * Wraps a handler: answers preflights, and adds to all other responses the headers that let pages of allowed origins
 * read them.
 */
export function planCors(
  answer: AnswerExchange,
  table: Routes,
  { cors, allowsOrigin, onError }: CorsSettings,
): AnswerExchange {
  const { origins } = cors;
  const ambient = table.targets.map(({ endpoint }) => endpoint.node)
    .find((node) => schemesOf([node]).some(({ isAmbient }) => isAmbient));
  if (ambient && origins === "*") {
    const state = '"cors.origins" must list the origins, because browsers attach its credentials, got "*"';
    failAt(`Cannot mount ${routeLabel(ambient)}`, state);
  }
  const vary = origins === "*" ? none : ["origin"]; // caches need it even if the origin is not allowed
  const exposed = toLowerCase(cors.exposed);
  const share: EditAllowed = (headers, allowance) => {
    const names = removeAllowances(headers); // a handler cannot allow origins
    addVary(headers, vary);
    setFields(
      headers,
      allowance &&
        {
          ...allowance,
          "access-control-expose-headers": joinOnce([...names.filter((name) => !notExposed.has(name)), ...exposed]),
        },
    );
  };
  const allow = (sent: Sent, { exchange, origin, edit }: AskedOrigin): Sent => {
    if (statusOf(sent) === 101) return sent;
    const report = (error: unknown): void => reportOnly(onError, { error, phase: "cors" }, exchange, sent);
    const allowance = allowsOrigin(origin, report)
      ? {
        "access-control-allow-origin": origins === "*" ? "*" : origin!, // `null` is never allowed
        "access-control-allow-credentials": ambient ? "true" : "",
      }
      : undefined;
    return editAnswer(sent, (headers) => edit(headers, allowance));
  };
  const describePreflight = planPreflight(table, cors);
  const preflight = planHead(204, { vary: [...vary, methodField, headersField].join(", ") });
  return (exchange) => {
    const { headers, target, pathStart } = exchange;
    const origin = headers.get("origin");
    const methods = isPreflight(exchange) ? listMethods(table, target, pathStart) : none;
    if (methods.length === 0) return whenReady(answer(exchange), allow, { exchange, origin, edit: share });
    const edit: EditAllowed = (headers, allowance) =>
      setFields(headers, allowance && { ...allowance, ...describePreflight(exchange, methods) });
    return allow({ head: preflight, body: null, fields: preflight.fields }, { exchange, origin, edit });
  };
}

/** The headers that say what an allowed origin may do. Empty ones are not sent. */
type AllowedFields = Readonly<Record<string, string>>;

/** Edits the headers of a response. `allowance` are those that allow the origin of its request, unless it is not allowed. */
type EditAllowed = (headers: EditableFields, allowance: AllowedFields | undefined) => void;

/** A request whose origin was read before it was answered. On Deno, an upgrade closes its headers. */
interface AskedOrigin {
  readonly exchange: Exchange;
  readonly origin: string | null;
  readonly edit: EditAllowed;
}

/** Plans the headers of the answer to a preflight for a path with these methods. */
function planPreflight(
  table: Routes,
  { headers, maxAge = 7200 }: CorsOptions,
): (exchange: Exchange, methods: readonly string[]) => AllowedFields {
  const further = toLowerCase(headers);
  const known = new Map<RouteNode, RequestFields>(); // they are listed at the first request for them
  return ({ headers, target, pathStart }, methods) => {
    const match = matchRoute(table, headers.get(methodField)!, target, pathStart);
    const node = match instanceof Refusal ? undefined : match.target.endpoint.node;
    const fields = node && (known.get(node) ?? listRequestFields(node));
    if (fields) known.set(node, fields);
    const open = fields?.isOpen ? listItems(headers, headersField).filter(isName) : none;
    return {
      "access-control-allow-methods": joinOnce(methods.flatMap((each) => each === "GET" ? [each, "HEAD"] : each)),
      "access-control-allow-headers": joinOnce([...fields?.names ?? none, ...further, ...open]),
      "access-control-max-age": String(maxAge),
    };
  };
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

/** Sets the fields that are not empty. */
function setFields(headers: EditableFields, fields: AllowedFields = {}): void {
  for (const [name, value] of Object.entries(fields)) if (value !== "") headers.set(name, value);
}

function joinOnce(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
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

/** Throws a `TypeError` if the option `cors` is invalid. */
export function checkCors(cors: unknown, where: string): void {
  checkRule(cors, '"cors"', aCorsObject, where);
  checkNames(cors as object, Object.keys(rules), where, '"cors"'); // it was checked
  for (const [name, rule] of Object.entries(rules)) {
    const value: unknown = Reflect.get(cors as object, name);
    if (value !== undefined || name === "origins") checkRule(value, `"cors.${name}"`, rule, where);
  }
}

const aCorsObject: ValueRule = [
  'an object like { origins: ["https://app.example.com"] }',
  (value) => isObject(value) && !Array.isArray(value),
];

const headerNames: ValueRule = [
  "an array of header names",
  (value) => isListOf(value, (name) => isName(name) || `must contain header names, got ${describeValue(name)}`),
];

const rules: Readonly<Record<keyof CorsOptions, ValueRule>> = {
  origins: [
    'an array of origins, a function or "*"',
    (value) => value === "*" || typeof value === "function" || isListOf(value, isOriginOrWrong),
  ],
  headers: headerNames,
  exposed: headerNames,
  maxAge: ["a non-negative integer of seconds", isCount],
};

/** Returns whether a value is a list whose entries fit, or what is wrong with one. Holes are entries too. */
function isListOf(value: unknown, test: (entry: unknown) => true | string): boolean | string {
  if (!Array.isArray(value)) return false;
  for (const entry of value) {
    const found = test(entry);
    if (found !== true) return found;
  }
  return true;
}

/** Returns whether browsers send an entry as an origin, or what is wrong with it. */
function isOriginOrWrong(entry: unknown): true | string {
  const hint = wrongOrigins.get(entry);
  if (hint !== undefined) return `must not contain "${entry}"${hint}`;
  return isOrigin(entry) ||
    `must contain origins like "https://app.example.com" in lower case, got ${describeValue(entry)}`;
}

/** What the message says about entries that look like origins. */
const wrongOrigins: ReadonlyMap<unknown, string> = new Map([
  ["null", ", the origin of every sandboxed page; remove it"],
  ["*", '; write origins: "*" to allow all'],
]);

/**
 * Returns whether browsers send `text` as an origin. For the schemes that `URL` knows, that is without the default
 * port.
 */
function isOrigin(text: unknown): boolean {
  if (typeof text !== "string" || !schemeAndHost.test(text) || !URL.canParse(text)) return false;
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
 * Returns the headers that a page may send to a route: those of its inputs, its credentials without `cookie`, which pages
 * cannot set, and conditional requests. A response may have any validator if the schema of its headers does not list its
 * keys, as that of a union.
 */
function listRequestFields(node: RouteNode): RequestFields {
  const { headers, body, responses } = node;
  const declared = headers && declaredKeys(headers);
  const credentials = schemesOf([node]).flatMap(({ credential }) => credential?.field ?? []);
  const answered = responses[200]?.headers;
  const validators = answered ? declaredKeys(answered) ?? Object.keys(conditions) : none;
  const names = [
    ...(declared ?? none),
    ...(body ? ["content-type"] : none),
    ...credentials.filter((field) => field !== "cookie"),
    ...Object.entries(conditions).flatMap(([validator, field]) => validators.includes(validator) ? field : none),
  ];
  return { names, isOpen: headers !== undefined && declared === undefined };
}

/** The header with which a client asks whether its copy is current, by the validator that it has. */
const conditions = { etag: "if-none-match", "last-modified": "if-modified-since" };

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
export function planOrigins(origins: CorsOptions["origins"] = []): AllowsOrigin {
  if (origins === "*") return () => true;
  if (typeof origins !== "function") {
    const allowed: ReadonlySet<string | null> = new Set(origins);
    return (origin) => allowed.has(origin);
  }
  return (origin, report) => {
    if (origin === null || !URL.canParse(origin)) return false; // includes "null" and what no browser sends
    try {
      const allowed: unknown = origins(origin);
      if (typeof allowed === "boolean") return allowed;
      if (isInstance(allowed, Promise)) allowed.catch(ignore); // the error below replaces its rejection
      throw new TypeError(`cors.origins() must return a boolean, got ${describeResult(allowed)}`);
    } catch (error) {
      report(error);
      return false;
    }
  };
}
