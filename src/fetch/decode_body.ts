/** Reads, decodes and validates the body of a request. */
import { attempt, type Awaitable, isPromise, type Ready, whenReady } from "../awaitable.ts";
import type { RequestBody } from "../contract/request.ts";
import type { Producer, Step } from "../producer.ts";
import { type Check, type Checked, type Issue, stepKey, toCheck } from "../schema.ts";
import { type Failure, type Outcome, Stop, toFailure } from "../server/result.ts";
import { contentLengthOf, tokenPattern } from "../wire/headers.ts";
import { isWithin, mediaTypeEssence } from "../wire/media_type.ts";
import { pullStream, takeChunk } from "../wire/pull_stream.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { reportIssues } from "../wire/problem.ts";
import type { Fields } from "../wire/text_fields.ts";
import { type BodyStop, type Exchange, unlessDisconnected } from "./exchange.ts";
import { refuse, stopUnreadable } from "./response.ts";
import { type ContentDecoder, contentDecoders } from "./representations.ts";

/** Reads and validates the body of a request, and adds it to the exchange. */
type DecodeBody = (exchange: Exchange) => Outcome<void>;

/** The settings for reading bodies. */
export interface BodySettings {
  /** The maximum size in bytes of a body whose declaration has no limit. `Infinity` for no limit. */
  readonly maxBodyBytes: number;
  /** The maximum number of levels of nested arrays and objects. */
  readonly maxDepth: number;
  /** Whether a copy is read, so that other code can read the body too. */
  readonly preserveRequestBody: boolean;
}

/** Plans how to decode a declared body: checks its media type, then its length, then reads it. */
export function planBody(body: RequestBody, settings: BodySettings): DecodeBody {
  const { maxBodyBytes, maxDepth, preserveRequestBody } = settings;
  const accepts = toAccepts(body.contentType);
  const maxBytes = body.maxBytes ?? maxBodyBytes;
  const isLimited = maxBytes !== Infinity;
  const decoder = contentDecoders[body.kind];
  const decodeContent = decoder ? planWholeBody(decoder, body, { maxBytes, maxDepth }) : planStream(maxBytes);
  const decode: DecodeBody = (exchange) => {
    const { request } = exchange;
    const contentType = request.headers.get("content-type");
    const isAbsent = body.optional && contentType === null && contentLengthOf(request.headers) === 0;
    if (!isAbsent && !accepts(contentType)) return refuse("unsupported-media-type");
    if (isLimited && contentLengthOf(request.headers) > maxBytes) return refuse("body-too-large");
    if (preserveRequestBody && isBodyTaken(request)) return refuse("invalid-body"); // it cannot be copied
    if (preserveRequestBody) exchange.message = request.clone();
    return isAbsent ? decodeAbsent(exchange) : decodeContent(exchange);
  };
  return typeof body.contentType === "string"
    ? decode
    : (exchange) => whenReady(decode(exchange), addContentType, exchange);
}

/** Adds the media type of a body that can have one of several. */
function addContentType(end: Stop | void, exchange: Exchange): Stop | void {
  if (end) return end;
  const contentType = exchange.request.headers.get("content-type");
  exchange.slots = {
    ...exchange.slots,
    contentType: contentType === null ? undefined : mediaTypeEssence(contentType),
  };
}

/**
 * Returns whether a request's media type is the declared one, or matches a declared range. For JSON, every `+json` type
 * is accepted too (RFC 6839, section 3.1).
 */
function toAccepts(contentType: RequestBody["contentType"]): (received: string | null) => boolean {
  if (typeof contentType === "object") {
    return (received) => received !== null && isWithin(mediaTypeEssence(received), contentType);
  }
  const declared = mediaTypeEssence(contentType);
  return (received) => {
    if (received === null) return false;
    if (received === declared) return true;
    const essence = mediaTypeEssence(received);
    return essence === declared || (declared === "application/json" && jsonSuffixed.test(essence));
  };
}

/** A type and a subtype of token characters (RFC 9110, section 5.6.2) that ends in `+json`. */
const jsonSuffixed = /* @__PURE__ */ tokenPattern((token) => `^${token}/${token}\\+json$`);

/** Returns whether other code has read from a body, even in part, or has locked it. */
function isBodyTaken({ body, bodyUsed }: Request): boolean {
  return bodyUsed || body?.locked === true;
}

/** Reads a body without a media type. It is absent, or its format is unknown. */
function decodeAbsent(exchange: Exchange): Outcome<void> {
  const { message } = exchange;
  if (message.body === null) return;
  if (message.bodyUsed) return refuse("invalid-body");
  return attempt(
    () => readBytes(toSource(message), { maxBytes: 0 }),
    (error) => stopUnreadable(error, exchange),
    ({ complete }) => complete ? undefined : refuse("unsupported-media-type"),
  );
}

