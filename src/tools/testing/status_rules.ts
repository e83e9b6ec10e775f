/** Rules for statuses: whether a server accepts or refuses a request, and with which status. */
import { handlerResponses } from "../../contract/node.ts";
import { isProblem } from "../../wire/media_type.ts";
import type { Breach, Rule } from "./finding.ts";
import { isLate } from "./route_plan.ts";
import { isDeclared, type Observation, type TestRun } from "./test_run.ts";
import { pathOf } from "./wire_request.ts";

/** Returns the status rule that a response breaks. */
export function findStatusBreach(observed: Observation, run: TestRun): Breach | undefined {
  return observed.verdict.route ? findAcceptedBreach(observed) : findRejectedBreach(observed, run);
}

/** Checks the response to a request that a handler must receive. */
function findAcceptedBreach(observed: Observation): Breach | undefined {
  const { answer, request, plan } = observed;
  const { status } = answer;
  if (status === 426 && plan?.socket) return undefined; // it is a handshake's route, and this request is none
  const declared = isDeclared(observed, status);
  const code = codeOf(answer);
  if (status >= 500 && (!declared || code === "internal-error")) return answered(observed, ...failed);
  if (refusalCodes.has(code)) return answered(observed, ...refused);
  if (declared || isNotModified(observed) || (status === 413 && isLarge(observed))) return undefined;
  if (status >= 400) return answered(observed, ...refused);
  const statuses = Object.keys(plan ? handlerResponses(plan.node) : {}).join(", ");
  return answered(observed, "declared-status", `${request.method} declares ${statuses}`);
}

const failed = ["no-failure", "the server failed"] as const;
const refused = ["valid-refused", "the contract allows it"] as const;

/** Checks the response to a request that no handler may receive. */
function findRejectedBreach(observed: Observation, run: TestRun): Breach | undefined {
  const { verdict, answer: { status } } = observed;
  const expected = verdict.declared ?? verdict.status;
  if (verdict.status === 500) return { rule: "no-failure", state: `cannot be checked: ${verdict.reason}` };
  if (isUnread(observed)) return undefined;
  if (status === expected) return findAllowBreach(observed);
  if (run.isLenient && isLenientlyRefused(observed)) return undefined;
  const declared = isDeclared(observed, status);
  if (status >= 500 && !declared) return answered(observed, ...failed);
  if (isRefusedBefore(observed, run)) return undefined;
  const isAccepted = status < 400 || declared;
  const rule = exactRules[verdict.status] ?? (isAccepted ? "invalid-accepted" : "declared-status");
  const demand = status >= 400 ? ` with ${expected}` : "";
  return answered(observed, rule, `the contract refuses it${demand}: ${verdict.reason}`);
}

/** The rules that require the exact status of the rejection. */
const exactRules: Readonly<Record<number, Rule>> = {
  401: "needs-credentials",
  404: "not-found",
  405: "method-not-allowed",
};

function findAllowBreach(observed: Observation): Breach | undefined {
  const { verdict: { status, allow }, answer: { headers } } = observed;
  if (status !== 405) return undefined;
  const stated = (headers.get("allow") ?? "").split(",").map((method) => method.trim());
  const missing = allow.filter((method) => !stated.includes(method));
  if (missing.length === 0) return undefined;
  return answered(observed, "method-not-allowed", `its field allow does not list ${missing.join(", ")}`);
}

/**
 * Tests whether another implementation may respond in this way. It may refuse with any 4xx. It may accept a path with
 * extra slashes or without its trailing one, or redirect to the canonical one, respond to OPTIONS itself, or not
 * implement a method.
 */
function isLenientlyRefused(observed: Observation): boolean {
  const { verdict, answer: { status }, request } = observed;
  if (status >= 400 && status < 500) return true;
  if (verdict.status === 404) {
    return (status >= 300 && status < 400) || /\/$|\/\//.test(pathOf(request.path)) || lacksTrailingSlash(observed);
  }
  return verdict.status === 405 && (status === 501 || (status < 300 && request.method === "OPTIONS"));
}

/** Tests whether a request has the path of its route without the slash at the end. */
function lacksTrailingSlash({ request, plan }: Observation): boolean {
  const { path = "" } = plan?.node ?? {};
  return path.endsWith("/") && pathOf(request.path).split("/").length === path.split("/").length - 1;
}

/**
 * Tests whether security, a guard or a shared response may have refused the request before validation. They refuse only
 * requests that match a route, and a request without a credential only as such.
 */
function isRefusedBefore(observed: Observation, { contract }: TestRun): boolean {
  const { answer: { status }, verdict, plan } = observed;
  if (status < 400 || status >= 500 || verdict.status === 404 || verdict.status === 405) return false;
  const isGuarded = [401, 403, 429].includes(status) && plan !== undefined &&
    Object.hasOwn(plan.node.responses, status);
  if (verdict.status === 401) return isGuarded;
  return isGuarded || (Object.hasOwn(contract.responses, status) && !refusalCodes.has(codeOf(observed.answer))) ||
    (status === 413 && isLarge(observed));
}

/** Tests whether a body may exceed a limit that the contract does not declare. */
function isLarge({ request: { body } }: Observation): boolean {
  return body !== undefined && body.length > 8_192;
}

/**
 * Tests whether a handler may have left a streamed body unread, whose length and items are then not checked, or gone on
 * after an invalid item.
 */
function isUnread(observed: Observation): boolean {
  const { verdict, plan, answer: { status } } = observed;
  return plan !== undefined && isLate(plan.node, verdict.status) && !refusalCodes.has(codeOf(observed.answer)) &&
    status < 500;
}

/** The codes of problems that this package's adapter sends without a handler, because the request is invalid. */
const refusalCodes: ReadonlySet<unknown> = new Set([
  "invalid-path",
  "invalid-body",
  "invalid-request",
  "method-not-allowed",
  "unsupported-media-type",
]);

/** Returns the code of a problem document; `undefined` for any other response. */
function codeOf(answer: Observation["answer"]): unknown {
  if (answer.status < 400 || !isProblem(answer) || answer.body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(answer.body))?.code;
  } catch {
    return undefined;
  }
}

/** Tests whether the response tells the client to use its cached content, as the request asked. */
function isNotModified({ answer: { status }, request: { headers } }: Observation): boolean {
  return status === 304 && ("if-none-match" in headers || "if-modified-since" in headers);
}

function answered({ answer: { status } }: Observation, rule: Rule, state: string): Breach {
  return { rule, state: `was answered ${status}; ${state}` };
}
