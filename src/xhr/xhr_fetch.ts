import { untilAborted } from "../signals.ts";
import { type BrowserRequest, findBrowserRequest } from "./browser_request.ts";

/** How far an upload is. */
export interface UploadProgress {
  /** The bytes of the body that the browser has passed on. */
  readonly loaded: number;
  /** The bytes of the whole body. */
  readonly total: number;
}

/** The options of `xhrFetch`. */
export interface XhrFetchOptions {
  /**
   * Called while the body of a request is sent, and once when all of it was sent; not called for a request without a body. The browser
   * reports an error thrown by it as uncaught, and the upload goes on. Default: none.
   */
  readonly onUploadProgress?: ((progress: UploadProgress) => void) | undefined;
}

/**
 * Creates a `fetch` for a client that sends requests by `XMLHttpRequest`, which reports the progress of uploads over every version of
 * HTTP. Only browsers have it, and their workers, except service workers. It rejects like `fetch`: with the reason of the signal, or with
 * a `TypeError`. The bodies of request and response are held as a whole: a request whose body is a stream is rejected.
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
 * @throws {TypeError} Where there is no `XMLHttpRequest`, or an option is invalid.
 */
export function xhrFetch(options: XhrFetchOptions = {}): (request: Request) => Promise<Response> {
  const { onUploadProgress, ...unknown } = options;
  const [surplus] = Object.keys(unknown);
  if (surplus !== undefined) {
    throw new TypeError(`xhrFetch(): unknown option ${JSON.stringify(surplus)} (allowed: onUploadProgress)`);
  }
  if (onUploadProgress !== undefined && typeof onUploadProgress !== "function") {
    throw new TypeError('xhrFetch(): "onUploadProgress" must be a function');
  }
  const XMLHttpRequest = findBrowserRequest();
  return async (request) => {
    const { signal } = request;
    refuseUnsupported(request);
    signal.throwIfAborted();
    const body = await untilAborted(signal, takeBody(request).blob());
    signal.throwIfAborted(); // it may abort in the moment in which the body is there
    const sender = new XMLHttpRequest();
    prepare(sender, request);
    if (onUploadProgress) sender.upload.onprogress = ({ loaded }) => onUploadProgress({ loaded, total: body.size });
    await send(sender, body, signal);
    return toResponse(sender, request);
  };
}

/** What `XMLHttpRequest` does with every request, by the option of a `Request`: any other value would be ignored. */
const supported = {
  mode: "cors",
  cache: "default",
  integrity: "",
  keepalive: false,
  referrer: "about:client",
  referrerPolicy: "",
} as const;

/** Throws a `TypeError` for a request that would be sent in another way than it says. */
function refuseUnsupported(request: Request): void {
  for (const name of Object.keys(supported) as (keyof typeof supported)[]) {
    const value = request[name] ?? supported[name]; // an older browser may not have all of them
    if (value !== supported[name]) refuse(`${name} ${JSON.stringify(value)}`);
  }
  if (request.credentials === "omit") refuse('credentials "omit"');
}

function refuse(option: string): never {
  throw new TypeError(`Cannot send the request: XMLHttpRequest does not support ${option}`);
}

/**
 * A request that has the body; throws a `TypeError` if that is a stream. Nothing else tells: by the Fetch Standard, the constructor
 * refuses this mode for a body without a source, and then leaves the request as it was.
 */
function takeBody(request: Request): Request {
  try {
    return new Request(request, { method: "POST", mode: "no-cors" });
  } catch {
    return refuse("a body that is a stream; pass a Blob");
  }
}

function prepare(sender: BrowserRequest, { method, url, headers, credentials }: Request): void {
  sender.open(method, url);
  sender.responseType = "arraybuffer";
  sender.withCredentials = credentials === "include";
  for (const [name, value] of headers) sender.setRequestHeader(name, value);
}

/** Sends a request; resolves when its response is there as a whole. */
async function send(sender: BrowserRequest, body: Blob, signal: AbortSignal): Promise<void> {
  const abort = (): void => sender.abort(); // which ends its load
  signal.addEventListener("abort", abort);
  await new Promise<void>((resolve) => {
    sender.onloadend = () => resolve();
    sender.send(body.size > 0 ? body : null);
  }).finally(() => signal.removeEventListener("abort", abort));
  signal.throwIfAborted();
  if (sender.status === 0) throw new TypeError("Cannot send the request: no response came, or it broke off");
}

/** The statuses whose responses have no body. */
const bodiless: readonly number[] = [204, 205, 304];

/** The response, as `fetch` would resolve to it: one that was redirected says so, and hides where to if the request is not to follow. */
function toResponse(sender: BrowserRequest, { method, url, redirect }: Request): Response {
  const { status, statusText, responseURL } = sender;
  const redirected = responseURL !== url.replace(/#.*$/s, "");
  if (redirected && redirect === "error") throw new TypeError("Cannot send the request: it was redirected");
  if (redirected && redirect === "manual") return describe(Response.error(), { type: "opaqueredirect", url });
  const body = method === "HEAD" || bodiless.includes(status) ? null : readBody(sender);
  const headers = readHeaders(sender);
  const where = { url: responseURL, redirected };
  if (status >= 200 && status <= 599) return describe(new Response(body, { status, statusText, headers }), where);
  return describe(new Response(body, { statusText, headers }), { ...where, status, ok: false });
}

/** The response with members that its constructor does not take. */
function describe(response: Response, members: Partial<Response>): Response {
  return Object.defineProperties(response, Object.getOwnPropertyDescriptors(members));
}

function readBody({ response }: BrowserRequest): ArrayBuffer {
  if (response === null) throw new TypeError("Cannot read the response: the browser has no memory for its body");
  return response as ArrayBuffer;
}

function readHeaders(sender: BrowserRequest): Headers {
  const headers = new Headers();
  for (const [, name = "", value = ""] of sender.getAllResponseHeaders().matchAll(/^([^:\r\n]+):([^\r\n]*)/gm)) {
    headers.append(name, value);
  }
  return headers;
}
