/**
 * Measures what a document and its import say differently, and whether the report of the import names it.
 *
 * {@linkcode listLosses} compares a document with the one that is published after its import: both are brought to one
 * normal form and walked in parallel from each operation, and each difference is a fact with a kind and the place in the
 * original. {@linkcode listUnnamed} takes the differences that `diffContracts()` finds between the document and its
 * contract.
 *
 * @module
 */
import type { Contract } from "@scope/api";
import {
  type AnyOpenApiDocument,
  type AnySwaggerDocument,
  type Change,
  type ContractOrDocument,
  diffContracts,
} from "@scope/api/diff";
import type { ImportReport, ReportedOperation, ReportedPlace } from "@scope/api/import";
import { routesOf } from "../src/contract/node.ts";
import { parseStep } from "../src/tools/json_schema/references.ts";
import {
  type DocumentMessage,
  type Field,
  type MediaContent,
  type OperationParts,
  readOperation,
} from "../src/tools/import/read_operation.ts";
import { type Source, toSource } from "../src/tools/import/source.ts";
import { integerRange } from "../src/tools/json_schema/json.ts";
import {
  below,
  describePlace,
  documentPart,
  type DocumentPlace,
  findReferenced,
  listOperations,
  listWebhooks,
  type Located,
  type LocatedPart,
  memberOf,
  type Operation,
  serverUrlOf,
} from "../src/tools/openapi/operations.ts";
import { isPart, type Part, toList, toPart } from "../src/tools/openapi/part.ts";
import { mediaTypeEssence } from "../src/wire/media_type.ts";

function partsOf(source: Source, operation: Operation): OperationParts {
  return readOperation(operation, { source, options: {} });
}

/** A difference between two documents. */
export interface Loss {
  /** What differs: `description`, `type`, `property`, `name` and so on. */
  readonly kind: string;
  /** The place in the original document. */
  readonly place: string;
  /** The place that refers to it, if it is in a schema of a component. */
  readonly use: string;
  /** The operation, if it differs only there. */
  readonly operation: string;
  /** What the two documents say, where that is one value. */
  readonly values: readonly unknown[];
}

/** What a document loses. */
export interface Losses {
  /** All differences. */
  readonly all: readonly Loss[];
  /** Those that no line of the report names. */
  readonly unnamed: readonly Loss[];
  /** The names of components that declared operations use, and how many of them are kept. */
  readonly names: { readonly used: number; readonly kept: number };
}

/** Compares a document with the one that is published after its import. */
export function listLosses(original: object, published: object, report: ImportReport): Losses {
  const walk = new LossWalk(toSource(original), toSource(published), report);
  walk.compare();
  const all = [...walk.losses.values()];
  const { used, kept } = walk;
  return { all, unnamed: all.filter((each) => !isNamed(each, report)), names: { used: used.size, kept: kept.length } };
}

/** Counts losses by their kind, the most frequent first. */
export function countKinds(losses: readonly Loss[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of losses) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([, one], [, other]) => other - one));
}

/** Tests whether the report has a line for a difference: on its place, or on the operation that it is in. */
function isNamed({ kind, place, use, operation }: Loss, report: ImportReport): boolean {
  const told = report.operations.find((each) => each.operation === operation);
  if (told && (told.key === undefined || told.changes.length > 0)) return true;
  const lines = [...report.unchecked, ...report.faults, ...report.omitted, ...report.unpublished];
  return lines.some((line) => {
    const own = line.place.replace(/(?:\/allOf\/\d+)+$/, ""); // a member of allOf is a part of the schema
    const [, schema] = /^(.*)\/discriminator$/.exec(line.place) ?? []; // whose line has the values of a property
    if (kind === "enum" && schema !== undefined && use.startsWith(`${schema}/properties/`)) return true;
    return own === place || own === use || line.place === `${place}/${kind}` || place.startsWith(`${own}/`);
  });
}

/** Returns the names of the components that operations use. A name that has no schema is none. */
function namesOf(source: Source, operations: readonly Operation[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const names = new Set<string>();
  const pending: unknown[] = operations.flatMap(({ part, item }) => [part, item.part["parameters"]]);
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      if (key !== "$ref" || typeof part !== "string") pending.push(part);
      else if (!seen.has(part)) {
        seen.add(part);
        const target = findReferenced(source, part)?.value;
        const name = /^#\/components\/schemas\/([^/]+)$/.exec(part)?.[1];
        if (name !== undefined && target !== undefined) names.add(name);
        pending.push(target);
      }
    }
  }
  return names;
}

/** A schema in its normal form, with the reference that led to it. */
interface Normal {
  readonly name: string | undefined;
  readonly keywords: Part;
  readonly place: DocumentPlace;
  /** Where keywords stand that are beside a reference. */
  readonly origins?: Readonly<Record<string, DocumentPlace>>;
}

/** Where the schemas of the original stand, because a normal form has parts of several schemas. */
const places = new WeakMap<object, DocumentPlace>();

/** Notes where the schemas inside a schema stand. */
function notePlaces(schema: Part, place: DocumentPlace): void {
  const note = (each: unknown, ...steps: readonly (string | number)[]) => {
    if (isPart(each) && !places.has(each)) places.set(each, below(place, ...steps));
  };
  for (const [name, each] of Object.entries(toPart(schema["properties"]))) note(each, "properties", name);
  for (const name of ["items", "additionalProperties"]) note(schema[name], name);
  for (const name of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
    toList(schema[name]).forEach((each, index) => note(each, name, index));
  }
}

/** Returns where a schema of the original stands: that of the normal form around it, if it is made for that. */
function placeOf(schema: unknown, around: DocumentPlace, ...steps: readonly (string | number)[]): DocumentPlace {
  return (isPart(schema) ? places.get(schema) : undefined) ?? below(around, ...steps);
}

class LossWalk {
  readonly losses = new Map<string, Loss>();
  readonly #pairs = new Set<string>();
  #operation = "";
  /** The property that the schemas of the direction do not have. */
  #absent: "readOnly" | "writeOnly" | undefined = "readOnly";

  /** The published components that operations refer to. */
  #referred: ReadonlySet<string> = new Set();
  used: ReadonlySet<string> = new Set();
  kept: readonly string[] = [];

  constructor(readonly before: Source, readonly after: Source, readonly report: ImportReport) {}

