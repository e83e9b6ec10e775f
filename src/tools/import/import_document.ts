/** Plans the import of a document. */
import { groupCycles } from "../json_schema/cycles.ts";
import { limitSteps, StepLimitError } from "../json_schema/steps.ts";
import { listProblems } from "./declare.ts";
import { mostCharacters, Names, toPascalCase, toWords } from "./names.ts";
import { toText } from "../openapi/part.ts";
import type { ImportOptions, ImportPlan, PlannedSchema, RoutePlan } from "./plan.ts";
import {
  basePathOf,
  describePlace,
  documentPart,
  listMembers,
  listOperations,
  type Located,
  memberOf,
  type Operation,
  resolvePart,
} from "../openapi/operations.ts";
import { namesOf, type PlannedRoutes, planRoutes } from "./plan_routes.ts";
import { planDocument } from "./plan_document.ts";
import { SecurityReader } from "./plan_security.ts";
import { Reporter } from "./report.ts";
import { Schemas } from "./schemas.ts";
import { type Model, referencesOf } from "./model.ts";
import type { Source } from "./source.ts";
import { reportUnpublished } from "./unpublished.ts";
import { versionOf } from "./swagger.ts";

/** Names of the written modules that schemas, responses and schemes must not have. The last are types of the toolkit. */
const imported = ("z v type route router request response security styled schemas contract typed " +
  "ApiKeyCredential BasicCredential BearerCredential CombinedSchemes CookieCredential EventReader ItemReader NoSecurity " +
  "SecurityScheme SlimRoute TypedBody TypedResponse WithStatuses").split(" ");

/**
 * Plans what the contract of a document declares.
 *
 * @throws {TypeError} If it is not a document of OpenAPI, or none of its operations can be declared.
 */
