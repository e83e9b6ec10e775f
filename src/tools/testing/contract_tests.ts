import { type Contract, describeNonContract } from "../../contract/contract.ts";
import { requirementsOf } from "../../contract/security_scheme.ts";
import { routesOf } from "../../contract/node.ts";
import { isMarked } from "../../mark.ts";
import { findSchemaFindings, hasSchemas } from "./schema_rules.ts";
import { parts } from "./phases.ts";
import { findConnectionFindings } from "./connections.ts";
import { type Caller, formatCredential } from "./encode_request.ts";
import { ContractTestError, createShow, type Finding, toFinding } from "./finding.ts";
import { isHint } from "./foreign.ts";
import { createKnown } from "./known.ts";
import { type ContractTestOptions, readTestSettings, type TestSettings } from "./settings.ts";
import type { TestedRoute } from "./route_plan.ts";
import { hasSequences, runSequences } from "./sequences.ts";
import { findForeign, isOwnable } from "./strangers.ts";
import { signing } from "./sign_request.ts";
import type { SendToTarget } from "./target.ts";
import { type ContractFacts, planContract, type TestRun } from "./test_run.ts";
import type { WireRequest } from "./wire_request.ts";

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
export function contractTests<Api extends Contract>(
  contract: Api,
  options: ContractTestOptions<Api["routes"]>,
): ContractTest[] {
  if (!isMarked(contract, "contract")) {
    throw new TypeError(`contractTests(): ${describeNonContract(contract)}`);
  }
  const nodes = routesOf(contract.routes);
  const settings = readTestSettings(options, nodes);
  const planned = planContract(contract, settings.target.baseUrl, settings.schema);
  const facts: Facts = { ...planned, settings, budget: { left: maxRuns } };
  const tests = [...facts.plans.values()].flatMap((plan) => listTests(plan, facts));
  return hasSequences(facts.plans.values(), facts.locator) && settings.target.mayCall("POST")
    ? [...tests, { name: "sequences of calls", run: () => runTest(runSequences, facts) }]
    : tests;
}

interface Facts extends ContractFacts {
  readonly settings: TestSettings;
  /** How many tests may still use their whole budget for a server that does not answer, or with very long bodies. */
  readonly budget: { left: number };
}

/** The budget of all tests: five minutes of waiting in vain, or 10 GiB. Each test has a fifth of it. */
const maxRuns = 5;

type Body = (run: TestRun) => Promise<Finding[]>;

function listTests(plan: TestedRoute, facts: Facts): ContractTest[] {
  const { key, method } = plan.node;
  const { mayCall } = facts.settings.target;
  const isSent = mayCall(method);
  const mayChange = mayCall("POST"); // as messages may
  const bodies: readonly (readonly [name: string, body: Body, isHeld: boolean])[] = [
    ["valid requests", (run) => parts.valid.run(plan, run), isSent],
    ["boundaries", (run) => parts.boundaries.run(plan, run), isSent && parts.boundaries.applies(plan)],
    ["invalid requests", (run) => runInvalid(plan, run), isSent && parts.invalid.applies(plan)],
    ["malformed requests", (run) => parts.malformed.run(plan, run), true],
    ["HEAD", (run) => parts.head.run(plan, run), parts.head.applies(plan)],
    ["credentials", (run) => parts.credentials.run(plan, run), isSent && parts.credentials.applies(plan)],
    ["strangers", (run) => findForeign(plan, run), facts.settings.owned.has(key) && isOwnable(plan)],
    ["connections", (run) => findConnectionFindings(plan, run), plan.socket !== undefined && mayChange],
    ["schemas", (run) => findSchemaFindings(plan, run), hasSchemas(plan)],
  ];
  return bodies.filter(([, , isHeld]) => isHeld)
    .map(([name, body]) => ({ name: `${key}: ${name}`, run: () => runTest(body, facts) }));
}

async function runInvalid(plan: TestedRoute, run: TestRun): Promise<Finding[]> {
  const found = await parts.invalid.run(plan, run);
  const more = await parts["out of bounds"].run(plan, run);
  return [...found, ...more.filter(({ rule }) => found.every((each) => each.rule !== rule))];
}

function secretsOf({ credentials, headers }: Caller): string[] {
  return [...credentials.values(), ...Object.values(headers)]
    .flatMap((value) => typeof value === "object" && value !== null ? Object.values(value) : value).map(String);
}

