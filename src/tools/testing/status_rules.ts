/** Rules for statuses: whether a server accepts or refuses a request, and with which status. */
import { requirementsOf } from "../../contract/security_scheme.ts";
import { handlerResponses } from "../../contract/node.ts";
import { isProblem } from "../../wire/media_type.ts";
import type { Breach, Finding, Rule } from "./finding.ts";
import { mayRefer } from "./foreign.ts";
import { isLate } from "./route_plan.ts";
import { isDeclared, type Observation, sourceOf, type TestRun } from "./test_run.ts";
import { parseBody, pathOf } from "./wire_request.ts";

export function findStatusBreach(observed: Observation, run: TestRun): Breach | undefined {
  return observed.verdict.route ? findAcceptedBreach(observed, run) : findRejectedBreach(observed, run);
}

function findAcceptedBreach(observed: Observation, run: TestRun): Breach | undefined {
  const { answer, request, plan } = observed;
  const { status } = answer;
  if (status === 426 && plan?.socket) return undefined; // it is a handshake's route, and this request is none
  const declared = isDeclared(observed, status);
  const code = codeOf(answer);
  if (status >= 500 && (!declared || code === "internal-error")) return answered(observed, ...failed);
  const refused = ["valid-refused", `${sourceOf(run)} allows it`] as const;
  if (refusalCodes.has(code) || isStrict(observed, run)) return answered(observed, ...refused);
  if (run.isForeign && (tooLong.includes(status) || isUnauthorized(observed))) return undefined;
  if (plan && run.documented?.hasStatus(plan.node.key, status)) return undefined;
  if (declared || isNotModified(observed) || (status === 413 && isLarge(observed))) return undefined;
  const statuses = listStatuses(Object.keys(plan ? handlerResponses(plan.node) : {}));
  if (status >= 400) {
    const [rule, said] = refused;
    return answered(observed, rule, run.isForeign ? `${said}, and declares ${statuses}` : said);
  }
  return answered(observed, "declared-status", `${request.method} declares ${statuses}`);
}

/** The most statuses that a message names: a range declares a hundred. */
const mostStatuses = 12;

function listStatuses(statuses: readonly string[]): string {
  const more = statuses.length - mostStatuses;
  return `${statuses.slice(0, mostStatuses).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const failed = ["no-failure", "the server failed"] as const;

/** The statuses for requests whose content, URL or header section is too large: the longest values of a schema are. */
const tooLong: readonly number[] = [413, 414, 431];

function isUnauthorized({ answer: { status }, plan }: Observation): boolean {
  return (status === 401 || status === 403) && requirementsOf(plan?.node.security ?? []).length > 0;
}

/**
 * Tests whether the server of a document refuses values that the document allows, with a declared status: it has
 * accepted other values, which are not just those of things that exist.
 */
function isStrict({ answer: { status }, plan, request }: Observation, run: TestRun): boolean {
  const accepted = run.accepted.get(plan?.node.key ?? "");
  if (!run.isForeign || (status !== 400 && status !== 422) || accepted === undefined) return false;
  return !mayRefer(request, accepted, listKnown(run));
}

/** Tests whether a finding only seemed one, as later responses of the server of a document show. */
export function isDisproved({ rule, status = 0, route, requests }: Finding, run: TestRun): boolean {
  const plan = run.plans.get(route);
  const [refused, accepted] = [requests.at(-1), run.accepted.get(route)];
  if (!run.isForeign || rule !== "valid-refused" || !plan || !refused || !accepted) return false;
  return Object.hasOwn(handlerResponses(plan.node), status) && mayRefer(refused, accepted, listKnown(run));
}

function listKnown({ known, values }: TestRun): ReadonlySet<string> {
  const given = Object.values(values).flatMap((each) => [each.params, each.query, each.headers, each.members]);
  return new Set([...known.seen, ...given.flatMap((fields) => Object.values(fields ?? {})).flat().map(String)]);
}

function findRejectedBreach(observed: Observation, run: TestRun): Breach | undefined {
  const { verdict, answer: { status } } = observed;
  const expected = verdict.declared ?? verdict.status;
  if (verdict.status === 500) return { rule: "no-failure", state: `cannot be checked: ${verdict.reason}` };
  if (isUnread(observed)) return undefined;
  if (status === expected) return findAllowBreach(observed);
  if (run.isForeign && isOtherRefusal(observed, run)) {
    return answered(observed, "declared-status", `${sourceOf(run)} declares ${status === 400 ? 422 : 400}`);
  }
  if (run.isLenient && isLenientlyRefused(observed)) return undefined;
  if (run.isForeign && isElsewhere(observed, run)) return undefined;
  const declared = isDeclared(observed, status);
  if (status >= 500 && !declared) return answered(observed, ...failed);
  if (isRefusedBefore(observed, run)) return undefined;
  const isAccepted = status < 400 || declared;
  const rule = exactRules[verdict.status] ?? (isAccepted ? "invalid-accepted" : "declared-status");
  const demand = status >= 400 ? ` with ${expected}` : "";
  return answered(observed, rule, `${sourceOf(run)} refuses it${demand}: ${verdict.reason}`);
}

/** Tests whether invalid values are refused with 422 where a document declares 400 for them, or the reverse. */
function isOtherRefusal({ verdict, answer: { status }, plan }: Observation, { documented }: TestRun): boolean {
  if (verdict.status !== 400 || (status !== 400 && status !== 422) || !plan || !documented) return false;
  const { key } = plan.node;
  return !documented.hasStatus(key, status) && documented.hasStatus(key, status === 400 ? 422 : 400);
}

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

/** Tests whether the server of a document redirects, for example to sign in, or ignores the case of a path. */
function isElsewhere({ verdict, answer: { status }, request }: Observation, { contract }: TestRun): boolean {
  if (status >= 300 && status < 400) return true;
  const own = pathOf(request.path).slice(contract.basePath.length);
  return verdict.status === 404 && own === own.toUpperCase();
}

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

function isLarge({ request: { body } }: Observation): boolean {
  return body !== undefined && body.length > 8_192;
}

/** Tests whether a handler may have left a streamed body unread, or gone on after an invalid item. */
function isUnread(observed: Observation): boolean {
  const { verdict, plan, answer: { status } } = observed;
  return plan !== undefined && isLate(plan.node, verdict.status) && !refusalCodes.has(codeOf(observed.answer)) &&
    status < 500;
}

/** The codes of problems that this package's adapter sends without a handler, because the request is invalid. */
const refusalCodes: ReadonlySet<unknown> = new Set(
  ["invalid-path", "invalid-body", "invalid-request", "method-not-allowed", "unsupported-media-type"],
);

function codeOf(answer: Observation["answer"]): unknown {
  if (answer.status < 400 || !isProblem(answer)) return undefined;
  const { code }: { readonly code?: unknown } = Object(parseBody(answer.body));
  return code;
}

function isNotModified({ answer: { status }, request: { headers } }: Observation): boolean {
  return status === 304 && ("if-none-match" in headers || "if-modified-since" in headers);
}

function answered({ answer: { status } }: Observation, rule: Rule, state: string): Breach {
  return { rule, state: `was answered ${status}; ${state}`, status };
}
