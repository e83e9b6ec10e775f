/** Custom representations: the functions of another library, with checks of what they return. */
import { type Awaitable, whenReady } from "../awaitable.ts";
import { describeConfidential } from "../messages.ts";
import type { Marked } from "../mark.ts";
import { isBytes } from "../wire/read_bytes.ts";
import { type Representation, type WholeBody, wholeBody, type WholeContent } from "./representation.ts";

/** The return value of `encode` of a {@linkcode CustomRepresentation}. A string is sent as UTF-8. */
export type EncodedContent = string | Uint8Array | Blob;

/**
 * A custom format for values of a type: encodes them as bytes and decodes them. {@linkcode representation} returns it.
 */
export interface CustomRepresentation<Value = unknown> extends Marked<"representation"> {
  /** The media type that is sent. Requests and responses must have the same one, compared without parameters. */
  readonly contentType: string;
  /** `"json"` if the encoded values have the structure of JSON, so that documents can show their JSON Schema. */
  readonly structure: "json" | undefined;
  /** Encodes a value. */
  encode(value: Value): Awaitable<EncodedContent>; // a method is bivariant, so every representation is assignable to CustomRepresentation
  /** Decodes the content of a message. Throws if it is malformed. */
  decode(content: Uint8Array<ArrayBuffer>): Awaitable<Value>;
}

/**
 * The representation that a declaration by `as()` carries. Servers run the same functions.
 *
 * @internal
 */
export interface CustomBody extends WholeBody<"as"> {
  readonly isTypeFixed: true;
  readonly structure?: "json";
  readonly custom: CustomRepresentation;
  /** Decodes the content of a request. Throws if it is malformed. */
  readonly decode: (content: Uint8Array<ArrayBuffer>) => Awaitable<unknown>;
}

/** Creates the representation that declarations by `as()` carry. */
export function toCustomBody(custom: CustomRepresentation): CustomBody {
  const { contentType, structure, encode, decode } = custom;
  return Object.freeze({
    ...wholeBody({
      kind: "as",
      contentType,
      encode: (value) => whenReady(encode(value), checkContent),
      receive: (incoming) => incoming.receiveBytes((content) => decode(content)),
    }),
    isTypeFixed: true,
    custom,
    ...(structure && { structure }),
    decode: (content: Uint8Array<ArrayBuffer>) => decode(content), // without `this`, like every other function
  });
}

/** Returns the representation of a declaration by `as()`, for servers. */
export function customBodyOf(representation: Representation): CustomBody {
  return representation as CustomBody; // tables select this function by the kind "as", which no other has
}

/** Decodes the content of a request. */
export function decodeCustom(content: Uint8Array<ArrayBuffer>, representation: Representation): Awaitable<unknown> {
  return customBodyOf(representation).decode(content);
}

/**
 * Returns whether a decoded value has more levels of lists, objects and maps than the maximum. A value that occurs
 * several times is checked once.
 */
export function isCustomDeeperThan(maxDepth: number, value: unknown): boolean {
  const known = new Set<object>();
  let level = nestedIn([value]);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true;
    level = level.flatMap((each) =>
      nestedIn(each instanceof Map || each instanceof Set ? each.values() : Object.values(each))
    );
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

/** Throws if encoded content has another type, or is text that UTF-8 cannot represent. */
function checkContent(content: unknown): WholeContent {
  if (typeof content === "string" && content.isWellFormed()) return content;
  if (isBytes(content) || content instanceof Blob) {
    return content as Uint8Array<ArrayBuffer> | Blob; // a view of shared memory fails when the message is built
  }
  const found = typeof content === "string" ? "one with a lone surrogate" : describeConfidential(content);
  throw new TypeError(`encode() must return a string, a Uint8Array or a Blob, got ${found}`);
}
