/** The findings of tests, and their messages. */
import { toOneLine } from "../one_line.ts";
import { formatCurl, formatRequest, type WireRequest } from "./wire_request.ts";

/** The rules that a server must follow. docs/contract-tests.md explains each. */
export type Rule =
  | "declared-status"
  | "declared-content-type"
  | "body-matches"
  | "headers-match"
  | "undeclared-members"
  | "no-failure"
  | "valid-refused"
  | "invalid-accepted"
  | "not-found"
  | "method-not-allowed"
  | "head-as-get"
  | "no-leak"
  | "created-is-there"
  | "deleted-is-gone"
  | "put-twice"
  | "needs-credentials"
  | "same-answers"
  | "document-lies"
  | "representation-round-trips"
  | "nothing-reached";

/** A broken rule. */
export interface Breach {
  /** The rule. */
  readonly rule: Rule;
  /** What happened, as the predicate of a sentence about the request: `was answered 200; the contract refuses it`. */
  readonly state: string;
  /** The request that broke the rule, if it is not the generated one. */
  readonly request?: WireRequest;
}

/** A finding of a test. */
export interface Finding extends Breach {
  /** The key of the route, or `*` for a finding that belongs to no route. */
  readonly route: string;
  /** The requests in order. The last one broke the rule. Empty for a finding without a server. */
  readonly requests: readonly WireRequest[];
  /** The requests before shrinking. */
  readonly before: readonly WireRequest[];
}

/** The error of a contract test, with its findings. */
export class ContractTestError extends Error {
  /** Always `ContractTestError`. */
  override readonly name = "ContractTestError";
  /** The findings, one per broken rule. */
  readonly findings: readonly { readonly rule: Rule; readonly route: string; readonly message: string }[];

  /** Created by the tests of {@linkcode contractTests}. */
  constructor(findings: readonly Finding[], place: FindingPlace) {
    const told = findings.map((finding) => ({
      rule: finding.rule,
      route: finding.route,
      message: mask(formatFinding(finding, place), place.secrets),
    }));
    super(told.map(({ message }) => message).join("\n\n"));
    this.findings = told;
  }
}

/**
 * The context of a finding's message.
 *
 * @internal
 */
export interface FindingPlace {
  /** The URL of the server. */
  readonly baseUrl: string;
  /** The seed of the random requests. */
  readonly seed: number;
  /** Texts that messages must never contain. */
  readonly secrets: readonly string[];
}

/** Masks secrets, which a response may contain. Shorter secrets are not masked, because they may occur in any text. */
function mask(message: string, secrets: readonly string[]): string {
  return secrets.filter(({ length }) => length >= 8).reduce(
    (masked, secret) => masked.replaceAll(secret, "***"),
    message,
  );
}

function formatFinding({ rule, route, state, requests, before }: Finding, { baseUrl, seed }: FindingPlace): string {
  const last = requests.at(-1);
  const earlier = requests.slice(0, -1).map(formatRequest);
  const after = earlier.length > 0 ? ` (after ${earlier.join(", ")})` : "";
  const told = toOneLine(state); // it may quote the server
  const said = last ? `${formatRequest(last)} ${told}` : told;
  const first = before.map(formatRequest).join(", ");
  const isSmaller = first !== requests.map(formatRequest).join(", ");
  return [
    `${route}: ${rule}: ${said}${after}`,
    ...requests.map((request) => `  ${formatCurl(request, baseUrl)}`),
    `  seed ${seed.toString(16)}${isSmaller ? `; before shrinking: ${first}` : ""}`,
  ].join("\n");
}
