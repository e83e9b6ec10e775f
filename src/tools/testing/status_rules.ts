/** Rules for statuses: whether a server accepts or refuses a request, and with which status. */
import { handlerResponses } from "../../contract/node.ts";
import { mediaTypeEssence, problemType } from "../../wire/media_type.ts";
import { type AnsweredRequest, isDeclared, type RuleSettings } from "./answered_request.ts";
import type { Breach, Rule } from "./finding.ts";
import { takesStream } from "./route_plan.ts";
import { pathOf } from "./wire_request.ts";

/** Returns the status rule that a response breaks. */
export function findStatusBreach(exchange: AnsweredRequest, settings: RuleSettings): Breach | undefined {
  return exchange.verdict.route ? findAcceptedBreach(exchange) : findRejectedBreach(exchange, settings);
}

/** Checks the response to a request that a handler must receive. */
function findAcceptedBreach(exchange: AnsweredRequest): Breach | undefined {
  const { answer, request } = exchange;
  const { status } = answer;
  const declared = isDeclared(exchange, status);
  if (status >= 500 && (!declared || isOwnFailure(exchange))) return failure(exchange);
  if (isOwnRefusal(exchange)) return answered(exchange, "valid-refused", "the contract allows it");
  if (declared || isNotModified(exchange)) return undefined;
  if (status === 413 && isLarge(exchange)) return undefined;
  if (status >= 400) return answered(exchange, "valid-refused", "the contract allows it");
  return answered(exchange, "declared-status", `${request.method} declares ${listStatuses(exchange)}`);
}

/** Checks the response to a request that no handler may receive. */
function findRejectedBreach(exchange: AnsweredRequest, settings: RuleSettings): Breach | undefined {
  const { verdict, answer: { status } } = exchange;
  if (verdict.status === 500) return { rule: "no-failure", state: `cannot be checked: ${verdict.reason}` };
  if (isUnread(exchange)) return undefined;
  if (status === (verdict.declared ?? verdict.status)) return findAllowBreach(exchange);
  if (settings.isLenient && isLenientlyRefused(exchange)) return undefined;
  if (status >= 500 && !isDeclared(exchange, status)) return failure(exchange);
  if (isRefusedBefore(exchange, settings)) return undefined;
  const rule = rulesByStatus[verdict.status] ?? (isCorrupted(exchange) ? "invalid-accepted" : "declared-status");
  const demand = status >= 400 ? ` with ${verdict.declared ?? verdict.status}` : "";
  return answered(exchange, rule, `the contract refuses it${demand}: ${verdict.reason}`);
}

/** Tests whether the server accepted an invalid request: its status is below 400, or is one that a handler returns. */
function isCorrupted(exchange: AnsweredRequest): boolean {
  return exchange.answer.status < 400 || isDeclared(exchange, exchange.answer.status);
}

/** The rules that require the exact status of the rejection. */
const rulesByStatus: Readonly<Record<number, Rule>> = {
  401: "needs-credentials",
  404: "not-found",
  405: "method-not-allowed",
};

function findAllowBreach(exchange: AnsweredRequest): Breach | undefined {
  const { verdict: { status, allow }, answer: { headers } } = exchange;
  if (status !== 405) return undefined;
  const stated = (headers.get("allow") ?? "").split(",").map((method) => method.trim());
  const missing = allow.filter((method) => !stated.includes(method));
  if (missing.length === 0) return undefined;
  return answered(exchange, "method-not-allowed", `its field allow does not list ${missing.join(", ")}`);
}

/**
 * Tests whether another implementation may respond in this way. It may refuse with any 4xx. It may accept a path with
 * extra slashes or without its trailing one, or redirect to the canonical one, respond to OPTIONS itself, or not
 * implement a method.
 */
function isLenientlyRefused(exchange: AnsweredRequest): boolean {
  const { verdict, answer: { status }, request } = exchange;
  if (status >= 400 && status < 500) return true;
  if (verdict.status === 404) {
    return (status >= 300 && status < 400) || /\/$|\/\//.test(pathOf(request.path)) || lacksTrailingSlash(exchange);
  }
  return verdict.status === 405 && (status === 501 || (status < 300 && request.method === "OPTIONS"));
}

/** Tests whether a request has the path of its route without the slash at the end. */
function lacksTrailingSlash({ request, plan }: AnsweredRequest): boolean {
  const { path = "" } = plan?.node ?? {};
  return path.endsWith("/") && pathOf(request.path).split("/").length === path.split("/").length - 1;
}

/**
 * Tests whether security, a guard or a shared response may have refused the request before validation. They refuse only
 * requests that match a route, and a request without a credential only as such.
 */
function isRefusedBefore(exchange: AnsweredRequest, { shared }: RuleSettings): boolean {
  const { answer: { status }, verdict, plan } = exchange;
  if (status < 400 || status >= 500 || verdict.status === 404 || verdict.status === 405) return false;
  const isGuarded = [401, 403, 429].includes(status) && plan !== undefined &&
    Object.hasOwn(plan.node.responses, status);
  if (verdict.status === 401) return isGuarded;
  return isGuarded || (Object.hasOwn(shared, status) && !isOwnRefusal(exchange)) ||
    (status === 413 && isLarge(exchange));
}

/** Tests whether a body may exceed a limit that the contract does not declare. */
function isLarge({ request: { body } }: Pick<AnsweredRequest, "request">): boolean {
  return body !== undefined && body.length > 8_192;
}

/** Tests whether a handler may have left a streamed body unread, whose length is then not checked. */
function isUnread(exchange: AnsweredRequest): boolean {
  const { verdict, plan, answer: { status } } = exchange;
  return verdict.status === 413 && !isOwnRefusal(exchange) && plan !== undefined && takesStream(plan.node) &&
    status < 500;
}

/** Tests whether this package's adapter sent the response without a handler, because the request is invalid. */
function isOwnRefusal({ answer }: AnsweredRequest): boolean {
  return ownCodes.has(String(codeOf(answer)));
}

const ownCodes: ReadonlySet<string> = new Set([
  "invalid-path",
  "invalid-body",
  "invalid-request",
  "method-not-allowed",
  "unsupported-media-type",
]);

/** Tests whether this package's adapter sent the response because a handler failed. */
function isOwnFailure({ answer }: AnsweredRequest): boolean {
  return codeOf(answer) === "internal-error";
}

function codeOf({ headers, body, status }: AnsweredRequest["answer"]): unknown {
  if (status < 400 || mediaTypeEssence(headers.get("content-type") ?? "") !== problemType || body.length === 0) return;
  try {
    return JSON.parse(new TextDecoder().decode(body))?.code;
  } catch {
    return undefined;
  }
}

/** Tests whether the response tells the client to use its cached content, as the request asked. */
function isNotModified({ answer: { status }, request: { headers } }: AnsweredRequest): boolean {
  return status === 304 && ("if-none-match" in headers || "if-modified-since" in headers);
}

function failure(exchange: AnsweredRequest): Breach {
  return answered(exchange, "no-failure", "the server failed");
}

function answered({ answer: { status } }: AnsweredRequest, rule: Rule, state: string): Breach {
  return { rule, state: `was answered ${status}; ${state}` };
}

function listStatuses({ plan }: AnsweredRequest): string {
  return Object.keys(plan ? handlerResponses(plan.node) : {}).join(", ");
}
