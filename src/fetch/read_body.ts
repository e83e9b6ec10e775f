import { type RequestBody } from "../contract/request.ts";
import { type Stop } from "../server/stop.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { refuse, unlessGone } from "./refusal.ts";
import { type ContentDecoder } from "./representations.ts";

/** Reads a whole body into the value of its representation; rejects if it is malformed or cannot be read. */
export type ReadBody = (request: Request) => Promise<unknown | Stop>;

/**
 * What reads a body of at most so many bytes. Without a limit the runtime reads it, which takes Deno half the time and rejects a body
 * that something has read from before. A chunked one is counted: Node's bridges keep every chunk, up to 1,100 bytes for one of a
 * single byte.
 */
export function planRead(decoder: ContentDecoder, body: RequestBody, maxBytes: number): ReadBody {
  const decode = planContent(decoder, body);
  const readCounted: ReadBody = async (request) => {
    if (request.bodyUsed) return refuse("invalid-body"); // what is left of it is not its content
    const { bytes, complete } = await readBytes(request.body, { maxBytes });
    return complete ? decode(bytes, request) : refuse("body-too-large");
  };
  if (maxBytes !== Infinity) return readCounted;
  const { readByRuntime = async (request) => decode(new Uint8Array(await request.arrayBuffer()), request) } = decoder;
  return (request) => request.headers.has("transfer-encoding") ? readCounted(request) : readByRuntime(request);
}

/** What decodes the content of a request. A decoder of the user's may take its time, in which the client may go. */
function planContent(
  decoder: ContentDecoder,
  { schema, representation }: RequestBody,
): (content: Uint8Array<ArrayBuffer>, request: Request) => unknown {
  const isDescribed = schema !== undefined;
  return (content, request) => {
    const contentType = request.headers.get("content-type") ?? "";
    return unlessGone(decoder.decode(content, { contentType, isDescribed, representation }), request);
  };
}
