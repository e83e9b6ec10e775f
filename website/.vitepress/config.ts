import { type DefaultTheme, defineConfig } from "vitepress";
import { readFileSync } from "node:fs";
import project from "../../deno.json" with { type: "json" };
import { repository } from "../../scripts/npm_manifest.ts";
import { toAnchor } from "../../scripts/page_links.ts";
import { navigation, toTitle } from "../navigation.ts";
import { toSitePath } from "../site_page.ts";

const pages = new URL("../pages/", import.meta.url);

function toItem(path: string): DefaultTheme.SidebarItem {
  const text = toTitle(path, readFileSync(new URL(toSitePath(path), pages), "utf8"));
  return { text, link: `/${toSitePath(path)}` };
}

export default defineConfig({
  lang: "en",
  title: project.name,
  description: "A contract-first HTTP toolkit for TypeScript",
  srcDir: "pages",
  transformHead: ({ siteData }) => [["link", { rel: "icon", href: `${siteData.base}icon.svg` }]],
  markdown: { anchor: { slugify: toAnchor } },
  ignoreDeadLinks: [/^\/reference\//], // written after the pages, and checked with all other links by a test
  themeConfig: {
    nav: [
      { text: "Guides", link: "/index.md" },
      { text: "Reference", link: "/reference.md" },
      { text: "Changelog", link: "/CHANGELOG.md" },
      { text: "Repository", link: repository },
    ],
    sidebar: navigation.map(({ title, pages }) => ({ text: title, items: pages.map(toItem) })),
    outline: [2, 3],
    search: { provider: "local" },
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Suggest a change to this page" },
  },
});
