/** Checks that routes with security refuse callers without a credential, and with an unknown one. */
import { requirementsOf } from "../contract/security_list.ts";
import { type Choices, choose } from "../json_schema/choices.ts";
import { encodeWireRequest, nobody, showCredential } from "./encode_request.ts";
import { type Breach } from "./finding.ts";
import { type Known } from "./known.ts";
import { searchedText } from "./leak_rules.ts";
import { drawValid, type PhaseSettings } from "./phases.ts";
import { type RoutePlan } from "./route_plan.ts";
import { type Phase } from "./run_cases.ts";
import { type CheckedExchange, type Drawn } from "./session.ts";

/** The unknown credential. No response may contain it. */
const canary = "canary-4b1d7c2e9f";

/** Generates valid requests without a credential, and with an unknown one. */
export function credentialPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const stranger = toStranger(plan);
  const draw = async (choices: Choices, known: Known): Promise<Drawn | undefined> => {
    const isStrange = choose(choices, 2) === 1;
    const valid = await drawValid(plan, { ...settings, caller: stranger }, choices, known);
    const request = valid && await encodeWireRequest(plan, valid.slots, isStrange ? stranger : nobody);
    if (!request || (isStrange && Object.keys(showCredential(plan, stranger)).length === 0)) return undefined;
    const reason = isStrange ? "its credential is invalid" : "it has no credential";
    return { request, verdict: { route: undefined, status: 401, reason, allow: [] } };
  };
  return { plan, cases: [[0], [1]], draw, checkMore: ({ exchange }) => Promise.resolve(checkEcho(exchange)) };
}

/** Returns a caller with an unknown credential for each scheme of a route. */
function toStranger({ node: { security = [] } }: RoutePlan): PhaseSettings["caller"] {
  const credentials = requirementsOf(security).map(({ scheme }) => {
    const isNamed = scheme.credential?.place === "the authentication scheme basic";
    return [scheme.name, isNamed ? { username: canary, password: canary } : canary] as const;
  });
  return { credentials: new Map(credentials), headers: {} };
}

function checkEcho(exchange: CheckedExchange["exchange"]): Breach | undefined {
  if (!exchange) return undefined;
  const { status, body, headers } = exchange.answer;
  const isEchoed = searchedText(body).includes(canary) ||
    [...headers].some(([, value]) => value.includes(canary));
  return isEchoed ? { rule: "no-leak", state: `was answered ${status} with the credential that it showed` } : undefined;
}
