/** Connections in a real browser: `deno task test:browser`. */
import { assert, assertEquals } from "@std/assert";
import type { Page as Tab } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import type { Page } from "./connect_page.ts";
import { serveSockets } from "../connect/servers.ts";

/** A page, and the server that it connects to, which can be stopped and started again. */
interface Opened extends AsyncDisposable {
  readonly tab: Tab;
  readonly url: string;
  readonly stop: () => Promise<void>;
  readonly start: () => void;
  /** The close codes that the server has seen. */
  readonly codes: readonly number[];
}

let bundled: Promise<string> | undefined;

async function bundlePage(): Promise<string> {
  const args = ["bundle", "--quiet", "--platform=browser", "tests/browser/connect_page.ts"];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (!success) throw new Error("Cannot bundle tests/browser/connect_page.ts");
  const script = new TextDecoder().decode(stdout).replaceAll("</script", "<\\/script");
  return `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`;
}

async function open(): Promise<Opened> {
  const html = await (bundled ??= bundlePage());
  const codes: number[] = [];
  const server = serveSockets((socket, { url, headers }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === "/api/whoami") {
      const [, offered = ""] = headers.get("sec-websocket-protocol")!.split(", bearer.");
      const token = Uint8Array.fromBase64(offered, { alphabet: "base64url" });
      socket.send(JSON.stringify({ id: 0, text: new TextDecoder().decode(token) }));
      socket.close(1000);
      return;
    }
    let last = Number(searchParams.get("after") ?? 0);
    const say = () => socket.send(JSON.stringify({ id: ++last, text: "hello" }));
    for (let count = 0; count < 3; count++) say();
    socket.onmessage = ({ data }) => {
      for (let count = 0; count < Number(data); count++) say();
    };
    socket.onclose = ({ code }) => codes.push(code);
  }, ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/elsewhere") {
      return new Response("<!doctype html>elsewhere", { headers: { "content-type": "text/html" } });
    }
    if (pathname === "/") return new Response(html, { headers: { "content-type": "text/html" } });
    if (pathname.endsWith("/none")) return Response.json({ message: "No room none" }, { status: 404 });
  });
  const browser = await launchChromium(["--disable-back-forward-cache"]);
  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on("pageerror", (error) => complaints.push(String(error))); // unhandled rejections too
  await tab.goto(server.url);
  const close = async (): Promise<void> => {
    await browser.close();
    await server.stop();
    assertEquals(complaints, []);
  };
  return { ...server, tab, codes, [Symbol.asyncDispose]: close };
}

/** Calls a function of the page. */
async function ask<Name extends keyof Page>(
  tab: Tab,
  name: Name,
  ...given: Parameters<Page[Name]>
): Promise<Awaited<ReturnType<Page[Name]>>> {
  return await tab.evaluate(
    ([name, given]) =>
      (globalThis as unknown as { page: Record<string, (...given: unknown[]) => unknown> })
        .page[name]!(...given),
    [name as string, given as unknown[]] as const,
  ) as Awaited<ReturnType<Page[Name]>>;
}

/** Waits until the page has seen something as its last. */
async function until(tab: Tab, last: number | string): Promise<readonly (number | string)[]> {
  await tab.waitForFunction(
    (last) => (globalThis as unknown as { page: Page }).page.read().at(-1) === last,
    last,
  );
  return await ask(tab, "read");
}

Deno.test("connect() misses no message in Chromium while the server restarts", async () => {
  await using opened = await open();
  const { tab } = opened;
  const ended = ask(tab, "enter", "lobby");
  await until(tab, 3);
  await opened.stop();
  opened.start();
  await until(tab, 6);
  await opened.stop();
  opened.start();
  await until(tab, "1001 3000");
  await tab.context().setOffline(true);
  await tab.context().setOffline(false); // it does not wait when the network comes back
  await ask(tab, "send", 2);
  assertEquals(await until(tab, 11), [
    ...["open", 1, 2, 3, "1001 3000"],
    ...["open", 4, 5, 6, "1001 3000"],
    ...["open", 7, 8, 9, 10, 11],
  ]);
  await ask(tab, "close");
  assertEquals(await ended, '{"code":4001,"reason":"left"}');
});

Deno.test("connect() rejects with the typed refusal that Chromium hides, and sends a token as a subprotocol", async () => {
  await using opened = await open();
  const { tab } = opened;
  assertEquals(await ask(tab, "refused", "none"), '["unsuccessful",404,{"message":"No room none"}]');
  assertEquals(
    await ask(tab, "whoami", "a.b-c~d+e/f=="),
    '[[{"id":0,"text":"a.b-c~d+e/f=="}],{"code":1000,"reason":""}]',
  );
  await opened.stop();
  assertEquals(await ask(tab, "refused", "lobby"), '["network",null,null]');
  opened.start();
});

Deno.test("a page that Chromium caches closes its connection, and opens another one when it comes back", async () => {
  await using opened = await open();
  const { tab, codes } = opened;
  void ask(tab, "enter", "lobby").catch(() => {}); // the answer is lost with the page
  await until(tab, 3);
  await tab.goto(`${opened.url}/elsewhere`);
  await tab.goBack({ waitUntil: "commit" });
  const seen = await until(tab, 6);
  assert(seen.includes(1), "the page was cached");
  assertEquals(seen, ["open", 1, 2, 3, "1000 Infinity", "open", 4, 5, 6]);
  assertEquals(codes, [1000]);
});