  compare(): void {
    const [one, other] = [documentPart(this.before), documentPart(this.after)];
    const { webhooks = one.part["x-webhooks"] } = one.part; // OpenAPI 3.0 has them as an extension
    this.#members({ ...one, part: { ...one.part, webhooks } }, other, ["info", "tags", "externalDocs", "webhooks"]);
    this.#extensions(one, other);
    const published = listOperations(this.after, () => {});
    const byKey = new Map(published.map((each) => [keyOf(this.after, each), each]));
    const byId = new Map(published.map((each) => [each.part["operationId"], each]));
    const declared: Operation[] = [];
    const routes = new Map(this.report.operations.map((each) => [each.operation, each.key]));
    for (const operation of listOperations(this.before, () => {})) {
      this.#operation = `${operation.method.toUpperCase()} ${operation.path}`;
      const twin = byId.get(operation.part["operationId"] ?? routes.get(this.#operation)) ??
        byKey.get(keyOf(this.before, operation));
      if (twin === undefined || routes.get(this.#operation) === undefined) this.#lose("operation", operation.place);
      else {
        declared.push(operation);
        this.#compareOperation(operation, twin);
      }
    }
    this.#compareComponents(declared, published);
  }

  /** Compares the components that no published operation refers to. */
  #compareComponents(declared: readonly Operation[], operations: readonly Operation[]): void {
    const published = toPart(toPart(this.after.root["components"])["schemas"]);
    this.used = namesOf(this.before, declared);
    this.kept = [...this.used].filter((name) => Object.hasOwn(published, name));
    this.#operation = "";
    this.#absent = undefined;
    this.#referred = namesOf(this.after, operations);
    for (const name of this.kept.filter((each) => !this.#referred.has(each))) {
      const part = { $ref: `#/components/schemas/${name}` };
      this.#compareSchemas(part, { file: "", pointer: `/components/schemas/${name}` }, part);
    }
  }

  #lose(
    kind: string,
    place: DocumentPlace,
    { use = place, values = [] }: { readonly use?: DocumentPlace; readonly values?: readonly unknown[] } = {},
  ): void {
    const text = describePlace(place);
    const loss = { kind, place: text, use: describePlace(use), operation: this.#operation, values };
    this.losses.set(`${kind} ${text}`, loss);
  }

  /** Compares members as JSON. */
  #members(one: LocatedPart, other: LocatedPart, names: readonly string[]): void {
    for (const name of names) {
      const isRaw = name === "webhooks" || name === "callbacks"; // whose schemas are written out
      const left = canonical(blankToNothing(isRaw ? keysOf(one.part[name]) : inline(this.before, one.part[name])));
      const right = canonical(blankToNothing(isRaw ? keysOf(other.part[name]) : inline(this.after, other.part[name])));
      const isAdded = left === "" && additions.includes(name);
      if (left !== right && !isAdded) {
        this.#lose(name, below(one.place, name), { values: [one.part[name], other.part[name]] });
      }
    }
  }

  #extensions(one: LocatedPart, other: LocatedPart): void {
    const names = Object.keys(one.part).filter((name) => name.startsWith("x-") && !ignoredExtensions.includes(name));
    for (const name of names) {
      if (canonical(one.part[name]) !== canonical(other.part[name])) {
        this.#lose("extension", below(one.place, name), { values: [one.part[name], other.part[name]] });
      }
    }
  }

  #compareOperation(one: Operation, other: Operation): void {
    const inherit = ({ part, item, place }: Operation): LocatedPart => ({
      part: { summary: item.part["summary"], description: item.part["description"], ...part },
      place,
    });
    const [left, right] = [inherit(one), inherit(other)];
    this.#members(left, right, ["operationId", "summary", "description", "externalDocs", "callbacks"]);
    if ((one.part["deprecated"] === true) !== (other.part["deprecated"] === true)) this.#lose("deprecated", one.place);
    if (toList(one.part["tags"]).some((tag) => !toList(other.part["tags"]).includes(tag))) {
      this.#lose("tags", below(one.place, "tags"), { values: [one.part["tags"], other.part["tags"]] });
    }
    this.#extensions(left, right);
    if (securityOf(this.before, one) !== securityOf(this.after, other)) this.#lose("security", one.place);
    const [own, twin] = [partsOf(this.before, one), partsOf(this.after, other)];
    this.#absent = "readOnly";
    this.#compareParameters(own, twin);
    if (one.part["requestBody"] !== undefined) {
      if (other.part["requestBody"] === undefined) this.#lose("body", own.body.place);
      else {
        this.#compareRequired(own.body, twin.body);
        this.#compareMessage(own.body, twin.body, ["description"]);
      }
    }
    this.#absent = "writeOnly";
    this.#compareResponses(own, twin);
  }

  #compareRequired(one: LocatedPart, other: LocatedPart): void {
    if ((one.part["required"] === true) !== (other.part["required"] === true)) this.#lose("required", one.place);
  }

  #compareParameters(one: OperationParts, other: OperationParts): void {
    const path = ({ operation }: OperationParts): string[] =>
      [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
    for (const field of one.parameters) {
      const { part, place, name } = field;
      const index = path(one).indexOf(name);
      const twin = other.parameters.find((each) => {
        if (each.part["in"] !== part["in"]) return false;
        if (part["in"] === "path") return path(other).indexOf(each.name) === index;
        return each.name.toLowerCase() === name.toLowerCase();
      });
      if (twin === undefined) {
        const isElsewhere = ["accept", "authorization", "content-type"].includes(name.toLowerCase());
        if (!isElsewhere) this.#lose("parameter", place);
        continue;
      }
      if (part["in"] !== "header" && name !== twin.name) this.#lose("parameter name", place);
      this.#compareRequired(field, twin);
      this.#compareField(field, twin);
    }
  }

