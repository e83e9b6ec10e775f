import { type Contract } from "../contract/contract.ts";
import { describeNonContract } from "../contract/slim_contract.ts";
import { isOptional, requirementsOf } from "../contract/security_list.ts";
import { routesOf } from "../contract/routes_of.ts";
import { isMarked } from "../mark.ts";
import { checkSchemas, hasSchemas } from "./check_schemas.ts";
import { credentialPhase } from "./credentials_phase.ts";
import { type Caller } from "./encode_request.ts";
import { ContractTestError, type Finding } from "./finding.ts";
import { headPhase } from "./head_phase.ts";
import { createLocator } from "./learn.ts";
import { Known } from "./known.ts";
import { type ContractTestOptions } from "./options.ts";
import { boundaryPhase, hasValues, invalidPhase, malformedPhase, type PhaseSettings } from "./phases.ts";
import { createReference } from "./reference.ts";
import { planRoute, type RoutePlan } from "./route_plan.ts";
import { hasSequences, runSequences, type SequenceRun } from "./sequences.ts";
import { type Phase, type PhaseRun, runCases } from "./run_cases.ts";
import { runValid } from "./run_valid.ts";
import { readSettings, type TestSettings } from "./settings.ts";
import { watchRejections } from "./rejections.ts";

/** A test of a contract. */
export interface ContractTest {
  /** What it tests: `users.rename: invalid requests`. */
  readonly name: string;
  /** Runs the test. Rejects with a {@linkcode ContractTestError} if the server breaks a rule. */
  readonly run: () => Promise<void>;
}

/**
 * Generates the tests of a contract for a server. They check that the server accepts and returns what the contract
 * declares, and nothing else. Register each with your test runner: `Deno.test(name, run)`, `node:test`, Vitest or Bun.
 *
 * @example A server of one route
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { contractTests } from "@scope/api/testing";
 *
 * const contract = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
 * const target = createFetchHandler(defineServer(contract).implement({ health: ({ response }) => response(200, "ok") }));
 *
 * for (const { run } of contractTests(contract, { target })) await run(); // Deno.test(name, run) in a file of tests
 * ```
 *
 * @throws {TypeError} If an option is invalid, or if a schema does not convert to JSON Schema.
 */
export function contractTests<Boundary extends Contract>(
  contract: Boundary,
  options: ContractTestOptions<Boundary["routes"]>,
): ContractTest[] {
  if (!isMarked(contract, "contract")) {
    throw new TypeError(`contractTests(): ${describeNonContract(contract)}`);
  }
  const nodes = routesOf(contract.routes);
  const settings = readSettings(options, nodes);
  const plans = new Map(nodes.map((node) => [node.key, planRoute(node, settings.schema)]));
  const common: Common = {
    settings,
    plans,
    judge: createReference(contract),
    locator: createLocator(nodes, settings.target.baseUrl),
    shared: contract.responses,
    basePath: contract.basePath,
  };
  const tests = [...plans.values()].flatMap((plan) => listTests(plan, common));
  return hasSequences(plans.values(), common.locator) && settings.target.allows(change)
    ? [...tests, { name: "sequences of calls", run: () => runTest(runSequences, common) }]
    : tests;
}

/** A request that changes something. */
const change = { method: "POST", path: "/", headers: {}, body: undefined, secrets: [] };

/** The parts that all tests share. */
interface Common extends Pick<PhaseRun, "locator"> {
  readonly settings: TestSettings;
  readonly plans: ReadonlyMap<string, RoutePlan>;
  readonly judge: PhaseSettings["judge"];
  readonly shared: Contract["responses"];
  readonly basePath: string;
}

/** The body of a test, which runs once its server is open. */
type Body = (run: SequenceRun, settings: PhaseSettings) => Promise<Finding[]>;

function listTests(plan: RoutePlan, common: Common): ContractTest[] {
  const { node } = plan;
  const { key, method, security = [] } = node;
  const isSecured = requirementsOf(security).length > 0 && !isOptional(security);
  const isSent = common.settings.target.allows({ ...change, method });
  const inPhase = (createPhase: (plan: RoutePlan, settings: PhaseSettings) => Phase): Body => async (run, settings) =>
    await runCases(createPhase(plan, settings), run);
  const bodies: readonly (readonly [name: string, body: Body, isHeld: boolean])[] = [
    ["valid requests", (run, settings) => runValid(plan, run, settings), isSent],
    ["boundaries", inPhase(boundaryPhase), isSent && Object.keys(plan.slots).length > 0],
    ["invalid requests", inPhase(invalidPhase), isSent && hasValues(plan)],
    ["malformed requests", inPhase(malformedPhase), true],
    ["HEAD", inPhase(headPhase), method === "GET"],
    ["credentials", inPhase(credentialPhase), isSent && isSecured],
    ["schemas", (run, settings) => checkSchemas(plan, run, settings), hasSchemas(plan)],
  ];
  return bodies.filter(([, , isHeld]) => isHeld)
    .map(([name, body]) => ({ name: `${key}: ${name}`, run: () => runTest(body, common) }));
}

/** Returns the texts of a caller's credentials and header fields. */
function secretsOf({ credentials, headers }: Caller): string[] {
  const shown = [...credentials.values(), ...Object.values(headers)];
  return shown.flatMap((value) => typeof value === "object" && value !== null ? Object.values(value) : value).map(
    String,
  );
}

async function runTest(body: Body, common: Common): Promise<void> {
  const { settings, plans, judge, shared, locator, basePath } = common;
  const { target, seed, runs, limit } = settings;
  const caller = await settings.readCaller();
  const values = await settings.readValues();
  const { isLenient, reports } = settings;
  const openOther = settings.against?.open;
  const against = await openOther?.();
  const session = { judge, plans, shared, limit, isLenient, allows: target.allows, against };
  const { open } = target;
  const run: SequenceRun = {
    send: await open(),
    open,
    openOther,
    known: new Known(),
    locator,
    settings: session,
    reports,
  };
  const findings = await watchRejections(() => body(run, { judge, caller, values, seed, runs, basePath, isLenient }));
  const errors = findings.filter((finding) => !settings.warns(finding));
  const place = { baseUrl: target.baseUrl, seed, secrets: secretsOf(caller) };
  for (const warning of findings.filter(settings.warns)) settings.warn(new ContractTestError([warning], place).message);
  if (errors.length > 0) throw new ContractTestError(errors, place);
}
