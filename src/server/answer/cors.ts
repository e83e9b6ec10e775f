/** Cross-origin requests: preflights, and the headers of all other responses. */
import { whenReady } from "../../awaitable.ts";
import type { RouteNode } from "../../contract/node.ts";
import { isCount, isInstance } from "../../mark.ts";
import { isAmbient, requirementsOf } from "../../contract/security_scheme.ts";
import { checkOptionNames, describeValue, routeLabel } from "../../messages.ts";
import { declaredKeys, type Schema } from "../../schema.ts";
import { describeResult } from "../define/result.ts";
import { addVary, isToken } from "../../wire/headers.ts";
import { Answer, type EditableFields, editAnswer, planHead, type Sent, statusOf } from "../http/answer.ts";
import type { Exchange } from "../http/exchange.ts";

/** Answers requests. */
type AnswerExchange = (exchange: Exchange) => Sent | Promise<Sent>;

/** The handler that CORS wraps, with what it needs to know of the routes. */
export interface CorsTarget {
  /** Answers a request that is not a preflight. */
  readonly answer: AnswerExchange;
  /** The methods of a request's path. Empty if no route has the path. */
  readonly listMethods: (exchange: Exchange) => readonly string[];
  /** Finds the route of a method and the path of a request. */
  readonly findRoute: (method: string, exchange: Exchange) => RouteNode | undefined;
  /** Whether an origin is allowed. */
  readonly allowsOrigin: AllowsOrigin;
  readonly nodes: readonly RouteNode[];
  /** Reports an error that `origins` throws. */
  readonly report: (error: unknown, exchange: Exchange, sent: Sent) => void;
}

/**
 * Wraps a handler: answers preflights, and adds to all other responses the headers that let pages of allowed origins
 * read them.
 */
export function planCors(options: CorsOptions, target: CorsTarget): AnswerExchange {
  const ambient = target.nodes.find(({ security = [] }) => isAmbient(security));
  if (ambient) checkOrigins(options, ambient);
  const allowOrigin = planAllowance(options, { ...target, takesAmbient: ambient !== undefined });
  const answerPreflight = planPreflight(options, target.findRoute, allowOrigin);
  const addFields = planFields(options, allowOrigin);
  return (exchange) => {
    const methods = isPreflight(exchange) ? target.listMethods(exchange) : none;
    if (methods.length > 0) return answerPreflight(exchange, methods);
    const asked = { exchange, origin: exchange.headers.get("origin") };
    return whenReady(target.answer(exchange), addFields, asked);
  };
}

/** A request whose origin was read before it was answered. On Deno, an upgrade closes its headers. */
interface Asked {
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

/** The headers that allow the origin of a request. `undefined` if it is not allowed. */
type AllowOrigin = (asked: Asked, sent: Sent) => Readonly<Record<string, string>> | undefined;

/** The inputs for deciding whether an origin is allowed. */
interface AllowancePlan extends Pick<CorsTarget, "allowsOrigin" | "report"> {
  /** Whether any route accepts a credential that browsers attach automatically. */
  readonly takesAmbient: boolean;
}

function planAllowance(
  { origins }: CorsOptions,
  { allowsOrigin, report, takesAmbient }: AllowancePlan,
): AllowOrigin {
  const credentials: Readonly<Record<string, string>> = takesAmbient
    ? { "access-control-allow-credentials": "true" }
    : {};
  return ({ exchange, origin }, sent) => {
    if (!allowsOrigin(origin, (error) => report(error, exchange, sent))) return undefined;
    return { "access-control-allow-origin": origins === "*" ? "*" : origin!, ...credentials }; // `null` is never allowed
  };
}

/**
 * Returns the request headers that responses depend on, for `vary`. Caches need them even if the origin is not allowed,
 * unless all origins are.
 */
function varyingFields({ origins }: CorsOptions): readonly string[] {
  return origins === "*" ? none : ["origin"];
}

/** Plans the response to a preflight for a path with these methods. */
function planPreflight(
  options: CorsOptions,
  findRoute: CorsTarget["findRoute"],
  allowOrigin: AllowOrigin,
): (exchange: Exchange, methods: readonly string[]) => Sent {
  const { headers = [], maxAge = 7200 } = options;
  const fieldsOf = planRequestFields(headers.map((name) => name.toLowerCase()));
  const head = planHead(204, { vary: [...varyingFields(options), methodField, headersField].join(", ") });
  return (exchange, methods) => {
    const sent = new Answer(head, null);
    const { headers } = exchange;
    const allowance = allowOrigin({ exchange, origin: headers.get("origin") }, sent);
    if (!allowance) return sent;
    const fields = fieldsOf(findRoute(headers.get(methodField)!, exchange), headers.get(headersField));
    return editAnswer(sent, (headers) =>
      setFields(headers, {
        ...allowance,
        "access-control-allow-methods": allowedMethods(methods).join(", "),
        ...(fields.length > 0 && { "access-control-allow-headers": fields.join(", ") }),
        "access-control-max-age": String(maxAge),
      }));
  };
}

function setFields(headers: EditableFields, fields: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(fields)) headers.set(name, value);
}

