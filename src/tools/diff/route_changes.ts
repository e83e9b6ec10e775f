/** Compares one route of two contracts. */
import { type JsonSchema, textList, toSchema } from "../json_schema/json.ts";
import type { ApiRequirement, ApiResponse, ApiRoute, ApiValue } from "./api.ts";
import { compareBodies, compareRequestBody } from "./body_changes.ts";
import type { Change } from "./change.ts";
import { namesOf, type RoutePair } from "./route_pairs.ts";
import { type BothRoutes, findShadowed } from "./shadows.ts";
import { compareSlot, type Effort } from "./slot_changes.ts";
import { compareSockets } from "./socket_changes.ts";
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
export function compareDeprecations({ before, after }: RoutePair): Change[] {
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
export function compareStyles({ before, after }: RoutePair): Change[] {
  const places = [...new Set([...before.styles.keys(), ...after.styles.keys()])];
  return places.flatMap((where): Change[] => {
    const [was = usualStyle, is = usualStyle] = [before.styles.get(where), after.styles.get(where)];
    if (was === is) return [];
    const message = `is written as ${is} now, not as ${was}`;
    return [{ verdict: "breaking", rule: "style-changed", route: before.key, where, message }];
  });
}

const usualStyle = "usual";

/** An undeclared slot: it sends nothing and ignores what is sent to it. */
const undeclared: ApiValue = { schema: { type: "object", properties: {} } };

/** The fields of a slot in two contracts. */
interface FieldsPair {
  readonly route: string;
  readonly slot: string;
  /** Whether clients send them. */
  readonly isRequest: boolean;
  readonly before: ApiValue | undefined;
  readonly after: ApiValue | undefined;
  /** Tests whether a field that is read as a list may be sent as a single value. Default: none may. */
  readonly mayBeList?: (name: string) => boolean;
}

/** Compares the fields of a slot, all of which are sent as text. */
export function compareFields(
  { route, slot, isRequest, before: was = undeclared, after: is = undeclared, mayBeList = () => false }: FieldsPair,
  effort: Effort,
): Change[] {
  if (was === is) return [];
  const [sent, read] = isRequest ? [was, is] : [is, was];
  const [values, fields] = [membersOf(sent.schema), membersOf(read.schema)];
  const texts = Object.entries(values).flatMap(([name, value]) => {
    const text = toText(value, fields[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  const lists = Object.entries(values).filter(([name, value]) =>
    mayBeList(name) && single.has(typeOf(value)) && typeOf(fields[name]) === "array"
  ).map(([name, value]) => [name, { type: "array", prefixItems: [value], minItems: 1, maxItems: 1 }] as const);
  const written = withMembers(sent, [...texts, ...lists]);
  const [before, after] = isRequest ? [written, read] : [read, written];
  const rule = isRequest ? "request-widened" : "response-narrowed";
  const message = isRequest ? "may be any text now" : "is no longer any text";
  return [
    ...compareSlot({ route, slot, isRequest, before, after }, effort),
    ...texts.map(([name]): Change => ({ verdict: "source", rule, route, where: `${slot} /${name}`, message })),
  ];
}

function withMembers(value: ApiValue, members: readonly (readonly [name: string, schema: JsonSchema])[]): ApiValue {
  const { schema, problem } = value;
  if (typeof schema === "boolean" || members.length === 0) return value;
  return { schema: { ...schema, properties: { ...membersOf(schema), ...Object.fromEntries(members) } }, problem };
}

/** Returns the schema of numbers or booleans as that of their texts, if they are read as any text; or of a list. */
function toText(sent: JsonSchema, read: JsonSchema | undefined): JsonSchema | undefined {
  if (typeof sent === "boolean" || typeof read !== "object") return undefined;
  if (typeOf(sent) === "array" && typeOf(read) === "array") {
    const items = toText(toSchema(sent.items ?? true), toSchema(read.items ?? true));
    return items === undefined ? undefined : { ...sent, items };
  }
  const isText = typeOf(read) === "string" && !restrictions.some((keyword) => read[keyword] !== undefined);
  if (!isText || typeOf(sent) === "string" || !single.has(typeOf(sent))) return undefined;
  const { deprecated, default: usual } = sent;
  return {
    type: "string",
    ...(deprecated !== undefined && { deprecated }),
    ...(usual !== undefined && { default: usual }),
  };
}

/** Keywords of which the text of a number may break one. */
const restrictions = ["enum", "const", "pattern", "format", "minLength", "maxLength", "not", "allOf", "anyOf", "oneOf"];

/** The types of single values. */
const single: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean"]);

function typeOf(schema: JsonSchema | undefined): unknown {
  return typeof schema === "object" ? schema.type : undefined;
}

function compareResponses({ before, after }: RoutePair, effort: Effort): Change[] {
  const route = before.key;
  const kept = [...before.responses].flatMap(([status, each]) => {
    const other = after.responses.get(status);
    return other ? compareResponse({ route, where: status, before: each, after: other }, effort) : [];
  });
  const added = [...after.responses.keys()].filter((status) => !before.responses.has(status));
  const removed = [...before.responses.keys()].filter((status) => !after.responses.has(status));
  return [
    ...kept,
    ...added.map((status) => describeAdded(route, status)),
    ...removed.map((where): Change => {
      const common = { rule: "status-removed", route, where } as const;
      return before.responses.get(where)?.socket
        ? { verdict: "breaking", ...common, message: "connections are no longer opened" }
        : { verdict: "compatible", ...common, message: "the status is no longer sent" };
    }),
    ...(hasSuccess(before) && !hasSuccess(after)
      ? [{ verdict: "breaking", rule: "success-removed", route, where: "", message: "no 2xx status remains" } as const]
      : []),
  ];
}

/**
 * Describes an added status. Clients treat an unknown failure as a failure, but they cannot read an unknown success. They
 * receive 101 only if they ask for it.
 */
function describeAdded(route: string, where: string): Change {
  const verdict = /^[45]|^default$|^101$/.test(where) ? "compatible" : "breaking";
  return { verdict, rule: "status-added", route, where, message: "the status may be sent now" };
}

function hasSuccess({ responses }: ApiRoute): boolean {
  return [...responses.keys()].some((status) => /^2|^default$/.test(status));
}

/** A response with a status in two contracts. */
interface ResponsePair {
  readonly route: string;
  /** The status. */
  readonly where: string;
  readonly before: ApiResponse;
  readonly after: ApiResponse;
}

function compareResponse(pair: ResponsePair, effort: Effort): Change[] {
  const { route, where, before, after } = pair;
  if (before.socket || after.socket) return compareSockets(pair, effort);
  const bodies = compareBodies({ ...pair, isRequest: false }, effort);
  const slot = { route, slot: `${where} headers`, isRequest: false };
  return [...bodies, ...compareFields({ ...slot, before: before.headers, after: after.headers }, effort)];
}

/** Describes a removed route. */
export function describeRemoval({ key, method, path }: ApiRoute): Change {
  return {
    verdict: "breaking",
    rule: "route-removed",
    route: key,
    where: "",
    message: `${method} ${path} was removed`,
  };
}

/** Describes an added route, and the calls that it takes from older routes. */
export function describeAddition(added: ApiRoute, routes: BothRoutes): Change[] {
  const { key, method, path } = added;
  return [
    ...findShadowed(added, routes),
    { verdict: "compatible", rule: "route-added", route: key, where: "", message: `${method} ${path} was added` },
  ];
}

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
