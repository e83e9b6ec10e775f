/** What an audit reads of the document itself: its servers, and the media types of its responses. */
import type { OpenApiSource } from "../import/import_contract.ts";
import { droppedKeywords } from "../import/keywords.ts";
import { type Source, toSource } from "../import/source.ts";
import {
  basePathOf,
  documentPlace,
  findReferenced,
  listMembers,
  listOperations,
  type LocatedPart,
  memberOf,
  type Operation,
  resolvePart,
  serverUrlOf,
} from "../openapi/operations.ts";
import { isPart, type Part, toPart, toText } from "../openapi/part.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";

export function withBasePath(document: object, path: string | undefined): object {
  if (path === undefined || !isPart(document)) return document;
  const { document: own, files } = document as Partial<OpenApiSource>;
  if (isPart(own) && files instanceof Map) return { document: replacePath(own, path), files };
  return replacePath(document, path);
}

function replacePath({ servers, host: _, basePath, ...document }: Part, path: string): Part {
  return document.swagger === undefined
    ? { ...document, ...(basePath !== undefined && { basePath }), servers: [{ url: path === "" ? "/" : path }] }
    : { ...document, ...(servers !== undefined && { servers }), basePath: path === "" ? "/" : path };
}

/** What a document says about itself, and about the operations that an import declared. */
export interface DocumentSummary {
  readonly title: string;
  readonly version: string;
  /** The path of its server; `""` if that has none. */
  readonly basePath: string;
  readonly summaryOf: (operation: string) => string | undefined;
  /** Tests whether an operation has a server of its own on another host than the document. */
  readonly isElsewhere: (operation: string) => boolean;
  /** Tests whether the requests of an operation have a keyword that an import does not check, such as `not`. */
  readonly hasUnchecked: (operation: string) => boolean;
  readonly hasStatus: (operation: string, status: number) => boolean;
  readonly hasType: (operation: string, status: number, essence: string) => boolean;
}

export function summarizeDocument(document: object): DocumentSummary {
  const { document: own, files } = document as Partial<OpenApiSource>;
  const source = isPart(own) && files instanceof Map ? toSource(own, files) : toSource(document);
  const { title, version } = toPart(source.root.info);
  const root = { part: {}, place: documentPlace };
  const whole: Operation = { ...root, method: "get", path: "", item: root };
  const operations = new Map(
    listOperations(source, () => {}).map((each) => [`${each.method.toUpperCase()} ${each.path}`, each]),
  );
  return {
    title: toText(title) ?? "API",
    version: toText(version) ?? "",
    basePath: basePathOf(source, whole),
    summaryOf: (name) => toText(operations.get(name)?.part.summary),
    isElsewhere: (name) => hasOwnHost(source, operations.get(name) ?? whole),
    hasUnchecked: (name) => {
      const { part, item } = operations.get(name) ?? whole;
      return findsUnchecked(source, [part.parameters, part.requestBody, item.part.parameters]);
    },
    hasStatus: (name, status) => findResponse(source, operations.get(name) ?? whole, status) !== undefined,
    hasType: (name, status, essence) => {
      const response = findResponse(source, operations.get(name) ?? whole, status);
      const types = response ? listMembers(source, memberOf(response, "content")).map(([type]) => type) : [];
      return types.some((type) => isWithin(essence, mediaTypeEssence(type)));
    },
  };
}

function hasOwnHost(source: Source, operation: Operation): boolean {
  const { part, item } = operation;
  if (part.servers === undefined && item.part.servers === undefined) return false;
  const shared = serverUrlOf(source, { ...operation, part: {}, item: { ...item, part: {} } });
  return serverUrlOf(source, operation).origin !== shared.origin;
}

/** Returns the response that a status has: its own, that of its class, or the default one. */
function findResponse(source: Source, operation: Operation, status: number): LocatedPart | undefined {
  try {
    const responses = listMembers(source, memberOf(operation, "responses"));
    const names = [String(status), `${String(status)[0]}XX`, "DEFAULT"];
    const found = names.map((name) => responses.find(([each]) => each.toUpperCase() === name)).find(Boolean);
    return found && resolvePart(source, found[1]);
  } catch {
    return undefined; // a reference that leads nowhere, which the import has reported
  }
}

function isWithin(essence: string, range: string): boolean {
  if (range === "*/*") return true;
  return range.endsWith("/*") ? essence.startsWith(range.slice(0, -1)) : essence === range;
}

/** The keywords that an import does not check even at run time. */
const unchecked = new Set(droppedKeywords.filter((name) => !/^(?:uniqueItems|(?:min|max)Properties)$/.test(name)));

const mostSearched = 50_000;

/** Tests whether schemas, or those that they refer to, have a keyword that is not checked. */
function findsUnchecked(source: Source, roots: readonly unknown[]): boolean {
  const values: unknown[] = [...roots];
  const references = new Set<unknown>();
  for (const value of values) { // which grows
    if (values.length > mostSearched) return true;
    if (Array.isArray(value)) values.push(...value);
    if (!isPart(value)) continue;
    if (Object.entries(value).some(([name, each]) => unchecked.has(name) && each !== false)) return true;
    const { $ref, properties, example: _, examples: __, ...others } = value;
    values.push(...Object.values(others), ...Object.values(toPart(properties))); // whose names are no keywords
    if (typeof $ref === "string" && references.size < references.add($ref).size) {
      values.push(findReferenced(source, $ref)?.value);
    }
  }
  return false;
}
