/** The tasks example in a real browser, under its own policies: `deno task test:browser`. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { type Example, startExample } from "../support/start_example.ts";
import { launchChromium } from "./chromium.ts";
import { Gateway } from "./gateway.ts";

const reports = new URL("../../.reports/", import.meta.url);
const token = "a-token-of-the-test";
const desktop = { viewport: { width: 1100, height: 760 } };

/** The example, as its task starts it, and a browser. */
interface Shown extends AsyncDisposable {
  readonly example: Example;
  /** The browser's complaints: errors, and violations of the policy. */
  readonly complaints: readonly string[];
  /** Opens a path of the example, in its own profile. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>;
}

async function show(): Promise<Shown> {
  const folder = await Deno.makeTempDir();
  const example = await startExample(
    "start",
    { TASKS_DB: `${folder}/tasks.db`, TASKS_TOKEN: token },
    "task tasks help",
  );
  const browser = await launchChromium();
  const complaints: string[] = [];
  const open = async (path: string, options: BrowserContextOptions = desktop): Promise<Page> => {
    const page = await browser.newPage(options);
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(`${example.baseUrl}${path}`);
    return page;
  };
  const dispose = async (): Promise<void> => {
    await browser.close();
    await example.stop();
    await Deno.remove(folder, { recursive: true });
  };
  return { example, complaints, open, [Symbol.asyncDispose]: dispose };
}

async function add(page: Page, title: string, tags = ""): Promise<void> {
  await page.getByLabel("New task").fill(title);
  await page.getByLabel("Tags").fill(tags);
  await page.getByRole("button", { name: "Add" }).click();
  await findTask(page, title).waitFor();
}

function findTask(page: Page, title: string): Locator {
  return page.locator("#tasks li", { hasText: title });
}

async function screenshot(page: Page, name: string): Promise<void> {
  await Deno.mkdir(reports, { recursive: true });
  await page.screenshot({ path: new URL(name, reports).pathname });
}

Deno.test("examples/tasks shows changes of one page in another immediately", async () => {
  await using shown = await show();
  const [ada, grace] = [await shown.open(`/#token=${token}`), await shown.open(`/#token=${token}`)];
  await grace.getByLabel("New task").waitFor();
  assertEquals(new URL(ada.url()).hash, "", "the token does not stay in sight");

  await add(ada, "Write the guide", "docs, today");
  await add(ada, "Draw the icon", "design");
  await findTask(grace, "Draw the icon").waitFor();
  await grace.locator("#changes li", { hasText: "New: Draw the icon" }).waitFor();
  await findTask(grace, "Write the guide").getByRole("checkbox").check();
  await ada.locator("#tasks li.done", { hasText: "Write the guide" }).waitFor();

  const file = { name: "sketch.txt", mimeType: "text/plain", buffer: Buffer.from("a square") };
  await findTask(ada, "Draw the icon").getByLabel("Attach").setInputFiles(file);
  await grace.locator("#changes li", { hasText: "sketch.txt for task 2" }).waitFor();
  await findTask(grace, "Draw the icon").getByRole("button", { name: "Files" }).click();
  const downloading = grace.waitForEvent("download");
  await grace.getByRole("button", { name: "sketch.txt" }).click();
  const download = await downloading;
  assertEquals(download.suggestedFilename(), "sketch.txt");
  assertEquals(await Deno.readTextFile(await download.path()), "a square");
  await screenshot(grace, "tasks.png");

  await ada.getByLabel("Search").fill("icon");
  await findTask(ada, "Write the guide").waitFor({ state: "detached" });
  await ada.getByLabel("Search").fill("");
  await findTask(ada, "Write the guide").getByRole("button", { name: "docs" }).click();
  await findTask(ada, "Draw the icon").waitFor({ state: "detached" });
  await ada.getByRole("button", { name: "#docs" }).click();
  await findTask(ada, "Draw the icon").waitFor();
  assertEquals(shown.complaints, []);
});

Deno.test("examples/tasks shows the progress of an upload and cancels it", async () => {
  await using shown = await show();
  const page = await shown.open(`/#token=${token}`);
  await add(page, "Draw the icon");
  const network = await page.context().newCDPSession(page);
  const limits = { offline: false, latency: 0, downloadThroughput: -1 };
  await network.send("Network.emulateNetworkConditions", { ...limits, uploadThroughput: 1_000_000 });
  const task = findTask(page, "Draw the icon");
  const file = { name: "long.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(8_000_000) };
  await task.getByLabel("Attach").setInputFiles(file);
  const bar = task.locator("progress:not(:indeterminate)");
  const part = await bar.evaluate((bar) => (bar as unknown as { readonly position: number }).position);
  assert(part > 0 && part < 1, String(part));
  await screenshot(page, "tasks_upload.png");
  await task.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("long.bin was not attached").waitFor();
  assertEquals(await task.locator("progress").count(), 0);

  await network.send("Network.emulateNetworkConditions", { ...limits, uploadThroughput: -1 });
  await task.getByLabel("Attach").setInputFiles({ ...file, name: "again.bin" });
  await page.locator("#changes li", { hasText: "again.bin for task 1" }).waitFor();
  await task.getByRole("button", { name: "Files" }).click();
  await task.getByRole("button", { name: "again.bin" }).waitFor();
  assertEquals(await task.getByRole("button", { name: "long.bin" }).count(), 0);
  assertEquals(shown.complaints, []);
});

Deno.test("examples/tasks shows further pages of tasks, and only tasks that are not done", async () => {
  await using shown = await show();
  const page = await shown.open(`/#token=${token}`);
  await page.getByLabel("New task").waitFor();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  for (let number = 1; number <= 25; number++) {
    const body = JSON.stringify({ title: `Task number ${number}` });
    await (await fetch(`${shown.example.baseUrl}/api/tasks`, { method: "POST", headers, body })).body?.cancel();
  }
  await findTask(page, "Task number 25").waitFor();
  await findTask(page, "Task number 1").last().waitFor(); // 10 to 19
  await page.locator("#tasks li").nth(19).waitFor();
  assertEquals(await page.locator("#tasks li").count(), 20);

  await page.getByRole("button", { name: "More" }).click();
  await page.locator("#tasks li").nth(24).waitFor();
  assertEquals(await page.getByRole("button", { name: "More" }).isVisible(), false);
  await findTask(page, "Task number 25").getByRole("checkbox").check();
  await page.locator("#tasks li.done").waitFor();
  await page.getByLabel("not done").check();
  await findTask(page, "Task number 25").waitFor({ state: "detached" });
  assertEquals(shown.complaints, []);
});

Deno.test("examples/tasks asks for the token and shows hostile text as text", async () => {
  await using shown = await show();
  const page = await shown.open("/");
  await page.getByLabel("Token").waitFor();
  assertEquals(shown.complaints, []);
  await screenshot(page, "tasks_enter.png");
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Enter" }).click();
  await page.getByText("The token is wrong").waitFor();
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Enter" }).click();

  const hostile = "</li><script>globalThis.broken=1</script><img src=x onerror='globalThis.broken=1'>";
  await add(page, hostile, "<b>bold</b>");
  await page.locator("#changes li", { hasText: hostile }).waitFor();
  assertEquals(await page.locator("main img, main script, main b").count(), 0);
  assertEquals(await page.evaluate(() => "broken" in globalThis), false);
  assertEquals(shown.complaints.filter((text) => !text.includes("401")), [], "nothing but the refusal itself");
});

Deno.test("examples/tasks uploads a file on its docs page, and its own page receives the event", async () => {
  await using shown = await show();
  const [page, docs] = [await shown.open(`/#token=${token}`), await shown.open("/docs")];
  await add(page, "Attach something");

  await docs.getByRole("button", { name: "Authorize" }).click();
  await docs.locator(".auth-container input").fill(token);
  await docs.locator(".auth-btn-wrapper .authorize").click();
  await docs.locator(".btn-done").click();
  const upload = docs.locator(".opblock-post", { hasText: "Attach a file by a form" });
  await upload.locator(".opblock-summary-control").click();
  await upload.locator('[data-param-name="id"] input').fill("1");
  const file = { name: "tried.txt", mimeType: "text/plain", buffer: Buffer.from("tried") };
  await upload.locator('input[type="file"]').setInputFiles(file);
  await upload.locator("button.execute").click();
  const live = upload.locator(".live-responses-table");
  await live.waitFor();

  const answer = await live.locator(".highlight-code code").first().innerText();
  assertEquals(JSON.parse(answer), { id: 1, task: 1, name: "tried.txt", size: 5 });
  assertStringIncludes(await live.locator(".response-col_status").last().innerText(), "201");
  await page.locator("#changes li", { hasText: "tried.txt for task 1" }).waitFor();
  await live.scrollIntoViewIfNeeded();
  await screenshot(docs, "tasks_docs.png");
  assertEquals(shown.complaints, []);
});

Deno.test("the page of examples/tasks reconnects after a restart of the server and misses nothing", async () => {
  const folder = await Deno.makeTempDir();
  const start = (): Promise<Example> =>
    startExample("start", { TASKS_DB: `${folder}/tasks.db`, TASKS_TOKEN: token }, "task tasks help");
  const first = await start();
  const gateway = new Gateway();
  gateway.lead(first.baseUrl);
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(`${gateway.baseUrl}/#token=${token}`);
  await page.getByLabel("New task").waitFor();
  await add(page, "Before");
  await page.locator("#changes li", { hasText: "New: Before" }).waitFor();
  gateway.lead(undefined);
  await first.stop();

  const second = await start();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const addElsewhere = async (title: string): Promise<void> => {
    const body = JSON.stringify({ title });
    await (await fetch(`${second.baseUrl}/api/tasks`, { method: "POST", headers, body })).body?.cancel();
  };
  await addElsewhere("Meanwhile");
  gateway.lead(second.baseUrl);
  await page.locator("#changes li", { hasText: "New: Meanwhile" }).waitFor();
  await addElsewhere("After");
  await page.locator("#changes li", { hasText: "New: After" }).waitFor();
  const told = await page.locator("#changes li", { hasText: "New: " }).allTextContents();
  assertEquals(told, ["New: After", "New: Meanwhile", "New: Before"]);
  await browser.close();
  await gateway[Symbol.asyncDispose]();
  await second.stop();
  await Deno.remove(folder, { recursive: true });
});

/** The tasks on the picture that README shows: titles, tags, and the names of attached files. */
const pictured: readonly (readonly [title: string, tags: string, ...files: string[]])[] = [
  ["Book rooms for the offsite", "travel"],
  ["Fix time zone of invoices", "billing, urgent", "invoice.pdf"],
  ["Move the search index", "search", "plan.md", "costs.csv"],
  ["Draw the app icon", "design", "icon.svg"],
  ["Write webhooks guide", "docs, api"],
  ["Publish the release notes", "docs, release"],
];

Deno.test("examples/tasks shows a team's day", async () => {
  await using shown = await show();
  const options = { viewport: { width: 1000, height: 464 }, deviceScaleFactor: 1, colorScheme: "light" } as const;
  const page = await shown.open(`/#token=${token}`, options);
  await page.getByLabel("New task").waitFor();
  for (const [title, tags, ...files] of pictured) {
    await add(page, title, tags);
    for (const name of files) {
      await findTask(page, title).getByLabel("Attach").setInputFiles({
        name,
        mimeType: "text/plain",
        buffer: Buffer.from(name),
      });
      await page.locator("#changes li", { hasText: name }).waitFor();
    }
  }
  for (const title of ["Book rooms", "Write webhooks"]) await findTask(page, title).getByRole("checkbox").check();
  await page.locator("#tasks li.done").nth(1).waitFor();
  await findTask(page, "Move the search index").getByRole("button", { name: "Files" }).click();
  await page.getByRole("button", { name: "costs.csv" }).waitFor();
  await page.getByLabel("Tags").fill("");
  await page.locator("h1").click(); // takes the focus away
  await screenshot(page, "tasks_day.png");
  assertEquals(shown.complaints, []);
});
