import { assertEquals } from "@std/assert";
import { navigation } from "../../website/navigation.ts";

const root = new URL("../../", import.meta.url);
const pages = navigation.flatMap(({ pages }) => pages);

async function listGuides(): Promise<string[]> {
  const guides: string[] = [];
  for await (const { name } of Deno.readDir(new URL("docs/", root))) guides.push(`docs/${name}`);
  return guides.toSorted();
}

Deno.test("the site's navigation has every page of docs/", async () => {
  assertEquals((await listGuides()).filter((guide) => !pages.includes(guide)), []);
});

Deno.test("the site's navigation has each page once, and no page that does not exist", async () => {
  const found = await Promise.all(
    pages.map((page) => Deno.stat(new URL(page, root)).then(({ isFile }) => isFile, () => page === "reference.md")),
  );

  assertEquals(pages.filter((_, index) => !found[index]), []);
  assertEquals(pages.filter((page, index) => pages.indexOf(page) !== index), []);
});
