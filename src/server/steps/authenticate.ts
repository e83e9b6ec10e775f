/** The security of a route: authenticates its callers, and refuses those that may not call it. */
import { type Awaitable, whenReady } from "../../awaitable.ts";
import type { Responses } from "../../contract/response.ts";
import {
  alternativesOf,
  type AnySchemeOptions,
  isForgeable,
  isOptional,
  kindRules,
  type Requirement,
  requirementsOf,
  type SchemeKind,
  type Security,
  type SecurityScheme,
} from "../../contract/security_scheme.ts";
import { isMarked, markAs } from "../../mark.ts";
import { describeConfidential } from "../../messages.ts";
import { isResponse } from "../../native_response.ts";
import { aFunction, checkRule, type ValueRule } from "../../options.ts";
import {
  apiKeyChallenge,
  basicChallenge,
  bearerChallenge,
  cookieChallenge,
  type FormatChallenge,
  scopeChallenge,
  signatureChallenge,
} from "../../wire/credentials.ts";
import { addVary } from "../../wire/headers.ts";
import { createProblem, type RequestProblemCode } from "../../wire/problem.ts";
import type { AllowsOrigin } from "../answer/cors.ts";
import type { RequestHeaders } from "../define/call.ts";
import type { Endpoint } from "../define/implementation.ts";
import { describeResult, isResult, type Outcome, type Stop } from "../define/result.ts";
import {
  type AnyCaller,
  type AnyVerify,
  listMisuses,
  type ReturnedCaller,
  type ScopesFit,
  type Verifier,
  type VerifierInput,
} from "../define/verifier.ts";
import { editAnswer, type Finish, Refusal } from "../http/answer.ts";
import { type Exchange, planSteps, RequestArgument, runSteps, type Step, toEnd, type Walk } from "../http/exchange.ts";
import { planContent } from "./decode.ts";
import { recoverEarly, toCreateEarlyResult } from "./callbacks.ts";

/**
 * Pairs a security scheme of a contract with the function that verifies its credentials, for the option `security` of
 * `defineServer`.
 *
 * @example A token that is looked up
 * ```ts
 * import { defineContract, response, route, security } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer, verify } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const token = security.bearer("token");
 * const contract = defineContract({
 *   security: [token],
 *   routes: { me: route.get("/me", { responses: { 200: response.text() } }) },
 * });
 *
 * const members = new Map([["secret", { name: "Ada" }]]);
 * const server = defineServer(contract, { security: [verify(token, ({ token }) => members.get(token))] });
 * const handler = createFetchHandler(server.implement({ me: ({ caller, response }) => response(200, caller.name) }));
 *
 * const asAda = new Request("http://localhost/me", { headers: { authorization: "Bearer secret" } });
 * assertEquals(await (await handler(asAda)).text(), "Ada");
 * assertEquals((await handler(new Request("http://localhost/me"))).status, 401);
 * ```
 *
 * @param scheme The scheme, as the contract declares it.
 * @param verify Returns the caller, synchronously or not: an object, with `scopes` if the scheme has scopes. A scope that
 * it writes out must be one of the scheme's; those of type `string` can be any. `null` and
 * `undefined` refuse the credential with 401. It can throw a result of a response that the contract declares for all
 * routes. The server answers 500 to anything else that it throws or returns, such as `false`, an array, a `Response` or
 * a result. Its second argument is the return value of the adapter's `contextInput`: annotate the properties that it
 * needs. Inside `defineServer`, the contract types its `response`.
 * @throws {TypeError} If `scheme` is not a security scheme, or `verify` is not a function.
 */
export function verify<
  Name extends string,
  Credential extends object,
  Scope extends string,
  Returned extends AnyCaller<Scope> | null | undefined,
  Needs extends object = Record<never, never>,
  Declared extends Responses = Responses,
