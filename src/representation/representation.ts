/**
 * A representation is the format of a value as the content of a message. Declarations carry the exported value of one, so
 * it contains what clients run, and nothing that only servers or documents need.
 */
import type { Awaitable } from "../awaitable.ts";
import { checkOptions, checkRule, checkSchema, failAt, type SchemaPlace, type ValueRule } from "../options.ts";
import { isSchema, type Schema } from "../schema.ts";
import { isResponseWithin, isWithin, mediaTypeEssence } from "../wire/media_type.ts";
import { discardBody } from "../wire/read_bytes.ts";

/** The facts about a representation that requests and responses share. */
export interface Representation<Kind extends string = string> {
  /** Its name, which is also that of its helper. */
  readonly kind: Kind;
  /** The default media type. `undefined` if there is no content, or the type is not known in advance. */
  readonly contentType: string | undefined;
  /** The subject of a declaration's schema: fields by name, one item of a stream, or nothing. Default: the whole value. */
  readonly describes?: "fields" | "item" | "nothing";
  /** The functions for media ranges. `undefined` if a declaration must have one media type. */
  readonly ranges?: RangeRules;
  /** The error of a declaration without a schema, if it requires one. */
  readonly needsSchema?: string;
  /** Whether a declaration cannot set another media type. */
  readonly isTypeFixed?: boolean;
  /** The representation whose values have the same structure, so that documents describe both alike. Default: none. */
  readonly structure?: "json";
  /** Whether the value is a native `Response`, whose end the client cannot observe. */
  readonly isNative?: boolean;
}

/** The functions for lists of media types and ranges that declarations and clients run. */
export interface RangeRules {
  /** Returns the list of a declaration, in lowercase, or its only media type. Throws if the list is invalid. */
  readonly toRanges: (declared: unknown, where: string) => string | readonly string[];
  /** Plans the content type of a request. */
  readonly planContentType: (content: unknown, ranges: readonly string[]) => PlannedContentType;
  /** Whether a response with this essence has the declared content. */
  readonly isResponseWithin: (essence: string, ranges: readonly string[]) => boolean;
}

/** The content type of a request, if the declaration has several. */
export interface PlannedContentType {
  /** The header of content that has a type of its own, such as a `Blob`. It is sent unless the call sets another. */
  readonly defaults: { readonly "content-type": string } | undefined;
  /** Throws a `TypeError` if the content type is missing or does not match the ranges. */
  readonly checkType: (stated: string | null) => void;
}

/** Whole content, in the types with which the platform builds a message. */
export type WholeContent = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob;

/**
 * The representation of a request body: how a client encodes and sends it.
 *
 * @internal
 */
export interface RequestRepresentation<Kind extends string = string> extends Representation<Kind> {
  readonly contentType: string;
  /**
   * Encodes a value as a whole. Throws a `TypeError` if the representation cannot carry the value. `undefined` for an
   * upload. `formatFields` is passed by the client, which needs it for queries, so that servers do not contain it.
   */
  readonly encode?: (
    value: unknown,
    encodeItem: EncodeItem | undefined,
    formatFields: (fields: unknown, slot: string) => string,
  ) => Awaitable<WholeContent | FormData | undefined>;
  /**
   * Starts the upload of a stream. `undefined` for a value that is sent as a whole. Throws a `TypeError` if the value is
   * not a stream.
   */
  readonly startUpload?: (
    source: unknown,
    signal: AbortSignal | undefined,
    encodeItem: EncodeItem | undefined,
  ) => Upload | undefined;
  /** Whether a body can be sent only once. */
  readonly isSentOnce?: (source: unknown) => boolean;
  /** Closes a body that will not be sent. */
  readonly leave?: (source: unknown) => void;
}

/** Encodes one item of a body by the codec that its schema is. Throws a `TypeError` that names the item. */
export type EncodeItem = (item: unknown, name: string) => Awaitable<unknown>;

/** A body that is sent as a stream. */
export interface Upload {
  /** The init of the request. `duplex` has only this value, and means that the body is sent as a stream. */
  readonly init: {
    readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
    readonly signal: AbortSignal;
    readonly duplex: "half";
  };
  /** Throws a `TypeError` if the request was built without the body. */
  readonly checkSent: (request: Request) => void;
  /** Resolves to the response. Rejects if the upload failed, because a response to a part does not answer the whole. */
  readonly untilAnswered: (sent: Awaitable<Response>) => Promise<Response>;
  /**
   * Ends the upload, unless it has ended. A server that answers early, for example with 413, does not read the rest.
   */
  readonly end: () => void;
}

/** Where a response is declared: in a route, or in a router or contract, which have no method. */
export interface ResponsePlace {
  readonly method?: string;
  /** The schema of the headers of its requests. */
  readonly headers?: unknown;
}

