import { assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { repository } from "../scripts/npm_manifest.ts";
import { shippedPages, toShippedPage } from "../scripts/shipped_page.ts";

const root = new URL("../", import.meta.url);
const blob = `${repository}/blob/v${config.version}`;
const raw = `${repository}/raw/v${config.version}`;

Deno.test("toShippedPage() makes relative links lead to the version's files in the repository", () => {
  const page = `See [docs](docs/server.md#errors), [code](./src/path.ts) and <a href="LICENSE">MIT</a>.

[ref]: CHANGELOG.md
`;
  assertEquals(
    toShippedPage(page),
    `See [docs](${blob}/docs/server.md#errors), [code](${blob}/src/path.ts) and <a href="${blob}/LICENSE">MIT</a>.

[ref]: ${blob}/CHANGELOG.md
`,
  );
});

Deno.test("toShippedPage() makes images lead to their bytes, in links too", () => {
  assertEquals(
    toShippedPage('[![chart](bench/chart.svg)](bench/README.md) <img src="page.png">'),
    `[![chart](${raw}/bench/chart.svg)](${blob}/bench/README.md) <img src="${raw}/page.png">`,
  );
});

Deno.test("toShippedPage() keeps anchors, absolute links and code", () => {
  const page = "See [below](#guides), [srvx](https://srvx.h3.dev) and <mailto:a@b.c>.\n\n```ts\nlist[0](a.b);\n```\n";
  assertEquals(toShippedPage(page), page);
});

for (const name of shippedPages) {
  Deno.test(`every link of ${name} in a package is absolute, or an anchor`, async () => {
    const page = toShippedPage(await Deno.readTextFile(new URL(name, root)));
    const links = [...page.replaceAll(/^```.*?^```/gms, "").matchAll(/\]\(([^)]+)\)|\b(?:href|src)="([^"]*)"/g)]
      .map(([, inline, attribute]) => inline ?? attribute ?? "");
    assertEquals(links.filter((link) => !/^(?:https:|#)/.test(link)), []);
  });
}
