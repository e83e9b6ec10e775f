/**
 * The tables of docs/conformance.md, from the comments of the tests. A comment directly above a test names a table and
 * the cells of a row, without the last one, which names the test:
 *
 * ```ts ignore
 * // proves http | HEAD has the headers of GET and no content | 9.3.2
 * Deno.test("createFetchHandler() handles HEAD with the path's get", () => {});
 * ```
 *
 * A long comment continues in lines that are indented by three spaces. Several comments may be above one test.
 *
 * @module
 */

/** A row of a table: what a test proves. */
export interface Proof {
  readonly table: string;
  /** The cells before the last one: the rule, and where its standard has it. */
  readonly cells: readonly string[];
  /** The file of the test, from the folder of all tests, and its name. */
  readonly test: { readonly file: string; readonly name: string };
}

/** The headings of a table by the number of its cells: promises, rules and differences. */
const headings: Readonly<Record<number, readonly string[]>> = {
  1: ["promise", "proof"],
  2: ["rule", "where", "proof"],
  4: ["rule", "where", "here", "reason", "proof"],
};

const comment =
  /^ *\/\/ proves (.*(?:\n *\/\/ {3}.*)*)\n(?: *\/\/.*\n)* *Deno\.test\(\s*(?:\{\s*name: )?("(?:[^"\\]|\\.)*")/gm;

/** What the tests of a file prove. Throws if a comment has no test or an unknown number of cells. */
export function readProofs(file: string, source: string): Proof[] {
  const proofs: Proof[] = [];
  for (const { index } of source.matchAll(/^ *\/\/ proves /gm)) {
    comment.lastIndex = index;
    const found = comment.exec(source);
    if (found?.index !== index) {
      throw new Error(`${file}: no test follows ${JSON.stringify(source.slice(index, index + 80))}`);
    }
    const [, text = "", name = ""] = found;
    const [table = "", ...cells] = text.replaceAll(/\n *\/\/ {3}/g, " ").split("|").map((cell) => cell.trim());
    if (!(cells.length in headings)) throw new Error(`${file}: a row of ${cells.length} cells: ${text}`);
    proofs.push({ table, cells, test: { file, name: JSON.parse(name) } });
  }
  return proofs;
}

/**
 * The page with its tables, each of which follows a comment such as `<!-- proofs: http -->`. Throws if there are no proofs
 * for a table of the page, or no table for a proof.
 */
export function fillTables(page: string, proofs: readonly Proof[]): string {
  const tables = Map.groupBy(proofs, ({ table }) => table);
  const filled = page.replaceAll(/^(<!-- proofs: (.+) -->\n)(?:.+\n)*/gm, (_, comment: string, name: string) => {
    const rows = tables.get(name);
    if (rows === undefined) throw new Error(`docs/conformance.md: no test proves a row of ${name}`);
    tables.delete(name);
    return `${comment}<!-- deno-fmt-ignore -->\n${formatTable(rows)}\n`;
  });
  if (tables.size > 0) throw new Error(`docs/conformance.md has no table ${[...tables.keys()].join(", ")}`);
  return filled;
}

function formatTable(proofs: readonly Proof[]): string {
  const rows = Map.groupBy(proofs, ({ cells }) => cells.join(" | "));
  const [{ cells } = { cells: [] }] = proofs;
  const heading = headings[cells.length]!;
  const lines = [...rows].toSorted(([one], [other]) => comparePlaces(one, other))
    .map(([cells, proofs]) => `| ${cells} | ${proofs.map(formatTest).join(", ")} |`);
  return [`| ${heading.join(" | ")} |`, `| ${heading.map(() => "---").join(" | ")} |`, ...lines].join("\n");
}

function formatTest({ test: { file, name } }: Proof): string {
  return `\`${file}\` ${JSON.stringify(name).replaceAll("|", "\\|")}`;
}

const numbers = new Intl.Collator("en", { numeric: true });

/** Orders rows by the sections of their standards, and then by their rules. */
function comparePlaces(one: string, other: string): number {
  const [rule = "", where = ""] = one.split(" | ");
  const [otherRule = "", otherWhere = ""] = other.split(" | ");
  return numbers.compare(where, otherWhere) || numbers.compare(rule, otherRule);
}
