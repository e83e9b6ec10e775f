/**
 * From the arguments of a call to a native request. Each step throws or rejects if the server would not read the input
 * as the caller means it.
 */
import { type Awaitable, ignore, joinSignals, whenReady } from "../awaitable.ts";
import type { CallBody, CallSlot, RouteCall } from "../contract/call.ts";
import { isObject } from "../mark.ts";
import { describeConfidential } from "../messages.ts";
import { aDuration, anObject, aSignal, checkKeys, checkRule, readPlainOptions, type ValueRule } from "../options.ts";
import { encodeSegment, type Segment } from "../path.ts";
import type { WholeContent } from "../representation/representation.ts";
import { fieldsOf, type HeaderSources, isExactFieldValue } from "../wire/headers.ts";
import { byteLength } from "../wire/read_bytes.ts";
import { formatFields, isTextValue, toFields, toTexts } from "../wire/text_fields.ts";
import type { Attempt, AttemptStep } from "./attempt.ts";
import type { CallPlan, Ending, ReadCall, SlotValues } from "./plan.ts";
import { aLimit, type CallOptions, type HeaderFields } from "./settings.ts";

/** The arguments of a call: an input if the route declares slots, then options. */
export type AnyArguments = readonly unknown[];

/**
 * Separates the input from the options. Throws a `TypeError` for unknown slots and options.
 *
 * @param seesEnd Whether the client sees the end of the call. It does not if the caller receives a native response.
 */
export function readCall({ declared: { slots }, settings }: CallPlan, args: AnyArguments, seesEnd: boolean): ReadCall {
  const optionsAt = slots.length > 0 ? 1 : 0;
  const input: SlotValues = checkKeys(optionsAt > 0 ? args[0] : undefined, slots, "slot", "");
  const given = args[optionsAt];
  const options: CallOptions = given === undefined ? {} : readPlainOptions(given, rules, "");
  const { silence = Infinity, maxBodyBytes = settings.maxBodyBytes, maxRecordBytes = settings.maxRecordBytes } =
    options;
  const { signal, timeout, release } = createEnding(options.signal, options.timeout, seesEnd);
  return { input, options, given, silence, maxBodyBytes, maxRecordBytes, signal, timeout, release };
}

/**
 * Combines the signal of a call's caller with its timeout. The platform's own timeout keeps 740 bytes of a call on Deno
 * until the time is up, so it is only used for calls whose end cannot be observed.
 */
function createEnding(
  caller: AbortSignal | undefined,
  milliseconds: number | undefined,
  seesEnd: boolean,
): Ending {
  if (milliseconds === undefined || milliseconds === Infinity) {
    return { signal: caller, timeout: undefined, release: ignore };
  }
  if (!seesEnd) {
    const timeout = AbortSignal.timeout(milliseconds);
    return { signal: joinSignals(caller, timeout), timeout, release: ignore };
  }
  const own = new AbortController();
  const signal = joinSignals(caller, own.signal);
  const timer = setTimeout(() => own.abort(new DOMException("The call timed out", "TimeoutError")), milliseconds);
  return { signal, timeout: own.signal, release: () => clearTimeout(timer) };
}

const rules = {
  signal: aSignal,
  timeout: aDuration,
  silence: aDuration,
  headers: anObject,
  init: anObject,
  maxBodyBytes: aLimit,
  maxRecordBytes: aLimit,
} satisfies Readonly<Record<keyof CallOptions, ValueRule | undefined>>;

/** The steps that build a request, in their order. */
export const encoding: readonly AttemptStep[] = [startUpload, encodeUrl, encodeBody, encodeHeaders, buildRequest];

/** Starts the upload of a body that is streamed. Throws if the body cannot be streamed. */
function startUpload(attempt: Attempt): void {
  const { plan: { declared: { body, coders } }, call: { input, signal } } = attempt;
  if (!body || isLeftOut(body, input.body)) return;
  attempt.upload = body.representation.startUpload?.(input.body, signal, coders.body?.encode);
}

function encodeUrl(attempt: Attempt): Awaitable<void> {
  return whenReady(toUrl(attempt.plan, attempt.call.input), setUrl, attempt);
}

function setUrl(url: string, attempt: Attempt): void {
  attempt.url = url;
}

