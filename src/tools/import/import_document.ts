/** Plans the import of a document. */
import type { Direction } from "../openapi/definitions.ts";
import { groupCycles } from "../json_schema/cycles.ts";
import { limitSteps, StepLimitError } from "../json_schema/steps.ts";
import { listProblems } from "./declare.ts";
import { mostCharacters, Names, toPascalCase, toWords } from "../code/names.ts";
import { tooManyLevels } from "../openapi/excess.ts";
import { toText } from "../openapi/part.ts";
import {
  type DocumentReader,
  type GroupPlan,
  groupsOf,
  type ImportOptions,
  type ImportPlan,
  modelsIn,
  type PlannedSchema,
  responseOf,
  type RoutePlan,
} from "./plan.ts";
import {
  basePathOf,
  describePlace,
  documentPart,
  listMembers,
  listOperations,
  listWebhooks,
  memberOf,
  type Operation,
  resolvePart,
} from "../openapi/operations.ts";
import { toPlanned } from "./planned.ts";
import { identifiersOf, isAsked, type PlannedRoutes, planRoutes } from "./plan_routes.ts";
import { baseUrlOf } from "./plan_document.ts";
import { SecurityReader } from "./plan_security.ts";
import { type ReportedOperation, Reporter } from "./report.ts";
import { Schemas } from "./schemas.ts";
import { keysIn, type Model } from "./model.ts";
import type { Source } from "./source.ts";
import { reportUnpublished } from "./unpublished.ts";
import { versionOf } from "./swagger.ts";

/** Names of the written modules that schemas, responses and schemes must not have. The last are types of the toolkit. */
const imported = ("z v type route router request response security styled schemas contract typed webhooks hooks api " +
  "ApiKeyCredential BasicCredential BearerCredential CombinedSchemes CookieCredential EventReader ItemReader " +
  "ItemsInput NoSecurity SecurityScheme SocketResponse").split(" ");

/**
 * Plans what the contract of a document declares.
 *
 * @param hasSchemas Whether the contract has schemas. Without them it is for clients alone, and declares no webhooks.
 *
 * @throws {TypeError} If it is not a document of OpenAPI, or none of its operations can be declared.
 */
export function planImport(source: Source, options: ImportOptions = {}, hasSchemas = true): ImportPlan {
  return limitImport(() => planWithin(source, options, hasSchemas), mostReadingSteps);
}

/**
 * The most steps of reading schemas, and of writing modules. GitHub's document takes 28,000 and 75,000. Each level of
 * schemas that repeat others doubles them.
 */
const mostReadingSteps = 300_000;
const mostSteps = 500_000;

/** Runs a part of an import, unless a document makes it take out of proportion to its size. */
export function limitImport<Result>(run: () => Result, most = mostSteps): Result {
  try {
    return limitSteps(most, run);
  } catch (cause) {
    throw toImportError(cause);
  }
}

/**
 * Returns the error of a document that takes too many steps, or overflows the stack. Any other error stays what it is.
 */
export function toImportError(cause: unknown): unknown {
  if (!(cause instanceof RangeError)) return cause;
  const state = cause instanceof StepLimitError
    ? "its schemas repeat others too often; import a part of the document with --only"
    : "the document is nested too deeply";
  return new TypeError(`Cannot import: ${state}`, { cause });
}

function planWithin(source: Source, options: ImportOptions, hasSchemas: boolean): ImportPlan {
  if (!/^3\.\d/.test(versionOf(source.root.openapi) ?? "")) {
    throw new TypeError("Cannot import: the document must have openapi 3.0, 3.1 or 3.2, or swagger 2.0");
  }
  const reporter = new Reporter();
  for (const place of source.tooDeep) reporter.add("faults", place, `it ${tooManyLevels}; what is deeper is ignored`);
  const schemas = new Schemas(source, reporter);
  const { routes, ...contract } = planContract({ source, schemas, reporter, options }, hasSchemas);
  const { part: { title, version, description }, place } = resolvePart(source, memberOf(documentPart(source), "info"));
  if (toText(version) === undefined) {
    reporter.add("unpublished", place, "that it has no version: the published one is 1.0.0");
  }
  const reserved = [
    ...imported,
    ...hasSchemas ? [] : ["slim"],
    ...contract.schemes.map(({ identifier }) => identifier),
  ];
  const named = nameSchemas(routes, schemas, reserved);
  schemas.reportOverlaps();
  const responded = nameResponses(routes, named, reserved);
  reportLost(responded, named, schemas);
  return {
    source,
    baseUrl: baseUrlOf(source),
    title: [toText(title) ?? "API", toText(version)].filter((each) => each !== undefined).join(" "),
    description: toText(description),
    ...contract,
    ...responded,
    schemas: named,
    report: {
      title: toText(title) ?? "API",
      files: [...source.files.keys()].filter((url) => url !== ""),
      operations: routes.operations,
      webhooks: routes.reportedHooks,
      ...reporter.found,
    },
  };
}

