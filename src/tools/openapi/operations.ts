/**
 * Reads the operations of OpenAPI documents. Any part of a document may be a reference to it: a path, an operation, a
 * list of parameters, the responses, their content.
 */
import { toOneLine } from "../../messages.ts";
import { formatStep } from "../../schema.ts";
import { decodePercent, findMember, parseReference } from "../json_schema/references.ts";
import { isPart, ownMember, type Part, toPart } from "./part.ts";

export interface DocumentFiles {
  /** The files by URL. The document itself is `""`. */
  readonly files: ReadonlyMap<string, unknown>;
}

export interface DocumentPlace {
  /** The URL of the file; `""` is the document. */
  readonly file: string;
  /** The JSON Pointer within the file: `/paths/~1users/get`. */
  readonly pointer: string;
}

export interface Located {
  readonly value: unknown;
  readonly place: DocumentPlace;
}

/** An object without a reference, and its place. */
export interface LocatedPart {
  readonly part: Part;
  readonly place: DocumentPlace;
}

export interface Operation extends LocatedPart {
  /** The method as the document has it: `get`, or `COPY` among the additional operations of OpenAPI 3.2. */
  readonly method: string;
  readonly path: string;
  readonly item: LocatedPart;
}

export const documentPlace: DocumentPlace = { file: "", pointer: "" };

