/** Authentication: reads credentials from the head of a request, and calls the application's verifiers. */
import { attempt } from "../awaitable.ts";
import { isOptional, type Requirement, requirementsOf } from "../contract/security_list.ts";
import { isResponse } from "../native_response.ts";
import { isForgeable, kindRules } from "../contract/security_rules.ts";
import { type RouteInfo } from "../server/call.ts";
import { type Endpoint } from "../server/endpoint.ts";
import { describeResult, isResult, toCreateResult } from "../server/result.ts";
import { type AnyVerify } from "../server/security.ts";
import { type Outcome, type Stop } from "../server/stop.ts";
import { recoverEarlyResult } from "./early_result.ts";
import { isForeign } from "./forgery.ts";
import { type AllowsOrigin } from "./origins.ts";
import { type Refusal, unlessDisconnected } from "./refusal.ts";
import { RequestArgument } from "./request_argument.ts";
import { refuseCrossSite, refuseInvalid, refuseMissing, refuseScopes } from "./security_refusals.ts";

/** Finds the caller of a request. `runtime` is the return value of `contextInput`. */
export type Authenticate = (request: Request, runtime: object) => Outcome<Authenticated>;

/** A request that passed authentication. */
export interface Authenticated {
  /** The return value of the verifier. `undefined` for a request without a credential. */
  readonly caller: object | undefined;
}

/** A caller without a credential, on a route that accepts such callers. */
export const anonymous: Authenticated = Object.freeze({ caller: undefined });

/** A scheme that a route accepts, with its verifier and its refusals. */
interface AcceptedScheme extends Requirement {
  readonly verify: AnyVerify;
  /**
   * Whether the server checks the origin of a request: browsers attach the credential, and the request may change
   * something.
   */
  readonly isForgeable: boolean;
  /**
   * The response to an invalid credential. For some kinds, on routes that require none, the request counts as
   * anonymous.
   */
  readonly invalid: Refusal | Authenticated;
  readonly insufficient: Refusal;
}

/**
 * Plans how to authenticate the callers of a route. The first scheme of the list whose credential the request has
 * decides alone. A custom scheme's verifier runs if the request has no credential of another scheme.
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

/** Verifies the credential of a scheme. */
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
      (thrown) => recoverEarlyResult("security", thrown),
      (caller) => checkCaller(caller, accepted),
    );
    return unlessDisconnected(verdict, request);
  };
}

const crossSite = /* @__PURE__ */ refuseCrossSite();

/**
 * Whether the return value of a verifier can be a caller. Other objects were returned by mistake, and do not
 * authenticate anyone.
 */
function isCaller(value: unknown): value is object {
  const isObject = typeof value === "object" && value !== null;
  return isObject && !Array.isArray(value) && !(value instanceof Error) && !isResponse(value) && !isBuiltResult(value);
}

/**
 * Whether a value is a result that `response(…)` built. A caller may have a `status` too, among other own properties.
 */
function isBuiltResult(value: unknown): boolean {
  if (!isResult(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 1 && keys.every((key) => key === "status" || key === "body" || key === "headers");
}

/**
 * Decides what follows from the return value of a verifier. Throws if it is neither a caller nor `null` or `undefined`.
 */
function checkCaller(caller: unknown, { scheme, scopes, invalid, insufficient }: AcceptedScheme): Authenticated | Stop {
  if (caller === null || caller === undefined) return invalid;
  const where = `verify(): the verifier of "${scheme.name}" must return`;
  if (!isCaller(caller)) {
    const found = isBuiltResult(caller) ? "a result; throw it" : describeResult(caller);
    throw new TypeError(`${where} a caller, or undefined for an invalid credential, got ${found}`);
  }
  if (scheme.scopes.length === 0) return { caller };
  const { scopes: granted } = caller as { readonly scopes?: unknown };
  if (!Array.isArray(granted)) {
    throw new TypeError(`${where} a caller with an array of "scopes", got ${describeResult(granted)}`);
  }
  return scopes.every((scope) => granted.includes(scope)) ? { caller } : insufficient;
}
