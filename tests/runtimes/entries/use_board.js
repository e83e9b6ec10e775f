// Uses the pages of examples/full_stack in Chromium: use_board.js <executable> <URL> <what>. Prints JSON.
import { argv } from "node:process";
import { chromium } from "playwright-core";

const [executablePath, url, what] = argv.slice(2);
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
];
const photo = Buffer.concat([
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  Buffer.alloc(2_000_000),
]);

const browser = await chromium.launch({ executablePath, headless: true, args });
const context = await browser.newContext();
context.setDefaultTimeout(60_000);

async function signIn(page) {
  await page.goto(url);
  await page.fill("[name=name]", "Ada");
  await page.fill("[name=password]", "secret");
  await page.click("text=Sign in");
  await page.waitForSelector("[name=text]");
}

async function add(page, text) {
  await page.fill("[name=text]", text);
  await page.click("text=Add");
}

const uses = {
  /**
   * Signs in with a wrong and a right password, and adds notes and a photo that another browser sees, which is without a
   * network for a while; signs out.
   */
  board: async () => {
    const page = await context.newPage();
    await page.goto(url);
    await page.fill("[name=name]", "Ada");
    await page.fill("[name=password]", "wrong");
    await page.click("text=Sign in");
    const refused = await page.textContent("[role=alert]");
    await signIn(page);
    const elsewhere = await browser.newContext({
      storageState: await context.storageState(),
    }); // has the cookie
    const other = await elsewhere.newPage();
    await other.goto(url);
    await other.waitForSelector("[name=text]");
    await other.waitForSelector("text=Ada, Ada"); // both have the board open
    await page.fill("[name=text]", "Fir");
    await other.waitForSelector("text=Ada is writing…");
    await add(page, "First");
    await other.waitForSelector("text=Ada: First");
    await other.waitForSelector("text=Ada, Ada");
    await elsewhere.setOffline(true);
    await add(page, "Second");
    await page.waitForSelector("text=Ada: Second");
    await elsewhere.setOffline(false);
    await other.waitForSelector("text=Ada: Second");
    await page.evaluate(() => {
      const seen = () => globalThis.hasProgress ||= document.querySelector("progress") !== null;
      new MutationObserver(seen).observe(document.body, { childList: true, subtree: true });
    });
    const file = { name: "photo.png", mimeType: "image/png", buffer: photo };
    await page.locator("[type=file]").first().setInputFiles(file);
    await other.waitForSelector("img");
    const hasProgress = await page.evaluate(() => globalThis.hasProgress ?? false);
    await page.click("text=Sign out");
    await page.waitForSelector("[name=password]");
    return { refused, hasProgress, cookies: (await context.cookies()).length };
  },
  /** What the page receives for a body that is too large. */
  tooLarge: async () => {
    const page = await context.newPage();
    await signIn(page);
    await add(page, "Large");
    await page.waitForSelector("text=Ada: Large");
    return await page.evaluate(async () => {
      const [note] = await (await fetch("/api/notes")).json();
      const seen = [];
      for (let round = 0; round < 2; round++) {
        const init = {
          method: "PUT",
          headers: { "content-type": "image/png" },
          body: new Uint8Array(20_000_000),
        };
        seen.push(
          await fetch(`/api/notes/${note.id}/photo`, init).then(
            ({ status }) => status,
            () => "no response",
          ),
        );
      }
      return seen;
    });
  },
  /** The mock has someone signed in, and lists some notes. */
  mock: async () => {
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForSelector("text=Sign out");
    await page.waitForSelector("ul", { state: "attached" });
    return true;
  },
};

try {
  console.log(JSON.stringify(await uses[what]()));
} finally {
  await browser.close();
}
