import { docsPage, type DocsPageOptions, openApiDocument } from "@scope/api/openapi";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { contract } from "../../examples/users/contract.ts";
import { info } from "./describe_routes.ts";

const document = openApiDocument(contract, { info });

/** The elements of a page whose text a browser does not read as markup, in their order: attributes and text. */
function listScripts(page: string): { readonly attributes: string; readonly text: string }[] {
  return [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script/gi)]
    .map(([, attributes = "", text = ""]) => ({ attributes, text }));
}

/** The configuration that the page passes to the viewer. */
function settingsOf(page: string): unknown {
  return JSON.parse(listScripts(page)[0]!.text);
}

Deno.test("docsPage() contains a document or its URL", () => {
  assertEquals(settingsOf(docsPage({ document })), { spec: document });
  assertEquals(settingsOf(docsPage({ url: "/openapi.json" })), { url: "/openapi.json" });
});

Deno.test("docsPage() contacts no other host, unless the options say so", () => {
  const page = docsPage({ url: "/openapi.json" });

  assertEquals(page.match(/(?:src|href)="[^"]*"/g), [
    'href="data:,"',
    'href="/docs/swagger-ui.css"',
    'src="/docs/swagger-ui-bundle.js"',
  ]);
  assert(!/https?:/.test(page), page);
});

Deno.test("docsPage() loads the viewer's files from the URLs in the options", () => {
  const page = docsPage({ url: "a", script: "https://cdn.example/v.js?a&b", style: 'x".css' });

  assertStringIncludes(page, 'src="https://cdn.example/v.js?a&amp;b"');
  assertStringIncludes(page, 'href="x&quot;.css"');
});

Deno.test("docsPage() takes its title from the options or the document, or uses the default", () => {
  const titleOf = (options: DocsPageOptions) => docsPage(options).match(/<title>(.*)<\/title>/)?.[1];

  assertEquals(titleOf({ document, title: "A & B" }), "A &amp; B");
  assertEquals(titleOf({ document }), "Test");
  assertEquals(titleOf({ url: "/openapi.json" }), "API");
});

Deno.test("docsPage() sets the nonce only on its own script", () => {
  const scripts = listScripts(docsPage({ document, nonce: "abc+/_-=" }));

  assertEquals(scripts.map(({ attributes }) => attributes), [
    ' type="application/json" id="docs-settings"',
    ' src="/docs/swagger-ui-bundle.js"',
    ' nonce="abc+/_-="',
  ]);
});

Deno.test("docsPage() has one script of its own, the same on every page", () => {
  const own = [docsPage({ document, title: "a" }), docsPage({ url: "b", nonce: "c", script: "d" })]
    .map((page) => listScripts(page).filter(({ attributes }) => !/src=|json/.test(attributes)).map(({ text }) => text));

  assertEquals(own[0]?.length, 1);
  assertEquals(own[0], own[1]);
  assert(!/ on\w+=| style=|<style/.test(docsPage({ document })));
});

const hostile = [
  "</script><script>alert(1)</script>",
  "<!--<script>",
  "]]>",
  "\u2028\u2029",
  "&quot;\"'`${}",
  "</title><b>",
];
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(...hostile),
  fc.array(fc.constantFrom(...hostile)).map(String),
);

Deno.test("docsPage() escapes all text", () => {
  const plain = docsPage({ document: { ...document, info }, title: "" });
  const markup = (page: string) =>
    page.replaceAll(/>[^<]*</g, "><").match(/<[^<>"]*(?:"[^"]*"[^<>"]*)*>/g)?.map((tag) =>
      tag.replaceAll(/"[^"]*"/g, "")
    );
  fc.assert(fc.property(text, text, text, (title, description, url) => {
    const spec = { ...document, info: { ...info, title, description } };
    const page = docsPage({ document: spec, title, script: url, style: url });

    assertEquals(markup(page), markup(plain));
    assertEquals(settingsOf(page), JSON.parse(JSON.stringify({ spec })));
    assert(!/[\u2028\u2029]/.test(listScripts(page)[0]!.text));
    assertEquals(settingsOf(docsPage({ url })), { url });
  }));
});

Deno.test("docsPage() refuses invalid options", () => {
  const refused: readonly (readonly [object, string])[] = [
    [{}, 'docsPage(): either "document" or "url" is required, and not both'],
    [{ document, url: "/openapi.json" }, 'docsPage(): either "document" or "url" is required, and not both'],
    [{ url: "a", nonce: '"><script>' }, "nonce"],
    [{ url: "a", nonce: "" }, "nonce"],
    [{ url: 5 }, 'docsPage(): "url" must be a string, got 5'],
    [{ url: "a", title: 5 }, 'docsPage(): "title" must be a string, got 5'],
    [{ url: "a", script: null }, 'docsPage(): "script" must be a string, got null'],
    [{ url: "a", style: new URL("http://localhost/") }, 'docsPage(): "style" must be a string, got an object'],
    [{ url: "a", nonce: 5 }, 'docsPage(): "nonce" must be a string, got 5'],
    [{ document: {} }, 'docsPage(): "document" must be one that openApiDocument() returns, got an object'],
    [{ document: null }, 'docsPage(): "document" must be one that openApiDocument() returns, got null'],
    [{ url: "a", scripts: "b" }, 'did you mean "script"?'],
  ];
  for (const [options, words] of refused) {
    assertStringIncludes(assertThrows(() => docsPage(options as DocsPageOptions), TypeError).message, words);
  }
});
