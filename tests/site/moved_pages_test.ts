import { assertEquals, assertStringIncludes } from "@std/assert";
import { toAnchor } from "../../scripts/page_links.ts";
import { moved, toMovedPage } from "../../website/moved_pages.ts";

const docs = new URL("../../docs/", import.meta.url);

/** Whether a page of `docs/` exists, with the heading that an address names. */
async function leads(to: string): Promise<boolean> {
  const [name = "", anchor] = to.split("#");
  const text = await Deno.readTextFile(new URL(name, docs)).catch(() => undefined);
  if (text === undefined || anchor === undefined) return text !== undefined;
  return [...text.matchAll(/^#+ (.+)$/gm)].some(([, heading = ""]) => toAnchor(heading) === anchor);
}

Deno.test("every moved page leads to an existing page and section, and no page is at its address", async () => {
  const targets = Object.values(moved).flatMap(({ to, sections = {} }) => [to, ...Object.values(sections)]);
  const found = await Promise.all(targets.map(leads));
  const taken = await Promise.all(Object.keys(moved).map(leads));

  assertEquals(targets.filter((_, index) => !found[index]), []);
  assertEquals(Object.keys(moved).filter((_, index) => taken[index]), []);
});

Deno.test("toMovedPage() leads to the new page with a script, without one and by a link", () => {
  const page = toMovedPage({ to: "new.md#part", sections: { old: "other.md" } });

  assertStringIncludes(page, 'location.replace({"#old":"other.html"}[location.hash] ?? "new.html#part")');
  assertStringIncludes(page, '<meta http-equiv="refresh" content="0; url=new.html#part">');
  assertStringIncludes(page, '<a href="new.html#part">');
});
