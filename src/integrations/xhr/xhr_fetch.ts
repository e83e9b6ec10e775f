import { isBodiless } from "../../native_response.ts";
import { untilAborted } from "../../awaitable.ts";
import { aFunction, readPlainOptions } from "../../options.ts";

/** The progress of an upload. */
export interface UploadProgress {
  /** The bytes of the body that the browser has sent. */
  readonly loaded: number;
  /** The bytes of the whole body. */
  readonly total: number;
}

/** The options of `xhrFetch`. */
export interface XhrFetchOptions {
  /**
   * Called while the body of a request is sent, and once when all of it has been sent. Not called for a request
   * without a body. The browser reports an error thrown by it as uncaught, and the upload continues. Default: none.
   */
  readonly onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
}

/**
 * Creates a `fetch` function for a client that sends requests with `XMLHttpRequest`. It reports the progress of
 * uploads over every version of HTTP. It works in pages and workers of browsers, but not in service workers. It
 * rejects like `fetch`: with the reason of the signal, or with a `TypeError`. It holds the bodies of the request and
 * the response in memory. It rejects a request whose body is a stream, or whose options `XMLHttpRequest` does not
 * support, such as `keepalive: true`. `XMLHttpRequest` follows every redirect: the target receives the request before
 * the call rejects.
 *
 * @example A client of its own for each upload
 * ```ts
 * import { defineContract, request, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { xhrFetch } from "@scope/api/xhr";
 *
 * const contract = defineContract({
 *   routes: { upload: route.put("/photo", { body: request.bytes(), responses: { 204: response.empty() } }) },
 * });
 *
 * export async function upload(photo: Blob, signal: AbortSignal): Promise<void> {
 *   const fetch = xhrFetch({ onUploadProgress: ({ loaded, total }) => console.log(`${loaded} of ${total} bytes`) });
 *   const client = createClient(contract, { baseUrl: "/", fetch });
 *   await client.upload({ body: photo }, { signal });
 * }
 * ```
 *
 * @throws {TypeError} Outside of browsers, or if an option is invalid.
 */
export function xhrFetch(options: XhrFetchOptions = {}): (request: Request) => Promise<Response> {
  const { onUploadProgress }: XhrFetchOptions = readPlainOptions(
    options,
    { onUploadProgress: aFunction },
    "xhrFetch()",
  );
  const XMLHttpRequest = findBrowserRequest();
  return async (request) => {
    const { signal } = request;
    checkSupported(request);
    signal.throwIfAborted();
    const body = await untilAborted(signal, takeBody(request).blob());
    signal.throwIfAborted(); // the signal may abort just as the body becomes available
    const sender = new XMLHttpRequest();
    prepare(sender, request);
    if (onUploadProgress) sender.upload.onprogress = ({ loaded }) => onUploadProgress({ loaded, total: body.size });
    await send(sender, body, signal);
    return toResponse(sender, request);
  };
}

/** The options of a `Request` that `XMLHttpRequest` supports. It would ignore any other value. */
const supported = [
  ["mode", "cors"],
  ["cache", "default"],
  ["integrity", ""],
  ["keepalive", false],
  ["referrer", "about:client"],
  ["referrerPolicy", ""],
] as const;

/** Throws a `TypeError` for a request whose options would be ignored. */
function checkSupported(request: Request): void {
  for (const [name, only] of supported) {
    const value = request[name] ?? only; // older browsers lack some of them
    if (value !== only) fail(`${name} ${JSON.stringify(value)}`);
  }
  if (request.credentials === "omit") fail('credentials "omit"');
}

function fail(option: string): never {
  throw new TypeError(`Cannot send the request: XMLHttpRequest does not support ${option}`);
}

/**
 * Returns a request that owns the body. Throws a `TypeError` if the body is a stream. Browsers offer no other way to
 * detect one: by the Fetch Standard, the constructor rejects this mode for a body without a source, and leaves the
 * original request unused.
 */
function takeBody(request: Request): Request {
  try {
    return new Request(request, { method: "POST", mode: "no-cors" });
  } catch {
    return fail("a body that is a stream; pass a Blob");
  }
}

function prepare(sender: BrowserRequest, { method, url, headers, credentials }: Request): void {
  sender.open(method, url);
  sender.responseType = "arraybuffer";
  sender.withCredentials = credentials === "include";
  for (const [name, value] of headers) sender.setRequestHeader(name, value);
}

/** Sends a request. Resolves when the whole response has arrived. */
async function send(sender: BrowserRequest, body: Blob, signal: AbortSignal): Promise<void> {
  const abort = (): void => sender.abort(); // fires onloadend
  signal.addEventListener("abort", abort);
  await new Promise<void>((resolve) => {
    sender.onloadend = () => resolve();
    sender.send(body.size > 0 ? body : null);
  }).finally(() => signal.removeEventListener("abort", abort));
  signal.throwIfAborted();
  if (sender.status === 0) throw new TypeError("Cannot send the request: no response arrived, or it was interrupted");
}

/**
 * Returns the response as `fetch` would. It reports a redirect, and hides its target if the request does not follow
 * redirects.
 */
function toResponse(sender: BrowserRequest, { method, url, redirect }: Request): Response {
  const { status, statusText, responseURL } = sender;
  const redirected = responseURL !== url.replace(/#.*$/s, "");
  if (redirected && redirect === "error") throw new TypeError("Cannot send the request: it was redirected");
  if (redirected && redirect === "manual") return describe(Response.error(), { type: "opaqueredirect", url });
  const body = method === "HEAD" || isBodiless(status) ? null : readBody(sender);
  const headers = readHeaders(sender);
  const where = { url: responseURL, redirected };
  if (status >= 200 && status <= 599) return describe(new Response(body, { status, statusText, headers }), where);
  return describe(new Response(body, { statusText, headers }), { ...where, status, ok: false });
}

/** Adds the members that the constructor of a response does not accept. */
function describe(response: Response, members: Partial<Response>): Response {
  return Object.defineProperties(response, Object.getOwnPropertyDescriptors(members));
}

function readBody({ response }: BrowserRequest): ArrayBuffer {
  if (response === null) throw new TypeError("Cannot read the response: the browser lacks memory for its body");
  return response;
}

function readHeaders(sender: BrowserRequest): Headers {
  const headers = new Headers();
  for (const [, name = "", value = ""] of sender.getAllResponseHeaders().matchAll(/^([^:\r\n]+):([^\r\n]*)/gm)) {
    headers.append(name, value);
  }
  return headers;
}

/** The members of a browser's `XMLHttpRequest` that `xhrFetch` uses. */
interface BrowserRequest {
  withCredentials: boolean;
  responseType: string;
  onloadend: (() => void) | null;
  readonly upload: { onprogress: ((event: BrowserProgress) => void) | null };
  readonly status: number;
  readonly statusText: string;
  /** `null` if the browser lacks memory for it. */
  readonly response: ArrayBuffer | null;
  readonly responseURL: string;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob | null): void;
  abort(): void;
}

/** The members of a `ProgressEvent` that `xhrFetch` uses. */
interface BrowserProgress {
  readonly loaded: number;
}

/** The browser's class, declared here because the types of servers do not include the DOM. */
declare const XMLHttpRequest: (new () => BrowserRequest) | undefined;

/** Returns the class of the browser's requests. Throws a `TypeError` outside of browsers. */
function findBrowserRequest(): new () => BrowserRequest {
  if (typeof XMLHttpRequest !== "undefined") return XMLHttpRequest;
  throw new TypeError("xhrFetch(): XMLHttpRequest is not available; use fetch outside of browsers");
}
