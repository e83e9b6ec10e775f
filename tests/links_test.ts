import { assert, assertEquals } from "@std/assert";
import { toAnchor } from "../scripts/page_links.ts";

const root = new URL("../", import.meta.url);
const pages = [...await listPages(""), ...await listPages("docs/"), ...await listPages("bench/")];

async function listPages(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir(new URL(folder, root))) if (name.endsWith(".md")) found.push(folder + name);
  return found;
}

/** A link of a page to something of this project. */
interface Link {
  readonly page: string;
  readonly to: string;
}

async function linksOf(page: string): Promise<Link[]> {
  const text = (await Deno.readTextFile(new URL(page, root))).replace(/^```.*?^```/gms, "");
  const found = [...text.matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)];
  return found.map(([, link, image]) => ({ page, to: link ?? image ?? "" })).filter(({ to }) => !/^\w+:/.test(to));
}

/** Whether a link leads to a file or folder, and to one of its headings if it names one. */
async function leads({ page, to }: Link): Promise<boolean> {
  const target = new URL(to, new URL(page, root));
  const anchor = target.hash.slice(1);
  target.hash = "";
  if (anchor === "") return await Deno.stat(target).then(() => true, () => false);
  const text = await Deno.readTextFile(target).catch(() => "");
  return [...text.matchAll(/^#+ (.+)$/gm)].some(([, heading = ""]) => toAnchor(heading) === anchor);
}

Deno.test("every link between pages has an existing target", async () => {
  const links = (await Promise.all(pages.map(linksOf))).flat();
  const found = await Promise.all(links.map(leads));

  assert(links.length > 50);
  assertEquals(links.filter((_, index) => !found[index]), []);
});

Deno.test("README leads to every guide", async () => {
  const linked = (await linksOf("README.md")).map(({ to }) => to);

  assertEquals(pages.filter((page) => page.startsWith("docs/") && !linked.includes(page)), []);
});

Deno.test("every file and folder that a page names exists", async () => {
  const paths = (await Promise.all(pages.map(pathsOf))).flat();
  const found = await Promise.all(paths.map(({ to }) => leads({ page: "README.md", to })));

  assert(paths.length > 80);
  assertEquals(paths.filter((_, index) => !found[index]), []);
});

/** The paths from the root that a page contains as code. */
async function pathsOf(page: string): Promise<Link[]> {
  const text = await Deno.readTextFile(new URL(page, root));
  const paths = text.matchAll(/`((?:src|tests|docs|examples|bench|scripts)\/[\w./-]*)`/g);
  return [...paths].map(([, to = ""]) => ({ page, to }));
}
