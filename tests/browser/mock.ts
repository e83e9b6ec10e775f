/** Mocks in a real browser, behind MSW: `deno task test:browser`. */
import { mockContract } from "@scope/api/mock";
import { assertEquals } from "@std/assert";
import { contract } from "../../examples/users/contract.ts";
import { startExample } from "../support/start_example.ts";
import { moduleGraph } from "../support/module_graph.ts";
import { launchChromium } from "./chromium.ts";

const page = "tests/browser/mock_page.ts";

async function bundlePage(): Promise<Uint8Array<ArrayBuffer>> {
  const args = ["bundle", "--quiet", "--platform=browser", page];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (!success) throw new Error("Cannot bundle the page");
  return stdout;
}

/** The service worker that MSW brings along. */
async function readWorker(): Promise<string> {
  const { npmPackages } = await moduleGraph(page);
  const { localPath } = Object.values(npmPackages).find(({ name }) => name === "msw")!;
  return await Deno.readTextFile(`${localPath}/lib/mockServiceWorker.js`);
}

Deno.test("mockContract() responds for MSW in Chromium as it does here", async () => {
  const [script, worker] = await Promise.all([bundlePage(), readWorker()]);
  const files: Readonly<Record<string, [BodyInit, string]>> = {
    "/": ["<!doctype html><title>mock</title><script type=module src=/page.js></script>", "text/html"],
    "/page.js": [script, "text/javascript"],
    "/mockServiceWorker.js": [worker, "text/javascript"],
  };
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    const [body, type] = files[new URL(url).pathname] ?? ["", "text/plain"];
    return new Response(body, { headers: { "content-type": type } });
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.addr.port}/`);
    const answered = await page.evaluate(() =>
      (globalThis as unknown as { callMock: () => Promise<unknown> }).callMock()
    );

    const found = await (await mockContract(contract, { seed: 7 })(new Request("http://localhost/api/users/42")))
      .json();
    assertEquals(answered, [found, found, 415]);

    const inPage = await page.evaluate(() =>
      (globalThis as unknown as { callInPage: () => Promise<unknown> }).callInPage()
    );
    assertEquals(inPage, [401, 200]); // Chromium removes the cookie of a Request
  } finally {
    await browser.close();
  }
});

Deno.test("the page of examples/tasks runs without its server, under its own policies", async () => {
  await using example = await startExample("mock", {}, "/#token=any");
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 760 } });
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    await page.goto(`${example.baseUrl}/#token=any`);
    await page.locator("#tasks li").first().waitFor();
    await page.locator("#changes li").nth(2).waitFor(); // the three events of the mock
    await page.getByLabel("New task").fill("Write the guide");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByLabel("Search").fill("guide");
    await page.locator("#tasks li").first().waitFor();
    await page.locator("#status:empty").waitFor({ state: "attached" }); // while it is connected: the mock's streams end
    assertEquals(complaints, []);
    await Deno.mkdir(".reports", { recursive: true });
    await page.screenshot({ path: ".reports/mock.png" });
  } finally {
    await browser.close();
  }
});
