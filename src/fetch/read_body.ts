import { type RequestBody } from "../contract/request.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { type ContentDecoder } from "./representations.ts";

/** Reads a whole body into the value of its representation; rejects if it is malformed or cannot be read. */
export type ReadBody = (request: Request) => Promise<unknown | Refusal>;

/**
 * What reads a body of at most so many bytes. Without a limit the runtime reads it, which takes Deno half the time, unless it is
 * chunked: Node's bridges keep every chunk, up to 800 bytes for one of a single byte.
 */
export function planRead(decoder: ContentDecoder, { schema }: RequestBody, maxBytes: number): ReadBody {
  const isDescribed = schema !== undefined;
  const decode = (content: Uint8Array<ArrayBuffer>, { headers }: Request): unknown =>
    decoder.decode(content, { contentType: headers.get("content-type") ?? "", isDescribed });
  const readCounted: ReadBody = async (request) => {
    const { bytes, complete } = await readBytes(request.body, { maxBytes });
    return complete ? decode(bytes, request) : refuse("body-too-large");
  };
  if (maxBytes !== Infinity) return readCounted;
  const { readByRuntime = async (request) => decode(new Uint8Array(await request.arrayBuffer()), request) } = decoder;
  return (request) => request.headers.has("transfer-encoding") ? readCounted(request) : readByRuntime(request);
}