  #compareField(one: Field, other: Field): void {
    const describe = ({ part }: LocatedPart, source: Source): LocatedPart => {
      const { value, place } = memberOf({ part, place: one.place }, "schema");
      const { description } = normalize(source, value, place).keywords;
      return { part: { ...part, description: part["description"] ?? description }, place: one.place };
    };
    this.#members(describe(one, this.before), describe(other, this.after), ["description", "example", "examples"]);
    if ((one.part["deprecated"] === true) && other.part["deprecated"] !== true) this.#lose("deprecated", one.place);
    this.#extensions(one, other);
    this.#compareContents([one.content ?? []].flat(), [other.content ?? []].flat());
    if (isPart(one.part["schema"]) && isPart(other.part["schema"])) {
      const ignored = ["description", "deprecated"];
      this.#compareSchemas(one.part["schema"], below(one.place, "schema"), other.part["schema"], ignored);
    }
  }

  #compareMessage(one: DocumentMessage, other: DocumentMessage, names: readonly string[]): void {
    this.#members(one, other, names);
    this.#extensions(one, other);
    this.#compareContents(one.contents, other.contents);
  }

  #compareContents(own: readonly MediaContent[], others: readonly MediaContent[]): void {
    for (const media of own) {
      const twin = others.findLast(({ type }) => mediaTypeEssence(type) === mediaTypeEssence(media.type));
      if (twin === undefined) {
        this.#lose("media type", media.place);
        continue;
      }
      this.#members(media, twin, ["example", "examples"]);
      const schema = media.part["schema"] ?? media.part["itemSchema"];
      const published = twin.part["schema"] ?? twin.part["itemSchema"] ?? {};
      if (schema !== undefined) this.#compareSchemas(schema, below(media.place, "schema"), published);
    }
  }

  #compareResponses(one: OperationParts, other: OperationParts): void {
    for (const response of one.responses) {
      const twin = other.responses.find(({ status }) => status.toUpperCase() === response.status.toUpperCase());
      if (twin === undefined) {
        this.#lose("response", response.place);
        continue;
      }
      this.#compareMessage(response, twin, ["description", "links"]);
      for (const header of response.headers) {
        const name = header.name.toLowerCase();
        if (name === "content-type") continue;
        const own = twin.headers.find((each) => each.name.toLowerCase() === name);
        if (own === undefined) this.#lose("header", header.place);
        else this.#compareField(header, own);
      }
    }
  }

  #compareSchemas(one: unknown, place: DocumentPlace, other: unknown, ignored: readonly string[] = []): void {
    const isMember = ignored.includes("null"); // of a union, which says whether null is a value
    const side = (source: Source, schema: unknown): Normal => {
      const normal = withoutAbsent(normalize(source, schema, place), this.#absent, source);
      const keywords = withoutRange(normal.keywords);
      return { ...normal, keywords: isMember ? withoutNull(keywords) : keywords };
    };
    const [left, right] = [side(this.before, one), side(this.after, other)];
    const pair = `${this.#absent} ${describePlace(left.place)} ${right.name ?? ""} ${
      right.name === undefined ? canonical(other) : ""
    }`;
    if (left.name !== undefined && ![left.name, `${left.name}Input`, `${left.name}Output`].includes(right.name!)) {
      this.#lose("name", place, { values: [left.name, right.name] });
    }
    if (this.#pairs.has(pair) || (this.#absent === undefined && this.#referred.has(right.name!))) return;
    this.#pairs.add(pair);
    for (const name of Object.keys({ ...left.keywords, ...right.keywords })) {
      if (
        structural.includes(name) || name === "nullable" || ignored.includes(name) || ignoredExtensions.includes(name)
      ) continue;
      const [own, twin] = [left.keywords[name], right.keywords[name]];
      const isSameNull = acceptsNull(left.keywords) === acceptsNull(right.keywords);
      if (name === "type" && isSameNull && typesIn(this.before, left) === typesIn(this.after, right)) continue;
      if (name === "null" && isSameNull) continue;
      const isAdded = own === undefined && (notes.includes(name) || name.startsWith("x-"));
      if (!isAdded && canonical(own) !== canonical(twin)) {
        this.#lose(kindOf(name), left.origins?.[name] ?? left.place, { use: place, values: [own, twin] });
      }
    }
    this.#compareInside(left, right);
  }

  /** Returns the members of a published union in the order of the original's members, because their order says nothing. */
  #pairMembers(own: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
    const paired = new Map<number, unknown>();
    const left = others.map((each) => ({ each, keys: keysOfMember(this.after, each) }));
    const wanted = own.map((each) => keysOfMember(this.before, each));
    for (const rank of wanted[0]?.keys() ?? []) {
      for (const [index, keys] of wanted.entries()) {
        const found = paired.has(index) || (rank === 0 && keys[0] === "")
          ? -1
          : left.findIndex((twin) => twin.keys[rank] === keys[rank]);
        if (found >= 0) paired.set(index, left.splice(found, 1)[0]!.each);
      }
    }
    return [
      ...own.flatMap((_, index) => paired.has(index) ? [paired.get(index)] : []),
      ...left.map(({ each }) => each),
    ];
  }

  #compareInside(left: Normal, right: Normal): void {
    const [one, other] = [toPart(left.keywords["properties"]), toPart(right.keywords["properties"])];
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const place = placeOf(one[name], left.place, "properties", name);
      if (one[name] === undefined || other[name] === undefined) {
        this.#lose("property", place, { values: [one[name], other[name]] });
      } else this.#compareSchemas(one[name], place, other[name]);
    }
    for (const name of ["items", "additionalProperties"]) {
      const [own, twin] = [left.keywords[name], right.keywords[name]];
      const place = placeOf(own, left.place, name);
      if (isOpen(own) && isOpen(twin)) continue;
      if (isPart(own) && isPart(twin)) this.#compareSchemas(own, place, twin);
      else if (canonical(own) !== canonical(twin)) this.#lose(name, place, { values: [own, twin] });
    }
    for (const name of ["anyOf", "allOf", "prefixItems"]) {
      const own = toList(left.keywords[name]);
      const others = toList(right.keywords[name]);
      const twin = name === "anyOf" ? this.#pairMembers(own, others) : others;
      if (own.length !== twin.length) {
        this.#lose(name === "anyOf" ? "union" : name, below(left.place, name), { values: [own, twin] });
      } else {
        own.forEach((each, index) =>
          this.#compareSchemas(
            each,
            placeOf(each, left.place, name, index),
            twin[index],
            name === "anyOf" ? ["null"] : [],
          )
        );
      }
    }
  }
}

/** Members that may be added where the original has none. */
const additions = ["operationId", "summary", "description"];

/** Members that are written differently, or that the toolkit writes itself. */
const ignoredExtensions = ["x-nullable", "x-files", "x-webhooks"];
const structural = ["properties", "items", "additionalProperties", "anyOf", "allOf", "prefixItems", "$ref", "xml"];
const notes = ["title", "description", "examples", "deprecated", "externalDocs", "discriminator", "format"];

