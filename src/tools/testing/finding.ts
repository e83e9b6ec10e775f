/** The findings of tests, and their messages. */
import { toOneLine } from "../../messages.ts";
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
  | "foreign-page"
  | "owner-only"
  | "same-answers"
  | "document-lies"
  | "representation-round-trips"
  | "nothing-reached"
  | "patch-defaults";

/** All rules, and who promises that a server follows them: the contract or document, or this package alone. */
export const rules: Readonly<Record<Rule, "contract" | "package">> = {
  "declared-status": "contract",
  "declared-content-type": "contract",
  "body-matches": "contract",
  "headers-match": "contract",
  "undeclared-members": "contract",
  "no-failure": "contract",
  "valid-refused": "contract",
  "invalid-accepted": "contract",
  "not-found": "package",
  "method-not-allowed": "package",
  "head-as-get": "package",
  "no-leak": "package",
  "created-is-there": "package",
  "deleted-is-gone": "package",
  "put-twice": "package",
  "needs-credentials": "contract",
  "foreign-page": "contract",
  "owner-only": "contract",
  "same-answers": "contract",
  "document-lies": "contract",
  "representation-round-trips": "contract",
  "nothing-reached": "contract",
  "patch-defaults": "contract",
};

export interface Breach {
  readonly rule: Rule;
  /** What happened, as the predicate of a sentence about the request: `was answered 200; the contract refuses it`. */
  readonly state: string;
  readonly request?: WireRequest;
  readonly status?: number;
  /** What reveals more, as contract tests word it, and which of their options it takes. */
  readonly remedy?: { readonly option: "credentials" | "values"; readonly text: string };
  /** Whether no document promises otherwise: only this package does. */
  readonly isHint?: boolean;
}

export interface Finding extends Breach {
  /** The key of the route, or `*` for a finding that belongs to no route. */
  readonly route: string;
  /** The requests in order. The last one broke the rule. Empty for a finding without a server. */
  readonly requests: readonly WireRequest[];
  readonly before: readonly WireRequest[];
}

export function toFinding(
  breach: Breach,
  route: string,
  requests: readonly WireRequest[] = [],
  before: readonly WireRequest[] = requests,
): Finding {
  return { ...breach, route, requests, before };
}

/** The error of a contract test, with its findings. */
export class ContractTestError extends Error {
  /** Always `ContractTestError`. */
  override readonly name = "ContractTestError";
  /** The findings, one per broken rule. */
  readonly findings: readonly { readonly rule: Rule; readonly route: string; readonly message: string }[];

  /** Created by the tests of {@linkcode contractTests}. */
  constructor(findings: readonly Finding[], place: FindingPlace) {
    const reports = findings.map((finding) => ({
      rule: finding.rule,
      route: finding.route,
      message: formatFinding(finding, place),
    }));
    super(reports.map(({ message }) => message).join("\n\n"));
    this.findings = reports;
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
  /** Formats the texts of messages. */
  readonly show: Show;
}

/** Formats a text for a message. `most` is the most characters, 300 by default. */
export type Show = (text: string, most?: number) => string;

/**
 * Returns the function through which every text of a message passes. It masks secrets before it escapes and cuts the
 * text, because a part of a secret would not be recognized. Secrets with fewer than `least` characters are not masked,
 * because they may occur in any text.
 */
export function createShow(secrets: readonly string[], least = 8): Show {
  return (text, most = 300) => {
    const forms = formsOf(secrets, least); // read each time, because credentials are renewed
    const longest = Math.max(0, ...forms.map(({ length }) => length));
    const near = text.slice(0, most + 2 * longest);
    const masked = forms.reduce((masked, form) => masked.replaceAll(form, "***"), near);
    const isCut = near.length < text.length;
    const line = toOneLine(isCut && longest > 0 ? masked.slice(0, -longest) : masked); // a secret may be cut at the end
    return isCut || line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
  };
}

function formsOf(secrets: readonly string[], least: number): string[] {
  const long = secrets.filter(({ length }) => length >= least);
  const forms = long.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([["", secret]]).toString().slice(1),
    secret.replaceAll("'", `'\\''`),
  ]);
  return [...new Set(forms)];
}

const [maxState, maxCommand] = [1_000, 4_000];

function formatFinding(finding: Finding, { baseUrl, seed, show }: FindingPlace): string {
  const { rule, route, state, requests, before, remedy } = finding;
  const format = (request: WireRequest): string => formatRequest(request, show);
  const last = requests.at(-1);
  const earlier = requests.slice(0, -1).map(format);
  const after = earlier.length > 0 ? ` (after ${earlier.join(", ")})` : "";
  const shown = show(remedy ? `${state}; ${remedy.text}` : state, maxState); // it may quote the server
  const sentence = last ? `${format(last)} ${shown}` : shown;
  const first = before.map(format).join(", ");
  const isSmaller = first !== requests.map(format).join(", ");
  return [
    `${route}: ${rule}: ${sentence}${after}`,
    ...requests.map((request) => `  ${show(formatCurl(request, baseUrl), maxCommand)}`),
    `  seed ${seed.toString(16)}${isSmaller ? `; before shrinking: ${first}` : ""}`,
  ].join("\n");
}