>(
  scheme: SecurityScheme<Name, Credential, Scope>,
  verify:
    & ((input: Credential & VerifierInput<Declared>, runtime: Needs) => Awaitable<Returned>)
    & ScopesFit<Returned, Scope>,
): Verifier<Name, ReturnedCaller<Returned, Scope>, Needs, Declared> {
  checkRule(scheme, "the first argument", aScheme, "verify()");
  checkRule(verify, "the second argument", aFunction, "verify()", describeConfidential);
  const { name } = scheme;
  const plan: Verifier["plan"] = planSecurity;
  return markAs("verifier", { name, scheme, verify: verify as unknown as AnyVerify, plan, listMisuses }); // its step passes the input that the types declare
}

const aScheme: ValueRule = [
  "a security scheme, such as security.bearer(…)",
  (value) => isMarked(value, "security scheme"),
];

/** How a route is secured. */
export interface PlannedSecurity {
  /** The step that authenticates callers. */
  readonly step: Step;
  /** Adds the fields that every answer of the route has, and finishes it. */
  readonly finish: Finish;
}

/** Plans the security of a route, whose answers `finish` turns into what the adapter needs. */
export function planSecurity(endpoint: Endpoint, allowsOrigin: AllowsOrigin, finish: Finish): PlannedSecurity {
  const { node: { security = [] } } = endpoint;
  return { step: planAuthenticate(endpoint, allowsOrigin), finish: planSecurityFields(security, finish) };
}

/** A scheme that a route accepts, with the steps that verify its credential. */
interface CheckedScheme extends Requirement {
  /** Reads the credential of a request. `undefined` if it has none. */
  readonly read: (headers: RequestHeaders) => Shown | undefined;
  /** Its steps: reads the content whose signature it verifies, if it does, then calls the verifier. */
  readonly walk: Walk<Stop | void>;
}

/** The schemes of an entry of the list, which a route requires together. */
interface AcceptedEntry {
  readonly schemes: readonly CheckedScheme[];
  /**
   * Whether the server checks the origin of a request: browsers attach all credentials, and the request may change
   * something.
   */
  readonly isForgeable: boolean;
}

/**
 * Plans the step that authenticates the callers of a route. The first entry of the list whose credentials the request
 * has decides alone. An entry of custom schemes runs its verifiers if the request has the credentials of no other.
 */
function planAuthenticate(endpoint: Endpoint, allowsOrigin: AllowsOrigin): Step {
  const { node: { security = [] } } = endpoint;
  const entries = planEntries(endpoint);
  const missing = isOptional(security)
    ? undefined
    : refuseWith("unauthorized", requirementsOf(security).map((each) => challengeOf(each)));
  return {
    phase: "security",
    take(exchange): Outcome<void> {
      for (const entry of entries) {
        const { schemes } = entry;
        const shown: Shown[] = [];
        for (const { read } of schemes) {
          const credential = read(exchange.headers);
          if (credential === undefined) break;
          shown.push(credential);
        }
        if (shown.length < schemes.length) continue;
        if (entry.isForgeable && isForeign(exchange, allowsOrigin)) return crossSite;
        exchange.shown = shown;
        return schemes.length === 1 ? runSteps(schemes[0]!.walk, exchange) : verifyAll(schemes, exchange);
      }
      if (missing) return missing;
      exchange.isPrivate = false; // it is anonymous
    },
  };
}

/** Verifies the credentials of an entry, one after the other. */
function verifyAll(schemes: readonly CheckedScheme[], exchange: Exchange): Outcome<void> {
  const callers: [name: string, caller: object][] = [];
  const verifyFrom = (index: number): Outcome<void> =>
    whenReady(runSteps(schemes[index]!.walk, exchange), (refusal): Outcome<void> => {
      if (refusal || !exchange.caller) return refusal;
      callers.push([schemes[index]!.scheme.name, exchange.caller]);
      if (callers.length < schemes.length) return verifyFrom(index + 1);
      exchange.caller = Object.fromEntries(callers);
    });
  return verifyFrom(0);
}

/** A credential of a request, as its verifier receives it. */
type Shown = object | "malformed";

const noCredential: object = /* @__PURE__ */ Object.freeze({});

