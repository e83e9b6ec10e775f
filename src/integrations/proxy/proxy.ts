import { isCount } from "../../mark.ts";
import { describeConfidential, describeValue } from "../../messages.ts";
import { isBodiless, isResponse } from "../../native_response.ts";
import { ignore, longestTimeout, untilAborted } from "../../awaitable.ts";
import { isFieldValue } from "../../wire/headers.ts";
import { listConnectionFields, listUnfit } from "../../wire/fetched_fields.ts";
import { statusPhrase } from "../../wire/problem.ts";
import { discardBody } from "../../wire/read_bytes.ts";
import { aBoolean, aFunction, failAt, type OptionRules, readPlainOptions } from "../../options.ts";

/** The options of {@linkcode proxy}. */
export interface ProxyOptions {
  /**
   * The most milliseconds until the headers of the response arrive, from 1 to 2,147,483,647. It includes sending the body
   * of the request. Then the response is 504. Default: 30,000.
   */
  readonly timeout?: number | undefined;
  /**
   * Whether the client's own `forwarded`, `x-forwarded-*` and `x-real-ip` are passed on, because another proxy in front
   * sets them. Otherwise these are removed, since any client can write them. Default: `false`.
   */
  readonly trustForwarded?: boolean | undefined;
  /**
   * Changes the headers of the request before it is sent, for example to add a credential or `x-forwarded-for`. It may be
   * asynchronous. If it throws, the response is 502. Default: none.
   */
  readonly headers?: ((headers: Headers, request: Request) => void | Promise<void>) | undefined;
  /** Called with the reason of each 502 and 504. Errors that it throws are ignored. Default: none. */
  readonly onError?: ((error: unknown, request: Request) => void) | undefined;
  /** Sends the request. Default: the global `fetch`, as it is when the request is sent. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * Returns a function that passes a request on to another server, and its response back. It never rejects, except if the
 * body of the request has been read.
 *
 * - **URL**: the path of the request is appended to that of `url`, with its query. A path with `..`, also percent-encoded
 *   or with parameters as in `..;a`, is 400.
 * - **Headers**: the fields of the connection are removed, and those that `connection` names (RFC 9110, section 7.6.1).
 *   `x-forwarded-host` and `x-forwarded-proto` are those of the request's URL. Cookies and `authorization` are passed on.
 * - **Bodies** are streamed in both directions. If the runtime has decoded that of the response, it loses
 *   `content-encoding`, `content-length` and `content-digest`.
 * - **Statuses** are passed on, all of them: redirects are not followed, and errors of the other server are not replaced.
 *   It knows no contract; in a handler, a status that the route does not declare is a 500.
 * - **Failures**: a server that does not answer is 502, and one that does not answer in time 504, both as problem
 *   documents (RFC 9457) with the codes `bad-gateway` and `gateway-timeout`.
 *
 * @param url The URL of the other server, with `http:` or `https:`, and perhaps a path.
 * @throws {TypeError} If the URL or an option is invalid.
 *
 * @example Half of an API, in front of the old server
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { proxy } from "@scope/api/proxy";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const old = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => new Response("old"));
 *
 * const contract = defineContract({ routes: { moved: route.get("/moved", { responses: { 200: response.text() } }) } });
 * const api = createFetchHandler(
 *   defineServer(contract).implement({ moved: ({ response }) => response(200, "moved") }),
 * );
 * const rest = proxy(`http://127.0.0.1:${old.addr.port}`);
 * const handler = (request: Request) => api.has(request) ? api(request) : rest(request);
 *
 * assertEquals(await (await handler(new Request("http://localhost/moved"))).text(), "moved");
 * assertEquals(await (await handler(new Request("http://localhost/other"))).text(), "old");
 * await old.shutdown();
 * ```
 */
export function proxy(url: string | URL, options: ProxyOptions = {}): (request: Request) => Promise<Response> {
  const base = readUrl(url);
  const { timeout = 30_000, trustForwarded = false, headers, onError, fetch }: ProxyOptions = readPlainOptions(
    options,
    rules,
    "proxy()",
    describeValue,
  );
  return async (request) => {
    if (request.bodyUsed) {
      throw new TypeError("proxy(): the body of the request was read; pass a clone to what reads it");
    }
    const target = toTarget(base, new URL(request.url));
    if (target === undefined) return answerProblem(400, "invalid-path", request);
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new DOMException("The other server did not answer in time", "TimeoutError")),
      timeout,
    );
    const signal = AbortSignal.any([request.signal, late.signal]);
    let sent = request;
    try {
      sent = await untilAborted(signal, toUpstream(request, target, { headers, trustForwarded }, signal));
      return await send(sent, fetch, signal);
    } catch (error) {
      if (!sent.bodyUsed && !sent.body?.locked) discardBody(sent);
      if (!request.signal.aborted) (async () => await onError?.(error, request))().catch(ignore);
      return late.signal.aborted
        ? answerProblem(504, "gateway-timeout", request)
        : answerProblem(502, "bad-gateway", request);
    } finally {
      clearTimeout(timer); // the client's own signal still ends the body
    }
  };
}

