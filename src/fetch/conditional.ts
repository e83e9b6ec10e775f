/** Conditional requests: 304 for GET and HEAD if the client's copy is current (RFC 9110, section 13). */
import { type ResponseHeaders } from "../server/result.ts";
import { opaqueTag, parseTagList } from "../wire/entity_tag.ts";
import { parseHttpDate } from "../wire/http_date.ts";
import { appendHeaders } from "./response.ts";

/** The headers that identify a version of a resource. */
const validatorName = /^(?:etag|last-modified)$/i;

/**
 * The 304 response, if the client already has what the result would send. It reads the request's headers only if the
 * result has an `etag` or `last-modified`.
 */
export function revalidate(headers: ResponseHeaders | undefined, request: Request): Response | undefined {
  if (headers === undefined || !hasValidator(headers)) return undefined;
  const condition = readCondition(request);
  if (condition === undefined) return undefined;
  const fields = new Headers();
  appendHeaders(fields, headers, true);
  return isUnchanged(fields, condition) ? respondNotModified(fields) : undefined;
}

function hasValidator(headers: ResponseHeaders): boolean {
  return Object.entries(headers).some(([name, value]) => value !== undefined && validatorName.test(name));
}

/** The same for the headers of a native response. */
export function revalidateFields(fields: Headers, request: Request): Response | undefined {
  if (!fields.has("etag") && !fields.has("last-modified")) return undefined;
  const condition = readCondition(request);
  return condition && isUnchanged(fields, condition) ? respondNotModified(fields) : undefined;
}

/** The validators that a client sent. */
interface Condition {
  readonly noneMatch: string | null;
  readonly modifiedSince: string | null;
}

function readCondition({ headers }: Request): Condition | undefined {
  const noneMatch = headers.get("if-none-match");
  const modifiedSince = headers.get("if-modified-since");
  return noneMatch === null && modifiedSince === null ? undefined : { noneMatch, modifiedSince };
}

/** Whether the client's copy is current. `If-Modified-Since` is ignored if there is an `If-None-Match` (13.2.2). */
function isUnchanged(fields: Headers, { noneMatch, modifiedSince }: Condition): boolean {
  const tag = opaqueTag(fields.get("etag") ?? "");
  const modified = parseHttpDate(fields.get("last-modified") ?? "");
  if (noneMatch === "*") return tag !== undefined || modified !== undefined;
  if (noneMatch !== null) return tag !== undefined && parseTagList(noneMatch).includes(tag);
  const since = parseHttpDate(modifiedSince ?? "");
  return modified !== undefined && since !== undefined && modified <= since;
}

/** The headers that describe content, which a 304 does not have. */
const contentFields = ["content-type", "content-length", "content-encoding", "content-language", "content-range"];

function respondNotModified(fields: Headers): Response {
  const response = new Response(null, { status: 304, headers: fields });
  for (const name of contentFields) response.headers.delete(name);
  return response;
}
