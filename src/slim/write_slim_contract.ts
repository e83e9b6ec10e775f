import { type Contract } from "../contract/contract.ts";
import { isMarked } from "../mark.ts";
import { type Entries, printCode, type Reference, referencesIn, type ToLocalName } from "./code.ts";
import { type CodecsModule, describeContract } from "./describe_rows.ts";

/** Where the file of a slim contract imports from, and what it exports. */
export interface SlimFile {
  /** The name of the whole contract in its module, and of the slim one in this file. */
  readonly name: string;
  /** The module of the whole contract, as the file imports it. */
  readonly contract: string;
  /** The module of the codecs, as the file imports it. */
  readonly codecs: string | undefined;
  /** The module of `slimContract`. */
  readonly library: string;
}

/** The file of the slim contract of a whole one; throws a `TypeError` for a codec that cannot be imported. */
export function writeSlimContract(contract: Contract, codecs: CodecsModule | undefined, file: SlimFile): string {
  if (!isMarked(contract, "contract")) {
    throw new TypeError("Cannot write the slim contract: the whole one was not made by defineContract()");
  }
  const values = describeContract(contract, codecs);
  const references = sortReferences(values.flatMap(referencesIn));
  const toLocal = planNames(references, file.name);
  const { name } = file;
  const whole = toWholeName(name);
  return [
    `// Written by ${file.library}/cli from ${file.contract}. If it is out of date, it does not compile: write it again.`,
    ...writeImports(references, toLocal, file),
    "",
    `export const ${name}: SlimContract<typeof ${whole}> = ${slim}<typeof ${whole}>(${printValues(values, toLocal)});`,
    "",
  ].join("\n");
}

/** What the file calls the whole contract. */
function toWholeName(name: string): string {
  return name === "whole" ? "wholeContract" : "whole";
}

const slim = "slimContract";
const slimType = "SlimContract";

/** The arguments of the call, one behind the other. */
function printValues(values: readonly Entries[], toLocal: ToLocalName): string {
  return values.map((value) => printCode(value, toLocal, "")).join(", ");
}

/** Each name once, in the order of the alphabet. */
function sortReferences(references: readonly Reference[]): Reference[] {
  const unique = new Map(references.map((reference) => [`${reference.from} ${reference.name}`, reference]));
  return [...unique].toSorted(([one], [other]) => one < other ? -1 : 1).map(([, reference]) => reference);
}

/** What the file calls each import: its name, but for an export whose name is no identifier or is the file's already. */
function planNames(references: readonly Reference[], name: string): ToLocalName {
  const own = references.filter(({ from }) => from === "library").map((reference) => reference.name);
  const taken = new Set([name, toWholeName(name), slim, slimType, "default", ...own]);
  return (reference) => {
    if (reference.from === "library") return reference.name;
    const isFree = /^[A-Za-z_$][\w$]*$/.test(reference.name) && !taken.has(reference.name);
    return isFree ? reference.name : `codec${references.indexOf(find(references, reference))}`;
  };
}

function find(references: readonly Reference[], { from, name }: Reference): Reference {
  return references.find((each) => each.from === from && each.name === name)!; // which all references are among
}

function writeImports(references: readonly Reference[], toLocal: ToLocalName, file: SlimFile): string[] {
  const names = (from: Reference["from"]): string[] =>
    references.filter((reference) => reference.from === from).map((reference) => {
      const local = toLocal(reference);
      return local === reference.name ? local : `${printName(reference.name)} as ${local}`;
    });
  const imported = names("codecs");
  const own = sortNames([...names("library"), `type ${slimType}`, slim]);
  return [
    writeImport("import", own, file.library),
    writeImport("import type", [`${file.name} as ${toWholeName(file.name)}`], file.contract),
    ...(imported.length > 0 && file.codecs !== undefined
      ? [writeImport("import", sortNames(imported), file.codecs)]
      : []),
  ];
}

/** Imported names as `deno fmt` sorts them. */
function sortNames(names: readonly string[]): string[] {
  const toSortKey = (name: string): string => name.replace(/^type /, "").toLowerCase();
  return names.toSorted((one, other) => toSortKey(one) < toSortKey(other) ? -1 : 1);
}

function writeImport(keyword: string, names: readonly string[], from: string): string {
  const line = `${keyword} { ${names.join(", ")} } from ${JSON.stringify(from)};`;
  if (line.length <= 120) return line;
  return [`${keyword} {`, ...names.map((name) => `  ${name},`), `} from ${JSON.stringify(from)};`].join("\n");
}

function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
