/** The answers to requests that security does not let pass: 401 with challenges (RFC 9110, section 11.6.1), and 403. */
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

/** Who did not authenticate: no credential of any of these schemes was shown. */
export function refuseMissing(requirements: readonly Requirement[]): Refusal {
  return refuseWith("unauthorized", requirements.map((requirement) => challengeOf(requirement)));
}

/** A credential that was not accepted. The challenge of its scheme says so, and stands before those of the other schemes. */
export function refuseInvalid(refused: Requirement, requirements: readonly Requirement[]): Refusal {
  const others = requirements.filter((each) => each !== refused);
  const challenges = [challengeOf(refused, "invalid_token"), ...others.map((each) => challengeOf(each))];
  return refuseWith("unauthorized", challenges);
}

/** A caller without the scopes that are required. */
export function refuseScopes({ scheme: { kind, options }, scopes }: Requirement): Refusal {
  const { metadata, scheme = "Bearer" } = options;
  return refuseWith(
    "forbidden",
    kindRules[kind].hasScopeChallenge ? [scopeChallenge(scheme, { scopes, metadata })] : [],
  );
}

/** A request that a foreign page made with a credential which browsers attach by themselves. */
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

/** What the challenges of a kind say. */
interface ChallengeKind {
  readonly toFormat: (options: AnySchemeOptions) => FormatChallenge;
  /** Whether a standard requires the realm; otherwise only one that was declared is named. */
  readonly hasRealm?: boolean;
}

const challenges: Readonly<Record<SchemeKind, ChallengeKind>> = {
  bearer: { toFormat: ({ scheme }) => bearerChallenge(scheme), hasRealm: true },
  basic: { toFormat: () => basicChallenge, hasRealm: true },
  apiKey: { toFormat: ({ header }) => apiKeyChallenge(header!) },
  cookie: { toFormat: ({ cookie }) => cookieChallenge(cookie!) },
  custom: { toFormat: ({ challenge }) => () => challenge! },
};