/** Adds HEAD, which every GET route answers. */
function allowedMethods(methods: readonly string[]): string[] {
  return [...new Set(methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : method))];
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
    const { names, isOpen } = fields;
    return [...new Set([...names, ...further, ...isOpen ? parseNames(requested) : none])];
  };
}

/** Plans how to add CORS headers to a response. */
function planFields(
  options: CorsOptions,
  allowOrigin: AllowOrigin,
): (sent: Sent, asked: Asked) => Sent {
  const further = (options.exposed ?? []).map((name) => name.toLowerCase());
  const vary = varyingFields(options);
  return (sent, asked) => {
    if (statusOf(sent) === 101) return sent;
    const allowance = allowOrigin(asked, sent);
    return editAnswer(sent, (headers) => {
      const names = listNames(headers);
      for (const name of names) if (name.startsWith("access-control-")) headers.delete(name); // a handler cannot allow origins
      addVary(headers, vary);
      if (allowance) setFields(headers, { ...allowance, ...exposeFields([...names.filter(isExposed), ...further]) });
    });
  };
}

function exposeFields(names: readonly string[]): Readonly<Record<string, string>> {
  return names.length === 0 ? {} : { "access-control-expose-headers": [...new Set(names)].join(", ") };
}

/** Returns the names of headers. */
function listNames(headers: EditableFields): string[] {
  const names: string[] = [];
  headers.forEach((_, name) => names.push(name));
  return names;
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

/** Throws a `TypeError` if all origins may call and a route accepts a credential that browsers attach automatically. */
function checkOrigins({ origins }: CorsOptions, route: RouteNode): void {
  if (origins !== "*") return;
  throw new TypeError(
    `Cannot mount ${
      routeLabel(route)
    }: "cors.origins" must list the origins, because browsers attach its credentials, got "*"`,
  );
}

/** Fails if the option `cors` is invalid. */
export function checkCors(cors: unknown, fail: (state: string) => never): void {
  if (typeof cors !== "object" || cors === null || Array.isArray(cors)) {
    fail(`"cors" must be an object like { origins: ["https://app.example.com"] }, got ${describeValue(cors)}`);
  }
  const { origins, headers, exposed, maxAge }: Partial<Record<keyof CorsOptions, unknown>> = cors;
  checkOptionNames(cors, ["origins", "headers", "exposed", "maxAge"], fail, '"cors"');
  const problem = originsProblem(origins) ?? namesProblem("headers", headers) ?? namesProblem("exposed", exposed) ??
    maxAgeProblem(maxAge);
  if (problem !== undefined) fail(problem);
}

function originsProblem(origins: unknown): string | undefined {
  if (origins === "*" || typeof origins === "function") return undefined;
  if (!Array.isArray(origins)) {
    return `"cors.origins" must be an array of origins, a function or "*", got ${describeValue(origins)}`;
  }
  return firstProblem(origins, originProblem);
}

/** Returns why an entry of a list of origins is invalid, or `undefined`. */
function originProblem(origin: unknown): string | undefined {
  if (origin === "null") return '"cors.origins" must not contain "null", the origin of every sandboxed page; remove it';
  if (origin === "*") return '"cors.origins" must not contain "*"; write origins: "*" to allow all';
  if (typeof origin === "string" && isOrigin(origin)) return undefined;
  return `"cors.origins" must contain origins like "https://app.example.com" in lower case, got ${
    describeValue(origin)
  }`;
}

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

function namesProblem(member: string, names: unknown): string | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names)) return `"cors.${member}" must be an array of header names, got ${describeValue(names)}`;
  return firstProblem(
    names,
    (name) => isName(name) ? undefined : `"cors.${member}" must contain header names, got ${describeValue(name)}`,
  );
}

/** Returns whether `name` is a header name. An asterisk would mean all headers. */
function isName(name: unknown): boolean {
  return typeof name === "string" && name !== "*" && isToken(name);
}

function maxAgeProblem(maxAge: unknown): string | undefined {
  if (maxAge === undefined || isCount(maxAge)) return undefined;
  return `"cors.maxAge" must be a non-negative integer of seconds, got ${describeValue(maxAge)}`;
}

/** Returns why the first invalid entry of a list is invalid. Holes in the list are entries too. */
function firstProblem(list: readonly unknown[], problemOf: (entry: unknown) => string | undefined): string | undefined {
  for (const entry of list) {
    const state = problemOf(entry);
    if (state !== undefined) return state;
  }
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

/** Returns whether pages may read a response header only if it is listed. */
function isExposed(name: string): boolean {
  return !alwaysReadable.has(name) && !neverReadable.has(name) && !name.startsWith("access-control-");
}

/** Fetch Standard, "CORS-safelisted response-header name". */
const alwaysReadable: ReadonlySet<string> = new Set([
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
]);

/** Fetch Standard, "forbidden response-header name". */
const neverReadable: ReadonlySet<string> = new Set(["set-cookie", "set-cookie2"]);

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
      return toBoolean(ask(origin));
    } catch (error) {
      report(error);
      return false;
    }
  };
}

function toBoolean(allowed: unknown): boolean {
  if (typeof allowed === "boolean") return allowed;
  if (isInstance(allowed, Promise)) allowed.catch(() => {}); // the error below replaces its rejection
  throw new TypeError(`cors.origins() must return a boolean, got ${describeResult(allowed)}`);
}
