/** Compares one route of two contracts. */
import { type JsonSchema, textList } from "../json_schema/json.ts";
import type { ApiRequirement, ApiRoute } from "./api.ts";
import { compareRequestBody } from "./body_changes.ts";
import { compareFields } from "./field_changes.ts";
import { compareAnswers, compareResponses } from "./response_changes.ts";
import type { Change } from "./change.ts";
import { namesOf, type RoutePair } from "./route_pairs.ts";
import type { Effort } from "./slot_changes.ts";
import { membersOf } from "./read_contract.ts";

/** Compares a route that both contracts have. */
export function compareRoute(pair: RoutePair, effort: Effort): Change[] {
  return [
    ...compareNames(pair, effort),
    ...compareDeprecations(pair),
    ...compareSecurity(pair, effort),
    ...compareRequestFields(pair, effort),
    ...compareStyles(pair),
    ...compareRequestBody(pair, effort),
    ...compareResponses(pair, effort),
  ];
}

/**
 * Compares a webhook that both contracts have, in the reverse direction: an old receiver reads what the new API sends,
 * as a client reads a response, and answers what the new API reads, as a server reads a request.
 */
export function compareWebhook(pair: RoutePair, effort: Effort): Change[] {
  const { before, after } = pair;
  return [
    ...compareDeprecations(pair),
    ...(["query", "headers"] as const).flatMap((slot) =>
      compareFields({ route: before.key, slot, isRequest: false, before: before[slot], after: after[slot] }, effort)
    ),
    ...compareStyles(pair),
    ...compareRequestBody(pair, effort, true),
    ...compareAnswers(pair, effort),
  ];
}

/** Compares the names that only code uses: the key of a route, and its path parameters. */
function compareNames({ before, after }: RoutePair, { isMixed }: Effort): Change[] {
  const common = { verdict: "source", route: before.key } as const;
  const names = namesOf(after);
  const renamed = namesOf(before).flatMap((name, index) => name === names[index] ? [] : [[name, names[index]]]);
  return [
    ...(before.key === after.key || (isMixed && (before.isUnnamed || after.isUnnamed)) // contracts name all routes
      ? []
      : [{ ...common, rule: "key-renamed", where: "", message: `the key became ${after.key}` } as const]),
    ...renamed.map(([name, other]) =>
      ({
        ...common,
        rule: "parameter-renamed",
        where: `params /${name}`,
        message: `the parameter became ${other}`,
      }) as const
    ),
  ];
}

/** Lists a deprecation that is new, gone, or ends at another time. */
function compareDeprecations({ before, after }: RoutePair): Change[] {
  const common = { verdict: "compatible", route: before.key, where: "" } as const;
  const [was, is] = [before.deprecation, after.deprecation];
  if (!was && !is) return [];
  if (!is) return [{ ...common, rule: "deprecation-removed", message: "is no longer deprecated" }];
  const end = is.sunset === undefined ? "no longer has a sunset" : `is expected to stop working at ${is.sunset}`;
  if (!was) {
    const also = is.sunset === undefined ? "" : `, and ${end}`;
    return [{ ...common, rule: "deprecated", message: `is deprecated now${also}` }];
  }
  if (was.sunset === is.sunset) return [];
  const instead = was.sunset === undefined
    ? ""
    : is.sunset === undefined
    ? `; it was ${was.sunset}`
    : `, not ${was.sunset}`;
  return [{ ...common, rule: "sunset-changed", message: `${end}${instead}` }];
}

function compareRequestFields({ before, after }: RoutePair, effort: Effort): Change[] {
  const earlier = renameParams(before, after.path);
  const slots = effort.isMixed ? fieldSlots : [...fieldSlots, "cookies"] as const; // which contracts do not have
  return slots.flatMap((slot) =>
    compareFields({
      route: before.key,
      slot,
      isRequest: true,
      before: earlier[slot],
      after: after[slot],
      mayBeList: (name) => slot === "query" && !after.styles.has(`query /${name}`),
    }, effort)
  );
}

const fieldSlots = ["params", "query", "headers"] as const;

/** Returns a route with the path of another one, which differs only in the names of parameters. */
export function renameParams(route: ApiRoute, path: string): ApiRoute {
  const own = namesOf({ path });
  const names = new Map(namesOf(route).map((name, index) => [name, own[index] ?? name]));
  if ([...names].every(([name, other]) => name === other)) return route;
  const schema = rename(route.params.schema, names);
  return { ...route, path, params: { ...route.params, schema, live: undefined } };
}

