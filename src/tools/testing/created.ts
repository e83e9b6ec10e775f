/** Things that the caller of a test creates: how, and at which paths. */
import { type AnyParams, encodeSegment, parsePath, type Segment } from "../../path.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { Choices } from "../json_schema/choices.ts";
import { drawValid } from "./phases.ts";
import type { TestedRoute } from "./route_plan.ts";
import { sendAndCheck } from "./send_and_check.ts";
import { drawReading, isSuccess } from "./sequences.ts";
import { learn, type Observation, type TestRun } from "./test_run.ts";
import { parseBody, pathOf, type WireRequest } from "./wire_request.ts";

/** Something that exists on the server, at a path that ends with its id. */
export interface CreatedThing {
  readonly segments: readonly string[];
  readonly requests: readonly WireRequest[];
}

/** The segments of a declared path, without the empty one of a slash at its end. */
function segmentsOf(path: string): Segment[] {
  return parsePath(path).filter((segment) => "parameter" in segment || segment.literal !== "");
}

/** The segments of a declared path up to its last parameter. Empty if it has none. */
export function owningSegments(path: string): Segment[] {
  const segments = segmentsOf(path);
  return segments.slice(0, segments.findLastIndex((segment) => "parameter" in segment) + 1);
}

export function findCreated({ node }: TestedRoute, things: readonly CreatedThing[]): CreatedThing | undefined {
  const segments = owningSegments(node.path);
  return things.findLast((thing) => thing.segments.length === segments.length && isBelow(segments, thing));
}

function isBelow(declared: readonly Segment[], { segments }: CreatedThing): boolean {
  return segments.every((text, index) => {
    const segment = declared[index];
    return segment !== undefined && ("parameter" in segment || encodeURI(segment.literal) === text);
  });
}

/** Returns a request with the path of a thing in the place of the same segments, and in their parameters' texts. */
export function placeAt(request: WireRequest, { segments }: CreatedThing, node: RouteNode): WireRequest {
  const { pathPatterns } = (node.params ?? {}) as NonNullable<AnyParams>; // a styled schema has them
  const path = pathOf(request.path);
  const placed = path.slice(1).split("/").map((own, index) => {
    const segment = parsePath(node.path)[index];
    const pattern = segment && "parameter" in segment ? pathPatterns?.get(segment.parameter) : undefined;
    const text = segments[index];
    return text === undefined ? own : pattern === undefined ? text : pattern.replace("*", () => text);
  });
  return { ...request, path: `/${placed.join("/")}${request.path.slice(path.length)}` };
}

/** Creates what a route leads to, and everything above it, with the calls of the contract. Returns all of it. */
export async function createThings(
  plan: TestedRoute,
  world: TestRun,
  choices: Choices,
): Promise<readonly CreatedThing[]> {
  const [direct, others] = listCreators(plan, world);
  const things: CreatedThing[] = [];
  for (const creator of direct) await createThing(creator, plan, things, world, choices);
  for (const creator of others) {
    if (findCreated(plan, things)) break;
    await createThing(creator, plan, things, world, choices);
  }
  return things;
}

const maxOthers = 20;

/**
 * Returns the calls that may create what a route leads to: those whose paths say so, from the outermost thing to the
 * innermost, and others that declare 201 and change nothing that exists, whose header `location` may say it.
 */
function listCreators({ node: { path } }: TestedRoute, { plans }: TestRun): readonly [TestedRoute[], TestedRoute[]] {
  const creating = [...plans.values()].filter(({ node: { method } }) => method === "POST" || method === "PUT")
    .toSorted((one, other) => one.names.length - other.names.length);
  const owning = owningSegments(path);
  const direct = creating.filter(({ node }) =>
    owning.some((segment, index) => "parameter" in segment && createsAt(node, owning.slice(0, index + 1)))
  );
  const others = creating.filter((each) =>
    !direct.includes(each) && each.names.length === 0 && Object.hasOwn(each.node.responses, 201)
  );
  return [direct, others.slice(0, maxOthers)];
}

/** Tests whether the path of a call says that it may create things at a path, which ends with a parameter. */
function createsAt({ method, path }: RouteNode, place: readonly Segment[]): boolean {
  const segments = segmentsOf(path);
  if (method === "PUT") return shapeOf(segments) === shapeOf(place);
  return shapeOf(segments) === shapeOf(place.slice(0, -1)) || bindAbove(segments, place) !== undefined;
}

