import { assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { repository } from "../../scripts/npm_manifest.ts";
import { toReferenceSitePage } from "../../website/deno_doc_page.ts";
import { doors, toReferencePage } from "../../website/reference.ts";
import { toSitePage } from "../../website/site_page.ts";

const pages = ["README.md", "SECURITY.md", "docs/server.md", "docs/errors.md"];
const blob = `${repository}/blob/v${config.version}`;

Deno.test("toSitePage() makes links to pages lead to the site's pages, with their anchors", () => {
  const page = "[a](errors.md#b) [c](../README.md#d) [e](../SECURITY.md) [f](#g)";
  assertEquals(
    toSitePage("docs/server.md", page, pages).text,
    "[a](/docs/errors.md#b) [c](/index.md#d) [e](/SECURITY.md) [f](#g)",
  );
});

Deno.test("toSitePage() makes links to all other files lead to this version in the repository", () => {
  const page = "[a](../CONTRIBUTING.md#tests) [b](../examples/tasks)";
  assertEquals(
    toSitePage("docs/server.md", page, pages).text,
    `[a](${blob}/CONTRIBUTING.md#tests) [b](${blob}/examples/tasks)`,
  );
});

Deno.test("toSitePage() copies images, including those for dark mode", () => {
  const page = '![chart](bench/a.svg) <source srcset="bench/b.svg"><img src="c.png"> ![badge](https://a.example/d.svg)';
  const { text, images } = toSitePage("README.md", page, pages);

  assertEquals(images.toSorted(), ["bench/a.svg", "bench/b.svg", "c.png"]);
  assertEquals(
    text,
    '![chart](/bench/a.svg) <source srcset="/bench/b.svg"><img src="/c.png"> ![badge](https://a.example/d.svg)',
  );
});

Deno.test("toSitePage() keeps code", () => {
  const page = "```ts\nlist[0](../src/path.ts);\n```\n";
  assertEquals(toSitePage("docs/server.md", page, pages), { text: page, images: [] });
});

Deno.test("toReferencePage() lists the exports of each entry point, with the first sentence of a re-export's original", () => {
  const location = { filename: "file:///src/a.ts", line: 1 };
  const declared = [{ kind: "function", location, jsDoc: { doc: "Makes\nan {@link A}. More." } }];
  const referred = [{ kind: "reference", location: { filename: "file:///b.ts", line: 2 }, def: { target: location } }];
  const typed = { name: "A", declarations: [{ kind: "interface", location: { ...location, line: 9 } }] };
  const nodes = Object.fromEntries(
    doors.map(({ file, path }) => {
      const symbols = path === ""
        ? [{ name: "a", declarations: declared }, typed]
        : [{ name: "a", declarations: referred }];
      return [`file:///${file}`, { symbols }];
    }),
  );

  const lines = toReferencePage({ nodes }, "file:///").split("\n");

  assertEquals(lines.filter((line) => /^(?:- |Types)/.test(line)).slice(0, 3), [
    "- [`a`](/reference/~/a.html): Makes an `A`.",
    "Types: [`A`](/reference/~/A.html).",
    "- [`a`](/reference/server/~/a.html): Makes an `A`.",
  ]);
});

Deno.test("toReferencePage() omits internal exports", () => {
  const location = { filename: "file:///src/a.ts", line: 1 };
  const declarations = [{ kind: "function", location, jsDoc: { doc: "Makes an A.", tags: [{ kind: "internal" }] } }];
  const nodes = Object.fromEntries(
    doors.map(({ file }) => [`file:///${file}`, { symbols: [{ name: "a", declarations }] }]),
  );

  assertEquals(toReferencePage({ nodes }, "file:///").includes("a.html"), false);
});

Deno.test("toReferenceSitePage() leads back to the guides, and imports from the package", () => {
  const html = '<head></head><ul class="breadcrumbs"><code> from &quot;client&quot;; from &quot;arktype&quot;;</code>';
  assertEquals(
    toReferenceSitePage("client/~/createClient.html", html),
    '<head><link rel="icon" href="../../../icon.svg"></head>' +
      '<a class="toGuides" href="../../../index.html">Guides</a><ul class="breadcrumbs">' +
      `<code> from &quot;${config.name}/client&quot;; from &quot;arktype&quot;;</code>`,
  );
});

Deno.test("toReferenceSitePage() links only type parameters that have an element", () => {
  const link = (name: string): string => `<a href="#type_param_${name}" class="link">${name}</a>`;
  const html = `<p id="type_param_routes"></p>${link("routes")}[${link("key")}]`;
  assertEquals(
    toReferenceSitePage("index.html", html),
    `<p id="type_param_routes"></p>${link("routes")}[key]`,
  );
});