function kindOf(keyword: string): string {
  if (keyword.startsWith("x-")) return "extension";
  if (keyword === "null") return "type";
  return /^(?:min|max|exclusive|multipleOf)/.test(keyword) ? "bounds" : keyword;
}

function acceptsNull(keywords: Part): boolean {
  return keywords["null"] === true || toList(keywords["type"]).includes("null");
}

function isOpen(schema: unknown): boolean {
  return schema === undefined || schema === true || (isPart(schema) && Object.keys(schema).length === 0);
}

function keysOf(value: unknown): readonly string[] {
  return Object.keys(toPart(value)).toSorted();
}

/** Returns a value whose references are replaced, at most twelve levels deep. */
function inline(source: Source, value: unknown, level = 0): unknown {
  if (Array.isArray(value)) return value.map((each) => inline(source, each, level + 1));
  if (!isPart(value) || level > 12) return value;
  const { $ref } = value;
  if (typeof $ref === "string") return inline(source, findReferenced(source, $ref)?.value, level + 1);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(source, each, level + 1)]));
}

function blankToNothing(value: unknown): unknown {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  return Array.isArray(value) || isPart(value) ? Object.keys(value).length === 0 ? undefined : value : value;
}

/** Returns the method and the whole path of an operation, without the names of parameters. */
function keyOf(source: Source, operation: Operation): string {
  const base = serverUrlOf(source, operation).pathname.replace(/\/+$/, "");
  return `${operation.method} ${
    decodePath(`${base}${operation.path}`).replaceAll(/\{[^{}]*\}/g, "{}").replace(/[?#].*$/, "")
  }`;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function securityOf({ root }: Source, { part }: Operation): string {
  const list = toList(part["security"] ?? root["security"]).map((each) =>
    canonical(Object.fromEntries(Object.entries(toPart(each)).map(([name, scopes]) => [name, toList(scopes)])))
  );
  const isPublic = list.length === 0 || list.every((each) => each === "{}");
  return isPublic ? "" : list.toSorted().join();
}

/** Leaves out the properties that only the other direction has, as clients and servers do. */
function withoutAbsent(normal: Normal, absent: "readOnly" | "writeOnly" | undefined, source: Source): Normal {
  const { properties, required, ...keywords } = normal.keywords;
  if (!isPart(properties) || absent === undefined) return normal;
  const kept = Object.entries(properties).filter(([, each]) =>
    normalize(source, each, normal.place).keywords[absent] !== true
  );
  if (kept.length === Object.keys(properties).length) return normal;
  const names = new Set(kept.map(([name]) => name));
  const needed = toList(required).filter((name) => names.has(String(name)) || !Object.hasOwn(properties, String(name)));
  return {
    ...normal,
    keywords: { ...keywords, properties: Object.fromEntries(kept), ...(needed.length > 0 && { required: needed }) },
  };
}

/** Returns what tells a member of a union apart from others, the most telling first. */
function keysOfMember(source: Source, member: unknown): readonly string[] {
  const { name = "", keywords } = normalize(source, member, { file: "", pointer: "" });
  const { type, enum: values, properties, items } = keywords;
  const shape = [type, values, keysOf(properties), isPart(items) ? keysOfMember(source, items)[0] : ""];
  const texts = Object.values(toPart(properties)).map((each) => [toPart(each)["enum"] ?? toPart(each)["const"]].flat());
  return [name && `name ${name}`, canonical([...shape, keywords["title"], texts]), canonical(shape), ""];
}

/** Brings a schema to its normal form: without references, `nullable`, `const`, `example` and single `allOf`. */
function normalize(source: Source, schema: unknown, fallback: DocumentPlace, hops = 0): Normal {
  const place = (isPart(schema) ? places.get(schema) : undefined) ?? fallback;
  if (!isPart(schema) || hops > 30) return { name: undefined, keywords: schema === false ? { not: {} } : {}, place };
  const { $ref, ...rest } = schema;
  notePlaces(schema, place);
  const own = plain(rest);
  const found = typeof $ref === "string" ? findReferenced(source, $ref) : undefined;
  if (found) {
    const target = normalize(source, found.value, found.place, hops + 1);
    const name = typeof $ref === "string" ? /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1] : undefined;
    return { ...target, name: name ?? target.name, ...beside(target, own, place) };
  }
  const parts = toList(own["allOf"]);
  if (parts.length > 0) return joinAll(source, own, place, hops);
  if (toList(own["type"]).filter((each) => each !== "null").length > 1) return normalizeTypes(source, own, place, hops);
  const members = toList(own["anyOf"]);
  const others = members.filter((each) => !isNull(each));
  if (others.length > 1) {
    return { name: undefined, keywords: joinPlain(distribute(hoistNull(source, own, place))), place };
  }
  if (others.length === 0) return { name: undefined, keywords: own, place };
  const { anyOf: _, ...around } = own;
  const only = normalize(source, others[0], below(place, "anyOf", members.indexOf(others[0])), hops + 1);
  const type = members.length === 1
    ? {}
    : only.keywords["type"] !== undefined
    ? { type: withNull(only.keywords["type"]) }
    : only.keywords["anyOf"] !== undefined
    ? { null: true }
    : {};
  return { ...only, ...beside(only, { ...around, ...type }, place) };
}

/** The keywords of objects and lists. */
const ofType: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "minItems", "maxItems"],
};

/** Writes a schema of several types as a union, if it says what is in its objects or lists. */
function normalizeTypes(source: Source, { type, ...schema }: Part, place: DocumentPlace, hops: number): Normal {
  const inner = Object.values(ofType).flat();
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => !inner.includes(name)));
  const anyOf = toList(type).map((each) => ({ type: each, ...pick(schema, ofType[String(each)] ?? []) }));
  if (Object.keys(rest).length === Object.keys(schema).length || schema["anyOf"] !== undefined) {
    return { name: undefined, keywords: { type, ...schema }, place };
  }
  for (const each of anyOf) places.set(each, place);
  return normalize(source, { ...rest, anyOf }, place, hops + 1);
}

