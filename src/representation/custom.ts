/** Representations of the user's: the functions of another library, between checks of what they return. */
import { type Awaitable, whenReady } from "../awaitable.ts";
import { type Marked } from "../mark.ts";
import { maxLevels } from "../wire/parse_json.ts";
import { isBytes } from "../wire/read_bytes.ts";
import { type Representation, type WholeContent } from "./representation.ts";
import { type WholeBody, wholeBody } from "./whole_body.ts";

/** What `encode` of a {@linkcode CustomRepresentation} returns. A string is sent as UTF-8. */
export type EncodedContent = string | Uint8Array | Blob;

/** How values of a type are written as bytes and read back; made by {@linkcode representation}. */
export interface CustomRepresentation<Value = unknown> extends Marked<"representation"> {
  /** The content type that is sent, and whose essence requests and responses must have. */
  readonly contentType: string;
  /** `"json"` if JSON Schema describes the encoded values as it describes JSON. */
  readonly structure: "json" | undefined;
  /** Encodes a value. */
  encode(value: Value): Awaitable<EncodedContent>; // a method, so that every representation is a CustomRepresentation
  /** Decodes the content of a message; throws if it is malformed. */
  decode(content: Uint8Array<ArrayBuffer>): Awaitable<Value>;
}

/**
 * What a declaration by `as()` carries. Its functions are the user's, so servers run those of this object too.
 *
 * @internal
 */
export interface CustomBody extends WholeBody<"as"> {
  readonly isTypeFixed: true;
  readonly structure?: "json";
  /** What it was made of. */
  readonly custom: CustomRepresentation;
  /** Decodes the content of a request; throws if it is malformed. */
  readonly decode: (content: Uint8Array<ArrayBuffer>) => Awaitable<unknown>;
}

/** What declarations carry for a representation of the user's. */
export function toCustomBody(custom: CustomRepresentation): CustomBody {
  const { contentType, structure, encode, decode } = custom;
  return Object.freeze({
    ...wholeBody({ kind: "as", contentType, encode: (value) => whenReady(encode(value), checkContent), decode }),
    isTypeFixed: true,
    custom,
    ...(structure && { structure }),
    decode: (content: Uint8Array<ArrayBuffer>) => decode(content), // without `this`, as everywhere else
  });
}

/** The representation of a declaration by `as()`, for servers. */
export function customBodyOf(representation: Representation): CustomBody {
  return representation as CustomBody; // the only one whose kind is "as", by which tables find this
}

/** Decodes the content of a request. A value of too many levels is malformed. */
export function decodeCustom(content: Uint8Array<ArrayBuffer>, representation: Representation): Awaitable<unknown> {
  const mayBeTooDeep = content.byteLength > maxLevels; // a level has one byte at least
  const value = customBodyOf(representation).decode(content);
  return mayBeTooDeep ? whenReady(value, refuseDeep) : value;
}

function refuseDeep(value: unknown): unknown {
  if (isValueTooDeep(value)) throw new TypeError(`The body has more than ${maxLevels} levels of nesting`);
  return value;
}

/** Whether lists, objects and maps are nested deeper than is allowed. What occurs several times is looked at once. */
function isValueTooDeep(value: unknown): boolean {
  const known = new Set<object>();
  let level = nestedIn([value]);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxLevels) return true;
    level = level.flatMap((each) => nestedIn(isCollection(each) ? each.values() : Object.values(each)));
  }
  return false;

  function nestedIn(values: Iterable<unknown>): object[] {
    const found: object[] = [];
    for (const each of values) {
      if (typeof each !== "object" || each === null || ArrayBuffer.isView(each) || known.has(each)) continue;
      known.add(each);
      found.push(each);
    }
    return found;
  }
}

function isCollection(value: object): value is Map<unknown, unknown> | Set<unknown> {
  return value instanceof Map || value instanceof Set;
}

/** Refuses encoded content of another type, and text that UTF-8 cannot carry. */
function checkContent(content: unknown): WholeContent {
  if (typeof content === "string" && content.isWellFormed()) return content;
  if (isBytes(content) || content instanceof Blob) {
    return content as Uint8Array<ArrayBuffer> | Blob; // a view on shared memory is refused where the message is built
  }
  const found = typeof content === "string" ? "text with half of a surrogate pair" : typeof content;
  throw new TypeError(`encode() must return well-formed text, a Uint8Array or a Blob, not ${found}`);
}
