/** Answers to GET and HEAD that the client has already (RFC 9110, section 13). */
import { type ResponseHeaders } from "../server/result.ts";
import { opaqueTag, parseTagList } from "../wire/entity_tag.ts";
import { parseHttpDate } from "../wire/http_date.ts";
import { appendHeaders } from "./append_headers.ts";

/** What tells one state of a resource from another, as far as it is well-formed. */
interface Validators {
  readonly tag: string | undefined;
  readonly modified: number | undefined;
}

/** The names of the fields that have a validator. */
const validatorName = /^(?:etag|last-modified)$/i;

/** The 304 to a request whose client has what a result of these fields would send. The request's are read only if one is a validator. */
export function revalidate(headers: ResponseHeaders | undefined, request: Request): Response | undefined {
  if (headers === undefined || !Object.keys(headers).some((name) => validatorName.test(name))) return undefined;
  const fields = new Headers();
  appendHeaders(fields, headers, true);
  return revalidateFields(fields, request);
}

/** The same of the fields of a native response. */
export function revalidateFields(fields: Headers, request: Request): Response | undefined {
  const tag = opaqueTag(fields.get("etag") ?? "");
  const modified = parseHttpDate(fields.get("last-modified") ?? "");
  if (tag === undefined && modified === undefined) return undefined;
  return isUnchanged({ tag, modified }, request.headers) ? respondNotModified(fields) : undefined;
}

/** Whether the client has the state of these validators. Its `If-Modified-Since` does not count beside an `If-None-Match` (13.2.2). */
function isUnchanged({ tag, modified }: Validators, fields: Headers): boolean {
  const noneMatch = fields.get("if-none-match");
  if (noneMatch !== null) return noneMatch === "*" || (tag !== undefined && parseTagList(noneMatch).includes(tag));
  const since = modified === undefined ? null : fields.get("if-modified-since");
  const time = since === null ? undefined : parseHttpDate(since);
  return time !== undefined && modified! <= time;
}

/** The fields that describe content, which a 304 does not have. */
const contentFields = ["content-type", "content-length", "content-encoding", "content-language", "content-range"];

function respondNotModified(fields: Headers): Response {
  const headers = new Headers(fields);
  for (const name of contentFields) headers.delete(name);
  return new Response(null, { status: 304, headers });
}
