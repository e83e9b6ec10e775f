/** From the arguments of a call to a native request. */
import { type RouteNode } from "../contract/node.ts";
import { type RequestBody } from "../contract/request.ts";
import { checkKeys } from "../options.ts";
import { type PlannedContentType, type Upload, type WholeContent } from "../representation/representation.ts";
import { checkMilliseconds, createEnding, type Ending } from "../signals.ts";
import { byteLength } from "../wire/read_bytes.ts";
import { type ShowCredential } from "../wire/credentials.ts";
import { fieldsOf, type HeaderSources, isExactFieldValue } from "../wire/headers.ts";
import { toTexts } from "../wire/text_fields.ts";
import {
  type CallOptions,
  checkLimits,
  type ClientSettings,
  type HeaderFields,
  type Limits,
  schemesOf,
} from "./settings.ts";
import { type EncodeSlot, planSlot, planUrl, type ToUrl, type UrlValues } from "./encode_url.ts";

/** How the calls of a route become requests. */
export interface RequestPlan {
  readonly node: RouteNode;
  readonly settings: ClientSettings;
  readonly toUrl: ToUrl;
  readonly encodeBody: EncodeSlot;
  readonly encodeHeaders: EncodeSlot;
  /** `undefined` if the client cannot send a credential that the route accepts. */
  readonly showCredential: ShowCredential | undefined;
}

/** A request that is ready to be sent. */
export interface Outgoing {
  readonly request: Request;
  /** The option that the request was built with. Bun before 1.2.23 drops it from the `Request`. */
  readonly redirect: RequestRedirect;
}

/** Plans the requests of a route. `nodes` are all routes of the contract. */
export function planRequest(node: RouteNode, nodes: readonly RouteNode[], settings: ClientSettings): RequestPlan {
  const schemes = schemesOf(node);
  const [place] = schemes.flatMap(({ credential }) => credential ?? []);
  return {
    node,
    settings,
    toUrl: planUrl(node, nodes),
    encodeBody: planSlot(node.body?.schema, "body"),
    encodeHeaders: planSlot(node.headers, "headers"),
    showCredential: place?.plan(schemes, settings.credentials),
  };
}

/** Starts the upload of a call whose body is streamed. Throws if the body cannot be streamed. */
export function startBodyUpload({ node: { body } }: RequestPlan, { input, signal }: ReadCall): Upload | undefined {
  return body?.representation.startUpload?.(input.body, signal, body.optional);
}

/** Encodes a call, slot by slot. Rejects if the server could not read the input as the caller means it. */
export async function encodeRequest(plan: RequestPlan, call: ReadCall, upload: Upload | undefined): Promise<Outgoing> {
  const { node, settings, showCredential } = plan;
  const { input, options, signal } = call;
  const url = await plan.toUrl(settings.base, input);
  const body = node.body && await encodeBody(node.body, plan, input);
  const fields = node.headers && await plan.encodeHeaders(input.headers ?? {}) as HeaderFields;
  const general = typeof settings.headers === "function" ? await settings.headers() : settings.headers;
  const sources = [general, body?.defaults, options.headers, fields, body?.fields];
  const own = mergeHeaders(sources);
  const headers = showCredential ? await showCredential(own, sources) : own;
  body?.checkType?.(headers?.get("content-type") ?? null);
  // a redirect may lead to any server, which would receive the body and the headers of the request
  const redirect = options.init?.redirect ?? settings.init?.redirect ?? "manual";
  if (redirect === "follow") checkFollowed(headers);
  const init = { ...settings.init, ...options.init, redirect, method: node.method, headers, signal };
  // some members may be undefined, which Request treats as absent
  const request = new Request(url, { ...init, body: body?.content, ...upload?.init } as RequestInit);
  upload?.checkSent(request);
  return { request, redirect };
}

/**
 * The headers of a request that follows redirects: `authorization`, which every `fetch` removes when the origin changes,
 * and those that describe the request and its content. Node 20.3 and Bun before 1.2.23 keep `cookie`.
 */
const followed = /^(authorization|range|user-agent|last-event-id|idempotency-key|(accept|content|if)(-.+)?)$/;

/** Throws a `TypeError` if following a redirect would send a header that may be a secret to another origin. */
function checkFollowed(headers: Headers | undefined): void {
  const kept = [...headers?.keys() ?? []].find((name) => !followed.test(name));
  if (kept === undefined) return;
  throw new TypeError(
    `redirect "follow" may send the header ${kept} to other servers; declare the redirect and follow it yourself`,
  );
}

/** The encoded body of a call. */
interface EncodedBody extends Partial<PlannedContentType> {
  /** The content. `undefined` if there is none, or if an upload streams it. */
  readonly content?: unknown;
  /** The header fields that describe the body. They override all others. */
  readonly fields?: HeaderFields;
}

async function encodeBody(declared: RequestBody, plan: RequestPlan, input: SlotValues): Promise<EncodedBody> {
  const { representation: { encode, isTypedByPlatform, ranges }, contentType, optional, maxBytes } = declared;
  if (optional && input.body === undefined) return { fields: { "content-type": undefined } };
  const content = await encode?.(await plan.encodeBody(input.body));
  if (maxBytes !== undefined) checkMaxBytes(content, maxBytes);
  if (typeof contentType === "object") return { content, ...ranges?.planContentType(content, contentType) };
  return { content, fields: { "content-type": isTypedByPlatform ? undefined : contentType } };
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

/** The values of the declared slots. */
export interface SlotValues extends UrlValues {
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** The arguments of a call with the defaults applied, and the signals that may end it early. */
export interface ReadCall extends Limits, Ending {
  readonly input: SlotValues;
  readonly options: CallOptions;
  /** The most milliseconds that a stream may stay silent. */
  readonly silence: number;
}

/**
 * Separates the input from the options. Throws a `TypeError` for unknown slots and options.
 *
 * @param seesEnd Whether the client sees the end of the call. It does not if the caller receives a native response.
 * @param defaults The limits of the client.
 */
export function readCall(slots: readonly string[], args: AnyArguments, seesEnd: boolean, defaults: Limits): ReadCall {
  const [first, second] = slots.length > 0 ? args : [undefined, ...args];
  const input = readInput(slots, first);
  const options: CallOptions = checkKeys(second, optionNames, "option", fail);
  checkLimits(options, fail);
  const { silence = Infinity, maxBodyBytes = defaults.maxBodyBytes, maxRecordBytes = defaults.maxRecordBytes } =
    options;
  checkMilliseconds('"silence"', silence);
  const ending = createEnding(options.signal, options.timeout, seesEnd);
  return { input, options, silence, maxBodyBytes, maxRecordBytes, ...ending };
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
