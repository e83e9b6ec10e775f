/**
 * The steps between match and decode: security, then guards. They read the head of a request and nothing of its body.
 */
import { whenReady } from "../awaitable.ts";
import { type Endpoint } from "../server/endpoint.ts";
import { type Outcome, Stop } from "../server/stop.ts";
import { EarlyResult } from "./early_result.ts";
import { anonymous, type Authenticate, type Authenticated, planAuthenticate } from "./authenticate.ts";
import { type ContextSource, type ReadRuntime } from "./context.ts";
import { type RawParams } from "./decode_request.ts";

import { planGuards, type RunGuards } from "./guard.ts";
import { type AllowsOrigin } from "./origins.ts";
import { type AddSecurityFields, planSecurityFields } from "./security_fields.ts";
import { planPipeline } from "./pipeline.ts";

/** The steps of one route. */
export interface Admission {
  readonly readRuntime: ReadRuntime;
  /** `undefined` on a public route. */
  readonly authenticate: Authenticate | undefined;
  readonly runGuards: RunGuards;
  readonly addFields: AddSecurityFields | undefined;
}

/** Plans the steps of a route. `undefined` for a route without security and guards. */
export function planAdmission(
  endpoint: Endpoint,
  readRuntime: ReadRuntime,
  allowsOrigin: AllowsOrigin,
): Admission | undefined {
  const { node: { security = [] }, route, guards } = endpoint;
  const isSecured = security.length > 0;
  if (!isSecured && guards.length === 0) return undefined;
  return {
    readRuntime,
    authenticate: isSecured ? planAuthenticate(endpoint, allowsOrigin) : undefined,
    runGuards: planGuards(guards, route),
    addFields: isSecured ? planSecurityFields(security) : undefined,
  };
}

/** A matched request, with what these steps add to it. */
export interface AdmittedRequest extends ContextSource {
  readonly route: { readonly admission: Admission | undefined };
  /** Whether the response may depend on the caller. */
  readonly isPrivate: boolean;
}

/** Answers a request whose parameters have been decoded. */
type RunPipeline<Matched> = (params: RawParams, matched: Matched) => Response | Promise<Response>;

/**
 * Plans the steps of a route with security or guards, followed by those of `run`. `stop` answers a request that a step
 * ends early.
 */
export function planSecuredPipeline<Matched extends AdmittedRequest>(
  run: RunPipeline<Matched>,
  stop: (stop: Stop, matched: Matched) => Response | Promise<Response>,
): RunPipeline<Matched> {
  return planPipeline([
    { phase: "context", take: readRuntime },
    { phase: "security", take: authenticate },
    { phase: "guard", take: guard },
    {
      phase: "decode",
      take: ({ params, caller, added }: Admitted, matched: Matched) => {
        const admitted = { ...matched, caller, added, isPrivate: caller !== undefined };
        return finish(run(params, admitted), admitted);
      },
    },
  ], (end, matched) => {
    const isSecured = matched.route.admission!.addFields !== undefined;
    const stopped = { ...matched, isPrivate: isSecured && !(end instanceof EarlyResult && end.isAnonymous) };
    return finish(stop(end, stopped), stopped);
  });
}

/** A request before authentication. */
interface Arrival {
  readonly params: RawParams;
  /** The return value of `contextInput`. */
  readonly added: object;
}

/** A request that has passed all steps. */
interface Admitted extends Arrival, Authenticated {}

function readRuntime(params: RawParams, matched: AdmittedRequest): Outcome<Arrival> {
  return whenReady(
    matched.route.admission!.readRuntime(matched),
    (added) => added instanceof Stop ? added : { params, added },
  );
}

function authenticate(arrival: Arrival, { route, request }: AdmittedRequest): Outcome<Admitted> {
  const authenticated = route.admission!.authenticate?.(request, arrival.added) ?? anonymous;
  return whenReady(authenticated, (each) => each instanceof Stop ? each : { ...arrival, caller: each.caller });
}

function guard(admitted: Admitted, { route, request }: AdmittedRequest): Outcome<Admitted> {
  const stop = route.admission!.runGuards({ request, caller: admitted.caller, added: admitted.added });
  return whenReady(stop, (stop) => stop ?? admitted);
}

/** Adds the headers that follow from security. */
function finish(
  answer: Response | Promise<Response>,
  { route, isPrivate }: AdmittedRequest,
): Response | Promise<Response> {
  const { addFields } = route.admission!;
  return addFields ? whenReady(answer, (answer) => addFields(answer, isPrivate)) : answer;
}
