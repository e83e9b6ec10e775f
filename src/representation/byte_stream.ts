/** Bytes as they arrive. */
import { openStream } from "../producer.ts";
import { pullStream, takeChunk } from "../wire/pull_stream.ts";
import { mediaRanges } from "./media_ranges.ts";
import { type Incoming, type RequestRepresentation, type ResponseRepresentation } from "./representation.ts";
import { startUpload } from "./upload.ts";

/** The body of a request that is sent as it comes. */
export const uploadStream: RequestRepresentation<"stream"> = /* @__PURE__ */ Object.freeze({
  kind: "stream",
  contentType: "application/octet-stream",
  ranges: mediaRanges,
  describes: "nothing",
  startUpload,
});

/** The body of a response that is read as it arrives. */
export const downloadStream: ResponseRepresentation<"stream"> = /* @__PURE__ */ Object.freeze({
  kind: "stream",
  contentType: "application/octet-stream",
  ranges: mediaRanges,
  describes: "nothing",
  isReadLater: true,
  receive: receiveBytes,
});

/** The bytes of a response as they arrive: a failure is an error of the call. */
export function receiveBytes(
  { response, signal, explain, release }: Incoming,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const producer = openStream(response.body ?? new Blob().stream());
  return pullStream(producer, { encode: takeChunk, signal, explain, onEnd: release });
}
