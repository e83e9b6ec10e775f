/** Tests of ownership: what one caller created must not exist for another one. */
import { type Choices, recordChoices } from "../json_schema/choices.ts";
import { encodeSegment } from "../../path.ts";
import { isSafeMethod } from "../../contract/security_scheme.ts";
import { type CreatedThing, createThings, findCreated, owningSegments, placeAt } from "./created.ts";
import { type Caller, showCredential } from "./encode_request.ts";
import { type Breach, type Finding, toFinding } from "./finding.ts";
import { addKnown, createKnown } from "./known.ts";
import { drawValid, listSeeds } from "./phases.ts";
import type { TestedRoute } from "./route_plan.ts";
import { maxShrinking, shrink, toChoices } from "./run_cases.ts";
import { sendAndCheck } from "./send_and_check.ts";
import { contentOf, isSuccess } from "./sequences.ts";
import { signRequest } from "./sign_request.ts";
import type { ReceivedAnswer } from "./target.ts";
import type { TestRun } from "./test_run.ts";
import { sizeOf, type WireRequest } from "./wire_request.ts";

const maxVisits = 8;

/** Tests whether the route is one that another caller can be refused at: it has parameters, or lists things. */
export function isOwnable({ node: { method }, names }: TestedRoute): boolean {
  return names.length > 0 || method === "GET" || method === "QUERY";
}

/**
 * Visits a route as another caller, after the caller of the test has created what it leads to. Returns a finding if the
 * stranger is not refused, or if no visit shows that it is: the caller itself must not be refused.
 */
export async function findForeign(plan: TestedRoute, run: TestRun): Promise<Finding[]> {
  const { key } = plan.node;
  if (!run.reports("owner-only", key)) return [];
  const visit = plan.names.length > 0 ? visitThing : visitList;
  let last: StrangerVisit | undefined;
  let isReached = false;
  for (const start of [[], ...listSeeds(plan, "strangers", run, Math.min(run.runs, maxVisits))]) {
    if (run.isSpent()) break;
    const choices = recordChoices(toChoices(start));
    last = await visit(plan, await openWorld(run), choices);
    if (last.breach) return [await shrinkVisit({ ...last, breach: last.breach }, choices.drawn, plan, run)];
    isReached ||= last.missed === undefined;
  }
  if (isReached || !last || !run.reports("nothing-reached", key)) return [];
  return [
    toFinding({ rule: "nothing-reached", state: `was not tested with another caller, because ${last.missed}` }, key),
  ];
}

/** A server on which nothing was created yet, with its two callers. */
interface World extends TestRun {
  readonly stranger: TestRun;
}

async function openWorld(run: TestRun): Promise<World> {
  const known = createKnown();
  for (const { params = {} } of Object.values(run.values)) {
    for (const [name, values] of Object.entries(params)) {
      for (const value of values.toReversed()) addKnown(known.values, name, String(value));
    }
  }
  const own: TestRun = { ...run, send: await run.open(), against: undefined, known };
  return { ...own, stranger: { ...own, known: createKnown(), caller: await run.openStranger() } };
}

interface StrangerVisit {
  /** The requests so far. The last one is the stranger's. */
  readonly requests: readonly WireRequest[];
  readonly breach?: Breach;
  readonly missed?: string;
}

/** Asks for something that the caller created: with GET also as HEAD. Then asks as the caller, who must reach it. */
async function visitThing(plan: TestedRoute, world: World, choices: Choices): Promise<StrangerVisit> {
  const things = [...listGiven(plan, world), ...await createThings(plan, world, choices)];
  const thing = findCreated(plan, things);
  if (!thing) return { requests: [], missed: describeMissing(plan) };
  const request = await drawAt(plan, thing, world.stranger, choices);
  if (!request) return { requests: thing.requests, missed: "no valid request was found" };
  const asked = request.method === "GET" ? [request, { ...request, method: "HEAD" }] : [request];
  for (const each of asked) {
    const answer = await ask(each, plan, world);
    if (answer?.status === 401) {
      return {
        requests: [],
        missed: "its credential was answered 401; pass one that the server accepts in the option strangers",
      };
    }
    if (answer && !isRefused(answer.status)) return { requests: [...thing.requests, each], breach: toBreach(answer) };
  }
  const elsewhere = await visitElsewhere(plan, thing, world, choices);
  if (elsewhere) return elsewhere;
  const own = await ask(await toRequestOf(world.caller, request, plan), plan, world);
  if (own && !isRefused(own.status)) return { requests: thing.requests };
  const missed = own
    ? `the caller who created what it leads to was answered ${own.status}, too`
    : "it was not answered";
  return { requests: [], missed };
}

/**
 * Asks for a thing below something of the stranger's own: a server may check what is above it alone. A PUT or DELETE may
 * be answered as if there were nothing, so it must have changed the thing.
 */