/** Writes a union of bare types as a list of types, and one of listed values as one list. */
function joinPlain({ anyOf: members, null: isNullable, ...schema }: Part): Part {
  const parts = toList(members).map((each) => isPart(each) && !("$ref" in each) ? plain(each) : {});
  const hasOnly = (names: string) => parts.every((each) => Object.keys(each).toSorted().join() === names);
  const isListed = hasOnly("enum,type");
  if ((!isListed && !hasOnly("type")) || schema["type"] !== undefined) {
    return { anyOf: members, ...(isNullable === true && { null: true }), ...schema };
  }
  const types = [
    ...new Set([...parts.flatMap((each) => toList(each["type"])), ...(isNullable === true ? ["null"] : [])]),
  ];
  const values = [...new Set(parts.flatMap((each) => toList(each["enum"])))];
  return { ...schema, type: types.toSorted(), ...(isListed && { enum: values.toSorted() }) };
}

/** Moves null out of the members of a union. */
function hoistNull(source: Source, schema: Part, place: DocumentPlace): Part {
  const members = toList(schema["anyOf"]);
  const others = members.filter((each) => !isNull(each));
  const types = others.map((each) => typesOf(source, each, place, 1));
  const { type, nullable: _, ...rest } = schema;
  const own = toList(type).filter((each) => each !== "null");
  const isTyped = own.length > 0 && own.length === toList(type).length; // which rules out null
  const isNullable = schema["nullable"] === true || (!isTyped &&
    (others.length < members.length || toList(type).includes("null") || types.some((each) => each.includes("null"))));
  const isImplied = types.every((list) =>
    list.length > 0 && list.every((each) => each === "null" || own.includes(each))
  );
  const kept = own.length > 0 && !isImplied && { type: own };
  return { ...rest, ...kept, anyOf: others, ...(isNullable && { null: true }) };
}

/** Returns the types of the values of a normal form besides null, as a text. */
function typesIn(source: Source, { keywords, place }: Normal): string {
  const types = typesOf(source, keywords, place, 0).filter((each) => each !== "null");
  return [...new Set(types)].toSorted().join();
}

/** Lists the types of the values of a schema; none if they are not known. */
function typesOf(source: Source, schema: unknown, place: DocumentPlace, level = 0): readonly unknown[] {
  const { type, anyOf, null: isNullable } = level === 0 ? toPart(schema) : normalize(source, schema, place).keywords;
  if (type !== undefined || level > 12) return toList(type);
  const members = toList(anyOf).map((each) => typesOf(source, each, place, level + 1));
  return members.every((each) => each.length > 0) ? [...members.flat(), ...(isNullable === true ? ["null"] : [])] : [];
}

/** Leaves out the bounds that a format implies. */
function withoutRange(keywords: Part): Part {
  const [least, most] = integerRange(keywords["format"]) ?? [];
  return Object.fromEntries(
    Object.entries(keywords).filter(([name, value]) =>
      !((name === "minimum" && value === least) || (name === "maximum" && value === most))
    ),
  );
}

function withoutNull({ type, null: _, ...keywords }: Part): Part {
  const types = toList(type).filter((each) => each !== "null");
  return types.length > 0 ? { ...keywords, type: types } : keywords;
}

/** Adds keywords beside a reference or a single `allOf`: `nullable` alone widens the type. */
function beside({ keywords, origins }: Normal, own: Part, place: DocumentPlace): Pick<Normal, "keywords" | "origins"> {
  const isWidened = own["nullable"] === true && keywords["type"] !== undefined;
  const type = isWidened ? { type: withNull(keywords["type"]), nullable: undefined } : {};
  const added = Object.fromEntries(Object.keys(own).map((name) => [name, place] as const));
  return { keywords: { ...keywords, ...own, ...type }, origins: { ...origins, ...added } };
}

/** Joins the members of `allOf`, as far as they are objects. Those that say nothing about values are annotations. */
function joinAll(source: Source, { allOf, ...own }: Part, place: DocumentPlace, hops: number): Normal {
  const all = toList(allOf).map((each, index) => normalize(source, each, below(place, "allOf", index), hops + 1));
  const parts = all.filter(({ name, keywords }) => name !== undefined || !Object.keys(keywords).every(isAnnotation));
  const said = Object.assign({}, ...all.filter((each) => !parts.includes(each)).map(({ keywords }) => keywords), own);
  const [first] = parts;
  const isPlain = own["properties"] === undefined && own["required"] === undefined;
  if (parts.length === 1 && first && isPlain) return { ...first, ...beside(first, said, place) };
  const constraints = parts.map(({ keywords: { nullable: _, ...keywords } }) =>
    Object.fromEntries(Object.entries(keywords).filter(([name]) => !isAnnotation(name)))
  );
  const joined = [...constraints, said].reduce<Part>((sum, each) => ({
    ...sum,
    ...each,
    ...((sum["properties"] !== undefined || each["properties"] !== undefined) && {
      properties: joinProperties(toPart(sum["properties"]), toPart(each["properties"])),
    }),
    ...((sum["required"] !== undefined || each["required"] !== undefined) && {
      required: [...new Set([...toList(sum["required"]), ...toList(each["required"])])].toSorted(),
    }),
  }), {});
  return { name: undefined, keywords: distribute(joined), place };
}

function isAnnotation(name: string): boolean {
  return [...notes, "default", "example"].includes(name) || name.startsWith("x-");
}

/** Joins the properties of two objects: of one that both have, the first says what it is. */
function joinProperties(one: Part, other: Part): Part {
  const joined = Object.entries(other).map(([name, each]) => {
    const first = one[name];
    if (!isPart(first) || !isPart(each) || canonical(first) === canonical(each)) return [name, each] as const;
    const split = (part: Part, isSaid: boolean): Part =>
      Object.fromEntries(Object.entries(part).filter(([keyword]) => isAnnotation(keyword) === isSaid));
    const both = { ...split(each, true), ...split(first, true), allOf: [split(first, false), split(each, false)] };
    const place = places.get(each);
    if (place) { for (const part of [both, ...both.allOf]) places.set(part, place); }
    return [name, both] as const;
  });
  return { ...one, ...Object.fromEntries(joined) };
}

/** The keywords of objects, which members of a union have as well as the schema around them. */
const ofObjects = ["type", "properties", "required", "additionalProperties"];

