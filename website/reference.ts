/** The page that lists what each door exports, and leads to what `deno doc` writes of it. */
import config from "../deno.json" with { type: "json" };

/** The doors that export anything; commands are programs. */
export const doors: readonly Door[] = Object.entries(config.exports)
  .filter(([, file]) => !file.endsWith("/cli.ts"))
  .map(([path, file]) => ({ path: path.slice(2), file: file.slice(2) }));

/** An entry point of the package. */
export interface Door {
  /** What follows the name of the package: "" or "client". */
  readonly path: string;
  readonly file: string;
}

/** What `deno doc --json` writes, as far as it is read here. */
export interface Documentation {
  readonly nodes: Readonly<Record<string, DocumentedModule>>;
}

interface DocumentedModule {
  readonly module_doc?: Documented;
  readonly symbols: readonly DocumentedSymbol[];
}

interface Documented {
  readonly doc?: string;
  readonly tags?: readonly { readonly kind: string }[];
}

interface DocumentedSymbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

interface Declaration {
  readonly kind: string;
  readonly location: Location;
  readonly jsDoc?: Documented;
  /** Where a reference leads. */
  readonly def?: { readonly target?: Location };
}

interface Location {
  readonly filename: string;
  readonly line: number;
}

/** The page, of documentation whose modules are named by files under `root`. */
export function toReferencePage({ nodes }: Documentation, root: string): string {
  const declared = new Map(
    Object.values(nodes).flatMap(({ symbols }) => symbols.flatMap(({ declarations }) => declarations)).filter(
      isDeclared,
    ).map((declaration) => [toKey(declaration.location), declaration]),
  );
  const resolve = (declaration: Declaration): Declaration =>
    declared.get(toKey(declaration.def?.target ?? declaration.location)) ?? declaration;
  const sections = doors.map((door) => {
    const module = nodes[root + door.file];
    if (module === undefined) throw new Error(`Cannot write the reference: deno doc says nothing of ${door.file}`);
    return toSection(door, module, resolve);
  });
  return [
    "---\neditLink: false\n---",
    "# API reference",
    "Each entry point, and what it exports. Every name leads to its signature, its options and an example.",
    ...sections,
  ].join("\n\n");
}

function isDeclared({ kind }: Declaration): boolean {
  return kind !== "reference";
}

/** Whether a declaration is marked as something that no user writes; `deno doc` gives it no page. */
function isInternal({ jsDoc }: Declaration): boolean {
  return jsDoc?.tags?.some(({ kind }) => kind === "internal") ?? false;
}

function toKey({ filename, line }: Location): string {
  return `${filename}:${line}`;
}

function toSection(door: Door, module: DocumentedModule, resolve: (from: Declaration) => Declaration): string {
  const symbols = module.symbols.map(({ name, declarations }) => {
    const resolved = declarations.map(resolve);
    const doc = resolved.map(({ jsDoc }) => jsDoc?.doc).find((text) => text !== undefined) ?? "";
    const isType = resolved.every(({ kind }) => kind === "interface" || kind === "typeAlias");
    return { isType, isInternal: resolved.some(isInternal), link: toLink(door, name), sentence: toSentence(doc) };
  }).filter(({ isInternal }) => !isInternal);
  const values = symbols.filter(({ isType }) => !isType).map(({ link, sentence }) => `- ${link}: ${sentence}`);
  const types = symbols.filter(({ isType }) => isType).map(({ link }) => link);
  return [
    `## \`${[config.name, door.path].filter((part) => part !== "").join("/")}\``,
    toSentence(module.module_doc?.doc ?? ""),
    values.join("\n"),
    ...(types.length > 0 ? [`Types: ${types.join(", ")}.`] : []),
  ].join("\n\n");
}

function toLink({ path }: Door, name: string): string {
  return `[\`${name}\`](/reference/${path === "" ? "" : `${path}/`}~/${name}.html)`;
}

/** The first sentence of a comment, with its links as code. */
function toSentence(doc: string): string {
  const [paragraph = ""] = doc.split(/\n\n|\n```|\n- /);
  const [sentence = ""] = paragraph.replaceAll("\n", " ").match(/^.*?[.:](?= |$)|^.*$/) ?? [];
  return sentence.replaceAll(/\{@link ([^}]+)\}/g, "`$1`").replace(/:$/, ".").trim();
}
