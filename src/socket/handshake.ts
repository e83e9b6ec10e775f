/** The handshake of a WebSocket (RFC 6455, section 4): what is refused, and what is read of it. */
import { requirementsOf } from "../contract/security_scheme.ts";
import type { RouteNode } from "../contract/node.ts";
import type { RequestHeaders } from "../server/define/call.ts";
import { Refusal } from "../server/http/answer.ts";
import type { Exchange } from "../server/http/exchange.ts";
import { type HandshakeProblemCode, statusPhrase } from "../wire/problem.ts";

/** Returns whether a request asks for a WebSocket. */
export function asksForSocket({ method, headers }: Pick<Exchange, "method" | "headers">): boolean {
  return method === "GET" && listOf(headers, "upgrade").some((name) => name.toLowerCase() === "websocket");
}

/**
 * Returns why a request is not a handshake. `undefined` if it is one. A runtime that checks handshakes itself may show only
 * some fields: those that are absent are then left to it.
 */
export function checkHandshake(exchange: Pick<Exchange, "method" | "headers">, isWhole: boolean): Refusal | undefined {
  const { headers } = exchange;
  if (!asksForSocket(exchange)) return upgradeRequired;
  if (headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) !== 0) return invalidUpgrade; // proxies disagree about its body
  const isMissing = (name: string): boolean => !isWhole && !headers.has(name);
  const isUpgrade = listOf(headers, "connection").some((name) => name.toLowerCase() === "upgrade");
  if (!isUpgrade && !isMissing("connection")) return invalidUpgrade;
  if (headers.get("sec-websocket-version") !== "13" && !isMissing("sec-websocket-version")) return otherVersion;
  const hasKey = keyPattern.test(headers.get("sec-websocket-key") ?? "") || isMissing("sec-websocket-key");
  return hasKey ? undefined : invalidUpgrade;
}

/** The Base64 of 16 bytes. */
const keyPattern = /^[A-Za-z\d+/]{21}[AQgw]==$/;

const upgradeRequired = /* @__PURE__ */ refusalOf(426, "upgrade-required", { upgrade: "websocket" });
const otherVersion = /* @__PURE__ */ refusalOf(426, "upgrade-required", {
  upgrade: "websocket",
  "sec-websocket-version": "13",
});

/** The refusal of a handshake that the runtime does not accept. */
export const invalidUpgrade: Refusal = /* @__PURE__ */ refusalOf(400, "invalid-upgrade", {});

/** The refusal of a server that shuts down. */
export const shuttingDown: Refusal = /* @__PURE__ */ refusalOf(503, "shutting-down", { "retry-after": "1" });

function refusalOf(status: number, code: HandshakeProblemCode, fields: Readonly<Record<string, string>>): Refusal {
  return new Refusal({ type: "about:blank", title: statusPhrase(status), status, code }, {
    ...fields,
    "cache-control": "no-store",
  });
}

/** Returns the first offered subprotocol that is declared. `undefined` if there is none. */
export function selectProtocol(headers: RequestHeaders, declared: readonly string[]): string | undefined {
  return listOf(headers, "sec-websocket-protocol").find((name) => declared.includes(name));
}

/** Plans how to read the token that a page can only send as a subprotocol: as if it were in the field `authorization`. */
export function planToken({ security = [] }: RouteNode): (exchange: Exchange) => void {
  const options = requirementsOf(security).map(({ scheme }) => scheme.options);
  const scheme = options.find(({ scheme }) => scheme !== undefined)?.scheme ?? "Bearer";
  return (exchange) => {
    const { headers } = exchange;
    const offered = listOf(headers, "sec-websocket-protocol").find((name) => name.startsWith(tokenPrefix));
    const token = offered && decodeToken(offered.slice(tokenPrefix.length));
    if (!token || headers.has("authorization")) return;
    const value = new Headers([...headers] as [string, string][]);
    value.set("authorization", `${scheme} ${token}`);
    Object.defineProperty(exchange, "headers", { value }); // those of the message stay as they are
  };
}

const tokenPrefix = "bearer.";

/** Decodes the Base64url of a token. `undefined` if it is malformed, or cannot be in a field. */
function decodeToken(text: string): string | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    const token = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return /^[!-~]+$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the items of a field that is a list. */
function listOf(headers: RequestHeaders, name: string): string[] {
  return (headers.get(name) ?? "").split(",").map((item) => item.trim());
}
