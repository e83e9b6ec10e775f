/** Pages that `deno doc --html` writes, as the site has them. */
import config from "../deno.json" with { type: "json" };
import { doors } from "./reference.ts";

const paths = new Set(doors.map(({ path }) => path));

/** What `deno doc` leaves to a wide screen: its columns, its top bar and its signatures on a phone. */
export const phoneStyle = `
.toGuides{margin-right:1.5rem;white-space:nowrap}
@media (width<1024px){
.ddoc{display:block}
.ddoc>*,#content,#content>*{min-width:0;max-width:100%}
#topnav,#topnav>div{height:auto;flex-wrap:wrap;gap:.5rem}
#topnav .flex{min-width:0;max-width:100%;flex-wrap:wrap}
#content pre,#content .anchorable{display:block;overflow-x:auto}
#content{display:block}
#searchbar{min-width:0;flex:1}
}
`;

/**
 * A page by its path in the reference: it has the site's icon, leads back to the guides, imports from the package instead
 * of a folder, and links no keys of mapped types, which have no element of their own.
 */
export function toReferenceSitePage(path: string, html: string): string {
  const site = "../".repeat(path.split("/").length);
  return html
    .replace("</head>", `<link rel="icon" href="${site}icon.svg">$&`)
    .replace('<ul class="breadcrumbs">', `<a class="toGuides" href="${site}index.html">Guides</a>$&`)
    .replaceAll(
      /<a href="#(type_param_[^"]*)"[^>]*>([^<]*)<\/a>/g,
      (all, id: string, text: string) => html.includes(`id="${id}"`) ? all : text,
    )
    .replaceAll(/ from &quot;([^&]*)&quot;/g, (all, from: string) => paths.has(from) ? toImport(from) : all);
}

/** The end of an import of a door. */
function toImport(path: string): string {
  return ` from &quot;${[config.name, path].filter((part) => part !== "").join("/")}&quot;`;
}
