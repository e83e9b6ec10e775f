/** Plans the routes and the webhooks of a document: its operations, with what of them a contract can declare. */
import { toOneLine } from "../../messages.ts";
import {
  below,
  documentPart,
  listItems,
  localhost,
  memberOf,
  type Operation,
  resolvePart,
  serverUrlOf,
} from "../openapi/operations.ts";
import { pathIdentity } from "../../path.ts";
import { lastName } from "../json_schema/references.ts";
import { Names, toCamelCase, toPascalCase, toWords } from "../code/names.ts";
import { toList, toPart, toText } from "../openapi/part.ts";
import { type ImportedPath, type PathOptions, readPath } from "./path.ts";
import {
  type DocumentReader,
  type GroupPlan,
  type ImportOptions,
  methods,
  type RoutePlan,
  type SecurityPlan,
  type SharedResponse,
} from "./plan.ts";
import { type DocumentResponse, isBodilessStatus, planBody, planResponses } from "./plan_content.ts";
import { planHeaders, planParams, planQuery } from "./plan_parameters.ts";
import type { SecurityReader } from "./plan_security.ts";
import { type Planned, toPlanned } from "./planned.ts";
import { type Field, readOperation } from "./read_operation.ts";
import type { ReportedOperation } from "./report.ts";
import type { Source } from "./source.ts";
import { isSameType } from "./text_model.ts";

/** What the routes of a document are planned with. */
export interface RouteReader extends Omit<DocumentReader, "request"> {
  readonly operations: readonly Operation[];
  /** The operations of webhooks. */
  readonly hooks: readonly Operation[];
  /** The path of the server of each operation. */
  readonly bases: ReadonlyMap<Operation, string>;
  readonly security: SecurityReader;
  /** The path that precedes all others; `""` if servers differ in it. */
  readonly basePath: string;
  /** The security of operations that have none of their own. */
  readonly shared: Planned<SecurityPlan | undefined>;
  /** Whether the contract has schemas. Without them it declares no webhooks. */
  readonly hasSchemas: boolean;
}

/** The routes and the webhooks of a document, and what became of each operation. */
export interface PlannedRoutes {
  readonly groups: readonly GroupPlan[];
  /** The webhooks; `undefined` if none is declared. */
  readonly webhooks: GroupPlan | undefined;
  readonly responses: readonly SharedResponse[];
  readonly operations: readonly ReportedOperation[];
  readonly reportedHooks: readonly ReportedOperation[];
}

/** A route whose responses are not shared with others yet. */
interface OwnRoute extends Omit<RoutePlan, "key" | "tags" | "responses"> {
  readonly responses: readonly DocumentResponse[];
}

/** An operation that became a route. */
interface Taken {
  readonly operation: Operation;
  readonly group: TagGroup;
  readonly key: string;
  readonly tags: readonly string[];
  readonly route: OwnRoute;
  readonly changes: readonly string[];
}

/** An operation that became a route, or why it did not. */
type PlannedOutcome = Taken | ReportedOperation;

/** The routes of a tag. */
interface TagGroup {
  readonly key: string;
  readonly tag: string;
  readonly names: Names;
}

/**
 * The group of webhooks. No tag has its key, because theirs are identifiers. Its tag is that of webhooks in documents of
 * contracts.
 */
const hookGroup: Omit<TagGroup, "names"> = { key: "~webhooks", tag: "webhooks" };

/** Plans the routes and the webhooks of a document. */
export function planRoutes(reader: RouteReader): PlannedRoutes {
  const { source, reporter } = reader;
  const earlier: EarlierRoutes = { reader, crowded: listCrowded(reader), paths: new Map() };
  const groups = new Map<string, TagGroup>();
  const groupNames = new Names();
  const routes = reader.operations.filter((each) => isAsked(each, reader)).map((operation) =>
    planOrExplain(operation, (): PlannedOutcome => {
      const { planned: route, changes, name } = planOperation(operation, earlier);
      const tags = tagsOf(source, operation);
      if (toList(operation.part.tags).includes("")) {
        reporter.add("unpublished", below(operation.place, "tags"), "a blank tag");
      }
      const tag = tags[0] ?? tagOfPath(operation.path);
      const group = groups.get(tag) ?? { key: groupNames.take(toCamelCase(toWords(tag))), tag, names: new Names() };
      groups.set(tag, group);
      const key = group.names.take(keyOf(operation, tag));
      earlier.paths.set(name, `${group.key}.${key}`);
      return { operation, group, key, tags: tags.length > 1 ? tags : [], route, changes };
    })
  );
  return finish(routes, planHooks(reader), [...groups.values()], source);
}

