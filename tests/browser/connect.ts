/** Connections in a real browser: `deno task test:browser`. */
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { denoSockets, type Sockets } from "@scope/api/socket";
import { assert, assertEquals } from "@std/assert";
import type { Page as Tab } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { contract, token } from "./connect_contract.ts";
import type { Page } from "./connect_page.ts";
import { askPage, type OpenTab, openTab } from "./tab.ts";

/** A server with the page, the API of the contract and a second page, which can be stopped and started again. */
interface Served {
  readonly url: string;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** The codes with which connections ended. */
  readonly codes: readonly number[];
}

/** A page, and the server that it connects to. */
interface Opened extends OpenTab, Served {}

let bundled: Promise<string> | undefined;

async function bundlePage(): Promise<string> {
  const args = ["bundle", "--quiet", "--platform=browser", "tests/browser/connect_page.ts"];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (!success) throw new Error("Cannot bundle tests/browser/connect_page.ts");
  const script = new TextDecoder().decode(stdout).replaceAll("</script", "<\\/script");
  return `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`;
}

function serve(html: string): Served {
  const codes: number[] = [];
  let port = 0;
  let sockets: Sockets;
  let server: Deno.HttpServer<Deno.NetAddr>;
  const start = (): void => {
    sockets = denoSockets({ onClose: ({ code }) => void codes.push(code) });
    const handler = createFetchHandler(implementation, { sockets });
    server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/")) return handler(request);
      const text = pathname === "/" ? html : "<!doctype html>elsewhere";
      return new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
    });
    ({ port } = server.addr);
  };
  start();
  const stop = async (): Promise<void> => {
    await sockets.shutDown();
    await server.shutdown();
  };
  return { url: `http://127.0.0.1:${port}`, start, stop, codes };
}

const implementation = defineServer(contract, {
  security: [verify(token, ({ token }) => token === "secret" ? undefined : { name: token })],
}).implement({
  room: ({ params, query: { after = 0 }, response }) => {
    if (params.room === "none") return response(404, { message: "No room none" });
    return response(101, async (socket) => {
      let last = after;
      const say = (count: number): void => {
        for (; count > 0; count--) socket.send({ id: ++last, text: "hello" });
      };
      say(3);
      for await (const count of socket) say(count);
    });
  },
  whoami: ({ caller, response }) => response(101, (socket) => socket.send({ id: 0, text: caller.name })),
});

async function open(): Promise<Opened> {
  const served = serve(await (bundled ??= bundlePage()));
  const browser = await launchChromium(["--disable-back-forward-cache"]);
  const opened = await openTab(browser, served.url);
  const close = async (): Promise<void> => {
    try {
      await opened[Symbol.asyncDispose]();
    } finally {
      await browser.close();
      await served.stop();
    }
  };
  return { ...served, tab: opened.tab, [Symbol.asyncDispose]: close };
}

const ask = askPage<Page>();

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
  const refused = '{"type":"about:blank","title":"Unauthorized","status":401,"code":"invalid-credential"}';
  assertEquals(await ask(tab, "whoami", "secret"), `["unsuccessful",401,${refused}]`);
  await opened.stop();
  assertEquals(await ask(tab, "refused", "lobby"), '["network",null,null]');
  opened.start();
});

Deno.test("a page of another origin cannot open a connection", async () => {
  await using opened = await open();
  const { tab, url, codes } = opened;
  const own = url.replace("127.0.0.1", "localhost"); // another origin
  assertEquals(await ask(tab, "refused", "lobby", own), '["network",null,null]');
  assertEquals(codes, []);
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
