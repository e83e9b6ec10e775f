import { type Contract } from "../contract/contract.ts";
import { describeNonContract } from "../contract/slim_contract.ts";
import { isMarked } from "../mark.ts";
import { type Entries, printCode, type Reference, referencesIn, type ToLocalName } from "./code.ts";
import { type CodecsModule, describeContract } from "./describe_rows.ts";

/** The imports and the export of a slim contract's file. */
export interface SlimFile {
  /** The export of the whole contract in its module, and of the slim contract in this file. */
  readonly name: string;
  /** The specifier of the whole contract's module. */
  readonly contract: string;
  /** The specifier of the codecs' module. */
  readonly codecs: string | undefined;
  /** The specifier of the module that exports `slimContract`. */
  readonly library: string;
}

/** Returns the file of a slim contract. Throws a `TypeError` for a codec that the file cannot import. */
export function writeSlimContract(contract: Contract, codecs: CodecsModule | undefined, file: SlimFile): string {
  if (!isMarked(contract, "contract")) {
    throw new TypeError(`Cannot write the slim contract: ${describeNonContract(contract)}`);
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

/** Returns the local name of the whole contract. */
function toWholeName(name: string): string {
  return name === "whole" ? "wholeContract" : "whole";
}

const slim = "slimContract";
const slimType = "SlimContract";

/** Prints the arguments of the call. */
function printValues(values: readonly Entries[], toLocal: ToLocalName): string {
  return values.map((value) => printCode(value, toLocal, "")).join(", ");
}

/** Removes duplicates and sorts the names. */
function sortReferences(references: readonly Reference[]): Reference[] {
  const unique = new Map(references.map((reference) => [`${reference.from} ${reference.name}`, reference]));
  return [...unique].toSorted(([one], [other]) => one < other ? -1 : 1).map(([, reference]) => reference);
}

/** Plans the local names of imports: their own names, unless those are not identifiers or are already taken. */
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
  return references.find((each) => each.from === from && each.name === name)!; // references contains every reference in the code
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

/** Sorts imported names like `deno fmt`. */
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
