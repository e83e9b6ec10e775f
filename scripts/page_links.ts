/** Links of Markdown pages, for what shows these pages elsewhere: a package, the documentation site. */
import config from "../deno.json" with { type: "json" };
import { repository } from "./npm_manifest.ts";

/** How a link shows its target: an image shows the bytes (`raw`), any other link a page (`blob`). */
export type View = "raw" | "blob";

/** A fenced block of code, which holds no links. */
const code = /^(```.*?^```)/gms;

const images = /(!\[[^\]]*\]\(|\bsrc(?:set)?=")([^)"\s]+)/g;
const links = /((?<!!\[[^\]]*)\]\(|\bhref="|^\[[^\]]+\]: +)([^)"\s]+)/gm;

/** The text of a page with another target for each link. Code stays. */
export function replaceLinks(page: string, replace: (to: string, view: View) => string): string {
  const replaceIn = (markdown: string): string =>
    markdown
      .replaceAll(images, (_, start: string, to: string) => start + replace(to, "raw"))
      .replaceAll(links, (_, start: string, to: string) => start + replace(to, "blob"));
  return page.split(code).map((part, index) => index % 2 === 1 ? part : replaceIn(part)).join("");
}

/** Whether a link leads to the same place from every page, or to its own page: a URL, or an anchor. */
export function isAbsolute(to: string): boolean {
  return /^(?:#|[a-z][a-z\d+.-]*:|\/\/)/i.test(to);
}

/** The URL of a file of this version in the repository, by its path from the root. */
export function toRepository(path: string, view: View): string {
  return new URL(path, `${repository}/${view}/v${config.version}/`).href;
}

/** The anchor of a heading, as forges make it. */
export function toAnchor(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\w\- ]/g, "").replaceAll(" ", "-");
}
