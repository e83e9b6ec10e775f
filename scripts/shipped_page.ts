/** Pages as a package has them: apart from the repository, where a relative link would lead nowhere. */
import config from "../deno.json" with { type: "json" };
import { repository } from "./npm_manifest.ts";

/** The pages that the package has, on JSR and on npm. */
export const shippedPages: readonly string[] = config.publish.include.filter((path) => path.endsWith(".md"));

/** A fenced block of code, which holds no links. */
const code = /^(```.*?^```)/gms;

/** The text of a page at the root, with its relative links leading to this version of the repository. Anchors stay. */
export function toShippedPage(page: string): string {
  return page.split(code).map((part, index) => index % 2 === 1 ? part : toAbsoluteLinks(part)).join("");
}

function toAbsoluteLinks(markdown: string): string {
  return markdown
    .replaceAll(/(!\[[^\]]*\]\(|\bsrc=")([^)"\s]+)/g, (_, start: string, to: string) => start + toAbsolute(to, "raw"))
    .replaceAll(
      /(\]\(|\bhref="|^\[[^\]]+\]: +)([^)"\s]+)/gm,
      (_, start: string, to: string) => start + toAbsolute(to, "blob"),
    );
}

/** A link to the repository: an image's to its bytes (`raw`), any other to the page that shows the file (`blob`). */
function toAbsolute(to: string, view: "raw" | "blob"): string {
  const isAbsolute = /^(?:#|[a-z][a-z\d+.-]*:|\/\/)/i.test(to); // anchors lead to the page itself
  return isAbsolute ? to : new URL(to, `${repository}/${view}/v${config.version}/`).href;
}
