import { mediaTypeEssence } from "../wire/media_type.ts";
import { type RequestBody } from "../contract/request.ts";
import { type Checked, toCheck } from "../schema.ts";
import { guard, type Stop } from "../server/stop.ts";
import { type BodyKind, decodeBody, readBody } from "../wire/body.ts";
import { readBytes } from "../wire/read_bytes.ts";
import { Disconnect, Refusal, refuse, unlessGone } from "./refusal.ts";

/** Reads and checks the body of a request. */
export type DecodeBody = (request: Request) => Checked | Stop | Promise<Checked | Stop>;

/** What decodes a declared body: its media type is asked first, then its length, then it is read. */
export function planBody({ kind, contentType, schema }: RequestBody, maxBytes: number): DecodeBody {
  const accepts = toAccepts(contentType);
  const isLimited = maxBytes !== Infinity;
  const read = (request: Request): Promise<unknown> =>
    isLimited ? readLimited(kind, request, maxBytes) : readBody(kind, request);
  const check = guard("decode", schema ? toCheck(schema) : (value: unknown): Checked => ({ value }));
  const checkRead = (request: Request, value: unknown) => {
    const checked = value instanceof Refusal ? value : check(value);
    return checked instanceof Promise ? checked.then((waited) => unlessGone(request, waited)) : checked;
  };
  return (request) => {
    if (!accepts(request.headers.get("content-type"))) return refuse("unsupported-media-type");
    if (isLimited && statedLength(request) > maxBytes) return refuse("body-too-large");
    return read(request).then((value) => checkRead(request, value), (error) => stopUnread(request, error));
  };
}

/** Whether a request's content type is the declared one, by essence; JSON is any `+json` type too (RFC 6839, section 3.1). */
function toAccepts(contentType: string): (given: string | null) => boolean {
  const declared = mediaTypeEssence(contentType);
  return (given) => {
    if (given === null) return false;
    if (given === declared) return true;
    const essence = mediaTypeEssence(given);
    return essence === declared || (declared === "application/json" && /^[^\s,/]+\/[^\s,/]+\+json$/.test(essence));
  };
}

/** What `Content-Length` says, or 0 where it says nothing: the bytes are counted all the same. */
function statedLength(request: Request): number {
  const stated = request.headers.get("content-length");
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : 0;
}

/** Content that can't be read: malformed, used already, or cut off because the client has gone. */
function stopUnread(request: Request, error: unknown): Stop {
  return !(error instanceof SyntaxError) && request.signal.aborted ? new Disconnect() : refuse("invalid-body");
}

async function readLimited(kind: BodyKind, request: Request, maxBytes: number): Promise<unknown> {
  const { bytes, complete } = await readBytes(request.body, { maxBytes });
  return complete ? decodeBody(kind, bytes) : refuse("body-too-large");
}