/** The limits of a body that is read as a whole. */
interface ContentLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/** Plans how to read a body as a whole and validate it. */
function planWholeBody(decoder: ContentDecoder, body: RequestBody, { maxBytes, maxDepth }: ContentLimits): DecodeBody {
  const read = planRead(decoder, body, maxBytes);
  const check = planCheck(body);
  const tooDeep = refuse("invalid-body", { detail: `The body has more than ${maxDepth} levels of nesting` });
  const checkContent = (content: unknown, exchange: Exchange): Outcome<void> => {
    if (content instanceof Stop) return content;
    if (decoder.isDeeperThan?.(maxDepth, content)) return tooDeep; // schemas recurse into each level
    return whenReady(unlessDisconnected(validate(check, content), exchange.request), addContent, exchange);
  };
  return (exchange) => attempt(read, stopUnreadable, checkContent, exchange);
}

/** Adds the value of the body, or returns a refusal with its issues. */
function addContent(body: Checked | Stop, exchange: Exchange): Stop | void {
  if (body instanceof Stop) return body;
  if (body.issues) return refuse("invalid-request", reportIssues([["body", body.issues]]));
  exchange.slots.body = body.value;
}

/** The outcome of validating an input. */
export type CheckedInput = Checked | Failure;

/**
 * Validates an input. A schema that throws or rejects is a failure. It does not use {@linkcode attempt}: V8 cannot inline
 * a call that everything shares, which takes 80 ns.
 */
export function validate<Input>(check: (input: Input) => Awaitable<Checked>, input: Input): Ready<CheckedInput> {
  try {
    const checked = check(input);
    return isPromise(checked) ? Promise.resolve(checked).then(undefined, toDecodeFailure) : checked;
  } catch (error) {
    return toDecodeFailure(error);
  }
}

function toDecodeFailure(error: unknown): Failure {
  return toFailure("decode", error);
}

function planCheck({ representation, schema }: RequestBody): Check {
  if (!schema) return (value) => ({ value });
  const check = toCheck(schema);
  if (representation.describes !== "fields") return check;
  return (fields) => checkFields(check, fields as Fields<string | File>);
}

/** Reads a whole body and decodes it. Rejects if it is malformed or cannot be read. */
type ReadBody = (exchange: Exchange) => Promise<unknown | Stop>;

/**
 * Plans how to read a body with a maximum size. Without a maximum the runtime reads it, which takes Deno half the time
 * and rejects a body that other code has read from. A chunked body is always counted, because Node's bridges keep every
 * chunk, at up to 1,100 bytes for one of a single byte.
 */
function planRead(decoder: ContentDecoder, body: RequestBody, maxBytes: number): ReadBody {
  const decode = planContent(decoder, body);
  const readCounted: ReadBody = async ({ message }) => {
    if (message.bodyUsed) return refuse("invalid-body"); // the rest of it is not its content
    const { bytes, complete } = await readBytes(toSource(message), { maxBytes });
    return complete ? decode(bytes, message) : refuse("body-too-large");
  };
  if (maxBytes !== Infinity) return readCounted;
  const { readByRuntime = async (message) => decode(new Uint8Array(await message.arrayBuffer()), message) } = decoder;
  return (exchange) =>
    exchange.request.headers.has("transfer-encoding") ? readCounted(exchange) : readByRuntime(exchange.message);
}

/** Plans how to decode the content of a request. A custom decoder may take so long that the client disconnects. */
function planContent(
  decoder: ContentDecoder,
  { schema, representation }: RequestBody,
): (content: Uint8Array<ArrayBuffer>, request: Request) => unknown {
  const isDescribed = schema !== undefined;
  return (content, request) => {
    const contentType = request.headers.get("content-type") ?? "";
    return unlessDisconnected(decoder.decode(content, { contentType, isDescribed, representation }), request);
  };
}

/**
 * Validates fields. If the schema rejects a single string or file at a key, it is validated again with that value as a
 * list of one. A form or query cannot distinguish a value from a list of one.
 */
export function checkFields(check: Check, fields: Fields<string | File>): Awaitable<Checked> {
  return whenReady(check(fields), (first) => first.issues ? offerLists(check, fields, first.issues) : first);
}

function offerLists(check: Check, fields: Fields<string | File>, first: readonly Issue[]): Awaitable<Checked> {
  const refused = new Set(
    first.map(soleKey).filter((key) => key !== undefined && isSingle(fields, key)),
  );
  if (refused.size === 0) return { issues: first };
  const offered = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, refused.has(key) ? [value] : value]),
  );
  return whenReady(
    check(offered),
    (second) => second.issues ? { issues: remainingIssues(first, second.issues, refused) } : second,
  );
}

/**
 * Returns the issues of the first validation, without those that the lists fixed. If the schema accepts a list at a
 * key, but not its element, the issues of the element replace those of the key. If only other issues are left, those of
 * the second.
 */