export function planImport(source: Source, options: ImportOptions = {}): ImportPlan {
  return limitImport(() => planWithin(source, options), mostReadingSteps);
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

function planWithin(source: Source, options: ImportOptions): ImportPlan {
  const { root } = source;
  if (!/^3\.\d/.test(versionOf(root.openapi) ?? "")) {
    throw new TypeError("Cannot import: the document must have openapi 3.0, 3.1 or 3.2, or swagger 2.0");
  }
  const reporter = new Reporter();
  const schemas = new Schemas(source, reporter);
  const security = new SecurityReader(source, imported);
  const operations = listOperations(source, (place, reason) => reporter.fault(place, reason));
  checkOnly(options.only ?? [], new Set(operations.flatMap((operation) => namesOf(source, operation))));
  reportOmitted({ source, operations, reporter, only: options.only });
  const bases = new Map(operations.map((operation) => [operation, basePathOf(source, operation)]));
  const [firstBase = "", ...otherBases] = new Set(bases.values());
  const basePath = otherBases.length > 0 ? "" : firstBase;
  const isSecured = root.security !== undefined || operations.some(({ part }) => part.security !== undefined);
  const shared = isSecured
    ? security.read(memberOf(documentPart(source), "security"))
    : { planned: undefined, changes: [] };
  const routes = withoutProblems(
    planRoutes({ source, operations, bases, schemas, security, reporter, options, basePath, shared }),
    { basePath, security: shared.planned, schemes: security.schemes },
  );
  const { title, version, description } = resolvePart(source, memberOf(documentPart(source), "info")).part;
  const info = memberOf(documentPart(source), "info").place;
  if (toText(version) === undefined) reporter.unpublish(info, "that it has no version: the published one is 1.0.0");
  const named = nameSchemas(routes, schemas);
  schemas.reportOverlaps();
  const responded = nameResponses(routes, named);
  const planned = responded.groups.flatMap((group) => group.routes);
  const models = [...planned.flatMap((route) => modelsOf(route, responded)), ...named.map(({ model }) => model)];
  const { find } = schemas;
  const components = new Map(named.map(({ key, component }) => [key, component]));
  const targetOf = (key: string) => ({ reference: schemas.referenceOf(key), component: components.get(key)! });
  reportUnpublished(planned, { source, find, report: reporter, targetOf, prefer: options.prefer }, models);
  return {
    ...planDocument({ source, ...responded, schemas: named }, options),
    title: [toText(title) ?? "API", toText(version)].filter((each) => each !== undefined).join(" "),
    description: toText(description),
    basePath,
    schemes: security.schemes,
    security: shared.planned,
    ...responded,
    schemas: named,
    report: {
      title: toText(title) ?? "API",
      files: [...source.files.keys()].filter((url) => url !== ""),
      operations: routes.operations,
      omitted: reporter.omitted,
      faults: reporter.faults,
      unchecked: reporter.unchecked,
      unpublished: reporter.unpublished,
    },
  };
}

/** Reports the webhooks of a document, and the callbacks of its operations. */
function reportOmitted({ source, operations, reporter, only }: {
  readonly source: Source;
  readonly operations: readonly Operation[];
  readonly reporter: Reporter;
  readonly only: readonly string[] | undefined;
}): void {
  const report = (located: Located, message: string): void => {
    try {
      for (const [, { place }] of listMembers(source, located)) reporter.omit(place, message);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      reporter.fault(located.place, error.message);
    }
  };
  const asked = operations.filter((each) => !only || namesOf(source, each).some((name) => only.includes(name)));
  for (const each of asked) report(memberOf(each, "callbacks"), "the callback is not declared");
  if (only) return;
  for (const name of ["webhooks", "x-webhooks"]) {
    report(memberOf(documentPart(source), name), "the webhook is not declared");
  }
}

function checkOnly(only: readonly string[], known: ReadonlySet<string>): void {
  const unknown = only.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Cannot import: "only" has ${JSON.stringify(unknown)}, which is no operation id, tag or path of the document`,
  );
}

/** Leaves out the routes that a contract refuses to declare. */
function withoutProblems(
  planned: PlannedRoutes,
  contract: Pick<ImportPlan, "basePath" | "security" | "schemes">,
): PlannedRoutes {
  const problems = listProblems({ ...contract, groups: planned.groups, responses: planned.responses });
  if (problems.size === 0) return planned;
  const groups = planned.groups.map((group) => ({
    ...group,
    routes: group.routes.filter(({ key }) => !problems.has(`${group.key}.${key}`)),
  })).filter(({ routes }) => routes.length > 0);
  const used = new Set(
    groups.flatMap(({ routes }) => routes.flatMap(({ responses }) => responses.map(([, each]) => each))),
  );
  return {
    groups,
    responses: planned.responses.filter(({ identifier }) => used.has(identifier)),
    operations: planned.operations.map((each) => {
      const reason = each.key === undefined ? undefined : problems.get(each.key);
      return reason === undefined ? each : { ...each, key: undefined, changes: [], reason };
    }),
  };
}

/** Returns the types of a route, in the order in which the written code has them. */
export function modelsOf(route: RoutePlan, plan: Pick<ImportPlan, "responses">): Model[] {
  const responses = route.responses.map(([, response]) =>
    typeof response === "string" ? plan.responses.find(({ identifier }) => identifier === response)!.response : response
  );
  const slots = [route.params, route.query, route.headers, route.body?.model];
  return [...slots, ...responses.flatMap(({ model, headers }) => [model, headers])]
    .filter((model) => model !== undefined);
}

/** Gives shared responses names that no schema has. */
function nameResponses(
  { groups, responses }: PlannedRoutes,
  schemas: readonly PlannedSchema[],
): Pick<ImportPlan, "groups" | "responses"> {
  const names = new Names([...imported, ...schemas.map(({ identifier }) => identifier)]);
  const isTaken = new Set(schemas.map(({ identifier }) => identifier));
  const renamed = new Map(responses.map(({ identifier }) => [
    identifier,
    names.take(isTaken.has(identifier) ? `${identifier}Response` : identifier),
  ]));
  return {
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
function nameSchemas(plan: Pick<ImportPlan, "groups" | "responses">, schemas: Schemas): PlannedSchema[] {
  const groups = new Map<string, string>();
  for (const { key, routes } of plan.groups) {
    const waiting = routes.flatMap((route) => modelsOf(route, plan).flatMap(referencesOf));
    for (const reference of waiting) { // which grows
      if (groups.has(reference)) continue;
      groups.set(reference, key);
      waiting.push(...referencesOf(schemas.get(reference).model));
    }
  }
  schemas.replaceEndless(groups.keys());
  const { order, cyclic } = sortSchemas([...groups.keys()], schemas);
  const names = new Names(imported);
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
  const targetsOf = (key: string): readonly string[] => referencesOf(schemas.get(key).model);
  const groups = groupCycles(keys, targetsOf);
  const cyclic = groups.filter(([first, ...others]) => others.length > 0 || targetsOf(first!).includes(first!));
  return { order: groups.flat(), cyclic: new Set(cyclic.flat()) };
}