/** Writes the keywords of an object into the members of a union beside them. */
function distribute(schema: Part): Part {
  const members = toList(schema["anyOf"]);
  const isBeside = schema["properties"] !== undefined || schema["required"] !== undefined;
  if (!isBeside || members.length < 2) return schema;
  const own = pick(schema, ofObjects);
  const around = Object.fromEntries(Object.entries(schema).filter(([name]) => !ofObjects.includes(name)));
  const joined = members.map((each) => {
    const whole = { allOf: [own, each] };
    const place = isPart(each) ? places.get(each) : undefined;
    if (place) places.set(whole, place);
    return whole;
  });
  return { ...around, anyOf: joined };
}

function pick(part: Part, names: readonly string[]): Part {
  return Object.fromEntries(names.flatMap((name) => part[name] === undefined ? [] : [[name, part[name]]]));
}

function isNull(schema: unknown): boolean {
  const { type, enum: values, const: only, nullable, ...others } = toPart(schema);
  if (nullable === true && type === undefined && values === undefined && Object.keys(others).length === 0) return true;
  return type === "null" || only === null || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

function withNull(type: unknown): readonly string[] {
  return [...new Set([...toList(Array.isArray(type) ? type : [type]).filter((each) => each !== undefined), "null"])]
    .map(String).toSorted();
}

/** Rewrites the keywords of one schema. */
function plain(schema: Part): Part {
  const {
    nullable,
    "x-nullable": old,
    const: only,
    example,
    oneOf,
    readOnly,
    writeOnly,
    deprecated,
    discriminator,
    ...rest
  } = schema;
  const out: Record<string, unknown> = { ...rest };
  if (only !== undefined) out["enum"] = [only];
  if (oneOf !== undefined && out["anyOf"] === undefined) out["anyOf"] = oneOf;
  if (isPart(discriminator)) out["discriminator"] = discriminator["propertyName"];
  if (example !== undefined && out["examples"] === undefined) out["examples"] = [example];
  if (out["type"] !== undefined) out["type"] = [...new Set([out["type"]].flat())].map(String).toSorted();
  const isNullable = nullable === true || old === true;
  if (isNullable && out["type"] !== undefined) out["type"] = withNull(out["type"]);
  else if (isNullable) out["nullable"] = true;
  if (Array.isArray(out["enum"])) {
    const values = [...out["enum"]];
    if (values.includes(null)) out["type"] = withNull(out["type"]);
    out["enum"] = values.filter((each) => each !== null).map((each) => canonical(each)).toSorted();
    const types = new Set(
      values.map((each) => each === null ? "null" : Number.isInteger(each) ? "integer" : typeof each),
    );
    if (values.length > 0) out["type"] = [...types].toSorted();
    if ([false, true].every((each) => values.includes(each)) && types.size === 1) out["enum"] = undefined;
  }
  const length = toList(out["prefixItems"]).length;
  if (length > 0 && out["maxItems"] === length) [out["items"], out["maxItems"]] = [false, undefined];
  for (const name of ["minItems", "minLength", "minProperties"]) if (out[name] === 0) out[name] = undefined;
  if (typeof out["pattern"] === "string") out["pattern"] = out["pattern"].replaceAll("\\/", "/");
  for (const [flag, bound] of [["exclusiveMinimum", "minimum"], ["exclusiveMaximum", "maximum"]] as const) {
    if (out[flag] === true) [out[flag], out[bound]] = [out[bound], undefined];
    else if (out[flag] === false) out[flag] = undefined;
  }
  if (Array.isArray(out["required"])) {
    out["required"] = out["required"].length === 0 ? undefined : [...new Set(out["required"])].toSorted();
  }
  if (out["properties"] && out["type"] === undefined) out["type"] = ["object"];
  if (out["items"] && out["type"] === undefined) out["type"] = ["array"];
  for (const [name, flag] of Object.entries({ readOnly, writeOnly, deprecated })) if (flag === true) out[name] = true;
  if (out["properties"] !== undefined && keysOf(out["properties"]).length === 0) out["properties"] = undefined;
  for (const name of ["title", "description"]) if (blankToNothing(out[name]) === undefined) out[name] = undefined;
  return Object.fromEntries(Object.entries(out).filter(([, value]) => value !== undefined));
}

/** Returns JSON whose members are sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, each) =>
      isPart(each) ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => one < other ? -1 : 1)) : each,
  ) ?? "";
}

/**
 * Lists the differences of all verdicts that no line of a report names: one about their operation, or about their schema.
 *
 * @param other What the document is compared with: the contract, or the document of the contract.
 */
export function listUnnamed(
  document: AnyOpenApiDocument | AnySwaggerDocument,
  contract: Contract,
  report: ImportReport,
  other: ContractOrDocument = contract,
): Change[] {
  const reader = new ReportReader(document, contract, report);
  return diffContracts(document, other, { samples: 20 }).filter((change) => !reader.names(change));
}

/** An operation of a document, and what the report says about it. */
interface Told {
  readonly operation: Operation;
  readonly told: ReportedOperation;
}

/** Finds the lines of a report that name a difference. */
class ReportReader {
  readonly #source: ReturnType<typeof toSource>;
  readonly #lines: ReadonlyMap<string, readonly string[]>;
  readonly #told = new Map<string, Told[]>();
  /** The parts that are not declared, as differences name them. */
  readonly #omitted: ReadonlySet<string>;
  /** The schemas that extend another one by `allOf`, by its place. */
  readonly #children = new Map<string, Located[]>();

  constructor(document: object, contract: Contract, report: ImportReport) {
    this.#source = toSource(document);
    this.#omitted = new Set(report.omitted.map(({ message }) => /webhook/.test(message) ? "webhooks" : "callbacks"));
    this.#lines = groupLines([...report.faults, ...report.unchecked]);
    const operations = new Map(
      listOperations(this.#source, () => {}).map((each) => [`${each.method.toUpperCase()} ${each.path}`, each]),
    );
    const ids = new Map(routesOf(contract.routes).map(({ key, docs }) => [key, docs.operationId ?? key]));
    for (const told of report.operations) {
      const operation = operations.get(told.operation)!; // the report has those of the document
      const { operationId } = operation.part;
      const own = typeof operationId === "string" ? operationId : undefined;
      for (const name of new Set([own ?? told.operation, ids.get(told.key ?? "")])) {
        if (name !== undefined) this.#told.set(name, [...this.#told.get(name) ?? [], { operation, told }]);
      }
    }
    for (const operation of listWebhooks(this.#source)) {
      const name = `${operation.method.toUpperCase()} ${operation.path}`;
      const told = report.webhooks.filter((each) => each.operation === name);
      this.#told.set(`webhooks.${operation.path}`, told.map((each) => ({ operation, told: each })));
    }
    this.#readChildren();
  }

  /** Whether the report names a difference. */
  names(change: Change): boolean {
    if (change.rule === "part-changed") return this.#omitted.has(change.where);
    const routes = [change.route, .../ goes to (.+) now/.exec(change.message)?.slice(1) ?? []];
    const told = routes.flatMap((route) => this.#told.get(route) ?? this.#findByPath(route));
    return told.some((each) => this.#namesInOperation(change, each) || this.#namesInSchema(change, each));
  }

  /** An operation without an id is named by its method and path, below the path of the server. */
  #findByPath(route: string): readonly Told[] {
    const [method, path = ""] = route.split(" ", 2);
    return [...this.#told].filter(([name]) => {
      const [own, end] = name.split(" ", 2);
      return own === method && end !== undefined && path.endsWith(end);
    }).flatMap(([, told]) => told);
  }

  #namesInOperation(change: Change, { told }: Told): boolean {
    if (told.reason !== undefined && change.rule === "route-removed") return true;
    return told.changes.some((message) => namesChange(message, change));
  }

  #namesInSchema(change: Change, { operation }: Told): boolean {
    const { slot, path } = readPlace(change);
    const fields = this.#fieldsOf(operation, slot);
    const [field, ...rest] = path;
    const own = fields.filter(([name]) => name === field).map(([, schema]) => schema);
    const isField = own.length > 0;
    let here = this.#expand(isField ? own : fields.map(([, schema]) => schema));
    const above: Located[] = [];
    for (const step of isField ? rest : path) {
      above.push(...here);
      here = this.#expand(here.flatMap((located) => this.#membersOf(located, step)));
    }
    return this.#hasLine(here, change, "here") || this.#hasLine(above, change, "above") ||
      this.#hasLine(this.#reach(here), change, "below");
  }

  #hasLine(places: readonly Located[], change: Change, position: Position): boolean {
    return places.some(({ place }) =>
      ["", "/discriminator"].some((end) =>
        this.#lines.get(describePlace(place) + end)?.some((message) => namesSchemaChange(message, change, position))
      )
    );
  }

  /** The schemas of a slot by the name of the parameter or header; those of a body have no name. */
  #fieldsOf(operation: Operation, slot: string): NamedSchema[] {
    const { parameters, body, responses } = partsOf(this.#source, operation);
    const toNamed = (field: Field): NamedSchema[] => {
      const name = field.part.in === "path" || field.part.in === "query" ? field.name : field.name.toLowerCase();
      return schemasIn(field, [field.content ?? []].flat()).map((schema) => [name, schema]);
    };
    const place = { params: "path", query: "query", headers: "header" }[slot];
    if (place !== undefined) return parameters.filter(({ part }) => part.in === place).flatMap(toNamed);
    const [status, kind] = slot.split(" ");
    const reply = responses.find(({ name }) => name === status);
    if (kind !== undefined) return reply?.headers.flatMap(toNamed) ?? [];
    const message = slot === "body" ? body : reply;
    return message ? schemasIn(message, message.contents).map((schema) => ["", schema]) : [];
  }

  /** Returns schemas with all that apply to the same value. */
  #expand(schemas: readonly Located[]): Located[] {
    return collect(schemas, (each) => this.#nearOf(each));
  }

  /** Returns all schemas within others. */
  #reach(schemas: readonly Located[]): Located[] {
    return collect(schemas, (each) => [...this.#nearOf(each), ...this.#allMembers(each)]);
  }

  #nearOf({ value, place }: Located): Located[] {
    const { $ref, ...schema } = toPart(value);
    const target = typeof $ref === "string" ? findReferenced(this.#source, $ref) : undefined;
    const lists = ["allOf", "anyOf", "oneOf"].flatMap((name) =>
      toList(schema[name]).map((each, index) => ({ value: each, place: below(place, name, index) }))
    );
    const single = ["not", "if", "then", "else"].filter((name) => schema[name] !== undefined)
      .map((name) => ({ value: schema[name], place: below(place, name) }));
    const mapped = Object.values(toPart(toPart(schema.discriminator).mapping)).flatMap((reference) =>
      findReferenced(this.#source, String(reference)) ?? []
    );
    return [
      ...(target ? [target] : []),
      ...lists,
      ...single,
      ...mapped,
      ...this.#children.get(describePlace(place)) ?? [],
    ];
  }

  #membersOf(located: Located, name: string): Located[] {
    const { value } = located;
    const own = toPart(toPart(value).properties);
    if (Object.hasOwn(own, name)) return [{ value: own[name], place: below(located.place, "properties", name) }];
    return this.#othersOf(located);
  }

  #allMembers(located: Located): Located[] {
    const names = Object.keys(toPart(toPart(located.value).properties));
    return [...names.flatMap((name) => this.#membersOf(located, name)), ...this.#othersOf(located)];
  }

  #othersOf({ value, place }: Located): Located[] {
    const schema = toPart(value);
    const patterns = Object.entries(toPart(schema.patternProperties)).map(([name, each]) => ({
      value: each,
      place: below(place, "patternProperties", name),
    }));
    const names = ["items", "additionalItems", "additionalProperties", "contains"];
    const single = names.filter((name) => typeof schema[name] === "object" && !Array.isArray(schema[name]))
      .map((name) => ({ value: schema[name], place: below(place, name) }));
    const lists = ["prefixItems", "items"].flatMap((name) =>
      toList(schema[name]).map((each, index) => ({ value: each, place: below(place, name, index) }))
    );
    return [...patterns, ...single, ...lists];
  }

  #readChildren(): void {
    const { components } = this.#source.root;
    const place = { file: "", pointer: "/components/schemas" };
    for (const [name, value] of Object.entries(toPart(toPart(components).schemas))) {
      const child = { value, place: below(place, name) };
      for (const member of toList(toPart(value).allOf)) {
        const { $ref } = toPart(member);
        const parent = typeof $ref === "string" ? findReferenced(this.#source, $ref) : undefined;
        if (parent?.value === undefined || toPart(parent.value).discriminator === undefined) continue;
        const key = describePlace(parent.place);
        this.#children.set(key, [...this.#children.get(key) ?? [], child]);
      }
    }
  }
}

/** Where the schema of a line is: it is the one that differs, one around it, or one within it. */
type Position = "here" | "above" | "below";

/** Whether a message about a schema names a difference of it, or of a member. */
function namesSchemaChange(message: string, change: Change, position: Position): boolean {
  const { 1: ruledOut } = /^additionalProperties rules out "(.+)"/.exec(message) ?? [];
  if (ruledOut !== undefined) return readPlace(change).path.includes(ruledOut);
  const [, words, isAround = false] = schemaLines.find(([line]) => line.test(message)) ?? [];
  return (position !== "above" || isAround) && (words === undefined || words.test(change.message));
}

/** The messages about schemas, what the differences say that each names, and whether those are in members, too. */
const schemaLines: readonly (readonly [line: RegExp, words?: RegExp | undefined, isAround?: boolean])[] = [
  [/^nullable alone|has no type|^the discriminator|part of itself|required properties$/, undefined, true],
  [/does not define/, /\$ref|may be|can no longer be/, true],
  [/^that a value matches only one of oneOf$/, /alternative|may be|can no longer be/],
  [/^the properties of an object that another one of a union includes$/, /was removed|was added/, true],
  [/ rules out null; /, /null|alternative/],
  [/^uniqueItems$/, /unique/i],
  [/^the format /, /format/],
  [/ is not a regular expression$/, /pattern/],
  [/^additionalProperties /, undefined, true],
  [/^(?:min|max)Properties$|^propertyNames$/, /members|propertyNames|was (?:added|removed)/],
  [/^\$(?:recursive|dynamic)Ref$/, /\$(?:recursive|dynamic)Ref/],
];

/** Whether a message about an operation names a difference of it. */
function namesChange(message: string, change: Change): boolean {
  const { slot, path: [field = ""] } = readPlace(change);
  return operationLines.some(([line, names]) => {
    const match = line.exec(message);
    return match !== null && names({ ...change, slot, field }, ...match.slice(1));
  });
}

interface PlacedChange extends Change {
  /** The slot: `query`, `200 headers`. */
  readonly slot: string;
  /** The first name within the slot. */
  readonly field: string;
}

type OperationLine = readonly [line: RegExp, names: (change: PlacedChange, ...matched: string[]) => boolean];

/** The messages about operations, and the differences that each names. */
const operationLines: readonly OperationLine[] = [
  [
    /^the header (\S+) of responses is (?:text$|not declared)/,
    ({ slot, field }, name) => / headers$/.test(slot) && field === name,
  ],
  [
    /^the header (\S+) of the response (\S+) is declared twice/,
    ({ slot, field }, name, status) => slot === `${status} headers` && field === name,
  ],
  [
    /^the response (\S+) is .+ only, not /,
    ({ rule, slot }, status) => slot === status && /^(content-type|representation)/.test(rule),
  ],
  [/^the (?:events of the )?response (\S+) /, ({ slot }, status) => slot === status],
  [/^the request is .+ only, not /, ({ rule, slot }) => slot === "body" && /^content-type/.test(rule)],
  [/^the (?:request|body) (?:is|has) |fields of the form are/, ({ slot }) => slot === "body"],
  [/^the body is not declared/, ({ rule }) => rule === "body-removed"],
  [/credential|another scheme|security scheme/, ({ slot }) => slot === "security"],
  [/^the query parameter (.+?) is /, ({ slot, field }, name) => slot === "query" && belongsTo(field, name!)],
  [/^other parameters of |^the query as a whole/, ({ slot }) => slot === "query"],
  [
    /^the parameter (.+?) is called (.+)$/,
    ({ slot, field }, name, other) => slot === "params" && [name, other].includes(field),
  ],
  [/^the parameter (.+?) is /, ({ slot, field }, name) => slot === "params" && field === name],
  [
    /^the segment .* is one parameter, :(.*)$/,
    ({ rule, slot }) => slot === "params" || /^route-/.test(rule),
  ],
  [
    /^the field (.+?) (?:of the form )?is /,
    ({ slot, field }, name) => ["body", "query"].includes(slot) && belongsTo(field, name!),
  ],
  [
    /^the default of (.+) is not declared/,
    ({ rule, where }, name) => rule === "default-changed" && where.endsWith(`/${name}`),
  ],
  [/^the header "?([^" ]+)"? is /, ({ slot, field }, name) => slot === "headers" && field === name!.toLowerCase()],
  [/^the cookie "(.+)" is not declared/, ({ where }, name) => where === `cookie /${name}`],
  [/^the sunset /, ({ rule }) => rule === "sunset-changed"],
  [/^its operationId is /, ({ rule }) => rule === "key-renamed"],
  [/^(.+) is ".*" in its path, because /, ({ rule, slot }) => slot === "params" || /^route-/.test(rule)],
  [/^it has no responses/, ({ slot }) => slot === "200"],
];