/**
 * The representation of a response: how a client decodes it.
 *
 * @internal
 */
export interface ResponseRepresentation<Kind extends string = string> extends Representation<Kind> {
  /** Returns why a response must not have a status, or be in a route. Default: it can have any, in any route. */
  readonly checkPlace?: (status: string, place: ResponsePlace) => string | undefined;
  /** Tracks results whose body is read after the call has returned. `undefined` if a result contains its whole body. */
  readonly readLater?: (release: () => void) => ResultTracker;
  /** Decodes content that is read as a whole. Throws if it is malformed. Default: clients read JSON. */
  readonly decode?: (content: Uint8Array<ArrayBuffer>) => Awaitable<unknown>;
  /** Receives content that is not read as a whole. A value that is read later owns the connection. */
  readonly receive?: (incoming: Incoming) => Awaitable<unknown>;
  /**
   * Plans how to decode values that no schema describes. Default: they stay as they are. Clients pass `toProblem`, which
   * they need for errors, so that servers do not contain it.
   */
  readonly planUndescribed?: (toProblem: (document: unknown) => object | undefined) => (value: unknown) => unknown;
}

/** A result, as its tracker sees it. */
interface ReceivedResult {
  readonly body: unknown;
  readonly response: Response;
}

/** The results of a call's attempts. The caller receives one of them. */
export interface ResultTracker {
  /** Makes an attempt. `start` receives a function to call when nothing of the result remains to be read. */
  readonly track: <Result extends ReceivedResult>(start: (release: () => void) => Promise<Result>) => Promise<Result>;
  /**
   * Ends the call with the result that has this response, or with none, and closes all others. Returns whether a part
   * of it remains to be read.
   */
  readonly end: (response: Response | undefined) => boolean;
}

/** A response to receive. It has the functions that every client needs, so that servers do not contain them. */
export interface Incoming {
  readonly request: Request;
  readonly response: Response;
  readonly call: {
    /** Stops reading when it aborts. */
    readonly signal: AbortSignal | undefined;
    /** The maximum time without a byte of a stream, in milliseconds. */
    readonly silence: number;
    /** The maximum size of one record of a stream, in bytes. */
    readonly maxRecordBytes: number;
  };
  readonly plan: {
    /** Creates the error of the call for a stream that was silent for longer. */
    readonly fail: (code: "timeout", state: string, details: { readonly response: Response }) => Error;
  };
  /** Decodes the JSON text of an item, then by the declared codec. Rejects if the call is aborted. */
  readonly decodeItem: (text: string) => Awaitable<unknown>;
  /** Creates the error for a connection that broke, or a call that was aborted. */
  readonly explain: (cause: unknown) => Error;
  /** Creates the error for content that cannot be decoded. `content` is the part that was read, and `what` names it. */
  readonly toDecodeError: (cause: unknown, content: Uint8Array | string | undefined, what?: string) => Error;
  /** Must be called when a value that is read later has ended, failed or been left. */
  readonly release: () => void;
}

/**
 * Tracks the results of a call's attempts. It closes those that the caller does not receive. `release` frees the
 * resources of the call.
 */
export function trackResults(release: () => void): ResultTracker {
  const open = new Set<{ result?: ReceivedResult }>(); // whose bodies remain to be read, or will arrive
  let kept: { result?: ReceivedResult } | undefined;
  let isOver = false;
  return {
    async track<Result extends ReceivedResult>(start: (release: () => void) => Promise<Result>): Promise<Result> {
      const own: { result?: Result } = {};
      open.add(own);
      const result = own.result = await start(() => {
        open.delete(own);
        if (own === kept) release();
      });
      if (isOver && open.has(own)) close(result);
      return result;
    },
    end(response): boolean {
      isOver = true;
      for (const own of open) {
        if (!own.result) continue;
        if (own.result.response === response) kept = own;
        else close(own.result);
      }
      return kept !== undefined;
    },
  };
}

/** Closes a body that will not be read: items, bytes, or a native response. */
function close({ body }: ReceivedResult): void {
  const left = body as Partial<AsyncIterator<unknown>> & Pick<Response, "body"> | ReadableStream; // of a format that is read later
  if ("return" in left) left.return?.();
  else discardBody("body" in left ? left : { body: left });
}

/** The functions for media ranges that declarations and clients run. */
export const mediaRanges: RangeRules = /* @__PURE__ */ Object.freeze({ toRanges, planContentType, isResponseWithin });

/** A range, or a media type in the characters of registered names (RFC 6838, section 4.2), without parameters. */
const rangePattern = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;

const aRange: ValueRule = [
  'a media type or range like "image/*" without parameters',
  (value) => typeof value === "string" && rangePattern.test(value),
];

