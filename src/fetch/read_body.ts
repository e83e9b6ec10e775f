import { type RequestBody } from "../contract/request.ts";
import { type Stop } from "../server/stop.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { refuse, unlessDisconnected } from "./refusal.ts";
import { type ContentDecoder } from "./representations.ts";

/** Reads a whole body and decodes it. Rejects if it is malformed or cannot be read. */
export type ReadBody = (request: Request) => Promise<unknown | Stop>;

/**
 * Plans how to read a body with a maximum size. Without a maximum the runtime reads it, which takes Deno half the time
 * and rejects a body that other code has read from. A chunked body is always counted, because Node's bridges keep every
 * chunk, at up to 1,100 bytes for one of a single byte.
 */
export function planRead(decoder: ContentDecoder, body: RequestBody, maxBytes: number): ReadBody {
  const decode = planContent(decoder, body);
  const readCounted: ReadBody = async (request) => {
    if (request.bodyUsed) return refuse("invalid-body"); // the rest of it is not its content
    const { bytes, complete } = await readBytes(request.body, { maxBytes });
    return complete ? decode(bytes, request) : refuse("body-too-large");
  };
  if (maxBytes !== Infinity) return readCounted;
  const { readByRuntime = async (request) => decode(new Uint8Array(await request.arrayBuffer()), request) } = decoder;
  return (request) => request.headers.has("transfer-encoding") ? readCounted(request) : readByRuntime(request);
}

/** Plans how to decode the content of a request. A custom decoder may take so long that the client disconnects. */
function planContent(
  decoder: ContentDecoder,
  { schema, representation }: RequestBody,
): (content: Uint8Array<ArrayBuffer>, request: Request) => unknown {
  const isDescribed = schema !== undefined;
  return (content, request) => {
    const contentType = request.headers.get("content-type") ?? "";
    return unlessDisconnected(decoder.decode(content, { contentType, isDescribed, representation }), request);
  };
}