/** Whether a parameter is another one, or a member of it: `filter[name]`. */
function belongsTo(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}[`);
}

/** Returns the slot of a difference, and the names that lead to its place there. */
function readPlace({ where }: Change): { readonly slot: string; readonly path: readonly string[] } {
  const { 1: slot = "", 2: pointer = "" } = /^(\S*(?: headers)?)(?: (\/.*))?$/s.exec(where) ?? [];
  return { slot, path: pointer.split("/").slice(1).map((step) => parseStep(step)[0]!) };
}

/** A schema with the name of its parameter or header. */
type NamedSchema = readonly [name: string, schema: Located];

/** Returns the schemas of a part, and of its content. */
function schemasIn(part: LocatedPart, contents: readonly MediaContent[]): Located[] {
  return [part, ...contents].flatMap((each) => [memberOf(each, "schema"), memberOf(each, "itemSchema")])
    .filter(({ value }) => value !== undefined);
}

function groupLines(lines: readonly ReportedPlace[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { place, message } of lines) found.set(place, [...found.get(place) ?? [], message]);
  return found;
}

/** Returns values with all that they lead to, each place once. */
function collect(first: readonly Located[], next: (each: Located) => readonly Located[]): Located[] {
  const found = new Map<string, Located>();
  const waiting = [...first];
  for (const each of waiting) { // which grows
    const key = describePlace(each.place);
    if (found.has(key)) continue;
    found.set(key, each);
    waiting.push(...next(each));
  }
  return [...found.values()];
}