function toRanges(contentType: unknown, where: string): string | readonly string[] {
  const declared: readonly unknown[] = [contentType].flat();
  if (declared.length === 1 && !/^[^;]*\*/.test(String(declared[0]))) return toMediaType(declared[0], where);
  if (declared.length === 0) failAt(where, '"contentType" must have at least one media type, got an empty array');
  const ranges: string[] = [];
  for (const each of declared) {
    checkRule(each, '"contentType"', aRange, where);
    const range = String(each).toLowerCase();
    if (ranges.includes(range)) failAt(where, `"contentType" has ${JSON.stringify(each)} twice; remove one`);
    ranges.push(range);
  }
  return Object.freeze(ranges);
}

function planContentType(content: unknown, ranges: readonly string[]): PlannedContentType {
  const isTyped = content instanceof Blob && content.type !== "";
  return {
    defaults: isTyped ? { "content-type": content.type } : undefined,
    checkType: (stated) => {
      if (stated !== null && isWithin(mediaTypeEssence(stated), ranges)) return;
      const found = stated === null ? "none" : JSON.stringify(stated);
      throw new TypeError(`the header "content-type" must be within ${ranges.join(", ")}, got ${found}`);
    },
  };
}

/**
 * A representation for whole bodies, in requests and responses alike.
 *
 * @internal
 */
export interface WholeBody<Kind extends string = string> extends Representation<Kind> {
  readonly contentType: string;
  /** Encodes a value. Throws a `TypeError` if the representation cannot carry it. */
  readonly encode: (value: unknown) => Awaitable<WholeContent>;
  /** Decodes content. Throws if it is malformed. Absent for JSON, which clients and servers read in their own ways. */
  readonly decode?: (content: Uint8Array<ArrayBuffer>) => Awaitable<unknown>;
}

/**
 * `type/subtype` in the characters of registered names (RFC 6838, section 4.2), then parameters that a header can
 * carry.
 */
export const aMediaType: ValueRule = [
  'a media type like "application/json"',
  (value) => typeof value === "string" && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[\t -~]*)?$/.test(value),
];

/** Returns the only media type of a declaration, as written. */
function toMediaType(contentType: unknown, where: string): string {
  checkRule(contentType, '"contentType"', aMediaType, where);
  return contentType as string; // it was checked
}

/** The arguments of a helper: a schema, options, or both. */
type HelperArguments = readonly [schema?: unknown, options?: unknown];

/** How to read the arguments of a helper. */
interface ContentReading {
  readonly where: string;
  readonly place: SchemaPlace;
  /** The names of the options, except `contentType`. */
  readonly names: readonly string[];
  /** The position of the schema among the arguments, for messages. Default: `first`. */
  readonly position?: string | undefined;
}

/** The members that the arguments of any helper declare. */
interface DeclaredContent<Format extends Representation> {
  readonly kind: Format["kind"];
  readonly representation: Format;
  readonly contentType: string | readonly string[] | undefined;
  readonly schema: Schema | undefined;
  readonly description: string | undefined;
}

/** The options of a helper. Those besides `contentType` are not checked yet. */
type HelperOptions = Readonly<Record<string, unknown>> & { readonly description?: string };

/**
 * Reads the arguments of a helper: the members that they declare, and the options. It distinguishes `helper(schema,
 * options)` from `helper(options)`. An explicit `undefined` throws: it is usually a schema that a circular import left
 * undefined, and the body would not be validated. Throws a `TypeError` if an argument is invalid.
 */
export function readContent<Format extends Representation>(
  representation: Format,
  args: HelperArguments,
  { where, place, names, position = "first" }: ContentReading,
): readonly [declared: DeclaredContent<Format>, options: HelperOptions] {
  const { kind, contentType: usualType, isTypeFixed, describes, needsSchema, ranges } = representation;
  const hasOptionsAlone = args.length === 1 && typeof args[0] === "object" && !isSchema(args[0]);
  const [schema, options = {}] = (hasOptionsAlone ? [undefined, ...args] : args) as readonly [Schema?, HelperOptions?]; // checked next
  if (args.length > 0 && !hasOptionsAlone) checkSchema(schema, `the ${position} argument`, where, place);
  if (needsSchema && !schema) failAt(where, needsSchema);
  if (describes === "nothing" && schema) failAt(where, "a schema is not supported here; remove it");
  const isFixed = isTypeFixed || usualType === undefined;
  checkOptions(options, [...(isFixed ? [] : ["contentType"]), ...names], where);
  const { contentType: stated = usualType, description } = options;
  const contentType = stated === undefined ? undefined : (ranges?.toRanges ?? toMediaType)(stated, where);
  return [{ kind, representation, contentType, schema, description }, options];
}