async function visitElsewhere(
  plan: TestedRoute,
  thing: CreatedThing,
  world: World,
  choices: Choices,
): Promise<StrangerVisit | undefined> {
  const id = thing.segments.at(-1)!; // it ends with its id
  if (plan.names.length < 2 || thing.requests.length === 0) return undefined;
  const own = findCreated(plan, await createThings(plan, world.stranger, choices));
  if (!own || own.segments.at(-1) === id) return undefined;
  const place: CreatedThing = { segments: own.segments.with(-1, id), requests: [...thing.requests, ...own.requests] };
  const request = await drawAt(plan, place, world.stranger, choices);
  if (!request) return undefined;
  const path = `/${thing.segments.join("/")}`;
  const read = await toRequestOf(world.caller, { ...request, method: "GET", path, body: undefined }, plan);
  const before = await ask(read, plan, world);
  const answer = await ask(request, plan, world);
  if (!answer || isRefused(answer.status)) return undefined;
  const mayDoNothing = request.method === "PUT" || request.method === "DELETE";
  if (mayDoNothing && isUnchanged(before, await ask(read, plan, world))) return undefined;
  return { requests: [...place.requests, request], breach: toBreach(answer) };
}

function isUnchanged(before: ReceivedAnswer | undefined, after: ReceivedAnswer | undefined): boolean {
  return !before || !after || (before.status === after.status && contentOf(before) === contentOf(after));
}

function describeMissing({ names }: TestedRoute): string {
  const members = [...new Set([names.at(-1), "id"])].map((name) => JSON.stringify(name)).join(" or ");
  return `no call created what it leads to: no response had its location in a header, or its id as ${members} in the body`;
}

/** Things that existed before, by the option `values`. They are only read, and things are created below them. */
function listGiven({ node, names }: TestedRoute, { values }: TestRun): CreatedThing[] {
  const isCreating = node.method === "POST" && Object.hasOwn(node.responses, 201);
  if (!isSafeMethod(node.method) && !isCreating) return [];
  const texts = new Map(names.map((name) => {
    const given = Object.values(values).map(({ params = {} }) => params[name]?.[0]);
    return [name, given.find((value) => value !== undefined)];
  }));
  const segments = owningSegments(node.path).map((segment) => {
    if ("literal" in segment) return encodeURI(segment.literal);
    const value = texts.get(segment.parameter);
    return value === undefined ? undefined : encodeSegment(String(value));
  });
  const known = segments.filter((segment) => segment !== undefined);
  return known.length === segments.length ? [{ segments: known, requests: [] }] : [];
}

async function drawAt(
  plan: TestedRoute,
  thing: CreatedThing,
  run: TestRun,
  choices: Choices,
): Promise<WireRequest | undefined> {
  const drawn = await drawValid(plan, run, choices);
  const request = drawn && placeAt(drawn.request, thing, plan.node);
  const verdict = request && await run.judge(request);
  return verdict?.route === plan.node ? request : undefined;
}

async function toRequestOf(caller: Caller, request: WireRequest, plan: TestedRoute): Promise<WireRequest> {
  const fields = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !request.secrets.includes(name)),
  );
  const shown = { ...caller.headers, ...showCredential(plan, caller, fields) };
  return await signRequest(
    { ...request, headers: { ...fields, ...shown }, secrets: Object.keys(shown) },
    caller.signers,
  );
}

async function ask(request: WireRequest, plan: TestedRoute, run: TestRun): Promise<ReceivedAnswer | undefined> {
  if (!run.allows(request)) return undefined;
  const { observed } = await sendAndCheck({ request, verdict: await run.judge(request) }, plan, run);
  return observed?.answer;
}

const refusals: readonly number[] = [401, 403, 404, 405, 429, 501];

function isRefused(status: number): boolean {
  return refusals.includes(status);
}

function toBreach({ status }: ReceivedAnswer): Breach {
  return {
    rule: "owner-only",
    state: `was answered ${status} for another caller; what its caller created must be 403 or 404 for others`,
  };
}

/** Reads a list as another caller, before and after the caller created something that could be in it. */
async function visitList(plan: TestedRoute, world: World, choices: Choices): Promise<StrangerVisit> {
  const drawn = await drawValid(plan, world.stranger, choices);
  if (!drawn) return { requests: [] };
  const { request } = drawn;
  const before = await ask(request, plan, world);
  const again = await ask(request, plan, world);
  const isSteady = before && again && isSuccess(before) && contentOf(before) === contentOf(again);
  if (!isSteady) return { requests: [] };
  const below = [...world.plans.values()].find(({ node }) =>
    owningSegments(node.path).length > 0 && node.path.startsWith(`${plan.node.path.replace(/\/$/, "")}/:`)
  );
  const thing = below && (await createThings(below, world, choices)).at(-1);
  const after = thing && await ask(request, plan, world);
  if (!after || contentOf(after) === contentOf(before)) return { requests: [] };
  const state = `was answered with other content for another caller, once its caller had created something`;
  return { requests: [...thing.requests, request], breach: { rule: "owner-only", state } };
}

async function shrinkVisit(
  broken: StrangerVisit & { readonly breach: Breach },
  drawn: readonly number[],
  plan: TestedRoute,
  run: TestRun,
): Promise<Finding> {
  const visit = plan.names.length > 0 ? visitThing : visitList;
  let sent = 0;
  const smallest = await shrink(broken, drawn, run, async (choices, least) => {
    if (sent > maxShrinking) return undefined;
    const { breach, ...visited } = await visit(plan, await openWorld(run), choices);
    sent += visited.requests.length + 1;
    return !breach || sizeOfVisit(visited) > sizeOfVisit(least) ? undefined : { ...visited, breach };
  });
  return toFinding(smallest.breach, plan.node.key, smallest.requests, broken.requests);
}

function sizeOfVisit({ requests }: StrangerVisit): number {
  return requests.reduce((sum, request) => sum + sizeOf(request), 0);
}