/** Renames the members in the schema of an object. */
function rename(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const nameOf = (name: string) => names.get(name) ?? name;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(membersOf(schema)).map(([name, each]) => [nameOf(name), each])),
    required: textList(schema.required).map(nameOf),
  };
}

/** Lists the parameters that clients write in another form now. */
function compareStyles({ before, after }: RoutePair): Change[] {
  const places = [...new Set([...before.styles.keys(), ...after.styles.keys()])];
  return places.flatMap((where): Change[] => {
    const [was = usualStyle, is = usualStyle] = [before.styles.get(where), after.styles.get(where)];
    if (was === is) return [];
    const message = `is written as ${is} now, not as ${was}`;
    return [{ verdict: "breaking", rule: "style-changed", route: before.key, where, message }];
  });
}

const usualStyle = "usual";

/** Lists callers that are rejected now, or that are accepted now. */
function compareSecurity({ before, after }: RoutePair, { renamed }: Effort): Change[] {
  const common = { route: before.key, where: "security" };
  const rejected = findRejected(before, after);
  if (rejected && !findRejected(before, after, renamed)) {
    const message = `callers with ${formatRequirement(rejected)} may send the same credential, or may not be accepted`;
    return [{ verdict: "unproven", rule: "security-narrowed", ...common, message }];
  }
  if (rejected) {
    const message = `callers with ${formatRequirement(rejected)} are no longer accepted`;
    return [{ verdict: "breaking", rule: "security-narrowed", ...common, message }];
  }
  const admitted = findRejected(after, before);
  if (!admitted) return [];
  const message = `callers with ${formatRequirement(admitted)} are accepted now`;
  return [{ verdict: "compatible", rule: "security-widened", ...common, message }];
}

/**
 * Returns an alternative of one route that satisfies no alternative of another one. With `renamed`, the old names of
 * schemes that may only have another one now, credentials in the header `authorization` satisfy each other, too.
 */
function findRejected(
  route: ApiRoute,
  other: ApiRoute,
  renamed?: ReadonlyMap<string, string>,
): ApiRequirement | undefined {
  return route.security.find((shown) => !other.security.some((wanted) => satisfies(shown, wanted, renamed)));
}

function satisfies(shown: ApiRequirement, wanted: ApiRequirement, renamed?: ReadonlyMap<string, string>): boolean {
  return [...wanted].every(([name, { transport, isInAuthorization, scopes }]) => {
    const own = shown.get(name) ?? shown.get(renamed?.get(name) ?? name);
    if (own?.transport === transport && scopes.every((scope) => own.scopes.includes(scope))) return true;
    const isKey = (text: string) => text.startsWith("apiKey");
    return renamed !== undefined && isInAuthorization &&
      [...shown.values()].some((each) => each.isInAuthorization && isKey(each.transport) !== isKey(transport));
  });
}

/** Returns the old names of schemes, by the new name of the only other one that sends its credential in the same way. */
export function listRenamed(before: readonly ApiRoute[], after: readonly ApiRoute[]): ReadonlyMap<string, string> {
  const [was, is] = [before, after].map((routes) => {
    const schemes = routes.flatMap(({ security }) => security.flatMap((each) => [...each]));
    return new Map(schemes.map(([name, { transport }]) => [name, transport] as const));
  }) as [Map<string, string>, Map<string, string>];
  const isAlone = (transport: string, schemes: Map<string, string>, others: Map<string, string>) =>
    [...schemes].filter(([name, each]) => each === transport && !others.has(name)).length === 1;
  const added = [...is].filter(([name, each]) => !was.has(name) && isAlone(each, is, was) && isAlone(each, was, is));
  return new Map(added.map(([name, transport]) => {
    const [old = name] = [...was].find(([other, each]) => each === transport && !is.has(other)) ?? [];
    return [name, old];
  }));
}

function formatRequirement(requirement: ApiRequirement): string {
  if (requirement.size === 0) return "no credential";
  return [...requirement].map(([name, { scopes }]) => scopes.length > 0 ? `${name} (${scopes.join(", ")})` : name)
    .join(" and ");
}