async function runTest(body: Body, facts: Facts): Promise<void> {
  const { settings, plans, budget } = facts;
  const { target, isLenient, isForeign, seed, headers, signers } = settings;
  const credentials = await settings.readCredentials(); // renewed after a 401
  const caller: Caller = { credentials, headers, signers };
  const values = await settings.readValues();
  const other = settings.against;
  const openAgainst = other && (async (): Promise<SendToTarget> => signing(await other.open(), signers));
  const against = await openAgainst?.();
  const secrets = secretsOf(caller);
  const show = createShow(secrets);
  const least = budget.left - 1;
  const isSpent = (): boolean => budget.left <= Math.max(0, least);
  const renew = async (request: WireRequest): Promise<WireRequest | undefined> => {
    if (!settings.isRenewable) return undefined;
    const fresh = await settings.readCredentials();
    secrets.push(...secretsOf({ ...caller, credentials: fresh }));
    const renewed = replaceCredentials(request, plans, credentials, fresh);
    for (const [name, value] of fresh) credentials.set(name, value);
    return renewed;
  };
  const open = async (): Promise<SendToTarget> => signing(renewing(await target.open(), renew, budget), signers);
  const { allows } = target;
  const openStranger = async (): Promise<Caller> => {
    const stranger = { credentials: await settings.readStrangers(), headers, signers };
    secrets.push(...secretsOf(stranger).filter((secret) => !secrets.includes(secret)));
    return stranger;
  };
  const { openConnect } = target;
  const server = { send: await open(), open, openConnect, openStranger, against, openAgainst, allows, isSpent };
  const learned = { known: createKnown(), accepted: new Map<string, readonly WireRequest[]>() };
  const run: TestRun = { ...facts, ...settings, ...server, ...learned, caller, values, show };
  const findings = isSpent() ? [notTested] : await watchRejections(() => body(run));
  const place = { baseUrl: target.baseUrl, seed, show };
  const isWarning = (finding: Finding): boolean =>
    isForeign ? isHint(finding, false) : isLenient && finding.rule === "undeclared-members";
  const errors = findings.filter((finding) => !isWarning(finding));
  for (const warning of findings.filter(isWarning)) settings.warn(new ContractTestError([warning], place).message);
  if (errors.length > 0) throw new ContractTestError(errors, place);
}

/** The finding of a test that was not run, because the server used the budget of all tests. */
const notTested: Finding = toFinding({
  rule: "no-failure",
  state: "was not tested, because the server left too many requests of earlier tests unanswered",
}, "*");

/**
 * Returns a function that sends a request once more, with new credentials, after a 401: an earlier request may have
 * signed out. `renew` returns `undefined` for a request without a credential of the caller. The budget pays for it.
 */
function renewing(
  send: SendToTarget,
  renew: (request: WireRequest) => Promise<WireRequest | undefined>,
  budget: Facts["budget"],
): SendToTarget {
  return async (request, reading) => {
    const first = await send(request, reading);
    const isRefused = "status" in first && first.status === 401 && request.secrets.length > 0;
    const renewed = isRefused ? await renew(request) : undefined;
    const answer = renewed ? await send(renewed, reading) : first;
    budget.left -= answer.spent;
    return answer;
  };
}

/** Returns a request with other credentials of the same caller; `undefined` if it has none of the old ones. */
function replaceCredentials(
  request: WireRequest,
  plans: ReadonlyMap<string, TestedRoute>,
  old: ReadonlyMap<string, unknown>,
  fresh: ReadonlyMap<string, unknown>,
): WireRequest | undefined {
  const requirements = [...plans.values()].flatMap(({ node }) => requirementsOf(node.security ?? []));
  const schemes = new Set(requirements.map(({ scheme }) => scheme));
  const headers: Record<string, string> = { ...request.headers };
  let isReplaced = false;
  for (const { name, credential } of schemes) {
    if (!credential || !old.has(name)) continue;
    const { field } = credential;
    const before = formatCredential(credential, old.get(name));
    if (!headers[field]?.includes(before)) continue;
    headers[field] = headers[field].replace(before, () => formatCredential(credential, fresh.get(name)));
    isReplaced = true;
  }
  return isReplaced ? { ...request, headers } : undefined;
}

/** Runs a test. Adds a finding if a promise of the server rejects during the test and its rejection is not handled. */
async function watchRejections(run: () => Promise<Finding[]>): Promise<Finding[]> {
  const reasons: unknown[] = [];
  const stop = listen((reason) => void reasons.push(reason));
  try {
    const findings = await run();
    await new Promise((resolve) => setTimeout(resolve, 0)); // platforms report rejections after the current task
    if (reasons.length === 0) return findings;
    const [reason] = reasons;
    const said = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
    return [...findings, toFinding({ rule: "no-failure", state: `a promise rejection was not handled: ${said}` }, "*")];
  } finally {
    stop();
  }
}

/** The part of Node's `process` that reports rejections. */
interface NodeProcess {
  readonly on?: (name: string, listener: (reason: unknown) => void) => void;
  readonly off?: NodeProcess["on"];
}

/** Declared here, because not every program includes Node's types. */
declare const process: NodeProcess | undefined;

/** Reports rejections to a function instead of the platform, which might end the process. Returns what stops it. */
function listen(tell: (reason: unknown) => void): () => void {
  const node = typeof process === "undefined" ? undefined : process;
  const note = (event: Event & { readonly reason?: unknown }): void => {
    event.preventDefault();
    tell(event.reason);
  };
  node?.on?.("unhandledRejection", tell);
  globalThis.addEventListener?.("unhandledrejection", note);
  return () => {
    node?.off?.("unhandledRejection", tell);
    globalThis.removeEventListener?.("unhandledrejection", note);
  };
}
