/**
 * Builds the documentation site: `deno task site`. `--output=<folder>` puts it elsewhere than into `site/`, and
 * `--base=/api/` makes it for a path other than the root of its host.
 */
import { listFiles } from "../scripts/list_files.ts";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vitepress";
import project from "../deno.json" with { type: "json" };
import { moved, toMovedPage } from "./moved_pages.ts";
import { navigation } from "./navigation.ts";
import { phoneStyle, toReferenceSitePage } from "./deno_doc_page.ts";
import { type Documentation, doors, toReferencePage } from "./reference.ts";
import { toSitePage, toSitePath } from "./site_page.ts";

const root = new URL("../", import.meta.url);
const staged = new URL("pages/", import.meta.url);
const pages = navigation.flatMap(({ pages }) => pages);

/** Copies the pages to where VitePress finds them, with the images that they show, and adds those at old addresses. */
async function stagePages(): Promise<void> {
  await Deno.remove(staged, { recursive: true }).catch(() => {});
  for (const path of pages) {
    if (path === "reference.md") continue;
    const { text, images } = toSitePage(path, await Deno.readTextFile(new URL(path, root)), pages);
    await write(toSitePath(path), path === "README.md" ? `---\ntitleTemplate: false\n---\n\n${text}` : text);
    for (const image of images) await write(image, await Deno.readFile(new URL(image, root)));
  }
  await write("public/icon.svg", await Deno.readFile(new URL("icon.svg", import.meta.url)));
  for (const [name, page] of Object.entries(moved)) {
    await write(`public/docs/${name.replace(/\.md$/, ".html")}`, toMovedPage(page));
  }
  const documentation: Documentation = JSON.parse(await documentDoors("--json"));
  await write("reference.md", toReferencePage(documentation, root.href));
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  const file = new URL(path, staged);
  await Deno.mkdir(new URL(".", file), { recursive: true });
  await Deno.writeFile(file, typeof content === "string" ? new TextEncoder().encode(content) : content);
}

/** What `deno doc` writes of all doors. */
async function documentDoors(...options: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", ...options, ...doors.map(({ file }) => file)],
    cwd: root,
  }).output();
  if (code !== 0) throw new Error(`Cannot build the site: deno doc failed\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Lets `deno doc` write its pages, and makes them pages of the site. */
async function writeReference(folder: string): Promise<void> {
  await documentDoors("--html", `--name=${project.name}`, `--output=${folder}`);
  for (const path of await listFiles(folder)) {
    if (!path.endsWith(".html")) continue;
    await Deno.writeTextFile(folder + path, toReferenceSitePage(path, await Deno.readTextFile(folder + path)));
  }
  await Deno.writeTextFile(`${folder}page.css`, phoneStyle, { append: true });
}

if (import.meta.main) {
  const { values: { output, base } } = parseArgs({
    options: { output: { type: "string", default: "site" }, base: { type: "string", default: "/" } },
  });
  const outDir = resolve(output) + "/";
  await stagePages();
  await build(import.meta.dirname, { outDir, base });
  await writeReference(`${outDir}reference/`);
}