const methods: readonly string[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

const itemMembers = ["$ref", "summary", "description", "servers", "parameters", "additionalOperations"];

type ReportProblem = (place: DocumentPlace, problem: string) => void;

/**
 * Lists the operations of a document, in its order.
 *
 * @param report Called for each path or operation that cannot be read, and for unknown members of paths.
 *
 * @throws {TypeError} Without `report`, if a reference leads nowhere.
 */
export function listOperations(source: DocumentFiles, report?: ReportProblem): Operation[] {
  return listBelow(source, "paths", report);
}

/**
 * Lists the operations of a document's webhooks. Their `path` is the name of the webhook.
 *
 * @param report Called for each webhook or operation that cannot be read.
 *
 * @throws {TypeError} Without `report`, if a reference leads nowhere.
 */
export function listWebhooks(source: DocumentFiles, report?: ReportProblem): Operation[] {
  return ["webhooks", "x-webhooks"].flatMap((member) => listBelow(source, member, report)); // OpenAPI 3.0 has an extension
}

function listBelow(source: DocumentFiles, member: string, report?: ReportProblem): Operation[] {
  const items = memberOf(documentPart(source), member);
  return tryList(items.place, report, () => listMembers(source, items))
    .filter(([path]) => member !== "paths" || !path.startsWith("x-"))
    .flatMap(([path, located]) =>
      tryList(located.place, report, () => listOperationsOf(source, path, located, report))
    );
}

function listOperationsOf(source: DocumentFiles, path: string, located: Located, report?: ReportProblem): Operation[] {
  const item = resolvePart(source, located);
  const unknown = Object.keys(item.part).filter((name) =>
    !methods.includes(name) && !itemMembers.includes(name) && !name.startsWith("x-")
  );
  for (const name of unknown) {
    report?.(below(item.place, name), "it is not a member of paths, such as get; it is ignored");
  }
  return listOwn(source, item).flatMap(([method, own]) => {
    if (isPart(own.value)) {
      return tryList(own.place, report, () => [{ method, path, item, ...resolvePart(source, own) }]);
    }
    report?.(own.place, "an operation must be an object; it is ignored");
    return [];
  });
}

/** Returns a list. If it cannot be read and there is a `report`, the list is empty. */
function tryList<Item>(
  place: DocumentPlace,
  report: ReportProblem | undefined,
  list: () => readonly Item[],
): readonly Item[] {
  try {
    return list();
  } catch (error) {
    if (!(error instanceof TypeError) || !report) throw error;
    report(place, error.message);
    return [];
  }
}

/** Lists the operations of a path: its own ones, and the additional ones of OpenAPI 3.2. */
function listOwn(source: DocumentFiles, item: LocatedPart): (readonly [method: string, Located])[] {
  const own = methods.filter((method) => item.part[method] !== undefined)
    .map((method) => [method, memberOf(item, method)] as const);
  const additional = listMembers(source, memberOf(item, "additionalOperations")).map(([name, located]) => {
    const method = methods.find((each) => each.toUpperCase() === name && item.part[each] === undefined);
    return [method ?? name, located] as const;
  });
  return [...own, ...additional];
}

/**
 * Lists the parameters of an operation and of its path, which the operation's own replace. Names of headers do not
 * differ by case (RFC 9110, section 5.1). Of two in one list, the required one stays.
 *
 * @param onAlike Called with the names of two headers that differ by case.
 */
export function listParameters(
  source: DocumentFiles,
  { item, ...operation }: Operation,
  onAlike: (name: string, other: string) => void = () => {},
): LocatedPart[] {
  const found = new Map<string, LocatedPart & { readonly isOwn: boolean }>();
  for (const each of [item, operation]) {
    const isOwn = each === operation;
    for (const located of listItems(source, memberOf(each, "parameters"))) {
      const { part, place } = resolvePart(source, located);
      if (typeof part.name !== "string") continue;
      const key = `${part.in} ${part.in === "header" ? part.name.toLowerCase() : part.name}`;
      const earlier = found.get(key);
      if (earlier && earlier.part.name !== part.name) onAlike(part.name, String(earlier.part.name));
      const isKept = earlier?.isOwn === isOwn && earlier.part.required === true && part.required !== true;
      if (!isKept) found.set(key, { part, place, isOwn });
    }
  }
  return [...found.values()];
}

/** Returns the path of the nearest server, which precedes that of the operation; `""` if it has none. */
export function basePathOf(source: DocumentFiles, { item, ...operation }: Operation): string {
  const { pathname } = serverUrlOf(source, { item, ...operation });
  let end = pathname.length;
  while (pathname[end - 1] === "/") end--; // a regular expression would start again at each slash
  return decodePercent(pathname.slice(0, end));
}

/** Returns the URL of the nearest server. Its origin is {@linkcode localhost} if the server has none. */
export function serverUrlOf(source: DocumentFiles, { item, ...operation }: Operation): URL {
  const lists = [operation, item, documentPart(source)].map((each) => listItems(source, memberOf(each, "servers")));
  const [first] = lists.find((list) => list.length > 0) ?? [];
  const { url, variables } = first === undefined ? {} as Part : resolvePart(source, first).part;
  const filled = fillVariables(String(url ?? ""), variables);
  return URL.canParse(filled, localhost) ? new URL(filled, localhost) : new URL(localhost);
}

/** Returns the URL of a server with the defaults of its variables. */
export function fillVariables(url: string, variables: unknown): string {
  return url.replaceAll(/\{([^{}]*)\}/g, (_, name) => String(toPart(ownMember(variables, name)).default ?? name));
}

/** The origin of servers whose URL is relative to the document. */
export const localhost = "http://localhost";

export function documentPart(source: DocumentFiles): LocatedPart {
  return { part: toPart(source.files.get("")), place: documentPlace };
}

export function memberOf({ part, place }: LocatedPart, name: string): Located {
  return { value: ownMember(part, name), place: below(place, name) };
}

/** Returns the items of a list, or of the list that a reference leads to. */
export function listItems(source: DocumentFiles, located: Located): Located[] {
  const { value, place } = locate(source, located);
  return Array.isArray(value) ? value.map((item, index) => ({ value: item, place: below(place, index) })) : [];
}

/** Returns the members of an object, or of the object that a reference leads to. */
export function listMembers(source: DocumentFiles, located: Located): (readonly [name: string, Located])[] {
  const { part, place } = resolvePart(source, located);
  return Object.keys(part).map((name) => [name, memberOf({ part, place }, name)] as const);
}

/**
 * Follows the references of a part that is not a schema. Members beside the reference, such as a description, are
 * nearer.
 *
 * @throws {TypeError} If a reference leads nowhere, or back to itself.
 */
export function resolvePart(source: DocumentFiles, located: Located, hops = 0): LocatedPart {
  const part = toPart(located.value);
  const target = findTarget(source, located, hops);
  if (target === undefined) return { part, place: located.place };
  const { $ref: _, ...rest } = part;
  const found = resolvePart(source, target, hops + 1);
  return { part: { ...found.part, ...rest }, place: found.place };
}

/** Follows the references of a value that may be a list. */
function locate(source: DocumentFiles, located: Located, hops = 0): Located {
  const target = findTarget(source, located, hops);
  return target === undefined ? located : locate(source, target, hops + 1);
}

/** The most references that follow each other. */
const mostHops = 50;

/** Returns where the reference of a value leads to; `undefined` if it is none. */
function findTarget(source: DocumentFiles, { value }: Located, hops: number): Located | undefined {
  const reference = ownMember(value, "$ref");
  if (typeof reference !== "string") return undefined;
  if (hops === mostHops) throw new TypeError(`the reference ${describeReference(reference)} leads back to itself`);
  const target = findReferenced(source, reference);
  if (target === undefined) throw new TypeError(describeMissing(reference));
  return target;
}

/**
 * Returns where a reference leads to; `undefined` if there is nothing. Parts on the way to it may be references too.
 *
 * @param hops How many of those may still be followed, which keeps the time linear.
 */
export function findReferenced(
  source: DocumentFiles,
  reference: string,
  hops = { left: mostHops },
): Located | undefined {
  const { file, steps } = parseReference(reference);
  if (steps === undefined) return undefined; // an anchor is not supported
  let found: Located = { value: source.files.get(file), place: { file, pointer: "" } };
  for (const step of steps) {
    const next = findStep(found, step) ?? findStep(passReference(source, found, hops), step);
    if (next === undefined) return undefined;
    found = next;
  }
  return found.value === undefined ? undefined : found;
}

function passReference(source: DocumentFiles, { value, place }: Located, hops: { left: number }): Located {
  const reference = ownMember(value, "$ref");
  const isFollowed = typeof reference === "string" && hops.left-- > 0;
  return (isFollowed ? findReferenced(source, reference, hops) : undefined) ?? { value: undefined, place };
}

function findStep({ value, place }: Located, step: string): Located | undefined {
  const found = findMember(value, step);
  return found && { value: found[1], place: below(place, found[0]) };
}

/** Says that a reference leads nowhere, or where no reference can lead. */
export function describeMissing(reference: string): string {
  return parseReference(reference).steps === undefined
    ? `the reference ${describeReference(reference)} names an anchor, which is not supported; write a JSON Pointer`
    : `the document does not define ${describeReference(reference)}`;
}

/** Returns a reference as it is shown in messages: short, on one line. */
export function describeReference(reference: string): string {
  return toOneLine(JSON.stringify(reference.length > 120 ? `${reference.slice(0, 120)}…` : reference));
}

export function below({ file, pointer }: DocumentPlace, ...names: readonly (string | number)[]): DocumentPlace {
  return { file, pointer: pointer + names.map(formatStep).join("") };
}

/** Returns a place as text: the JSON Pointer, after the file if it is another one than the document. */
export function describePlace({ file, pointer }: DocumentPlace): string {
  return `${file}#${pointer}`;
}
