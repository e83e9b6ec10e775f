/** What tests find, and how it is told. */
import { formatCurl, formatRequest, type WireRequest } from "./wire_request.ts";

/** The rules that a server is held to. docs/contract-tests.md says what each demands. */
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

/** A rule that was broken, and how. */
export interface Breach {
  /** The rule. */
  readonly rule: Rule;
  /** What happened, after the request in a sentence: `was answered 200; the contract refuses it`. */
  readonly state: string;
  /** The request that broke it, where it is not the one that was drawn. */
  readonly request?: WireRequest;
}

/** Something that a test found. */
export interface Finding extends Breach {
  /** The key of the route, or `*` for requests that are no route's. */
  readonly route: string;
  /** The requests, in their order; the last one broke the rule. None for what was found without a server. */
  readonly requests: readonly WireRequest[];
  /** The requests before they were made as small as they are. */
  readonly before: readonly WireRequest[];
}

/** What a contract test throws: what it found. */
export class ContractTestError extends Error {
  /** The class, by its name. */
  override readonly name = "ContractTestError";
  /** What was found, one for each rule that was broken. */
  readonly findings: readonly { readonly rule: Rule; readonly route: string; readonly message: string }[];

  /** Made by the tests of {@linkcode contractTests}. */
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
 * What findings are told with beside themselves.
 *
 * @internal
 */
export interface FindingPlace {
  /** Where the server is. */
  readonly baseUrl: string;
  /** What random requests are made of. */
  readonly seed: number;
  /** Texts that are never shown. */
  readonly secrets: readonly string[];
}

/** A message without secrets, which an answer may have had in it. One of a few letters would be found in any text. */
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
  const said = last ? `${formatRequest(last)} ${state}` : state;
  const first = before.map(formatRequest).join(", ");
  const isSmaller = first !== requests.map(formatRequest).join(", ");
  return [
    `${route}: ${rule}: ${said}${after}`,
    ...requests.map((request) => `  ${formatCurl(request, baseUrl)}`),
    `  seed ${seed.toString(16)}${isSmaller ? `; before shrinking: ${first}` : ""}`,
  ].join("\n");
}