/** Plans the routes of a document that a contract can declare, and what they share. */
function planContract(
  reader: Omit<DocumentReader, "request">,
  hasSchemas: boolean,
): Pick<ImportPlan, "basePath" | "security" | "schemes"> & { readonly routes: PlannedRoutes } {
  const { source, options, reporter } = reader;
  const operations = listOperations(source, (place, reason) => reporter.add("faults", place, reason));
  const hooks = listWebhooks(source, (place, reason) => reporter.add("faults", place, reason));
  const all = [...operations, ...hooks];
  checkOnly(options.only ?? [], new Set(all.flatMap((each) => identifiersOf(source, each))));
  reportCallbacks(all.filter((each) => isAsked(each, reader)), reader);
  const bases = new Map(operations.map((operation) => [operation, basePathOf(source, operation)]));
  const [firstBase = "", ...otherBases] = new Set(bases.values());
  const basePath = otherBases.length > 0 ? "" : firstBase;
  const security = new SecurityReader(source, hasSchemas ? imported : [...imported, "slim"]);
  const isSecured = source.root.security !== undefined || operations.some(({ part }) => part.security !== undefined);
  const shared = isSecured ? security.read(memberOf(documentPart(source), "security")) : toPlanned(undefined);
  const planned = planRoutes({ ...reader, operations, hooks, bases, security, basePath, shared, hasSchemas });
  const contract = { basePath, security: shared.planned, schemes: security.schemes };
  return { ...contract, routes: withoutProblems(planned, contract) };
}

/** Reports what schemas of the document say that the types of routes do not. */
function reportLost(
  plan: Pick<ImportPlan, "groups" | "webhooks" | "responses">,
  named: readonly PlannedSchema[],
  schemas: Schemas,
): void {
  const routes = groupsOf(plan).flatMap((group) => group.routes);
  const models = [...routes.flatMap((route) => modelsOf(route, plan)), ...named.map(({ model }) => model)];
  const components = new Map(named.map(({ key, component }) => [key, component]));
  const targetOf = (key: string) => ({ reference: schemas.referenceOf(key), component: components.get(key)! });
  const isSent = (route: RoutePlan): boolean => plan.webhooks?.routes.includes(route) === true;
  const { find, reporter } = schemas;
  reportUnpublished(routes, { find, reporter, targetOf, isSent, oneSided: listOneSided(named) }, models);
}

