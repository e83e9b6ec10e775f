/** A model of a browser's cross-origin requests (Fetch Standard, section 4, "CORS-preflight fetch"). */
import type { FetchHandler } from "@scope/api/fetch";

/** A request of a page. */
export interface PageRequest {
  readonly request: Request;
  /** The origin of the page. */
  readonly origin: string;
  /** Whether the page asks to send cookies: `credentials: "include"`. */
  readonly withCredentials: boolean;
}

/**
 * The reason why a browser does not send a request, or does not let the page read its response; `undefined` if it does
 * both.
 */
export async function refuseCrossOrigin(handler: FetchHandler, page: PageRequest): Promise<string | undefined> {
  return await refusePreflight(handler, page) ?? responseProblem(await handler(sentRequest(page)), page);
}

/** The header fields of a response that the page can read. */
export function readableFields(response: Response): string[] {
  const exposed = listOf(response, "access-control-expose-headers").map((name) => name.toLowerCase());
  return [...response.headers.keys()].filter((name) => readable.has(name) || exposed.includes(name));
}

async function refusePreflight(handler: FetchHandler, page: PageRequest): Promise<string | undefined> {
  const { request: { method, url }, origin } = page;
  const unsafe = unsafeNames(page.request);
  if (safelistedMethods.has(method) && unsafe.length === 0) return undefined;
  const headers = new Headers({ accept: "*/*", origin, "access-control-request-method": method });
  if (unsafe.length > 0) headers.set("access-control-request-headers", unsafe.join(","));
  const response = await handler(new Request(url, { method: "OPTIONS", headers }));
  const state = responseProblem(response, page);
  if (state !== undefined) return `preflight: ${state}`;
  if (!response.ok) return `preflight: ${response.status}`;
  const methods = listOf(response, "access-control-allow-methods");
  const isWild = (names: readonly string[]): boolean => !page.withCredentials && names.includes("*");
  if (!methods.includes(method) && !safelistedMethods.has(method) && !isWild(methods)) return `method ${method}`;
  const names = listOf(response, "access-control-allow-headers").map((name) => name.toLowerCase());
  const missing = unsafe.filter((name) => !names.includes(name) && (name === "authorization" || !isWild(names)));
  return missing.length > 0 ? `header ${missing.join(", ")}` : undefined;
}

/** The request as it is sent, with the fields that a browser adds. */
function sentRequest({ request, origin }: PageRequest): Request {
  const headers = new Headers(request.headers);
  headers.set("origin", origin);
  return new Request(request, { headers });
}

/** "CORS check". */
function responseProblem({ headers }: Response, { origin, withCredentials }: PageRequest): string | undefined {
  const allowed = headers.get("access-control-allow-origin");
  if (allowed === "*" && !withCredentials) return undefined;
  if (allowed !== origin) return `origin ${allowed}`;
  if (!withCredentials || headers.get("access-control-allow-credentials") === "true") return undefined;
  return "credentials";
}

/** "CORS-unsafe request-header names", sorted. */
export function unsafeNames({ headers }: Request): string[] {
  const fields = [...headers].filter(([name]) => !isForbidden(name));
  const unsafe = fields.filter(([name, value]) => !isSafelisted(name, value)).map(([name]) => name);
  const safe = fields.filter(([name]) => !unsafe.includes(name));
  const isLong = safe.reduce((sum, [, value]) => sum + value.length, 0) > 1024;
  return [...unsafe, ...(isLong ? safe.map(([name]) => name) : [])].toSorted();
}

/** "CORS-safelisted request-header". */
function isSafelisted(name: string, value: string): boolean {
  if (value.length > 128) return false;
  if (name === "accept") return !unsafeByte.test(value);
  if (name === "accept-language" || name === "content-language") return /^[\dA-Za-z *,\-.;=]*$/.test(value);
  if (name === "range") return /^bytes=\d+-\d*$/.test(value);
  if (name !== "content-type" || unsafeByte.test(value)) return false;
  const [essence = ""] = value.split(";");
  return simpleTypes.has(essence.trim().toLowerCase());
}

/** "CORS-unsafe request-header byte". */
const unsafeByte = /[^\t -~\u0080-\u00ff]|["():<>?@[\\\]{}]/;
const simpleTypes = new Set(["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]);
const safelistedMethods = new Set(["GET", "HEAD", "POST"]);
const readable = new Set([
  ...["cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma"],
]);

/** "Forbidden request-header": headers that a page cannot set on its requests. */
function isForbidden(name: string): boolean {
  return /^(?:accept-charset|accept-encoding|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/
    .test(name);
}

function listOf({ headers }: Response, name: string): string[] {
  return (headers.get(name) ?? "").split(",").map((each) => each.trim()).filter((each) => each !== "");
}
