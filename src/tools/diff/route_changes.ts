/** Compares one route of two contracts. */
import { type JsonSchema, textList } from "../json_schema/json.ts";
import type { ApiRequirement, ApiRoute } from "./api.ts";
import { compareFields } from "./field_changes.ts";
import { compareAnswers, compareRequestBody, compareResponses } from "./message_changes.ts";
import { type Change, type ChangeRow, type ChangeRule, type ChangeVerdict, toChanges } from "./change.ts";
import { namesOf, type RoutePair } from "./route_pairs.ts";
import type { Effort } from "./slot_changes.ts";
import { schemaMembers } from "./read_contract.ts";

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

/** Compares a webhook in the reverse direction: receivers read what the new API sends, and answer what it reads. */
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

function compareNames({ before, after }: RoutePair, { isMixed }: Effort): Change[] {
  const isSame = before.key === after.key || (isMixed && (before.isUnnamed || after.isUnnamed)); // contracts name all
  const names = namesOf(after);
  return toChanges(before.key, [
    ...(isSame ? [] : [["source", "key-renamed", "", `the key became ${after.key}`] as const]),
    ...namesOf(before).flatMap((name, index): ChangeRow[] => {
      const message = `the parameter became ${names[index]}`;
      return name === names[index] ? [] : [["source", "parameter-renamed", `params /${name}`, message]];
    }),
  ]);
}

function compareDeprecations({ before, after }: RoutePair): Change[] {
  const [was, is] = [before.deprecation, after.deprecation];
  const list = (rule: ChangeRule, message: string) => toChanges(before.key, [["compatible", rule, "", message]]);
  if (!is) return was ? list("deprecation-removed", "is no longer deprecated") : [];
  const end = is.sunset === undefined ? "no longer has a sunset" : `is expected to stop working at ${is.sunset}`;
  if (!was) return list("deprecated", `is deprecated now${is.sunset === undefined ? "" : `, and ${end}`}`);
  if (was.sunset === is.sunset) return [];
  const [joint, earlier] = [is.sunset === undefined ? "; it was" : ", not", was.sunset];
  return list("sunset-changed", earlier === undefined ? end : `${end}${joint} ${earlier}`);
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

function rename(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const nameOf = (name: string) => names.get(name) ?? name;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schemaMembers(schema)).map(([name, each]) => [nameOf(name), each])),
    required: textList(schema.required).map(nameOf),
  };
}

function compareStyles({ before, after }: RoutePair): Change[] {
  const places = [...new Set([...before.styles.keys(), ...after.styles.keys()])];
  return toChanges(
    before.key,
    places.flatMap((where): ChangeRow[] => {
      const [was = usualStyle, is = usualStyle] = [before.styles.get(where), after.styles.get(where)];
      return was === is ? [] : [["breaking", "style-changed", where, `is written as ${is} now, not as ${was}`]];
    }),
  );
}

const usualStyle = "usual";

function compareSecurity({ before, after }: RoutePair, { renamed }: Effort): Change[] {
  const list = (verdict: ChangeVerdict, rule: ChangeRule, callers: ApiRequirement, state: string) =>
    toChanges(before.key, [[verdict, rule, "security", `callers with ${formatRequirement(callers)} ${state}`]]);
  const rejected = findRejected(before, after);
  if (rejected && !findRejected(before, after, renamed)) {
    return list("unproven", "security-narrowed", rejected, "may send the same credential, or may not be accepted");
  }
  if (rejected) return list("breaking", "security-narrowed", rejected, "are no longer accepted");
  const admitted = findRejected(after, before);
  return admitted ? list("compatible", "security-widened", admitted, "are accepted now") : [];
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
  const [gone, added] = [nameByTransport(was, is), nameByTransport(is, was)];
  return new Map([...added].flatMap(([transport, name]): [string, string][] => {
    const old = gone.get(transport);
    return name === undefined || old === undefined ? [] : [[name, old]];
  }));
}

/** Returns the name of each transport that only one scheme has, of those that the other side lacks. */
function nameByTransport(
  schemes: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): ReadonlyMap<string, string | undefined> {
  const names = new Map<string, string | undefined>();
  for (const [name, transport] of schemes) {
    if (!others.has(name)) names.set(transport, names.has(transport) ? undefined : name);
  }
  return names;
}

function formatRequirement(requirement: ApiRequirement): string {
  if (requirement.size === 0) return "no credential";
  return [...requirement].map(([name, { scopes }]) => scopes.length > 0 ? `${name} (${scopes.join(", ")})` : name)
    .join(" and ");
}