/** Plans the webhooks: requests that the API sends, each to a URL of the receiver. */
function planHooks(reader: RouteReader): readonly PlannedOutcome[] {
  const group: TagGroup = { ...hookGroup, names: new Names() };
  const known = new Map<string, string>(); // the methods of webhooks by name
  return reader.hooks.filter((each) => isAsked(each, reader)).map((operation) =>
    planOrExplain(operation, (): PlannedOutcome => {
      if (!reader.hasSchemas) throw new TypeError("a contract without schemas sends nothing");
      const { path: key } = operation;
      const method = known.get(key);
      if (method !== undefined) throw new TypeError(`a webhook has one method, and ${method} is declared`);
      const { planned: route, changes } = planHook(operation, { ...reader, request: "output" });
      known.set(key, operation.method.toUpperCase());
      const tags = tagsOf(reader.source, operation);
      const isPlain = tags.length === 1 && tags[0] === group.tag;
      return { operation, group, key, tags: isPlain ? [] : tags, route, changes };
    })
  );
}

/** Names an operation in a report. */
function operationLabel({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Returns the outcome of a plan, or why a contract cannot declare the operation. */
function planOrExplain(operation: Operation, plan: () => PlannedOutcome): PlannedOutcome {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { operation: operationLabel(operation), key: undefined, changes: [], reason: error.message };
  }
}

function isTaken(outcome: PlannedOutcome): outcome is Taken {
  return "route" in outcome;
}

function finish(
  outcomes: readonly PlannedOutcome[],
  hooks: readonly PlannedOutcome[],
  groups: readonly TagGroup[],
  source: Source,
): PlannedRoutes {
  const taken = outcomes.filter(isTaken);
  const sent = hooks.filter(isTaken);
  const { responses, routes } = shareResponses(taken);
  const inGroups = groups.map((group) => taken.filter((each) => each.group === group));
  const renamed = nameOperations([...inGroups.flat(), ...sent]);
  const toRoute = (each: Taken, declared: RoutePlan["responses"]): RoutePlan => ({
    ...each.route,
    key: each.key,
    tags: each.tags,
    responses: declared,
    operationId: renamed.get(each) ?? each.route.operationId,
  });
  const report = (each: PlannedOutcome): ReportedOperation => {
    if (!isTaken(each)) return each;
    const id = JSON.stringify(renamed.get(each));
    const told = `its operationId is ${id}, because another operation has ${JSON.stringify(idOf(each))}`;
    const changes = id === undefined ? each.changes : [...each.changes, told];
    return { operation: operationLabel(each.operation), key: pathOf(each), changes, reason: undefined };
  };
  const tags = listItems(source, memberOf(documentPart(source), "tags")).map((each) => resolvePart(source, each).part);
  const ownResponses = ({ route }: Taken) => route.responses.map(({ status, response }) => [status, response] as const);
  return {
    groups: groups.map(({ key, tag }, index) => ({
      key,
      tag,
      routes: inGroups[index]!.map((each) => toRoute(each, routes.get(each)!)),
      description: toText(tags.find(({ name }) => name === tag)?.description),
    })),
    webhooks: sent.length === 0
      ? undefined
      : { ...hookGroup, description: undefined, routes: sent.map((each) => toRoute(each, ownResponses(each))) },
    responses,
    operations: outcomes.map(report),
    reportedHooks: hooks.map(report),
  };
}

/** Returns the keys that lead to a route, with dots. A webhook has only its name. */
function pathOf({ group, key }: Taken): string {
  return group.key === hookGroup.key ? key : `${group.key}.${key}`;
}

/** Returns the id of an operation, as a document of its contract has it. */
function idOf(taken: Taken): string {
  return taken.route.operationId ?? pathOf(taken);
}

/** Returns new ids of the operations whose id others have too, because a document cannot have it twice. */
function nameOperations(taken: readonly Taken[]): ReadonlyMap<Taken, string> {
  const names = new Names(taken.map(idOf));
  const known = new Set<string>();
  const repeated = taken.filter((each) => known.size === known.add(idOf(each)).size);
  return new Map(repeated.map((each) => [each, names.take(idOf(each))]));
}

/** Names the responses that several routes can refer to, where the routes agree on them. */
function shareResponses(
  taken: readonly Taken[],
): { readonly responses: readonly SharedResponse[]; readonly routes: ReadonlyMap<Taken, RoutePlan["responses"]> } {
  const shared = new Map<string, SharedResponse>();
  const names = new Names();
  const share = ({ status, reference = "", response }: DocumentResponse): RoutePlan["responses"][number] => {
    const name = nameOfResponse(reference);
    if (name === undefined || isBodilessStatus(status)) return [status, response];
    const known = shared.get(reference);
    if (known) return [status, isSameType(known.response, response) ? known.identifier : response];
    const identifier = names.takeBinding(toPascalCase(toWords(name)));
    shared.set(reference, { identifier, response });
    return [status, identifier];
  };
  const routes = new Map(taken.map((each) => [each, each.route.responses.map(share)]));
  return { responses: [...shared.values()], routes };
}

/** What operations are planned with besides their document. */
interface EarlierRoutes {
  readonly reader: RouteReader;
  /** The methods and paths that several operations have, if each segment has at most one parameter. */
  readonly crowded: ReadonlySet<string>;
  /** The keys of the routes before, by method and path. */
  readonly paths: Map<string, string>;
}

/**
 * Plans the route of an operation. Its `name` is its method and path without the names of parameters.
 *
 * @throws {TypeError} If a contract cannot declare it.
 */
function planOperation(
  operation: Operation,
  { reader: routes, crowded, paths }: EarlierRoutes,
): Planned<OwnRoute> & { readonly name: string } {
  const reader: DocumentReader = { ...routes, request: "input" };
  const { part } = operation;
  const method = checkMethod(operation);
  const server = describeServer(reader.source, operation);
  const parts = readOperation(operation, reader);
  const { parameters, alike } = parts;
  const declared = new Set(parameters.filter((each) => each.part.in === "path").map(({ name }) => name));
  const joined = readPathOf(operation, routes, { declared, isCrowded: false });
  const isCrowded = crowded.has(nameOf(method, joined));
  const written = isCrowded ? readPathOf(operation, routes, { declared, isCrowded }) : joined;
  const path = toFreePath(written, method, parameters, paths);
  const body = planBody(parts, reader);
  const headers = planHeaders(parameters, body.planned, reader);
  const security = part.security === undefined ? undefined : routes.security.read(memberOf(operation, "security"));
  const params = planParams(path, parameters, reader);
  const query = planQuery(parameters, reader);
  const responses = planResponses(parts, reader);
  const planned = {
    parts,
    method,
    path: path.path,
    hasTrailingSlash: path.hasTrailingSlash,
    ...proseOf(operation),
    params: params.planned,
    query: query.planned,
    headers: headers.planned,
    body: body.planned,
    responses: responses.planned,
    security: security && !isSameType(security.planned, routes.shared.planned) ? security.planned : undefined,
  };
  const inOrder = [path, body, headers, security ?? routes.shared, params, query, responses];
  const changes = [...server, ...describeSunset(operation), ...alike, ...inOrder.flatMap((each) => each.changes)];
  return { name: nameOf(method, path), planned, changes };
}

/**
 * Plans a webhook.
 *
 * @throws {TypeError} If a contract cannot declare it.
 */
function planHook(operation: Operation, reader: DocumentReader): Planned<OwnRoute> {
  const method = checkMethod(operation);
  const parts = readOperation(operation, reader);
  const body = planBody(parts, reader);
  if (body.planned === undefined) throw new TypeError("it has no body, which a webhook needs");
  const headers = planHeaders(parts.parameters, body.planned, reader);
  const responses = planResponses(parts, reader);
  const placed = parts.parameters.filter(({ part }) => part.in === "path" || part.in === "query");
  const isSecured = toList(operation.part.security).length > 0;
  return toPlanned(
    {
      parts,
      method,
      path: "/",
      hasTrailingSlash: false,
      ...proseOf(operation),
      params: undefined,
      query: undefined,
      headers: headers.planned,
      body: body.planned,
      responses: responses.planned,
      security: undefined,
    },
    ...describeSunset(operation),
    ...parts.alike,
    ...placed.map(({ part, name }) =>
      `the ${part.in} parameter ${toOneLine(name)} is not declared: the receiver chooses its URL`
    ),
    ...(isSecured ? ["its security is not declared: it is the receiver's"] : []),
    ...[body, headers, responses].flatMap(({ changes }) => changes),
  );
}

/**
 * Returns the method of an operation.
 *
 * @throws {TypeError} If a contract cannot declare it.
 */
function checkMethod({ method }: Operation): RoutePlan["method"] {
  if (method === "trace") throw new TypeError("fetch cannot send TRACE");
  const known = methods.find((each) => each === method);
  if (known === undefined) throw new TypeError(`a contract cannot declare the method ${toOneLine(method)}`);
  return known;
}

/** Returns the prose of an operation, and its id. */
function proseOf(
  { part, item: { part: { summary, description } } }: Operation,
): Pick<RoutePlan, "summary" | "description" | "deprecated" | "operationId"> {
  return {
    summary: toText(part.summary) ?? toText(summary),
    description: toText(part.description) ?? toText(description),
    deprecated: part.deprecated === true,
    operationId: toText(part.operationId),
  };
}

/** Says that an operation has a sunset, which needs a beginning. */
function describeSunset({ part }: Operation): string[] {
  const sunset = part.deprecated === true ? toText(part["x-sunset"]) : undefined;
  return sunset === undefined ? [] : [`the sunset ${toOneLine(sunset)} is not declared`];
}

/** Reads the path of an operation, below that of its server if the servers of operations differ. */
function readPathOf(
  operation: Operation,
  { bases, basePath }: RouteReader,
  options: Pick<PathOptions, "declared" | "isCrowded">,
): ImportedPath {
  const base = bases.get(operation)!; // which all operations have
  const isShared = base === basePath;
  const path = isShared ? operation.path : `${base}${operation.path}`;
  return readPath(path, { ...options, isBelow: isShared && base !== "" });
}

/** Returns the methods and paths that several operations have, if each segment has at most one parameter. */
function listCrowded(reader: RouteReader): ReadonlySet<string> {
  const hasSeveral = (segment: string) => segment.split("{").length > 2;
  if (!reader.operations.some(({ path }) => path.split("/").some(hasSeveral))) return new Set();
  const seen = new Set<string>();
  return new Set(reader.operations.flatMap((operation) => {
    try {
      const name = nameOf(
        operation.method,
        readPathOf(operation, reader, { declared: new Set(), isCrowded: false }),
      );
      return seen.size < seen.add(name).size ? [] : [name];
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return []; // it is left out
    }
  }));
}

/**
 * Returns a path that no earlier route has. Where a parameter makes two paths the same, its default is a segment that
 * tells them apart.
 *
 * @throws {TypeError} If there is none.
 */
function toFreePath(
  read: ImportedPath,
  method: string,
  parameters: readonly Field[],
  paths: ReadonlyMap<string, string>,
): ImportedPath {
  const earlier = paths.get(nameOf(method, read));
  if (earlier === undefined) return read;
  for (const parameter of read.parameters) {
    const [first] = parameter.parts;
    const name = typeof first === "object" ? first.parameter : undefined;
    const declared = parameters.find(({ part, ...each }) => part.in === "path" && each.name === name);
    const fallback = toPart(declared?.part.schema).default;
    if (typeof fallback !== "string" || !/^[\w.-]+$/.test(fallback)) continue;
    const segments = read.path.split("/").map((segment) => segment === `:${parameter.name}` ? fallback : segment);
    const change = `${name} is ${
      JSON.stringify(fallback)
    } in its path, because ${earlier} has the same method and path`;
    const fixed = {
      ...read,
      path: segments.join("/"),
      parameters: read.parameters.filter((each) => each !== parameter),
      changes: [...read.changes, change],
    };
    if (!paths.has(nameOf(method, fixed))) return fixed;
  }
  throw new TypeError(`${earlier} has the same method and path`);
}

/** Returns whether an operation is asked for, by one of its names. */
export function isAsked(
  operation: Operation,
  { source, options: { only } }: { readonly source: Source; readonly options: ImportOptions },
): boolean {
  return !only || identifiersOf(source, operation).some((name) => only.includes(name));
}

/** Returns the names by which an operation can be asked for: its id, its tags and its path. */
export function identifiersOf(source: Source, operation: Operation): string[] {
  const id = toText(operation.part.operationId);
  const tags = tagsOf(source, operation);
  return [...(id === undefined ? [] : [id]), tags[0] ?? tagOfPath(operation.path), ...tags, operation.path];
}

function tagsOf(source: Source, operation: Operation): string[] {
  return listItems(source, memberOf(operation, "tags")).flatMap(({ value }) => toText(value) ?? []);
}

/** Returns what stands for the tag of an operation without one: the first literal segment of its path. */
function tagOfPath(path: string): string {
  return path.split("/").find((segment) => segment !== "" && !segment.includes("{") && !/^v\d+$/.test(segment)) ??
    "default";
}

/** Returns the key of a route: its operation id without the name of its group, or its method and path. */
function keyOf({ part, method, path }: Operation, tag: string): string {
  const id = toWords(toText(part.operationId) ?? "");
  if (id.length === 0) {
    const segments = path.split("/").filter((segment) => segment !== "" && segment !== tag);
    const words = segments.flatMap((segment) => {
      const name = /^\{(.*)\}$/.exec(segment)?.[1];
      return name === undefined ? toWords(segment) : ["by", ...toWords(name)];
    });
    return toCamelCase([method, ...words]);
  }
  const group = toWords(tag).map((word) => word.toLowerCase());
  const isPrefixed = group.every((word, index) => id[index]?.toLowerCase() === word) && id.length > group.length;
  return toCamelCase(isPrefixed ? id.slice(group.length) : id);
}

/** Returns the method and the path without the names of parameters, which is what a contract tells routes apart by. */
function nameOf(method: string, { path, parameters, hasTrailingSlash }: ImportedPath): string {
  const patterns = parameters.flatMap(({ pattern = [] }) => pattern).join("/");
  return `${method} ${pathIdentity(path)}${patterns}${hasTrailingSlash ? "/" : ""}`;
}

/** Says that an operation has a server of its own on another host than the document. */
function describeServer(source: Source, operation: Operation): string[] {
  if (operation.part.servers === undefined && operation.item.part.servers === undefined) return [];
  const { origin } = serverUrlOf(source, operation);
  const shared = serverUrlOf(source, { ...operation, part: {}, item: { ...operation.item, part: {} } });
  if (origin === shared.origin) return [];
  const server = origin === localhost ? "the host of the document" : origin;
  return [`its server is ${toOneLine(server)}; pass that as the baseUrl of a client for it`];
}

/** Returns the name of a response that several operations can refer to: of a component, or of a file of its own. */
function nameOfResponse(reference: string): string | undefined {
  const isFile = reference.endsWith("#"); // a regular expression would start again at each character
  if (!isFile && !/\/components\/responses\/[^/]+$/.test(reference)) return undefined;
  return isFile ? lastName(reference).slice(0, -1).split(".", 1)[0] : lastName(reference);
}
