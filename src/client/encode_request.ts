/** From the arguments of a call to a native request. */
import { type Awaitable, whenReady } from "../awaitable.ts";
import type { RouteNode } from "../contract/node.ts";
import type { RequestBody } from "../contract/request.ts";
import { alternativesOf } from "../contract/security_scheme.ts";
import { checkKeys } from "../messages.ts";
import type { WholeContent } from "../representation/representation.ts";
import { checkMilliseconds, createEnding } from "../signals.ts";
import { byteLength } from "../wire/read_bytes.ts";
import { fieldsOf, type HeaderSources, isExactFieldValue } from "../wire/headers.ts";
import { toTexts } from "../wire/text_fields.ts";
import type { Attempt, EncodedBody, ReadCall, SlotValues, Step } from "./attempt.ts";
import { type CallOptions, checkLimits, type ClientSettings, type HeaderFields, type Limits } from "./settings.ts";
import { planSlot, type ToUrl } from "./encode_url.ts";

/**
 * Plans the steps that build a route's requests, in their order. They throw or reject if the server could not read the
 * input as the caller means it.
 */
export function planRequest(node: RouteNode, settings: ClientSettings, toUrl: ToUrl): readonly Step[] {
  const { body } = node;
  return [
    ...(body?.representation.startUpload ? [planUpload(body)] : []),
    (attempt) =>
      whenReady(toUrl(settings.base, attempt.call.input), (url) => {
        attempt.url = url;
      }),
    ...(body ? [planBody(body)] : []),
    planHeaders(node, settings),
    planBuild(node, settings),
  ];
}

/** Plans the step that starts the upload of a body that is streamed. It throws if the body cannot be streamed. */
function planUpload({ representation, optional }: RequestBody): Step {
  return (attempt) => {
    const { input, signal } = attempt.call;
    attempt.upload = representation.startUpload?.(input.body, signal, optional);
  };
}

/** Plans the step that merges the headers of all sources and adds a credential. */
function planHeaders(node: RouteNode, { headers: general, credentials }: ClientSettings): Step {
  const encode = planSlot(node.headers, "headers");
  const accepted = alternativesOf(node.security ?? []);
  const [place] = accepted.flat().flatMap(({ scheme }) => scheme.credential ?? []);
  const showCredential = place?.plan(accepted, credentials); // undefined if the client cannot send a credential
  return (attempt) => {
    const { call: { input, options }, body } = attempt;
    const merge = (fields: unknown, general: HeaderFields | undefined): Awaitable<void> => {
      // mergeHeaders() checks the declared fields
      const others = [general, body?.defaults, options.headers, fields as HeaderFields | undefined];
      const isFixed = body === undefined || body.fixed !== undefined;
      if (isFixed && !showCredential && others.every((source) => source === undefined)) {
        attempt.headers = body?.fixed;
        return;
      }
      const sources = [...others, body?.fields];
      const own = mergeHeaders(sources);
      return whenReady(showCredential ? showCredential(own, sources) : own, (headers) => {
        body?.checkType?.(headers?.get("content-type") ?? null);
        attempt.headers = headers;
      });
    };
    return whenReady(
      node.headers && encode(input.headers ?? {}),
      (fields) => whenReady(typeof general === "function" ? general() : general, (general) => merge(fields, general)),
    );
  };
}

/** Plans the step that builds the request. */
function planBuild(node: RouteNode, settings: ClientSettings): Step {
  const method = node.method === "GET" ? undefined : node.method; // GET is the default, and stating it takes Deno 0.3 µs
  return (attempt) => {
    const { call: { options, signal }, headers, upload } = attempt;
    // a redirect may lead to any server, which would receive the body and the headers of the request
    const redirect = options.init?.redirect ?? settings.init?.redirect ?? "manual";
    if (redirect === "follow") checkFollowed(headers);
    const body = attempt.body?.content;
    const init = { ...settings.init, ...options.init, redirect };
    const whole = { ...init, method, headers, signal, body, ...upload?.init };
    const request = new Request(attempt.url, whole as RequestInit); // it treats members that are undefined as absent
    upload?.checkSent(request);
    if (settings.init || options.init) {
      // the types exclude what the client sets itself, which would override the request
      const { method: _method, headers: _headers, body: _body, signal: _signal, ...others } = init as RequestInit;
      attempt.init = others;
    }
    attempt.request = request;
  };
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

/** Plans the step that encodes the body. */
function planBody({ representation, contentType, optional, maxBytes, schema }: RequestBody): Step {
  const { encode, isTypedByPlatform, ranges } = representation;
  const encodeSlot = planSlot(schema, "body");
  const type = isTypedByPlatform || typeof contentType === "object" ? undefined : contentType;
  const fields = { "content-type": type };
  const fixed = type === undefined ? undefined : { "content-type": type };
  const toBody = (content: WholeContent | FormData | undefined): EncodedBody => {
    if (maxBytes !== undefined) checkMaxBytes(content, maxBytes);
    if (typeof contentType === "object") return { content, ...ranges?.planContentType(content, contentType) };
    return { content, fields, fixed };
  };
  return (attempt) => {
    const { body } = attempt.call.input;
    const encoded: Awaitable<EncodedBody> = optional && body === undefined
      ? { fields: { "content-type": undefined } }
      : whenReady<unknown, Awaitable<EncodedBody>>(
        encodeSlot(body),
        (value) => whenReady<WholeContent | FormData | undefined, EncodedBody>(encode?.(value), toBody),
      );
    return whenReady(encoded, (encoded) => {
      attempt.body = encoded;
    });
  };
}

/** Refuses content that is longer than the server allows. The length of form data and of a stream is not known here. */
function checkMaxBytes(content: WholeContent | FormData | undefined, maxBytes: number): void {
  const length = content === undefined ? 0 : byteLength(content as WholeContent); // undefined for form data
  if (length > maxBytes) throw new TypeError(`the body has ${length} bytes; the contract allows at most ${maxBytes}`);
}

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

/** The arguments of a call: an input if the route declares slots, then options. */
export type AnyArguments = readonly unknown[];

/**
 * Separates the input from the options. Throws a `TypeError` for unknown slots and options.
 *
 * @param seesEnd Whether the client sees the end of the call. It does not if the caller receives a native response.
 * @param defaults The limits of the client.
 */
export function readCall(slots: readonly string[], args: AnyArguments, seesEnd: boolean, defaults: Limits): ReadCall {
  const optionsAt = slots.length > 0 ? 1 : 0;
  const input = readInput(slots, optionsAt > 0 ? args[0] : undefined);
  const options: CallOptions = checkKeys(args[optionsAt], optionNames, "option", fail);
  checkLimits(options, fail);
  const { silence = Infinity, maxBodyBytes = defaults.maxBodyBytes, maxRecordBytes = defaults.maxRecordBytes } =
    options;
  checkMilliseconds('"silence"', silence);
  const { signal, timeout, release } = createEnding(options.signal, options.timeout, seesEnd);
  return { input, options, silence, maxBodyBytes, maxRecordBytes, signal, timeout, release };
}

/** Returns the input of a call. Throws a `TypeError` for a slot that the route does not declare. */
export function readInput(slots: readonly string[], input: unknown): SlotValues {
  return checkKeys(input, slots, "slot", fail);
}

const optionNames = [
  "signal",
  "timeout",
  "silence",
  "headers",
  "init",
  "maxBodyBytes",
  "maxRecordBytes",
] satisfies (keyof CallOptions)[];

function fail(state: string): never {
  throw new TypeError(state);
}