/** Returns the URL of a call: synchronously, unless a codec is asynchronous. */
export function toUrl(plan: CallPlan, { params = {}, query = {} }: SlotValues): Awaitable<string> {
  const { declared } = plan;
  const { query: coder } = declared.coders;
  const url = whenReady(encodeSlot(declared, "params", params), toPathUrl, plan);
  if (!coder) return url;
  return whenReady(
    url,
    (url) =>
      whenReady(encodeSlot(declared, "query", query), (fields) => {
        const text = fields === undefined ? "" : formatFields(fields, "the query");
        return text === "" ? url : `${url}?${coder.isSpaced ? text.replaceAll("+", "%20") : text}`; // RFC 6570 has no + between items
      }),
  );
}

function encodeSlot({ coders }: RouteCall, slot: CallSlot, value: unknown): Awaitable<unknown> {
  const { encode } = coders[slot] ?? {};
  return encode ? encode(value, slot) : value;
}

function toPathUrl(params: unknown, { segments, rivals, settings: { base } }: CallPlan): string {
  const values = params === undefined ? {} : toFields(params, "params");
  let path = "";
  for (const segment of segments) {
    path += `/${typeof segment === "string" ? segment : formatParameter(segment.parameter, values)}`;
  }
  const found = rivals();
  if (found.length > 0) checkRivals(found, path.slice(1).split("/"));
  return base + (path || "/");
}

function formatParameter(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const encoded = isTextValue(value) ? encodeSegment(String(value)) : undefined;
  if (encoded !== undefined) return encoded;
  const state = value === undefined ? "is missing" : isTextValue(value) ? "is invalid in a URL" : "must be a string";
  throw new TypeError(`the path parameter ${name} ${state}`);
}

/** Finds the routes that a call could reach instead: `/users/me` if `/users/:id` is called with `me`. */
export function findRivals({ method, segments: own }: RouteCall, calls: readonly RouteCall[]): RouteCall[] {
  return calls.filter((call) =>
    (call.method === method || (method === "HEAD" && call.method === "GET")) &&
    call.segments.length === own.length && isPreferred(call.segments, own)
  );
}

/**
 * Returns whether the server prefers a path to another of the same length: where they first differ in kind, this one
 * has the literal.
 */
function isPreferred(path: readonly Segment[], other: readonly Segment[]): boolean {
  const differing = path.find((segment, index) => ("literal" in segment) !== ("literal" in other[index]!));
  return differing !== undefined && "literal" in differing;
}

/** Throws a `TypeError` if the encoded segments of a path match a rival. */
function checkRivals(rivals: readonly RouteCall[], segments: readonly string[]): void {
  const rival = rivals.find((rival) =>
    rival.segments.every((segment, index) =>
      "parameter" in segment || segment.literal === decodeURIComponent(segments[index]!)
    )
  );
  if (rival) throw new TypeError(`these params match the route ${rival.key}; call that instead`);
}

function encodeBody(attempt: Attempt): Awaitable<void> {
  const { plan, call: { input: { body: value } } } = attempt;
  const { body } = plan.declared;
  if (!body || isLeftOut(body, value)) return;
  const { contentType, maxBytes = Infinity, representation: { describes, encode, ranges } } = body;
  return whenReady(
    describes === "item" ? value : encodeSlot(plan.declared, "body", value),
    (value) =>
      whenReady(encode?.(value, plan.declared.coders.body?.encode, formatFields), (content) => {
        const length = content === undefined || maxBytes === Infinity ? 0 : byteLength(content as WholeContent); // undefined for form data
        if (length > maxBytes) {
          throw new TypeError(`the body has ${length} bytes; the contract allows at most ${maxBytes}`);
        }
        if (typeof contentType === "object") attempt.ranged = ranges?.planContentType(content, contentType);
        else if (!(content instanceof FormData)) attempt.contentType = contentType; // the platform generates the boundary
        attempt.content = content;
      }),
  );
}

function isLeftOut({ optional }: CallBody, value: unknown): boolean | undefined {
  return optional && value === undefined;
}

