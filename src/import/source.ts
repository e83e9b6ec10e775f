/** The documents that are imported: their files, and the references between them. */
import { parseStep } from "../schema.ts";
import { isPart, memberOf, type Part, toObject, toPart } from "./part.ts";
import { upgradeSwagger } from "./swagger.ts";

/** A document and the files that it refers to. */
export interface Source {
  /** The root of the document, of OpenAPI 3. */
  readonly root: Part;
  /** The other files by their URL, and the root by `""`. */
  readonly files: ReadonlyMap<string, unknown>;
}

/** A place in one of the files. */
export interface Place {
  /** The URL of the file; `""` is the root. */
  readonly file: string;
  /** The JSON Pointer within the file: `/paths/~1users/get`. */
  readonly pointer: string;
}

/** A value and where it stands. */
export interface Located {
  readonly value: unknown;
  readonly place: Place;
}

/** Returns the source of a document without other files. Swagger 2.0 becomes OpenAPI 3. */
export function toSource(document: object, files: ReadonlyMap<string, unknown> = new Map()): Source {
  const root = upgradeSwagger(document as Part);
  return { root, files: new Map([...files, ["", root]]) };
}

/**
 * Reads the files that a document refers to, directly or not.
 *
 * @param base The URL of the document.
 * @param read Returns the parsed file of a URL.
 */
export async function readFiles(
  document: unknown,
  base: string,
  read: (url: string) => Promise<unknown>,
): Promise<ReadonlyMap<string, unknown>> {
  const files = new Map<string, unknown>();
  const waiting: [unknown, string][] = [[document, base]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [file, url] = next;
    for (const reference of listFileReferences(file)) {
      const target = toFileUrl(reference, url);
      if (target === undefined || target === base || files.has(target)) continue;
      files.set(target, undefined); // so that a file that refers to itself is read once
      const parsed = absolute(await read(target), target, base);
      files.set(target, parsed);
      waiting.push([parsed, target]);
    }
  }
  return files;
}

/** Returns a document whose references to other files are absolute. Those to its own parts stay as they are. */
export function withAbsoluteReferences(document: object, base: string): object {
  return absolute(document, "", base, base) as object;
}

/** Replaces the references of a file, so that each names its file: the root has no name. */
function absolute(value: unknown, url: string, root: string, base = url): unknown {
  return mapReferenceTexts(value, (reference) => {
    const [, pointer = ""] = reference.split("#", 2);
    const target = toFileUrl(reference, base) ?? url;
    return `${target === root ? "" : target}#${pointer}`;
  });
}

/** Maps the references below a value. `parent` is the name under which the value stands. */
function mapReferenceTexts(value: unknown, map: (reference: string) => string, parent = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferenceTexts(item, map));
  if (!isPart(value)) return value;
  const isNamed = nameMaps.has(parent);
  const copy: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(value)) {
    if (name === "$ref" && typeof member === "string") copy.$ref = map(member);
    else if (parent === "discriminator") copy[name] = mapDiscriminator(member, map);
    else if (isNamed || !dataKeywords.has(name)) {
      Object.defineProperty(copy, name, { value: mapReferenceTexts(member, map, isNamed ? "" : name) });
    }
  }
  return copy;
}

/** Maps the references of a discriminator. Other texts are names of schemas, and of its property. */
function mapDiscriminator(member: unknown, map: (reference: string) => string): unknown {
  if (typeof member === "string") return /[#/]|\.(?:json|ya?ml)$/i.test(member) ? map(member) : member;
  if (!isPart(member)) return member;
  return toObject(Object.entries(member).map(([name, target]) => [name, mapDiscriminator(target, map)]));
}

/** Keywords whose values are data, in which `$ref` means nothing. */
const dataKeywords: ReadonlySet<string> = new Set(["example", "examples", "default", "enum", "const"]);

/** Parts whose members have any names, such as the response `default` and a property `example`. */
const nameMaps: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "headers",
  "parameters",
  "pathItems",
  "patternProperties",
  "properties",
  "requestBodies",
  "responses",
  "schemas",
]);

function listFileReferences(value: unknown, found: Set<string> = new Set()): Set<string> {
  mapReferenceTexts(value, (reference) => {
    if (!reference.startsWith("#")) found.add(reference);
    return reference;
  });
  return found;
}

/** Returns the URL of the file that a reference names; `undefined` for the same file, and for an invalid URL. */
function toFileUrl(reference: string, base: string): string | undefined {
  const file = reference.split("#", 1)[0]!;
  return file !== "" && URL.canParse(file, base) ? new URL(file, base).href : undefined;
}

/** Returns where a reference leads to; `undefined` if there is nothing. */
export function find({ files }: Source, reference: string): Located | undefined {
  const [file = "", pointer = ""] = reference.split("#", 2);
  let value = files.get(file);
  for (const step of pointer.split("/").slice(1)) {
    const name = parseStep(step).find((each) => memberOf(value, each) !== undefined);
    if (name === undefined) return undefined;
    value = memberOf(value, name);
  }
  const isWhole = pointer === "" || pointer.startsWith("/"); // an anchor is not supported
  return value === undefined || !isWhole ? undefined : { value, place: { file, pointer } };
}

/**
 * Follows the references of a part that is not a schema. Members beside the reference, such as a description, are
 * nearer.
 *
 * @throws {TypeError} If a reference leads nowhere, or back to itself.
 */
export function follow(source: Source, { value, place }: Located, hops = 0): { part: Part; place: Place } {
  const part = toPart(value);
  const { $ref, ...rest } = part;
  if (typeof $ref !== "string") return { part, place };
  const target = hops < 50 ? find(source, $ref) : undefined;
  if (target === undefined) throw new TypeError(`the document does not define ${describeReference($ref)}`);
  const found = follow(source, target, hops + 1);
  return { part: { ...found.part, ...rest }, place: found.place };
}

/** Returns a reference as it is shown in a report: short, on one line. */
export function describeReference(reference: string): string {
  return JSON.stringify(reference.length > 120 ? `${reference.slice(0, 120)}…` : reference);
}

/** Returns the place of a member. */
export function below({ file, pointer }: Place, ...names: readonly (string | number)[]): Place {
  const steps = names.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return { file, pointer: pointer + steps.join("") };
}

/** Returns a place as text: the JSON Pointer, after the file if it is another one than the document. */
export function describePlace({ file, pointer }: Place): string {
  return `${file}#${pointer}`;
}
