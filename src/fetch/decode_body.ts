import { attempt } from "../awaitable.ts";
import { type RequestBody } from "../contract/request.ts";
import { type Check, type Checked, toCheck } from "../schema.ts";
import { type Failure, type Outcome, Stop, toFailure } from "../server/stop.ts";
import { contentLengthOf } from "../wire/headers.ts";
import { isWithin } from "../wire/media_ranges.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { type Fields } from "../wire/text_fields.ts";
import { openBody, type StreamedBody } from "./body_stream.ts";
import { checkFields } from "./check_fields.ts";
import { planRead } from "./read_body.ts";
import { type ContentDecoder, contentDecoders } from "./representations.ts";
import { refuse, stopUnreadable, unlessDisconnected } from "./refusal.ts";

/** Reads and validates the body of a request. */
export type DecodeBody = (request: Request) => Outcome<Checked | StreamedBody>;

/** The settings for reading bodies. */
export interface BodySettings {
  /** The maximum size in bytes of a body whose declaration has no limit. `Infinity` for no limit. */
  readonly maxBodyBytes: number;
  /** Whether a copy is read, so that other code can read the body too. */
  readonly preserveRequestBody: boolean;
}

/** Plans how to decode a declared body: checks its media type, then its length, then reads it. */
export function planBody(body: RequestBody, { maxBodyBytes, preserveRequestBody }: BodySettings): DecodeBody {
  const accepts = toAccepts(body.contentType);
  const maxBytes = body.maxBytes ?? maxBodyBytes;
  const isLimited = maxBytes !== Infinity;
  const decoder = contentDecoders[body.kind];
  const decodeContent = decoder && planWholeBody(decoder, body, maxBytes);
  return (request) => {
    const contentType = request.headers.get("content-type");
    const isAbsent = body.optional && contentType === null && contentLengthOf(request.headers) === 0;
    if (!isAbsent && !accepts(contentType)) return refuse("unsupported-media-type");
    if (isLimited && contentLengthOf(request.headers) > maxBytes) return refuse("body-too-large");
    if (preserveRequestBody && isBodyTaken(request)) return refuse("invalid-body"); // it cannot be copied
    const message = preserveRequestBody ? request.clone() : request;
    if (isAbsent) return decodeAbsent(message);
    return decodeContent ? decodeContent(message) : openBody(message, request, maxBytes);
  };
}

/**
 * Whether a request's media type is the declared one, or matches a declared range. For JSON, every `+json` type is
 * accepted too (RFC 6839, section 3.1).
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
const jsonSuffixed = /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+\+json$/;

/** Whether other code has read from a body, even in part, or has locked it. */
function isBodyTaken({ body, bodyUsed }: Request): boolean {
  return bodyUsed || body?.locked === true;
}

/** Decodes a body without a media type. It is absent, or its format is unknown. */
function decodeAbsent(request: Request): Outcome<Checked> {
  if (request.body === null) return absent;
  if (request.bodyUsed) return refuse("invalid-body");
  return attempt(
    () => readBytes(request.body, { maxBytes: 0 }),
    (error) => stopUnreadable(error, request),
    ({ complete }) => complete ? absent : refuse("unsupported-media-type"),
  );
}

const absent: Checked = { value: undefined };

/** Plans how to read a body as a whole and validate it. */
function planWholeBody(decoder: ContentDecoder, body: RequestBody, maxBytes: number): DecodeBody {
  const read = planRead(decoder, body, maxBytes);
  const check = planCheck(body);
  const checkContent = (content: unknown, request: Request): Outcome<Checked> =>
    content instanceof Stop ? content : unlessDisconnected(attempt(() => check(content), toDecodeFailure), request);
  return (request) => attempt(read, stopUnreadable, checkContent, request);
}

/** The failure of a schema that threw. */
export function toDecodeFailure(error: unknown): Failure {
  return toFailure("decode", error);
}

function planCheck({ representation, schema }: RequestBody): Check {
  if (!schema) return (value) => ({ value });
  const check = toCheck(schema);
  if (representation.describes !== "fields") return check;
  return (fields) => checkFields(check, fields as Fields<string | File>);
}
