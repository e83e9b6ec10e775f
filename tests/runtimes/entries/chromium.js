// Opens a page, runs a bundle in it and prints what the client's cases gave: chromium.js <executable> <base URL> <bundle>
import { argv } from "node:process";
import { chromium } from "playwright-core";

const [executablePath, baseUrl, path] = argv.slice(2);
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const browser = await chromium.launch({ executablePath, headless: true, args });
try {
  const page = await browser.newPage();
  await page.goto(baseUrl);
  await page.addScriptTag({ path, type: "module" });
  await page.waitForFunction("globalThis.runClientCases");
  console.log(JSON.stringify(await page.evaluate("runClientCases(location.origin)")));
} finally {
  await browser.close();
}
