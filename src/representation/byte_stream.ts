/** Streams of bytes. */
import { closeSource, openStream } from "../producer.ts";
import { pullStream, takeChunk } from "../wire/pull_stream.ts";
import { mediaRanges } from "./media_ranges.ts";
import { type Incoming, type RequestRepresentation, type ResponseRepresentation } from "./representation.ts";
import { limitSilence } from "./silence.ts";
import { trackResults } from "./track_results.ts";
import { isSentOnce, startUpload } from "./upload.ts";

/** A request body that is sent as a stream. A `Blob` is sent as a whole. */
export const requestStream: RequestRepresentation<"stream"> = /* @__PURE__ */ Object.freeze({
  kind: "stream",
  contentType: "application/octet-stream",
  ranges: mediaRanges,
  describes: "nothing",
  encode: (value: unknown) => value instanceof Blob ? value : undefined,
  startUpload,
  isSentOnce,
  leave: closeSource,
});

/** A response body that is read as it arrives. */
export const responseStream: ResponseRepresentation<"stream"> = /* @__PURE__ */ Object.freeze({
  kind: "stream",
  contentType: "application/octet-stream",
  ranges: mediaRanges,
  describes: "nothing",
  readLater: trackResults,
  receive: receiveBytes,
});

/** The bytes of a response as they arrive. A failure is the error of the call. */
export function receiveBytes(incoming: Incoming): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { response: { body }, signal, explain, release, refuse } = incoming;
  if (body === undefined) throw refuse(new TypeError("this fetch does not support streams"), undefined, "its body");
  const producer = limitSilence(openStream(body ?? new Blob().stream()), incoming);
  return pullStream(producer, { encode: takeChunk, signal, explain, onEnd: release });
}
