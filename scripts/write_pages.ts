/**
 * Writes the parts of pages that follow from other files: `deno task pages`. `tests/written_pages_test.ts` fails where a
 * page differs from them.
 *
 * @module
 */
import { navigation, toTitle } from "../website/navigation.ts";
import { fillTables, type Proof, readProofs } from "./conformance.ts";
import { listFiles } from "./list_files.ts";

const root = new URL("../", import.meta.url);

/** The pages as they should be, by their paths from the root. */
export async function toWrittenPages(): Promise<ReadonlyMap<string, string>> {
  const [readme, conformance] = await Promise.all([read("README.md"), read("docs/conformance.md")]);
  return new Map([
    ["README.md", readme.replace(guides, await formatGuides())],
    ["docs/conformance.md", fillTables(conformance, await listProofs())],
  ]);
}

/** README's table of guides, between the comments around it. */
const guides = /(?<=^## Guides\n\n<!-- deno-fmt-ignore-start -->\n\n).*?(?=\n\n<!-- deno-fmt-ignore-end -->)/ms;

/** A row for each group of the site's navigation, without README itself and the page that only the site has. */
async function formatGuides(): Promise<string> {
  const rows = navigation.map(async ({ title, pages }) => {
    const links = pages.filter((path) => path !== "README.md" && path !== "reference.md")
      .map(async (path) => `[${toTitle(path, await read(path))}](${path})`);
    return `| ${title} | ${(await Promise.all(links)).join(" · ")} |`;
  });
  return ["| Task | Guides |", "| --- | --- |", ...await Promise.all(rows)].join("\n");
}

/** What all tests prove, in the order of their files. */
async function listProofs(): Promise<Proof[]> {
  const tests = (await listFiles(new URL("tests", root))).filter((file) => file.endsWith("_test.ts"));
  return (await Promise.all(tests.map(async (file) => readProofs(file, await read(`tests/${file}`))))).flat();
}

function read(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, root));
}

if (import.meta.main) {
  for (const [path, text] of await toWrittenPages()) await Deno.writeTextFile(new URL(path, root), text);
}