/** Returns the entries of a route's list. Every request has the credentials of custom schemes, so these come last. */
function planEntries(endpoint: Endpoint): AcceptedEntry[] {
  const { node, route, shared, verifiers } = endpoint;
  const { security = [] } = node;
  const requirements = requirementsOf(security);
  const response = toCreateEarlyResult(route, shared);
  const planScheme = (requirement: Requirement, index: number): CheckedScheme => {
    const { scheme } = requirement;
    const isLenient = isOptional(security) && kindRules[scheme.kind].isLenient;
    const { maxBytes, headers: fields } = scheme.options;
    const { verify } = verifiers.find((each) => each.scheme === scheme)!; // `defineServer` requires one for each
    const step: Step = {
      phase: "security",
      take(exchange): unknown {
        const shown = exchange.shown[index];
        if (shown === "malformed") return undefined; // as the verifier of an invalid one
        const { params, content, added } = exchange;
        const seen = maxBytes === undefined ? undefined : { content };
        return verify(Object.assign(new RequestArgument(exchange, route), { params, response }, shown, seen), added);
      },
      accept: planAccept(requirement, isLenient ? undefined : refuseInvalid(requirement, requirements)),
      recover: (thrown) => recoverEarly("security", thrown),
      needsClient: true,
    };
    const steps = [maxBytes === undefined ? undefined : planContent(endpoint, maxBytes), step];
    const read = scheme.credential?.read ??
      ((headers) => fields?.every((name) => headers.get(name)) === false ? undefined : noCredential);
    return { ...requirement, read, walk: { steps: planSteps(steps), conclude: toEnd } };
  };
  const isCustom = (needed: readonly Requirement[]) => needed.every(({ scheme }) => !kindRules[scheme.kind].isTold);
  const isSigned = ({ scheme }: Requirement) => scheme.options.maxBytes !== undefined;
  return alternativesOf(security).toSorted((one, other) => Number(isCustom(one)) - Number(isCustom(other)))
    .map((needed) => ({
      schemes: needed.toSorted((one, other) => Number(isSigned(one)) - Number(isSigned(other))).map(planScheme),
      isForgeable: isForgeable(needed, node),
    }));
}

/** The 403 for a request from another site with a credential that browsers attach automatically. */
export const crossSite: Refusal = /* @__PURE__ */ refuseWith("cross-site", []);

/**
 * Returns whether the return value of a verifier can be a caller. Other objects were returned by mistake, and do not
 * authenticate anyone.
 */
function isCaller(value: unknown): value is { readonly scopes?: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const isPlain = Object.getPrototypeOf(value) === Object.prototype; // most are
  return (isPlain ||
    !(Array.isArray(value) || isResponse(value) || neverCallers.some((type) => value instanceof type))) &&
    (!("status" in value) || !isBuiltResult(value));
}

/** The types of answers of functions and databases, which are objects even if they mean "no". */
const neverCallers = [Error, Map, Set, Boolean, Number, String] as const;

/**
 * Returns whether a value is a result, with nothing but its members. A caller may have a `status` too, among other
 * properties, or alone if it is not an HTTP status.
 */
function isBuiltResult(value: unknown): boolean {
  if (!isResult(value)) return false;
  const keys = Object.keys(value);
  return (keys.length > 1 || value.status >= 100 && value.status <= 599) &&
    keys.every((key) => key === "status" || key === "body" || key === "headers");
}

/**
 * Plans how to accept or refuse what a verifier returned. It throws if that is neither a caller nor `null` or
 * `undefined`.
 */
