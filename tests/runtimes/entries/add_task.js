// Adds a task on the page of the tutorial, and prints the list: add_task.js <executable> <URL>
import { argv } from "node:process";
import { chromium } from "playwright-core";

const [executablePath, url] = argv.slice(2);
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
];

const browser = await chromium.launch({ executablePath, headless: true, args });
try {
  const page = await browser.newPage();
  await page.goto(url);
  await page.fill("input", "Written in a page");
  await page.click("button");
  await page.waitForSelector("li");
  console.log(JSON.stringify(await page.locator("li").allTextContents()));
} finally {
  await browser.close();
}