/** Merges the headers of all sources and adds a credential. */
function encodeHeaders(attempt: Attempt): Awaitable<void> {
  const { plan: { declared, settings: { headers: general } }, call: { input: { headers = {} } } } = attempt;
  return whenReady(
    declared.coders.headers && encodeSlot(declared, "headers", headers),
    (fields) =>
      whenReady(
        typeof general === "function" ? general() : general,
        (general) => setHeaders(attempt, general, fields as HeaderFields | undefined), // mergeHeaders() checks them
      ),
  );
}

function setHeaders(
  attempt: Attempt,
  general: HeaderFields | undefined,
  fields: HeaderFields | undefined,
): Awaitable<void> {
  const { plan: { declared, showCredential }, call: { options }, contentType, ranged } = attempt;
  const described = declared.body && !ranged ? { "content-type": contentType } : undefined; // overrides all others
  const isPlain = general === undefined && options.headers === undefined && fields === undefined;
  if (isPlain && !ranged && !showCredential) {
    // a request with a plain object takes 2 µs less than with `Headers`
    if (contentType !== undefined) attempt.headers = { "content-type": contentType };
    return;
  }
  const sources: HeaderSources = [general, ranged?.defaults, options.headers, fields, described];
  const own = mergeHeaders(sources);
  return whenReady(showCredential ? showCredential(own, sources) : own, (headers) => {
    ranged?.checkType(headers?.get("content-type") ?? null);
    attempt.headers = headers;
  });
}

/** The rule of header fields: an object, or pairs of a name and a value. */
const fieldsByName: ValueRule = ["an object", isObject];

/**
 * Merges header fields from several sources. A later source overrides an earlier one, and its `undefined` removes a
 * field. Throws a `TypeError` if a header cannot carry a value. Returns `undefined` without sources, because a request
 * spends 1 µs on empty `Headers`.
 */
function mergeHeaders(sources: HeaderSources): Headers | undefined {
  const present = sources.filter((source) => source !== undefined);
  if (present.length === 0) return undefined;
  const merged = new Headers();
  for (const source of present) {
    checkRule(source, "headers", fieldsByName, "", describeConfidential);
    for (const [name, value] of fieldsOf(source)) {
      merged.delete(name);
      for (const text of toHeaderTexts(name, value)) merged.append(name, text);
    }
  }
  return merged;
}

function toHeaderTexts(name: string, value: unknown): string[] {
  const texts = toTexts(value);
  if (texts?.every(isExactFieldValue)) return texts;
  throw new TypeError(`the value of the header ${JSON.stringify(name)} is invalid`);
}

function buildRequest(attempt: Attempt): void {
  const { plan: { declared, settings }, call: { options, signal }, headers, upload, content } = attempt;
  const method = declared.method === "GET" ? undefined : declared.method; // GET is the default, and stating it takes Deno 0.3 µs
  // a redirect may lead to any server, which would receive the body and the headers of the request
  const redirect = options.init?.redirect ?? settings.init?.redirect ?? "manual";
  if (redirect === "follow") checkFollowed(headers);
  if (settings.init || options.init) {
    // the types exclude what the client sets itself, which would override the request
    const { method: _method, headers: _headers, body: _body, signal: _signal, ...init }: RequestInit = {
      ...settings.init,
      ...options.init,
      redirect,
    };
    attempt.init = init;
  }
  const own = { redirect, method, headers, signal, body: content };
  const whole = attempt.init || upload ? { ...attempt.init, ...own, ...upload?.init } : own; // a spread takes longer
  const request = new Request(attempt.url, whole as RequestInit); // it treats members that are undefined as absent
  upload?.checkSent(request);
  attempt.request = request;
}

/**
 * The headers of a request that follows redirects: `authorization`, which every `fetch` removes when the origin changes,
 * and those that describe the request and its content. Node 20.3 and Bun before 1.2.23 keep `cookie`.
 */
const followed = /^(authorization|range|user-agent|last-event-id|idempotency-key|(accept|content|if)(-.+)?)$/;

/** Throws a `TypeError` if following a redirect would send a header that may be a secret to another origin. */
function checkFollowed(headers: Attempt["headers"]): void {
  const kept = [...new Headers(headers).keys()].find((name) => !followed.test(name));
  if (kept === undefined) return;
  throw new TypeError(
    `redirect "follow" may send the header ${kept} to other servers; declare the redirect and follow it yourself`,
  );
}