function remainingIssues(
  first: readonly Issue[],
  second: readonly Issue[],
  offered: ReadonlySet<string | undefined>,
): readonly Issue[] {
  const ofLists = groupByKey(second);
  const replaced = new Set<string | undefined>();
  const left = first.flatMap((issue) => {
    const key = soleKey(issue);
    if (!offered.has(key)) return [issue];
    const ofElement = ofLists.get(key)?.filter(({ path }) => path!.length > 1) ?? []; // each has the key as its first step
    if (ofElement.length === 0) return ofLists.has(key) ? [issue] : [];
    if (replaced.has(key)) return [];
    replaced.add(key);
    return ofElement;
  });
  return left.length > 0 ? left : second;
}

function groupByKey(issues: readonly Issue[]): ReadonlyMap<string | undefined, readonly Issue[]> {
  const groups = new Map<string | undefined, Issue[]>();
  for (const issue of issues) {
    const key = firstKey(issue);
    const group = groups.get(key);
    if (group) group.push(issue);
    else groups.set(key, [issue]);
  }
  return groups;
}

/** Returns the key of a field that an issue is about, if the path is that key alone. */
function soleKey(issue: Issue): string | undefined {
  return issue.path?.length === 1 ? firstKey(issue) : undefined;
}

/** Returns the key of the field that contains an issue. */
function firstKey({ path }: Issue): string | undefined {
  const key = path && path.length > 0 ? stepKey(path[0]!) : undefined;
  return key === undefined || typeof key === "symbol" ? undefined : String(key);
}

function isSingle(fields: Fields<unknown>, key: string): boolean {
  return Object.hasOwn(fields, key) && !Array.isArray(fields[key]);
}

/** The stream that a handler receives. */
type BodyStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Plans to pass a body to the handler as a stream. */
function planStream(maxBytes: number): DecodeBody {
  return (exchange) => exchange.message.bodyUsed ? refuse("invalid-body") : addStream(exchange, maxBytes);
}

/**
 * Reads the body of a message, which it opens at the first read: a handler that does not read the body leaves it to the
 * runtime.
 */
function readBodyLater(message: Request): Producer {
  let reader: BodyReader | undefined;
  return {
    next(): Awaitable<Step> {
      if (!reader && message.bodyUsed) throw new TypeError("The body was read by other code");
      reader ??= toSource(message)?.getReader();
      return reader ? reader.read() : { done: true };
    },
    return: (reason): unknown => reader?.cancel(reason),
  };
}

type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, "read" | "cancel">;

/** Returns the body of a message, which is opened by its reader. `null` if there is none. */
function toSource({ body }: Request): { readonly getReader: () => BodyReader } | null {
  return body && { getReader: () => openReader(body) };
}

/** Opens a body. On Node the reader cancels it in a later task. */
function openReader(body: BodyStream): BodyReader {
  const reader = body.getReader();
  if (!isNode) return reader;
  return {
    read: () => reader.read(),
    cancel: (reason) => new Promise((resolve) => setTimeout(() => resolve(reader.cancel(reason)))),
  };
}

/**
 * Whether this is Node, where srvx ends the process if a body is cancelled in the task in which its buffered bytes
 * arrive. Node 20 has no `navigator`, which every other runtime has.
 */
const isNode = /^(?:undefined|Node\.js\/)/.test(String(globalThis.navigator?.userAgent));

/**
 * Returns whether the body's source failed while the handler read it as a stream: the client has disconnected, or the
 * content is malformed. On Deno this happens before the request's signal aborts.
 */
export function hasBodyFailed({ bodyStop }: Exchange): boolean {
  return bodyStop?.()?.isTooLong === false;
}

/** Returns the end of a request whose handler has failed. If the body's stream had stopped, that was the cause. */
export function preferBodyStop(end: Failure, { bodyStop }: Exchange): Stop {
  return end.phase === "handler" ? bodyStop?.()?.stop ?? end : end;
}

/** Adds a stream of the body, up to the limit and read on demand, and a function that returns why it stopped. */
function addStream(exchange: Exchange, maxBytes: number): void {
  let left = maxBytes;
  let stopped: BodyStop | undefined;
  exchange.bodyStop = () => stopped;
  exchange.slots.body = pullStream(readBodyLater(exchange.message), {
    encode: (item) => {
      const bytes = takeChunk(item);
      left -= bytes.byteLength;
      if (left < 0) throw new RangeError(`The body is longer than ${maxBytes} bytes`);
      return bytes;
    },
    signal: undefined,
    explain: (cause) => {
      const isTooLong = left < 0;
      stopped = { stop: isTooLong ? refuse("body-too-large") : stopUnreadable(cause, exchange), isTooLong };
      return cause;
    },
  });
}