function reportCallbacks(
  operations: readonly Operation[],
  { source, reporter }: Pick<DocumentReader, "source" | "reporter">,
): void {
  for (const each of operations) {
    const callbacks = memberOf(each, "callbacks");
    try {
      for (const [, { place }] of listMembers(source, callbacks)) {
        reporter.add("omitted", place, "the callback is not declared");
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      reporter.add("faults", callbacks.place, error.message);
    }
  }
}

function checkOnly(only: readonly string[], known: ReadonlySet<string>): void {
  const unknown = only.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Cannot import: "only" has ${JSON.stringify(unknown)}, which is no operation id, tag or path of the document`,
  );
}

/** Leaves out the routes and the webhooks that a contract refuses to declare. */
function withoutProblems(
  planned: PlannedRoutes,
  contract: Pick<ImportPlan, "basePath" | "security" | "schemes">,
): PlannedRoutes {
  const problems = listProblems({ ...contract, ...planned });
  if (problems.size === 0) return planned;
  const withoutThem = (group: GroupPlan): readonly GroupPlan[] => {
    const routes = group.routes.filter(({ key }) => !problems.has(`${group.key}.${key}`));
    return routes.length === 0 ? [] : [{ ...group, routes }];
  };
  const withReasons = (outcomes: readonly ReportedOperation[], prefix: string): readonly ReportedOperation[] =>
    outcomes.map((each) => {
      const reason = each.key === undefined ? undefined : problems.get(`${prefix}${each.key}`);
      return reason === undefined ? each : { ...each, key: undefined, changes: [], reason };
    });
  const groups = planned.groups.flatMap(withoutThem);
  const [webhooks] = planned.webhooks ? withoutThem(planned.webhooks) : [];
  const used = new Set(
    groups.flatMap(({ routes }) => routes.flatMap(({ responses }) => responses.map(([, each]) => each))),
  );
  return {
    groups,
    webhooks,
    responses: planned.responses.filter(({ identifier }) => used.has(identifier)),
    operations: withReasons(planned.operations, ""),
    reportedHooks: withReasons(planned.reportedHooks, `${planned.webhooks?.key}.`),
  };
}

export function modelsOf(route: RoutePlan, plan: Pick<ImportPlan, "responses">): Model[] {
  const responses = route.responses.map(([, response]) => responseOf(response, plan));
  const slots = [route.params, route.query, route.headers, route.body?.model];
  return [...slots, ...responses.flatMap((each) => [...modelsIn(each), each.headers])]
    .filter((model) => model !== undefined);
}

/** Gives shared responses names that no schema has. Webhooks have their own. */
function nameResponses(
  { groups, webhooks, responses }: PlannedRoutes,
  schemas: readonly PlannedSchema[],
  reserved: readonly string[],
): Pick<ImportPlan, "groups" | "webhooks" | "responses"> {
  const names = new Names([...reserved, ...schemas.map(({ identifier }) => identifier)]);
  const isTaken = new Set(schemas.map(({ identifier }) => identifier));
  const renamed = new Map(responses.map(({ identifier }) => [
    identifier,
    names.take(isTaken.has(identifier) ? `${identifier}Response` : identifier),
  ]));
  return {
    webhooks,
    responses: responses.map(({ identifier, response }) => ({ identifier: renamed.get(identifier)!, response })),
    groups: groups.map((group) => ({
      ...group,
      routes: group.routes.map((route) => ({
        ...route,
        responses: route.responses.map(([status, each]) =>
          [status, typeof each === "string" ? renamed.get(each)! : each] as const
        ),
      })),
    })),
  };
}

/** Names the schemas that routes use. Each belongs to the group that is the first to use it. */
function nameSchemas(plan: PlannedRoutes, schemas: Schemas, reserved: readonly string[]): PlannedSchema[] {
  const groups = new Map<string, string>();
  for (const { key, routes } of groupsOf(plan)) {
    const waiting = routes.flatMap((route) => modelsOf(route, plan).flatMap(keysIn));
    for (const reference of waiting) { // which grows
      if (groups.has(reference)) continue;
      groups.set(reference, key);
      waiting.push(...keysIn(schemas.get(reference).model));
    }
  }
  schemas.replaceEndless(groups.keys());
  const { order, cyclic } = sortSchemas([...groups.keys()], schemas);
  const names = new Names(reserved);
  const plain = new Set(
    [...groups.keys()].map((key) => schemas.get(key)).filter(({ tagged }) => tagged === undefined)
      .map(({ direction, place }) => `${direction} ${describePlace(place)}`),
  );
  const components = new Names();
  const identifiers = new Map([...groups.keys()].map((key) => {
    const { name, isSplit, direction, tagged, place } = schemas.get(key);
    const isShared = tagged !== undefined && plain.has(`${direction} ${describePlace(place)}`);
    const suffix = [
      ...(isShared ? ["by", ...toWords(tagged)] : []),
      ...(isSplit && direction === "input" && groups.has(key.replace(/^input /, "")) ? ["Input"] : []),
    ];
    const isIdentifier = /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= mostCharacters;
    const identifier = isIdentifier ? `${name}${toPascalSuffix(suffix)}` : toPascalCase([...toWords(name), ...suffix]);
    const component = components.take(`${name.replaceAll(/[^\w.-]+/g, "_") || "_"}${toPascalSuffix(suffix)}`);
    return [key, { identifier: names.takeBinding(identifier), component }];
  }));
  return order.map((key) => ({
    ...schemas.get(key),
    ...identifiers.get(key)!,
    isCyclic: cyclic.has(key),
    group: groups.get(key)!,
  }));
}

/** Lists the places of schemas of which the contract has one of two sides. */
function listOneSided(schemas: readonly PlannedSchema[]): ReadonlySet<string> {
  const placesOf = (direction: Direction) =>
    new Set(
      schemas.filter((each) => each.isSplit && each.direction === direction).map((each) => describePlace(each.place)),
    );
  const [sent, received] = [placesOf("input"), placesOf("output")];
  return new Set([
    ...[...sent].filter((each) => !received.has(each)),
    ...[...received].filter((each) => !sent.has(each)),
  ]);
}

function toPascalSuffix(words: readonly string[]): string {
  return words.length === 0 ? "" : toPascalCase(words);
}

/**
 * Returns the keys of schemas in an order in which each stands after those that it refers to, where that is possible.
 */
function sortSchemas(
  keys: readonly string[],
  schemas: Schemas,
): { order: string[]; cyclic: ReadonlySet<string> } {
  const targetsOf = (key: string): readonly string[] => keysIn(schemas.get(key).model);
  const groups = groupCycles(keys, targetsOf);
  const cyclic = groups.filter(([first, ...others]) => others.length > 0 || targetsOf(first!).includes(first!));
  return { order: groups.flat(), cyclic: new Set(cyclic.flat()) };
}