function readUrl(url: unknown): URL {
  const text = url instanceof URL ? url.href : url;
  const base = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  if (base && /^https?:$/.test(base.protocol) && !base.username && !base.password && !base.search && !base.hash) {
    return base;
  }
  failAt(
    "proxy()",
    `the URL must be like "http://127.0.0.1:3000/path", without a query, a fragment or credentials, got ${
      base && !base.username && !base.password ? describeValue(base.href) : describeConfidential(url)
    }`,
  );
}

const rules: OptionRules = {
  timeout: [
    "an integer of milliseconds from 1 to 2147483647",
    (value) => isCount(value) && value >= 1 && value <= longestTimeout,
  ],
  trustForwarded: aBoolean,
  headers: aFunction,
  onError: aFunction,
  fetch: aFunction,
};

/**
 * Returns the URL of the other server for a URL of this one. `undefined` for a path with a dot segment that only the
 * other server would resolve, which could lead out of the path of `base`.
 */
function toTarget(base: URL, { pathname, search }: URL): URL | undefined {
  const decoded = pathname.replaceAll(/%(?:2f|5c)/gi, "/").replaceAll(/%2e/gi, ".").replaceAll(/%3b/gi, ";");
  if (/[/\\]\.\.(?:[/\\;]|$)/.test(decoded)) return undefined; // servers of Java resolve "..;" too
  const target = new URL(base);
  target.pathname = base.pathname.replace(/\/$/, "") + pathname;
  target.search = search;
  return target;
}

/** The fields that say whom a proxy has forwarded a request for. */
const forwardedFields = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;

/** The fields that the platform sets itself, or that concern this server alone (RFC 9110, sections 10.1.1 and 11.7). */
const ownFields = ["host", "content-length", "expect", "proxy-authorization"];

/** Creates the request to the other server. */
async function toUpstream(request: Request, target: URL, options: ProxyOptions, signal: AbortSignal): Promise<Request> {
  const headers = new Headers(request.headers);
  for (const name of [...listConnectionFields(headers), ...ownFields]) headers.delete(name);
  if (!options.trustForwarded) {
    for (const name of [...headers.keys()]) if (forwardedFields.test(name)) headers.delete(name);
  }
  const { host, protocol } = new URL(request.url);
  if (!headers.has("x-forwarded-host")) headers.set("x-forwarded-host", host);
  if (!headers.has("x-forwarded-proto")) headers.set("x-forwarded-proto", protocol.slice(0, -1));
  await options.headers?.(headers, request);
  signal.throwIfAborted(); // its body has been cancelled
  const { method, body } = request;
  return new Request(target, {
    method,
    headers,
    redirect: "manual",
    signal,
    ...(body && { body, duplex: "half" }), // the types of Deno lack it, and Node requires it
  });
}

/**
 * Sends the request until the signal aborts, also by a function that does not know the signal, and returns the response
 * for this connection. Cancels the body of one that is not returned.
 */
async function send(request: Request, deliver: ProxyOptions["fetch"], signal: AbortSignal): Promise<Response> {
  const pending = (deliver ?? fetch)(request);
  try {
    const received: unknown = await untilAborted(signal, pending);
    if (isResponse(received)) return toResponse(received, request.method);
    throw new TypeError(`"fetch" must return a Response, got ${describeConfidential(received)}`);
  } catch (error) {
    Promise.resolve(pending).then(discardBody).catch(ignore);
    throw error;
  }
}

/** Returns the response of the other server, for this connection. Throws for a status that none can have. */
function toResponse(received: Response, method: string): Response {
  const { status, statusText, body } = received;
  const headers = new Headers(received.headers);
  for (const name of [...listUnfit(headers), "proxy-authenticate"]) headers.delete(name);
  const hasBody = method !== "HEAD" && !isBodiless(status);
  if (!hasBody) body?.cancel().catch(() => {});
  const phrase = isFieldValue(statusText) ? statusText : "";
  return new Response(hasBody ? body : null, { status, statusText: phrase, headers });
}

function answerProblem(status: number, code: string, { method }: Request): Response {
  const text = JSON.stringify({ type: "about:blank", title: statusPhrase(status), status, code });
  const headers = { "content-type": "application/problem+json", "cache-control": "no-store" };
  return new Response(method === "HEAD" ? null : text, { status, headers });
}
