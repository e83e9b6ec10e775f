/**
 * The built documentation site: `deno task test:site`. Without Chromium, a message says that its pages are not tested.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { serveDir } from "@std/http/file-server";
import type { Page } from "playwright-core";
import { hasChromium, launchChromium } from "../browser/chromium.ts";
import { moved } from "../../website/moved_pages.ts";
import { buildSite, type BuiltSite } from "./built_site.ts";

const reports = new URL("../../.reports/", import.meta.url);

/** As a host has it that keeps several sites. */
const base = "/api/";

let building: Promise<BuiltSite> | undefined;

function site(): Promise<BuiltSite> {
  return building ??= buildSite(base);
}

Deno.test("the site is built: the guides, and a page of each export", async () => {
  const { pages } = await site();

  for (const path of ["index.html", "reference.html", "docs/server.html", "docs/errors.html", "CHANGELOG.html"]) {
    assert(pages.has(path), path);
  }
  assert(pages.has("reference/client/~/createClient.html"));
});

Deno.test("every link of the site leads to an existing file and element", async () => {
  const { pages, files } = await site();
  const dead = new Set<string>();
  let checked = 0;
  for (const [path, { links }] of pages) {
    for (const link of links) {
      const { origin, pathname, hash } = new URL(link, `http://site${base}${encodeURI(path)}`);
      if (origin !== "http://site") continue;
      checked++;
      const target = toFile(decodeURIComponent(pathname).slice(base.length));
      const anchor = decodeURIComponent(hash.slice(1));
      const isThere = pathname.startsWith(base) && files.has(target) &&
        (anchor === "" || pages.get(target)?.ids.has(anchor));
      if (!isThere) dead.add(`${path}: ${link}`);
    }
  }

  assert(checked > 5_000, `${checked}`);
  assertEquals([...dead], []);
});

Deno.test("every old address of the site has a page that leads to the new one", async () => {
  const { pages } = await site();
  const toHtml = (path: string): string => path.replace(".md", ".html");

  assertEquals(
    Object.keys(moved).map((name) => pages.get(`docs/${toHtml(name)}`)?.links),
    Object.values(moved).map(({ to }) => [toHtml(to)]),
  );
});

function toFile(path: string): string {
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

Deno.test("no page of the site loads anything from another host", async () => {
  const { pages, styles } = await site();
  const isForeign = (url: string): boolean => /^(?:[a-z]+:)?\/\//i.test(url);

  assertEquals(
    [...pages].flatMap(([path, { assets }]) => assets.filter(isForeign).map((url) => `${path}: ${url}`)),
    [],
  );
  assertEquals(styles.filter((style) => /(?:url\(|@import)\s*["']?(?:https?:)?\/\//.test(style)), []);
});

/** A screen that the pages are looked at on. */
interface Screen {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
}

const desktop: Screen = { name: "desktop", viewport: { width: 1280, height: 900 } };
const phone: Screen = { name: "phone", viewport: { width: 390, height: 844 } };
const shown = ["index.html", "docs/server.html", "reference/client/~/createClient.html"];

function serveSite(folder: string): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith(base)) return new Response(null, { status: 404 });
    url.pathname = url.pathname.slice(base.length - 1);
    return serveDir(new Request(url, { method: request.method, headers: request.headers }), {
      fsRoot: folder,
      quiet: true,
    });
  });
}

/** Shows the site on a screen, and fails if a page reports an error or contacts another host. */
async function look(screen: Screen, steps: (page: Page, url: string) => Promise<void>): Promise<void> {
  const { folder } = await site();
  const server = serveSite(folder);
  const browser = await launchChromium();
  const host = `127.0.0.1:${server.addr.port}`;
  const complaints: string[] = [];
  try {
    const page = await browser.newPage({ viewport: screen.viewport, colorScheme: "light" });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("request", (request) => {
      const { protocol, host: asked } = new URL(request.url());
      if (protocol.startsWith("http") && asked !== host) complaints.push(request.url());
    });
    await steps(page, `http://${host}${base}`);
  } finally {
    await browser.close();
    await server.shutdown();
  }
  assertEquals(complaints, []);
}

async function screenshot(page: Page, name: string): Promise<void> {
  await Deno.mkdir(reports, { recursive: true });
  await page.screenshot({ path: new URL(`site_${name}.png`, reports).pathname });
}

function isDark(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`document.documentElement.classList.contains("dark")`);
}

