/** Converts pages for packages, where relative links to the repository would be broken. */
import config from "../deno.json" with { type: "json" };
import { isAbsolute, replaceLinks, toRepository } from "./page_links.ts";

/** The pages in the packages on JSR and npm. */
export const shippedPages: readonly string[] = config.publish.include.filter((path) => path.endsWith(".md"));

/**
 * Returns the text of a page in the root folder. Its relative links lead to this version of the repository. Anchors
 * stay unchanged.
 */
export function toShippedPage(page: string): string {
  return replaceLinks(page, (to, view) => isAbsolute(to) ? to : toRepository(to, view));
}
