/** The documents that are imported: their files, and the references between them. */
import { mapInside, parseReference } from "../json_schema/references.ts";
import { cutLevels, findExcess } from "../openapi/excess.ts";
import { type DocumentFiles, type DocumentPlace, findReferenced, type Located } from "../openapi/operations.ts";
import { isPart, type Part, toObject } from "../openapi/part.ts";
import { isOfStatuses, upgradeSwagger } from "./swagger.ts";

/** A document and the files that it refers to. */
export interface Source extends DocumentFiles {
  /** The root of the document, of OpenAPI 3. */
  readonly root: Part;
  /** Places of the document above parts that are too deep to be read. */
  readonly tooDeep: readonly DocumentPlace[];
}

/** How a document is read: the beginning of errors, and what stands for parts that are too deep. */
interface Reading {
  readonly action: string;
  readonly standIn: unknown;
}

/**
 * Returns the source of a document without other files. Swagger 2.0 becomes OpenAPI 3.
 *
 * @throws {TypeError} If the document has more parts than a memory.
 */
export function toSource(
  document: object,
  files: ReadonlyMap<string, unknown> = new Map(),
  { action, standIn }: Reading = { action: "Cannot import:", standIn: {} },
): Source {
  const tooDeep: DocumentPlace[] = [];
  const limit = (value: unknown, file: string): unknown => {
    const excess = findExcess(value);
    if (excess?.isLarge) throw new TypeError(`${action} the document ${excess.description}`);
    return excess ? cutLevels(value, standIn, (pointer) => tooDeep.push({ file, pointer })) : value;
  };
  const kept = new Map([...files].map(([url, file]) => [url, limit(file, url)]));
  const { root, files: others } = upgradeSwagger(limit(document, "") as Part, kept); // an object stays one
  return { root, files: new Map([...others, ["", root]]), tooDeep };
}

/** The most files that a reference passes on its way from the document. A server could add files without end. */
const mostFileLevels = 100;

/**
 * Reads the files that a document refers to, directly or not.
 *
 * @param base The URL of the document.
 * @param read Returns the parsed file of a URL.
 *
 * @throws {TypeError} If files refer to each other through too many levels.
 */
export async function readFiles(
  document: unknown,
  base: string,
  read: (url: string) => Promise<unknown>,
): Promise<ReadonlyMap<string, unknown>> {
  const files = new Map<string, unknown>();
  const seen = new Set<string>(); // each file is read once
  const root = normalizeUrl(base);
  const waiting: [file: unknown, url: string, level: number][] = [[document, base, 0]];
  for (const [file, url, level] of waiting) { // which grows
    for (const [reference, isOptional] of listFileReferences(file)) {
      const target = toFileUrl(reference, url);
      if (target === undefined || target === root || seen.has(target)) continue;
      if (level === mostFileLevels) {
        throw new TypeError(
          `Cannot import: ${target} is more than ${mostFileLevels} references away from the document`,
        );
      }
      seen.add(target);
      const content = await read(target).catch((error) => {
        if (isOptional && [error?.code, error?.cause?.code].includes("ENOENT")) return undefined;
        throw error; // also for what must not be read, and where there are too many
      });
      if (content === undefined) continue;
      const parsed = absolute(content, target, root);
      files.set(target, parsed);
      waiting.push([parsed, target, level + 1]);
    }
  }
  return files;
}

/** Returns a document whose references to other files are absolute. Those to its own parts stay as they are. */
export function withAbsoluteReferences(document: object, base: string): object {
  return absolute(document, "", normalizeUrl(base), base) as object;
}

/** Replaces the references of a file, so that each names its file: the root has no name. */
function absolute(value: unknown, url: string, root: string, base = url): unknown {
  return mapReferenceTexts(value, (reference) => {
    const target = toFileUrl(reference, base) ?? url;
    return `${target === root ? "" : target}#${parseReference(reference).fragment}`;
  });
}

/** Maps a reference. Those of discriminators and in extensions (`x-…`) may lead nowhere. */
type MapReference = (reference: string, isOptional: boolean) => string;

/** Maps the references below a value. */
function mapReferenceTexts(value: unknown, map: MapReference, isOptional = false): unknown {
  const mapMember = (part: unknown, name = ""): unknown => {
    if (name === "$ref" && typeof part === "string") return map(part, isOptional);
    if (name === "discriminator" && isPart(part)) return mapDiscriminator(part, map);
    return mapReferenceTexts(part, map, isOptional || name.startsWith("x-"));
  };
  return mapInside(value, mapMember, isOfStatuses);
}

/** Maps the references of a discriminator. Other texts are names of schemas, and of its property. */
function mapDiscriminator(member: unknown, map: MapReference): unknown {
  if (typeof member === "string") return /[#/]|\.(?:json|ya?ml)$/i.test(member) ? map(member, true) : member;
  if (!isPart(member)) return member;
  return toObject(Object.entries(member).map(([name, target]) => [name, mapDiscriminator(target, map)]));
}

/** Returns the references to other files, and whether all of them may lead nowhere. */
function listFileReferences(value: unknown): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  mapReferenceTexts(value, (reference, isOptional) => {
    if (!reference.startsWith("#")) found.set(reference, isOptional && found.get(reference) !== false);
    return reference;
  });
  return found;
}

/** Returns the URL of the file that a reference names; `undefined` for the same file, and for an invalid URL. */
function toFileUrl(reference: string, base: string): string | undefined {
  const { file } = parseReference(reference);
  return file !== "" && URL.canParse(file, base) ? normalizeUrl(new URL(file, base).href) : undefined;
}

/** Returns a function that finds what references lead to, and remembers it. */
export function createFinder(source: Source): Finder {
  const known = new Map<string, Located | undefined>();
  return (reference) => {
    if (!known.has(reference)) known.set(reference, findReferenced(source, reference));
    return known.get(reference);
  };
}

/** Returns where a reference leads to; `undefined` if there is nothing. */
export type Finder = (reference: string) => Located | undefined;

/**
 * Returns the one URL of a file on the disk, whose query means nothing, and whose letters may be percent-encoded (RFC
 * 3986, section 6.2.2.2). Any other URL stays as it is.
 */
function normalizeUrl(url: string): string {
  if (!url.startsWith("file:")) return url;
  const [path = ""] = url.split(/[?#]/, 1);
  return path.replaceAll(/%(?:2[de]|5f|3\d|[46][1-9a-f]|[57][\da])/gi, decodeURIComponent);
}
