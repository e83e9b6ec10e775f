/** Rewrites the links of Markdown pages for other places that show them: the packages and the documentation site. */
import config from "../deno.json" with { type: "json" };
import { repository } from "./npm_manifest.ts";

/** How a link shows its target: an image needs the bytes (`raw`), any other link needs a page (`blob`). */
export type View = "raw" | "blob";

/** A fenced code block, which contains no links. */
const code = /^(```.*?^```)/gms;

const images = /(!\[[^\]]*\]\(|\bsrc(?:set)?=")([^)"\s]+)/g;
const links = /((?<!!\[[^\]]*)\]\(|\bhref="|^\[[^\]]+\]: +)([^)"\s]+)/gm;

/** Replaces the target of each link in a page. Code blocks stay unchanged. */
export function replaceLinks(page: string, replace: (to: string, view: View) => string): string {
  const replaceIn = (markdown: string): string =>
    markdown
      .replaceAll(images, (_, start: string, to: string) => start + replace(to, "raw"))
      .replaceAll(links, (_, start: string, to: string) => start + replace(to, "blob"));
  return page.split(code).map((part, index) => index % 2 === 1 ? part : replaceIn(part)).join("");
}

/** Whether a link does not depend on the location of its page: a URL, or an anchor. */
export function isAbsolute(to: string): boolean {
  return /^(?:#|[a-z][a-z\d+.-]*:|\/\/)/i.test(to);
}

/** Returns the URL of a file of this version in the repository, from its path relative to the root. */
export function toRepository(path: string, view: View): string {
  return new URL(path, `${repository}/${view}/v${config.version}/`).href;
}

/** Returns the anchor of a heading, as GitHub generates it. */
export function toAnchor(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\w\- ]/g, "").replaceAll(" ", "-");
}
