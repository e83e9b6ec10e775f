/** Who calls: credentials are read from the head of a request, and verified by the application. */
import { attempt } from "../awaitable.ts";
import { isOptional, type Requirement, requirementsOf } from "../contract/security_list.ts";
import { isResponse } from "../native_response.ts";
import { isForgeable, kindRules } from "../contract/security_rules.ts";
import { type RouteInfo } from "../server/call.ts";
import { type Endpoint } from "../server/endpoint.ts";
import { describeValue, isResult, toCreateResult } from "../server/result.ts";
import { type AnyVerify } from "../server/security.ts";
import { type Outcome, type Stop } from "../server/stop.ts";
import { recoverAnswer } from "./answered.ts";
import { isForeign } from "./forgery.ts";
import { type AllowsOrigin } from "./origins.ts";
import { type Refusal, unlessGone } from "./refusal.ts";
import { RequestArgument } from "./request_argument.ts";
import { refuseCrossSite, refuseInvalid, refuseMissing, refuseScopes } from "./security_refusals.ts";

/** Finds the caller of a request; `runtime` is what `contextInput` returned. */
export type Authenticate = (request: Request, runtime: object) => Outcome<Authenticated>;

/** A request that security lets pass. */
export interface Authenticated {
  /** What the verifier returned; `undefined` for a request without a credential. */
  readonly caller: object | undefined;
}

/** A caller without a credential, on a route that lets such callers in. */
export const anonymous: Authenticated = Object.freeze({ caller: undefined });

/** A scheme that a route accepts, and how its credentials are verified. */
interface AcceptedScheme extends Requirement {
  readonly verify: AnyVerify;
  /** Whether the origin of a request matters: browsers attach the credential, and the request may change something. */
  readonly isForgeable: boolean;
  /** The answer to a credential that is not accepted; for some kinds, on routes that need none, the request counts as anonymous. */
  readonly invalid: Refusal | Authenticated;
  readonly insufficient: Refusal;
}

/**
 * Plans how the callers of a route are authenticated. The first scheme of the list whose credential the request shows decides alone; a
 * custom scheme, which no request shows, is asked when no other is shown.
 */
export function planAuthenticate(endpoint: Endpoint, allowsOrigin: AllowsOrigin): Authenticate {
  const { route, shared, node: { security = [] } } = endpoint;
  const accepted = planAccepted(endpoint);
  const custom = accepted.find(({ scheme }) => !scheme.credential);
  const unshown = isOptional(security) ? anonymous : refuseMissing(requirementsOf(security));
  const verify = planVerify(route, toCreateResult(route, shared), allowsOrigin);
  return (request, runtime) => {
    for (const each of accepted) {
      const shown = each.scheme.credential?.read(request.headers);
      if (shown !== undefined) return verify(each, shown, request, runtime);
    }
    return custom ? verify(custom, noCredential, request, runtime) : unshown;
  };
}

const noCredential: object = Object.freeze({});

function planAccepted({ node, verifiers }: Endpoint): AcceptedScheme[] {
  const { security = [] } = node;
  const requirements = requirementsOf(security);
  return requirements.map((requirement) => {
    const { scheme } = requirement;
    const isLenient = isOptional(security) && kindRules[scheme.kind].isLenient;
    return {
      ...requirement,
      verify: verifiers.find((each) => each.scheme === scheme)!.verify, // `defineServer` requires one for each
      isForgeable: isForgeable(scheme, node),
      invalid: isLenient ? anonymous : refuseInvalid(requirement, requirements),
      insufficient: refuseScopes(requirement),
    };
  });
}

/** Verifies what a request shows of a scheme. */
type Verify = (
  accepted: AcceptedScheme,
  shown: object | "malformed",
  request: Request,
  runtime: object,
) => Outcome<Authenticated>;

function planVerify(route: RouteInfo, response: object, allowsOrigin: AllowsOrigin): Verify {
  return (accepted, shown, request, runtime) => {
    if (accepted.isForgeable && isForeign(request, allowsOrigin)) return crossSite;
    if (shown === "malformed") return accepted.invalid;
    const input = Object.assign(new RequestArgument(request, route), { response }, shown);
    const verdict = attempt(
      () => accepted.verify(input, runtime),
      (thrown) => recoverAnswer("security", thrown),
      (caller) => judge(caller, accepted),
    );
    return unlessGone(verdict, request);
  };
}

const crossSite = /* @__PURE__ */ refuseCrossSite();

/** Whether what a verifier returned can be a caller. What else is an object was returned by mistake, and lets nobody in. */
function isCaller(value: unknown): value is object {
  const isObject = typeof value === "object" && value !== null;
  return isObject && !Array.isArray(value) && !(value instanceof Error) && !isResponse(value) && !isBuilt(value);
}

/** Whether a value is a result as `response(…)` builds it. A caller may have a status too, beside its own properties. */
function isBuilt(value: unknown): boolean {
  if (!isResult(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 1 && keys.every((key) => key === "status" || key === "body" || key === "headers");
}

/** What follows from what a verifier returned; throws if it is neither a caller nor nobody. */
function judge(caller: unknown, { scheme, scopes, invalid, insufficient }: AcceptedScheme): Authenticated | Stop {
  if (caller === null || caller === undefined) return invalid;
  const where = `Cannot authenticate: the verifier of ${JSON.stringify(scheme.name)} returned`;
  if (!isCaller(caller)) {
    const state = isBuilt(caller) ? "a result; throw it" : `${describeValue(caller)}; return an object`;
    throw new TypeError(`${where} ${state}, or undefined to refuse the credential`);
  }
  if (scheme.scopes.length === 0) return { caller };
  const { scopes: granted } = caller as { readonly scopes?: unknown };
  if (!Array.isArray(granted)) throw new TypeError(`${where} a caller without scopes; return { scopes: […] } with it`);
  return scopes.every((scope) => granted.includes(scope)) ? { caller } : insufficient;
}