function planAccept(
  requirement: Requirement,
  invalid: Refusal | undefined,
): (caller: unknown, exchange: Exchange) => Stop | void {
  const { scheme, scopes } = requirement;
  const insufficient = refuseScopes(requirement);
  const where = `verify(): the verifier of "${scheme.name}" must return`;
  return (returned, exchange) => {
    const caller = returned ?? undefined;
    if (caller !== undefined) {
      if (!isCaller(caller)) {
        const found = isBuiltResult(caller) ? "a result; throw it" : describeResult(caller);
        throw new TypeError(`${where} a caller, or undefined for an invalid credential, got ${found}`);
      }
      const granted: unknown = scheme.scopes.length > 0 ? caller.scopes : scopes; // without scopes, it requires none
      if (!Array.isArray(granted)) {
        const found = granted === undefined ? 'a caller in which "scopes" is missing' : describeResult(granted);
        throw new TypeError(`${where} a caller with an array of "scopes", got ${found}`);
      }
      if (!scopes.every((scope) => granted.includes(scope))) return insufficient;
    } else if (invalid) return invalid;
    exchange.caller = caller;
    exchange.isPrivate = caller !== undefined;
  };
}

/**
 * Returns whether a page of another origin may have made a request. Browsers tell it in `sec-fetch-site`, or else in
 * `origin`, which must then have the host and port of the request. The scheme may differ, because a proxy may
 * terminate TLS.
 */
export function isForeign(
  exchange: Pick<Exchange, "headers" | "host">,
  allowsOrigin: AllowsOrigin,
): boolean {
  const { headers } = exchange;
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return false;
  const origin = headers.get("origin");
  if (origin !== null && origin !== "null" && allowsOrigin(origin, ignore)) return false;
  if (site !== null) return true;
  return origin !== null && !isHostOf(origin, exchange.host);
}

/** An error of the application's `origins` function is reported later, when the response's headers are added. */
function ignore(): void {}

function isHostOf(origin: string, host: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * Returns the 401 for an invalid credential. The challenge of its scheme says so, and comes before those of the other
 * schemes.
 */
function refuseInvalid(refused: Requirement, requirements: readonly Requirement[]): Refusal {
  const others = requirements.filter(({ scheme }) => scheme !== refused.scheme);
  const challenges = [challengeOf(refused, "invalid_token"), ...others.map((each) => challengeOf(each))];
  return refuseWith(kindRules[refused.scheme.kind].isTold ? "invalid-credential" : "unauthorized", challenges);
}

/** Returns the 403 for a caller without the required scopes. */
function refuseScopes({ scheme: { kind, options }, scopes }: Requirement): Refusal {
  const { metadata, scheme = "Bearer" } = options;
  return refuseWith(
    "forbidden",
    kindRules[kind].hasScopeChallenge ? [scopeChallenge(scheme, { scopes, metadata })] : [],
  );
}

function refuseWith(code: RequestProblemCode, challenges: readonly string[]): Refusal {
  return new Refusal(createProblem(code), {
    ...(challenges.length > 0 && { "www-authenticate": [...new Set(challenges)].join(", ") }),
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
  signature: {
    toFormat: ({ challenge, headers }) => challenge === undefined ? signatureChallenge(headers!) : () => challenge,
  },
  custom: { toFormat: ({ challenge }) => () => challenge! },
};

/**
 * Plans the headers of a secured route's responses (RFC 9111). Caches must not store a response for one caller unless
 * its result sets `cache-control`. Other responses list in `vary` the headers that they depend on.
 */
function planSecurityFields(security: Security, finish: Finish): Finish {
  const fields = [
    ...new Set(requirementsOf(security).flatMap(({ scheme: { credential } }) => credential?.field ?? [])),
  ];
  return (sent, exchange) => {
    const { isPrivate } = exchange;
    if (isPrivate && "head" in sent && !sent.fields.includes("cache-control")) { // as below, for most
      return finish(
        { head: sent.head, body: sent.body, fields: [...sent.fields, "cache-control", "no-store"] },
        exchange,
      );
    }
    const edited = editAnswer(sent, (headers) => {
      const stated = headers.get("cache-control");
      if (stated === null && isPrivate) headers.set("cache-control", "no-store");
      else if (stated === null || !noStore.test(stated)) addVary(headers, fields);
    });
    return finish(edited, exchange);
  };
}

/** Matches a `cache-control` that contains `no-store`. */
const noStore = /(?:^|,)[\t ]*no-store[\t ]*(?:,|$)/i;
