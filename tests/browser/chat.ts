/** The chat example in a real browser, under its own policy: `deno task test:browser`. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { type Example, startExample } from "../support/start_example.ts";
import { launchChromium } from "./chromium.ts";

const reports = new URL("../../.reports/", import.meta.url);

/** The example, as its task starts it, and a browser. */
interface Shown extends AsyncDisposable {
  readonly example: Example;
  readonly browser: Browser;
  /** The browser's complaints: errors, and violations of the policy. */
  readonly complaints: readonly string[];
  /** Opens the page, in its own profile, and enters the room. */
  readonly enter: (name: string) => Promise<Page>;
}

async function show(): Promise<Shown> {
  const example = await startExample("chat", {}, "in two windows");
  const browser = await launchChromium();
  const complaints: string[] = [];
  const enter = async (name: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 720, height: 640 } });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(example.baseUrl);
    await page.getByLabel("Your name").fill(name);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.locator("#people li", { hasText: name }).waitFor();
    return page;
  };
  const dispose = async (): Promise<void> => {
    await browser.close();
    await example.stop();
  };
  return { example, browser, complaints, enter, [Symbol.asyncDispose]: dispose };
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

/** The people or the messages that a page shows, as soon as there are this many. */
async function readItems(page: Page, selector: string, count: number): Promise<string[]> {
  const items = page.locator(selector);
  await items.nth(count - 1).waitFor();
  return await items.allTextContents();
}

async function screenshot(page: Page, name: string): Promise<void> {
  await Deno.mkdir(reports, { recursive: true });
  await page.screenshot({ path: new URL(name, reports).pathname });
}

Deno.test("examples/chat shows a page the messages of another and the people in the room", async () => {
  await using shown = await show();
  const [ada, grace] = [await shown.enter("Ada"), await shown.enter("Grace")];
  assertEquals(await readItems(ada, "#people li", 2), ["Ada", "Grace"]);

  const said = ["The engine weaves algebraic patterns.", "As a loom weaves flowers and leaves?", "Just so."];
  for (const [turn, text] of said.entries()) {
    await say(turn % 2 ? grace : ada, text);
    for (const page of [ada, grace]) {
      assertEquals(await readItems(page, "#messages p", turn + 1), said.slice(0, turn + 1));
    }
  }
  assertMatch(await grace.locator("#messages time").first().textContent() ?? "", /\d\d:\d\d/);
  assertEquals(await grace.locator("#messages b").allTextContents(), ["Ada", "Grace", "Ada"]);

  await grace.getByLabel("Message").pressSequentially("It can do what");
  await ada.getByText("Grace is typing…").waitFor();
  await screenshot(ada, "chat.png");
  await grace.close();
  await ada.locator("#people li", { hasText: "Grace" }).waitFor({ state: "detached" });
  assertEquals(shown.complaints, []);
});

Deno.test("examples/chat shows earlier messages to a page that joins late", async () => {
  await using shown = await show();
  const ada = await shown.enter("Ada");
  await say(ada, "Early.");
  assertEquals(await readItems(await shown.enter("Grace"), "#messages p", 1), ["Early."]);
  assertEquals(shown.complaints, []);
});

Deno.test("examples/chat shows hostile text as text", async () => {
  await using shown = await show();
  const hostile = "</p><script>globalThis.broken=1</script><img src=x onerror='globalThis.broken=1'>";
  const name = "<img src=x onerror=broken=1>";
  const [mallory, ada] = [await shown.enter(name), await shown.enter("Ada")];
  await say(mallory, hostile);

  assertEquals(await readItems(ada, "#messages p", 1), [hostile]);
  assertEquals(await readItems(ada, "#people li", 2), [name, "Ada"]);
  assertEquals(await ada.locator("#messages b").allTextContents(), [name]);
  assertEquals(await ada.locator("main img, main script, header img").count(), 0);
  assertEquals(await ada.evaluate(() => "broken" in globalThis), false);
  await screenshot(ada, "chat_hostile.png");
  assertEquals(shown.complaints, [], "nothing was even tried");
});
