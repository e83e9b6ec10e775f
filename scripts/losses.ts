/**
 * Measures what a document and its import say differently, and whether the report of the import names it.
 *
 * {@linkcode listLosses} compares a document with the one that is published after its import: both are brought to one
 * normal form and walked in parallel from each operation, and each difference is a fact with a kind and the place in the
 * original.
 *
 * @module
 */
import type { ImportReport } from "@scope/api/import";
import {
  type DocumentMessage,
  type Field,
  type MediaContent,
  type OperationParts,
  readOperation,
} from "../src/tools/import/read_operation.ts";
import { type Source, toSource } from "../src/tools/import/source.ts";
import {
  below,
  describePlace,
  documentPart,
  type DocumentPlace,
  findReferenced,
  listOperations,
  type LocatedPart,
  memberOf,
  type Operation,
  serverUrlOf,
} from "../src/tools/openapi/operations.ts";
import { isPart, toList, toPart } from "../src/tools/openapi/part.ts";
import { mediaTypeEssence } from "../src/wire/media_type.ts";
import {
  acceptsNull,
  blankToNothing,
  canonical,
  keysOf,
  keysOfMember,
  type Normal,
  normalize,
  notes,
  placeOf,
  typesIn,
  withoutAbsent,
  withoutNull,
  withoutRange,
} from "./normal_form.ts";

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
    const own = readOperation(one, { source: this.before, options: {} });
    const twin = readOperation(other, { source: this.after, options: {} });
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

function kindOf(keyword: string): string {
  if (keyword.startsWith("x-")) return "extension";
  if (keyword === "null") return "type";
  return /^(?:min|max|exclusive|multipleOf)/.test(keyword) ? "bounds" : keyword;
}

function isOpen(schema: unknown): boolean {
  return schema === undefined || schema === true || (isPart(schema) && Object.keys(schema).length === 0);
}

/** Returns a value whose references are replaced, at most twelve levels deep. */
function inline(source: Source, value: unknown, level = 0): unknown {
  if (Array.isArray(value)) return value.map((each) => inline(source, each, level + 1));
  if (!isPart(value) || level > 12) return value;
  const { $ref } = value;
  if (typeof $ref === "string") return inline(source, findReferenced(source, $ref)?.value, level + 1);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(source, each, level + 1)]));
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
