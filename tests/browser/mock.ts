/** Mocks in a real browser, behind MSW: `deno task test:browser`. */
import { mockContract } from "@scope/api/mock";
import { assertEquals } from "@std/assert";
import { contract } from "../../examples/users/contract.ts";
import { moduleGraph } from "../module_graph.ts";
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

Deno.test("mockContract() answers for MSW in Chromium, as it does here", async () => {
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
  } finally {
    await browser.close();
  }
});