/** Returns where a collection, such as `/users/:user/notes`, has the parameters above a thing at `/notes/:note`. */
function bindAbove(collection: readonly Segment[], place: readonly Segment[]): number[] | undefined {
  const [last, name] = [collection.at(-1), place.at(-2)];
  if (!last || !name || !("literal" in last) || !("literal" in name) || last.literal !== name.literal) return undefined;
  const above = place.slice(0, -1).flatMap((segment) => "parameter" in segment ? [segment.parameter] : []);
  const indexes = above.map((parameter) =>
    collection.findIndex((segment) => "parameter" in segment && segment.parameter === parameter)
  );
  return indexes.includes(-1) ? undefined : indexes;
}

function shapeOf(segments: readonly Segment[]): string {
  return segments.map((segment) => "parameter" in segment ? ":" : `/${segment.literal}`).join("/");
}

async function createThing(
  creator: TestedRoute,
  wanted: TestedRoute,
  things: CreatedThing[],
  world: TestRun,
  choices: Choices,
): Promise<void> {
  const { node } = creator;
  const valid = await drawValid(creator, world, choices);
  if (!valid) return;
  const above = segmentsOf(node.path).slice(0, node.method === "PUT" ? -1 : undefined);
  const parent = things.findLast((thing) => thing.segments.length <= above.length && isBelow(above, thing));
  const request = parent ? placeAt(valid.request, parent, node) : valid.request;
  const verdict = await world.judge(request);
  if (verdict.route !== node || !world.allows(request)) return;
  if (node.method === "PUT" && await exists(request, world)) return; // it would be replaced
  const { observed } = await sendAndCheck({ request, verdict }, creator, world);
  if (!observed || !isSuccess(observed.answer)) return;
  learn(observed, world);
  const requests = [...parent?.requests ?? [], request];
  for (const segments of locateCreated(observed, node, wanted, world)) things.push({ segments, requests });
}

async function exists(request: WireRequest, world: TestRun): Promise<boolean> {
  const drawn = await drawReading(pathOf(request.path), request, world);
  const { observed } = drawn ? await sendAndCheck(drawn, undefined, world) : {};
  return observed !== undefined && isSuccess(observed.answer);
}

/** Returns the paths of what a call created: of the header `location`, of its own, or with an id from the body. */
function locateCreated(
  { request, answer }: Observation,
  creator: RouteNode,
  wanted: TestedRoute,
  { locator }: TestRun,
): string[][] {
  const sent = textsOf(pathOf(request.path));
  const location = locator.resolve(answer.headers, request.path);
  const owning = owningSegments(wanted.node.path);
  const collection = segmentsOf(creator.path);
  const named = owning.flatMap((segment, index) => {
    if (!("parameter" in segment) || request.method === "PUT") return [];
    const place = owning.slice(0, index + 1);
    const id = findId(answer.body, segment.parameter);
    if (id === undefined) return [];
    if (shapeOf(collection) === shapeOf(place.slice(0, -1))) return [[...sent, id]];
    const above = bindAbove(collection, place)?.map((at) => sent[at]!); // an index of the same path
    return above ? [fill(place, [...above, id])] : [];
  });
  const own = request.method === "PUT" ? [sent] : [];
  return [...named, ...own, ...(location === undefined ? [] : [textsOf(location)])];
}

function textsOf(path: string): string[] {
  return path.split("/").filter((text) => text !== "");
}

function fill(place: readonly Segment[], texts: readonly string[]): string[] {
  let next = 0;
  return place.map((segment) => "parameter" in segment ? texts[next++]! : encodeURI(segment.literal)); // one for each
}

/** Returns the id in a body, as a segment of a path: a member with the name of the parameter, or `id`. */
function findId(body: Uint8Array, parameter: string): string | undefined {
  const names = [parameter, "id", `${parameter}Id`, `${parameter}_id`];
  let level: unknown[] = [parseBody(body)];
  for (let depth = 0; depth < 3; depth++) {
    const objects = level.filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
    const members = objects.flatMap((value) => Object.entries(value as object));
    for (const name of names) {
      const found = members.find(([key, value]) =>
        key === name && (typeof value === "string" || typeof value === "number")
      );
      if (found) return encodeSegment(String(found[1]));
    }
    level = members.map(([, value]) => value);
  }
}
