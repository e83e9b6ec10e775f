/** Bodies that other code, such as a body parser of Express, has read before the handler. */
import type { RequestBody, RequestKind } from "../contract/request.ts";
import { type Content, ParsedBody } from "../server/http/exchange.ts";
import { byteLength, isBytes } from "../wire/read_bytes.ts";
import { isPlainObject } from "../options.ts";
import type { MessageBody } from "./message_body.ts";

/** A body that was taken over: its value, its content to decode, or the error for the client. */
export type TakenBody = ParsedBody | Content | SyntaxError;

/** Takes over what a parser has made of a body whose length is stated, or `NaN`. */
type Take = (parsed: unknown, length: number) => TakenBody | undefined;

/** How the values of parsers are taken over, where that is possible. Bytes are content of any representation. */
const takes: Readonly<Partial<Record<RequestKind, Take>>> = {
  json(parsed, length): TakenBody | undefined {
    if (typeof parsed !== "string") return new ParsedBody(parsed);
    if (Number.isNaN(length)) return isJsonText(parsed) ? undefined : new ParsedBody(parsed); // or text that nothing has parsed
    return byteLength(parsed) === length ? parsed : new ParsedBody(parsed);
  },
  text: (parsed) => typeof parsed === "string" ? new ParsedBody(parsed) : undefined,
  form(parsed): TakenBody | undefined {
    if (!isPlainObject(parsed)) return undefined;
    const pairs = Object.entries(parsed).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
    if (!pairs.every(([, value]) => typeof value === "string")) {
      return new SyntaxError("A form must not have nested fields");
    }
    return new TextEncoder().encode(String(new URLSearchParams(pairs as string[][]))); // checked above
  },
};

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Takes over the body that a parser has read. `undefined` if it is not whole, or not as the route declares it. */
export function takeParsed({ parsed, length }: MessageBody, { kind }: RequestBody): TakenBody | undefined {
  if (parsed === undefined) return undefined;
  return isBytes(parsed) ? new Uint8Array(parsed) : takes[kind]?.(parsed, length); // no Buffer
}

/** Returns whether a body that was taken over is longer than the maximum. One that states its length was compared. */
export function isTooLong(taken: ParsedBody | Content, { length }: MessageBody, maxBytes: number): boolean {
  return maxBytes !== Infinity && (Number.isNaN(length) || isBytes(taken)) && sizeOf(taken) > maxBytes;
}

/** The number of bytes of a body, or about as many if it is JSON. */
function sizeOf(taken: ParsedBody | Content): number {
  if (!(taken instanceof ParsedBody)) return byteLength(taken);
  return byteLength(typeof taken.value === "string" ? taken.value : JSON.stringify(taken.value) ?? "");
}
