import { type RequestBody } from "../contract/request.ts";
import { decodeBody } from "../wire/body.ts";
import { decodeForm } from "../wire/form.ts";
import { decodeFormData, readFormData } from "../wire/form_data.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** Reads a whole body into the value of its representation; rejects where it is malformed or cannot be read. */
export type ReadBody = (request: Request) => Promise<unknown>;

/**
 * What reads a body of at most so many bytes. Without a limit the runtime reads it, which takes Deno half the time, unless it is
 * chunked: Node's bridges keep every chunk, up to 800 bytes for one of a single byte.
 */
export function planRead(body: RequestBody, maxBytes: number): ReadBody {
  const decode = toDecode(body);
  const readCounted: ReadBody = (request) => readLimited(request, decode, maxBytes);
  if (maxBytes !== Infinity) return readCounted;
  const readWhole: ReadBody = body.kind === "json"
    ? (request) => request.json()
    : (request) => request.arrayBuffer().then((buffer) => decode(new Uint8Array(buffer), request));
  return (request) => request.headers.has("transfer-encoding") ? readCounted(request) : readWhole(request);
}

type Decode = (bytes: Uint8Array<ArrayBuffer>, request: Request) => unknown;

function toDecode({ kind, schema }: RequestBody): Decode {
  if (kind === "form") return decodeForm;
  if (kind === "formData") {
    const decode = schema ? decodeFormData : readFormData;
    return (bytes, request) => decode(bytes, request.headers.get("content-type") ?? "");
  }
  if (kind === "stream") throw new TypeError("Cannot read a stream whole: the handler does");
  return (bytes) => decodeBody(kind, bytes);
}

async function readLimited(request: Request, decode: Decode, maxBytes: number): Promise<unknown | Refusal> {
  const { bytes, complete } = await readBytes(request.body, { maxBytes });
  return complete ? decode(bytes, request) : refuse("body-too-large");
}