const ignore = !hasChromium();
if (ignore) console.error("NOT TESTED: the pages of the site in a browser. There is no Chromium.");

for (const screen of [desktop, phone]) {
  Deno.test({
    name: `pages of the site fit a ${screen.name}`,
    ignore,
    fn: () =>
      look(screen, async (page, url) => {
        for (const path of shown) {
          await page.goto(url + path);
          const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
          assertEquals([path, Math.max(overflow, 0)], [path, 0]);
          await screenshot(page, `${screen.name}_${path.replaceAll(/\W+/g, "_")}`);
        }
      }),
  });

  Deno.test({
    name: `search finds a guide and an export on a ${screen.name}`,
    ignore,
    fn: () =>
      look(screen, async (page, url) => {
        const input = page.locator("#localsearch-input");
        const result = (path: string) => page.locator(`.VPLocalSearchBox .result[href*="/${path}"]`).first();
        await page.goto(url);
        await page.locator("#local-search button").click();
        await input.fill("fetchAdapter");
        await result("reference.html").waitFor();
        await input.fill("idempotency");
        await result("docs/idempotency-keys.html").waitFor();
        await screenshot(page, `${screen.name}_search`);
        assertStringIncludes(await result("docs/idempotency-keys.html").innerText(), "Idempotency keys");
        await result("docs/idempotency-keys.html").click();
        await page.waitForURL(`${url}docs/idempotency-keys.html**`);
      }),
  });
}

Deno.test({
  name: "the navigation opens on a phone, and leads to a guide",
  ignore,
  fn: () =>
    look(phone, async (page, url) => {
      await page.goto(url);
      await page.locator(".VPLocalNav .menu").click();
      await page.locator(".VPSidebar.open").waitFor();
      await page.waitForTimeout(500); // it slides in
      await screenshot(page, "phone_navigation");
      await page.locator(".VPSidebar").getByRole("link", { name: "Servers", exact: true }).click();
      await page.waitForURL(`${url}docs/server.html`);
      await page.locator("h1", { hasText: "Servers" }).waitFor(); // the address changes before the page does
    }),
});

Deno.test({
  name: "an old address leads to the page and the section that has its content",
  ignore,
  fn: () =>
    look(desktop, async (page, url) => {
      await page.goto(`${url}docs/graceful-shutdown.html`);
      await page.waitForURL(`${url}docs/deploying.html#health-checks-and-graceful-shutdown`);
      await page.goto(`${url}docs/context.html#cancel-work`);
      await page.waitForURL(`${url}docs/middleware.html#cancel-work`);
      assertStringIncludes(await page.locator("#cancel-work").innerText(), "Cancel work");
    }),
});

Deno.test({
  name: "dark mode is switched on, and stays on in the reference",
  ignore,
  fn: () =>
    look(desktop, async (page, url) => {
      await page.goto(`${url}docs/server.html`);
      assertEquals(await isDark(page), false);
      await page.locator(".VPNavBarAppearance .VPSwitchAppearance").click();
      await page.locator("html.dark").waitFor();
      await screenshot(page, "desktop_dark");
      await page.goto(`${url}reference/client/~/createClient.html`);
      assertEquals(await isDark(page), true);
      await screenshot(page, "desktop_dark_reference");
      await page.locator(".toGuides").click();
      await page.waitForURL(`${url}index.html`);
      assertEquals(await isDark(page), true);
    }),
});
