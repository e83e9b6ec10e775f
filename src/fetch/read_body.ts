import { type RequestBody } from "../contract/request.ts";
import { decodeBody } from "../wire/body.ts";
import { decodeForm } from "../wire/form.ts";
import { decodeFormData, readFormData } from "../wire/form_data.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** Reads a whole body into the value of its representation; rejects where it is malformed or cannot be read. */
export type ReadBody = (request: Request) => Promise<unknown>;

/** What reads a body of at most so many bytes. Without a limit JSON is the runtime's to read, which is faster. */
export function planRead(body: RequestBody, maxBytes: number): ReadBody {
  const decode = toDecode(body);
  if (maxBytes !== Infinity) return (request) => readLimited(request, decode, maxBytes);
  if (body.kind === "json") return (request) => request.json();
  return (request) => request.arrayBuffer().then((buffer) => decode(new Uint8Array(buffer), request));
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
