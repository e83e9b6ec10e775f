import { type Awaitable } from "../awaitable.ts";
import { type Incoming, type RangeRules, type Representation, type WholeContent } from "./representation.ts";

/**
 * A representation for whole bodies, in requests and responses alike.
 *
 * @internal
 */
export interface WholeBody<Kind extends string = string> extends Representation<Kind> {
  readonly contentType: string;
  /** Encodes a value. Throws a `TypeError` if the representation cannot carry it. */
  readonly encode: (value: unknown) => Awaitable<WholeContent>;
  /** Decodes the content of a response. */
  readonly receive: (incoming: Incoming) => Promise<unknown>;
}

/** The parts of a {@linkcode wholeBody}. */
export interface WholeBodyParts<Kind extends string> {
  readonly kind: Kind;
  readonly contentType: string;
  /** The functions for media ranges. */
  readonly ranges?: RangeRules;
  readonly encode: WholeBody["encode"];
  readonly receive: WholeBody["receive"];
}

/** Creates a representation whose content is encoded and decoded as a whole. */
export function wholeBody<Kind extends string>(parts: WholeBodyParts<Kind>): WholeBody<Kind> {
  const { kind, contentType, ranges, encode, receive } = parts;
  return Object.freeze({ kind, contentType, describes: "value", ...(ranges && { ranges }), encode, receive });
}

/** Decodes the whole content of a response, when it has been read. */
export async function receiveWhole<Content extends string | Uint8Array>(
  incoming: Incoming,
  reading: Promise<Content>,
  decode: (content: Content) => Awaitable<unknown>,
): Promise<unknown> {
  const content = await reading;
  try {
    return await incoming.declared.decode(await decode(content));
  } catch (cause) {
    throw incoming.refuse(cause, content);
  }
}
