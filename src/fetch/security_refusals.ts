/** The responses to requests that security rejects: 401 with challenges (RFC 9110, section 11.6.1), and 403. */
import { type AnySchemeOptions, type SchemeKind } from "../contract/security_scheme.ts";
import { type Requirement } from "../contract/security_list.ts";
import { kindRules } from "../contract/security_rules.ts";
import {
  apiKeyChallenge,
  basicChallenge,
  bearerChallenge,
  cookieChallenge,
  type FormatChallenge,
  scopeChallenge,
} from "../wire/challenges.ts";
import { createProblem, type ProblemCode } from "../wire/problem.ts";
import { Refusal } from "./refusal.ts";

/** The 401 for a request without a credential of any of these schemes. */
export function refuseMissing(requirements: readonly Requirement[]): Refusal {
  return refuseWith("unauthorized", requirements.map((requirement) => challengeOf(requirement)));
}

/**
 * The 401 for an invalid credential. The challenge of its scheme says so, and comes before those of the other schemes.
 */
export function refuseInvalid(refused: Requirement, requirements: readonly Requirement[]): Refusal {
  const others = requirements.filter((each) => each !== refused);
  const challenges = [challengeOf(refused, "invalid_token"), ...others.map((each) => challengeOf(each))];
  return refuseWith("unauthorized", challenges);
}

/** The 403 for a caller without the required scopes. */
export function refuseScopes({ scheme: { kind, options }, scopes }: Requirement): Refusal {
  const { metadata, scheme = "Bearer" } = options;
  return refuseWith(
    "forbidden",
    kindRules[kind].hasScopeChallenge ? [scopeChallenge(scheme, { scopes, metadata })] : [],
  );
}

/** The 403 for a request from another site with a credential that browsers attach automatically. */
export function refuseCrossSite(): Refusal {
  return refuseWith("cross-site", []);
}

function refuseWith(code: ProblemCode, challenges: readonly string[]): Refusal {
  return new Refusal(createProblem(code), {
    ...(challenges.length > 0 && { "www-authenticate": challenges.join(", ") }),
    "cache-control": "no-store",
  });
}

function challengeOf({ scheme, scopes }: Requirement, error?: "invalid_token"): string {
  const { kind, options } = scheme;
  const { toFormat, hasRealm } = challenges[kind];
  return toFormat(options)({
    realm: hasRealm ? scheme.realm : options.realm,
    scopes,
    metadata: options.metadata,
    error,
  });
}

/** The challenges of one kind of scheme. */
interface ChallengeKind {
  readonly toFormat: (options: AnySchemeOptions) => FormatChallenge;
  /** Whether a standard requires the realm. Otherwise the challenge contains only a declared one. */
  readonly hasRealm?: boolean;
}

const challenges: Readonly<Record<SchemeKind, ChallengeKind>> = {
  bearer: { toFormat: ({ scheme }) => bearerChallenge(scheme), hasRealm: true },
  basic: { toFormat: () => basicChallenge, hasRealm: true },
  apiKey: { toFormat: ({ header }) => apiKeyChallenge(header!) },
  cookie: { toFormat: ({ cookie }) => cookieChallenge(cookie!) },
  custom: { toFormat: ({ challenge }) => () => challenge! },
};
