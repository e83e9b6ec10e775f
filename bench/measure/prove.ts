import { isDeepStrictEqual } from "node:util";
import {
  type Guarantee,
  proofs,
  type RequestData,
  type Scenario,
  type ScenarioName,
  scenarioNames,
  scenarios,
  toRequest,
} from "../contract/scenarios.ts";
import type { Handler, System } from "../systems/system.ts";

/** The observed guarantees of a system, before anything is measured. */
export interface Proof {
  readonly guarantees: Guarantees;
  /**
   * The status of each scenario's response; `undefined` if the response is wrong, so that a figure would be
   * meaningless.
   */
  readonly statuses: Readonly<Record<ScenarioName, number | undefined>>;
}

export type Guarantees = Readonly<Record<Guarantee, boolean>>;

/** Returns the request with which a system is asked for a scenario. */
export function requestOf(
  { protocol }: System,
  name: ScenarioName | keyof typeof proofs,
): RequestData | undefined {
  if (protocol) return protocol.requests[name];
  return name in proofs ? proofs[name as keyof typeof proofs] : scenarios[name as ScenarioName].request;
}

/** Sends every request once. */
export async function prove(system: System): Promise<Proof> {
  const handler = system.create();
  const answers = new Map<ScenarioName, number | undefined>();
  for (const name of scenarioNames) {
    answers.set(name, await proveScenario(system, handler, name));
  }
  const statuses = Object.fromEntries(answers) as Proof["statuses"];
  return { statuses, guarantees: await proveGuarantees(system, handler, statuses) };
}

/** An error may have another status than in the contract. The report lists it. */
async function proveScenario(system: System, handler: Handler, name: ScenarioName): Promise<number | undefined> {
  const answer = await ask(system, handler, name);
  if (answer === undefined) return undefined;
  const { status, body }: Scenario = scenarios[name];
  if (status >= 400) {
    return answer.status >= 400 && answer.status < 500 ? answer.status : undefined;
  }
  return answer.status === status && isDeepStrictEqual(answer.body, body) ? status : undefined;
}

async function proveGuarantees(
  system: System,
  handler: Handler,
  { invalid, wrongMethod }: Proof["statuses"],
): Promise<Guarantees> {
  const stripped = await ask(system, handler, "strips");
  const output = await ask(system, handler, "output");
  return {
    input: invalid !== undefined,
    output: output !== undefined && output.status >= 400,
    strips: stripped?.status === 200 &&
      isDeepStrictEqual(stripped.body, { id: "42", name: "Ada" }),
    wrongMethod: wrongMethod === 405,
  };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(
  system: System,
  handler: Handler,
  name: ScenarioName | keyof typeof proofs,
): Promise<Answer | undefined> {
  const request = requestOf(system, name);
  if (request === undefined) return undefined;
  const response = await handler(toRequest(request));
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") ??
    false;
  const body = isJson ? JSON.parse(text) : text;
  return { status: response.status, body: system.protocol?.unwrap(body) ?? body };
}

/** Checks that our responses are identical to those of `direct`, byte by byte. */
export async function proveSame(system: System, direct: System): Promise<void> {
  const handlers = [system.create(), direct.create()];
  for (
    const name of [
      ...scenarioNames,
      ...Object.keys(proofs) as (keyof typeof proofs)[],
    ]
  ) {
    const request = requestOf(direct, name)!;
    const [one, other] = await Promise.all(
      handlers.map(async (handler) => describe(await handler(toRequest(request)))),
    );
    if (!isDeepStrictEqual(one, other)) {
      throw new Error(`Cannot compare ${name}: ${system.title} answers ${one}, ${direct.title} ${other}`);
    }
  }
}

async function describe(response: Response): Promise<string> {
  return JSON.stringify([response.status, [...response.headers], await response.text()]);
}
