/** Checks that the response to HEAD equals the response to GET without its content (RFC 9110, section 9.3.2). */
import { type Answer } from "./answer.ts";
import { type Breach } from "./finding.ts";
import { drawValid, type PhaseSettings } from "./phases.ts";
import { type RoutePlan } from "./route_plan.ts";
import { type Phase, type PhaseRun } from "./run_cases.ts";
import { type CheckedExchange } from "./session.ts";

/** The number of requests that are sent as GET and as HEAD. */
const count = 5;

/** Generates GET requests and sends each of them as HEAD too. */
export function headPhase(plan: RoutePlan, settings: PhaseSettings): Phase {
  const cases = [[], ...Array.from({ length: count }, (_, index) => `${settings.seed} ${plan.node.key} HEAD ${index}`)];
  return { plan, cases, draw: (choices, known) => drawValid(plan, settings, choices, known), checkMore: compare };

  async function compare(
    { request, exchange }: CheckedExchange,
    { send, settings: { limit } }: PhaseRun,
  ): Promise<Breach | undefined> {
    const options = { limit, isStream: () => true };
    const asked = { ...request, method: "HEAD" };
    const head = await send(asked, options);
    const again = await send(request, options);
    if (!exchange || "state" in head || "state" in again || again.status !== exchange.answer.status) return undefined;
    const state = findDifference(head, exchange.answer, again);
    return state === undefined ? undefined : { rule: "head-as-get", state, request: asked };
  }
}

/** Fields about the connection or the content, which the response to HEAD may omit. */
const ignored: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

function findDifference(head: Answer, get: Answer, again: Answer): string | undefined {
  if (head.status !== get.status) return `was answered ${head.status}, by GET ${get.status}`;
  if (head.body.length > 0) return `was answered with content: ${head.body.length} bytes`;
  for (const [name, value] of get.headers) {
    const isSteady = again.headers.get(name) === value && !ignored.has(name);
    if (isSteady && head.headers.get(name) !== value) {
      return `was answered with ${name}: ${head.headers.get(name) ?? "(none)"}, by GET with ${name}: ${value}`;
    }
  }
}
