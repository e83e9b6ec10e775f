/** Pages of the project as the site has them. */
import { isAbsolute, replaceLinks, toRepository } from "../scripts/page_links.ts";

/** What a page becomes. */
export interface SitePage {
  readonly text: string;
  /** The images that it shows, by their paths from the root. */
  readonly images: readonly string[];
}

/** A page of the project, by its path from the root: its links lead to other pages of the site, or to the repository. */
export function toSitePage(path: string, text: string, pages: readonly string[]): SitePage {
  const images: string[] = [];
  const linked = replaceLinks(text, (to, view) => {
    if (isAbsolute(to)) return to;
    const { pathname, hash } = new URL(to, `file:///${path}`);
    const target = decodeURI(pathname.slice(1));
    if (pages.includes(target)) return `/${toSitePath(target)}${hash}`;
    if (view === "blob") return toRepository(target, view) + hash;
    images.push(target);
    return `/${target}`;
  });
  return { text: linked, images };
}

/** Where the site has a page: README is the first. */
export function toSitePath(path: string): string {
  return path === "README.md" ? "index.md" : path;
}
