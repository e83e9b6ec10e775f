/** Reads the content of a request before its caller is known, for the verifier of a signature. */
import { attempt } from "../../awaitable.ts";
import { contentLengthOf } from "../../wire/headers.ts";
import type { Endpoint } from "../define/implementation.ts";
import { labelOf, type Outcome, type Stop } from "../define/result.ts";
import { refuse } from "../http/answer.ts";
import type { Content, Exchange, ParsedBody } from "../http/exchange.ts";
import { failTaken, stopUnread } from "./decode_body.ts";

/**
 * Reads the content of a body, and adds it to the exchange, from which it is decoded later. What a parser has made of a
 * body is not what the caller has signed, so it is not taken over.
 */
export function readContent({ node, route }: Endpoint, maxBytes: number, exchange: Exchange): Outcome<void> {
  const { content, headers } = exchange;
  const label = labelOf(route);
  if ((content?.byteLength ?? contentLengthOf(headers)) > maxBytes) return refuse("body-too-large");
  if (content) return;
  if (exchange.isBodyUsed || !exchange.takeBody(node.body!)) return failTaken(label); // a route with a signature has a body
  const add = (read: Content | ParsedBody | undefined): Stop | void => {
    if (read === undefined) return refuse("body-too-large");
    const bytes = read as Uint8Array<ArrayBuffer>; // it was not read as text, and not taken over
    if (bytes.byteLength === 0 && contentLengthOf(headers) > 0) return failTaken(label); // no connection delivers less
    exchange.content = bytes;
  };
  return attempt(() => exchange.readBody(maxBytes, false), (error) => stopUnread(error, exchange, label), add);
}
