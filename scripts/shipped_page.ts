/** Pages as a package has them: apart from the repository, where a relative link would lead nowhere. */
import config from "../deno.json" with { type: "json" };
import { isAbsolute, replaceLinks, toRepository } from "./page_links.ts";

/** The pages that the package has, on JSR and on npm. */
export const shippedPages: readonly string[] = config.publish.include.filter((path) => path.endsWith(".md"));

/** The text of a page at the root, with its relative links leading to this version of the repository. Anchors stay. */
export function toShippedPage(page: string): string {
  return replaceLinks(page, (to, view) => isAbsolute(to) ? to : toRepository(to, view));
}
