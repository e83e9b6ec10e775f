/** Uploads with progress in a real browser, over HTTP/1.1: `deno task test:browser`. */
import { fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertLess } from "@std/assert";
import type { Browser } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { askPage, type OpenTab, openTab } from "./tab.ts";
import { contract, slowContract } from "./xhr_contract.ts";
import type { Page } from "./xhr_page.ts";

const { routes: { slow: _, ...routes } } = contract;

/** A page on the server that it uploads to. */
interface Opened extends OpenTab {
  /** Settles when the server has read, or failed to read, a slow upload. */
  readonly slowlyRead: Promise<string>;
  /** How the slow uploads ended that did. */
  readonly slowReads: readonly string[];
}

function answerSlowly(onRead: (outcome: string) => void): FetchHandler {
  const implementation = defineServer(slowContract).implement({
    slow: async ({ body, response }) => {
      let length = 0;
      try {
        for await (const chunk of body) {
          length += chunk.byteLength;
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      } catch (error) {
        onRead("cut off");
        throw error;
      }
      onRead("whole");
      return response(200, String(length));
    },
  });
  return fetchAdapter({ maxBodyBytes: 100_000_000 }).mount(implementation);
}

let flakyCalls = 0;

const handler = fetchAdapter({ maxBodyBytes: 3_000_000 }).mount(
  defineServer(contract).implement({
    bytes: ({ body, response }) => response(200, String(body.length)),
    form: async ({ body, response }) => {
      const file = body.get("file") as File;
      return response(200, `${file.name} ${file.type} ${(await file.arrayBuffer()).byteLength}`);
    },
    stream: async ({ body, response }) => {
      let length = 0;
      for await (const chunk of body) length += chunk.byteLength;
      return response(200, String(length));
    },
    echo: ({ body, response }) => response(200, body),
    flaky: ({ body, response }) =>
      flakyCalls++ === 0 ? response(503, undefined, { "retry-after": "0" }) : response(200, body),
    slow: ({ response }) => response(200, "elsewhere"),
    moved: ({ response }) => response(200, "elsewhere"),
  }),
);

/** Responses that need no contract: they are compared with those of `fetch`. */
function answerPlainly(request: Request): Response {
  const path = new URL(request.url).pathname;
  if (path === "/moved") return Response.redirect(new URL("/elsewhere", request.url), 307);
  if (path === "/204") return new Response(null, { status: 204, headers: { "x-a": "1" } });
  if (path === "/404") return new Response("ä missing", { status: 404, headers: [["x-a", "1"], ["x-a", "2: b"]] });
  return Response.json(Object.fromEntries(request.headers), { headers: { "x-empty": "" } });
}

/**
 * A server without the toolkit, for responses that others do not send: the status of the path, a response that breaks
 * off, 413 before the body.
 */
function answerByHand(): Deno.TcpListener {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answer = async (connection: Deno.Conn): Promise<void> => {
    const buffer = new Uint8Array(65_536);
    const head = new TextDecoder().decode(buffer.subarray(0, await connection.read(buffer) ?? 0));
    const path = head.split(" ")[1]!.slice(1);
    const length = path === "cut" ? 20 : 2;
    const fields =
      "access-control-allow-origin: *\r\naccess-control-allow-methods: *\r\naccess-control-allow-headers: *";
    const status = head.startsWith("OPTIONS") || !/^\d+$/.test(path) ? "200" : path;
    const text = `HTTP/1.1 ${status} Odd\r\n${fields}\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\nhi`;
    await connection.write(new TextEncoder().encode(text));
    if (path === "413") {
      await connection.closeWrite();
      while (await connection.read(buffer) !== null); // else the browser may lose the response with the connection
    }
    connection.close();
  };
  void (async () => {
    for await (const connection of listener) answer(connection).catch(() => connection.close());
  })();
  return listener;
}

let bundled: Promise<string> | undefined;

async function bundlePage(): Promise<string> {
  const args = ["bundle", "--quiet", "--platform=browser", "tests/browser/xhr_page.ts"];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (!success) throw new Error("Cannot bundle tests/browser/xhr_page.ts");
  const script = new TextDecoder().decode(stdout).replaceAll("</script", "<\\/script");
  return `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`;
}

async function open(browser: Browser): Promise<Opened> {
  const html = await (bundled ??= bundlePage());
  const { promise: slowlyRead, resolve } = Promise.withResolvers<string>();
  const slowReads: string[] = [];
  const slow = answerSlowly((outcome) => {
    slowReads.push(outcome);
    resolve(outcome);
  });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const path = new URL(request.url).pathname;
    if (path === "/") return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
    if (path === "/slow") return slow(request);
    return path !== "/moved" && path.slice(1) in routes ? handler(request) : answerPlainly(request);
  });
  const opened = await openTab(browser, `http://127.0.0.1:${server.addr.port}`);
  const close = async (): Promise<void> => {
    try {
      await opened[Symbol.asyncDispose]();
    } finally {
      await server.shutdown();
    }
  };
  return { tab: opened.tab, slowlyRead, slowReads, [Symbol.asyncDispose]: close };
}

const ask = askPage<Page>();

/** What uploads of a page do, each in a page of its own. */
const checks: Readonly<Record<string, (opened: Opened) => Promise<void>>> = {
  "xhrFetch() reports progress that rises to the length of the body, over HTTP/1.1": async (opened) => {
    const { outcome, progress } = await ask(opened.tab, "upload", "slow", 30_000_000);

    assertEquals(outcome, "200 30000000");
    assert(progress.length > 2, `${progress.length} reports`);
    assertEquals(progress, progress.toSorted((one, other) => one.loaded - other.loaded));
    assertEquals(new Set(progress.map(({ total }) => total)), new Set([30_000_000]));
    assertLess(progress[0]!.loaded, 30_000_000);
    assertEquals(progress.at(-1)!.loaded, 30_000_000);
  },

  "xhrFetch() sends bytes, forms with files, and files for streams unchanged": async (opened) => {
    const uploads = { bytes: "200 2000000", form: "200 ä.bin image/png 2000000", file: "200 2000000" } as const;
    for (const kind of ["bytes", "form", "file"] as const) {
      const { outcome, progress } = await ask(opened.tab, "upload", kind, 2_000_000);
      assertEquals(outcome, uploads[kind]);
      assertEquals(progress.at(-1)?.loaded, progress.at(-1)?.total);
    }
    assertEquals(await ask(opened.tab, "upload", "bytes", 0), { outcome: "200 0", progress: [] });
    assertEquals(await ask(opened.tab, "echo"), true);
  },

  "xhrFetch() refuses a stream before anything is sent": async (opened) => {
    const reason =
      "TypeError: Cannot send the request: XMLHttpRequest does not support a body that is a stream; pass a Blob";
    assertEquals(await ask(opened.tab, "upload", "stream", 9), { outcome: `network: ${reason}`, progress: [] });
  },

  "xhrFetch() ends an upload at the timeout of its call": async (opened) => {
    const { outcome, progress } = await ask(opened.tab, "timeOut", 60_000_000, 1000);

    assertEquals(outcome, "timeout: TimeoutError: The call timed out");
    if (progress.length > 0) assertEquals(await opened.slowlyRead, "cut off"); // else nothing was sent yet
  },

  "xhrFetch() ends an upload that is aborted just as its body becomes available": async (opened) => {
    for (let steps = 0; steps < 20; steps++) {
      assertEquals(await ask(opened.tab, "abortEarly", steps), "RangeError: early");
    }
    assert(!opened.slowReads.includes("whole"), "none was sent as a whole");
  },

  "xhrFetch() removes its listener from the signal of a completed upload": async (opened) => {
    assertEquals(await ask(opened.tab, "countListeners"), [0, 0, 0]);
  },

  "retry() makes another attempt over xhrFetch(), which reports progress again": async (opened) => {
    const { outcome, progress } = await ask(opened.tab, "retry");

    assertEquals(outcome, "200 0,0,0");
    assertEquals(progress, [{ loaded: 3, total: 3 }, { loaded: 3, total: 3 }]);
  },

  "xhrFetch() ends an upload when its signal aborts, with the signal's reason": async (opened) => {
    const { outcome, progress } = await ask(opened.tab, "abort", 60_000_000);

    assertEquals(outcome, "aborted: Error: enough");
    assertLess(progress.at(-1)!.loaded, 60_000_000);
    assertEquals(await opened.slowlyRead, "cut off");
  },

  "xhrFetch() resolves to a refusal, and rejects without a response as fetch does": async (opened) => {
    const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const nowhere = `http://127.0.0.1:${closed.addr.port}`;
    closed.close();

    assertEquals((await ask(opened.tab, "upload", "bytes", 3_000_001)).outcome, "413 ");
    assertEquals(
      (await ask(opened.tab, "upload", "bytes", 1, nowhere)).outcome,
      "network: TypeError: Cannot send the request: no response arrived, or it was interrupted",
    );
  },

  "xhrFetch() hides a redirect as fetch does, unless the request follows it": async (opened) => {
    const { outcome } = await ask(opened.tab, "upload", "moved", 3);
    assertEquals(outcome, "unexpected-status: undefined");

    for (const redirect of ["follow", "manual"] as const) {
      const [byXhr, byFetch] = await ask(opened.tab, "describe", "GET", "/moved", { redirect });
      assertEquals(byXhr, byFetch);
    }
    const failed = await ask(opened.tab, "describe", "GET", "/moved", { redirect: "error" });
    assertEquals(failed, ["TypeError: Cannot send the request: it was redirected", "TypeError: Failed to fetch"]);
  },

  "xhrFetch() resolves and rejects with the same statuses as fetch, even before the whole body was sent": async (
    opened,
  ) => {
    using odd = answerByHand();
    const base = `http://127.0.0.1:${odd.addr.port}`;
    for (const status of ["200", "205", "304", "599", "600", "999"]) {
      const [byXhr, byFetch] = await ask(opened.tab, "describe", "GET", `${base}/${status}`);
      assertEquals(byXhr, byFetch);
      assert(byXhr.startsWith(`[${status},`), byXhr);
    }
    const early = { body: "a".repeat(30_000_000) };
    const [byXhr, byFetch] = await ask(opened.tab, "describe", "PUT", `${base}/413`, early);
    assertEquals(byXhr, byFetch);
    assert(byXhr.startsWith("[413,"), byXhr);

    assertEquals(await ask(opened.tab, "describe", "GET", `${base}/cut`), [
      "TypeError: Cannot send the request: no response arrived, or it was interrupted",
      "TypeError: Failed to fetch",
    ]);
  },

  "xhrFetch() sends the same request as fetch and resolves to the same response": async (opened) => {
    const calls: readonly Parameters<Page["describe"]>[] = [
      ["GET", "/any"],
      ["GET", "/any#fragment", { redirect: "manual" }],
      ["GET", "/any", { headers: [["x-a", "1"], ["x-a", "2"], ["accept", "text/plain"]], credentials: "include" }],
      ["PUT", "/any", { body: "a" }],
      ["POST", "/any", { body: "a", headers: { "content-type": "text/plain" } }],
      ["POST", "/any"],
      ["HEAD", "/any"],
      ["GET", "/204"],
      ["GET", "/404"],
    ];
    for (const call of calls) {
      const [byXhr, byFetch] = await ask(opened.tab, "describe", ...call);
      assertEquals(byXhr, byFetch);
      assert(!byXhr.startsWith("TypeError"), byXhr);
    }
  },

  "xhrFetch() resolves to a response without a body if the status has none": async (opened) => {
    const calls = [["GET", "/any"], ["HEAD", "/any"], ["GET", "/204"]] as const;
    const haveBodies = calls.map(([method, path]) => ask(opened.tab, "hasBody", method, path));

    assertEquals(await Promise.all(haveBodies), [true, false, false]);
  },

  "xhrFetch() sends cookies to another origin only if the request includes credentials": async (opened) => {
    const origin = new URL(opened.tab.url()).origin;
    const headers = { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" };
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    await using other = Deno.serve(options, (request) => new Response(request.headers.get("cookie"), { headers }));
    await opened.tab.context().addCookies([{ name: "session", value: "good", url: origin }]);

    for (const credentials of ["include", "same-origin"] as const) {
      const path = `http://127.0.0.1:${other.addr.port}/`;
      const [byXhr, byFetch] = await ask(opened.tab, "describe", "GET", path, { credentials });
      assertEquals(byXhr, byFetch);
      assertEquals(byXhr.includes("session=good"), credentials === "include");
    }
  },

  "xhrFetch() refuses options that XMLHttpRequest would ignore, and sends nothing after an abort": async (opened) => {
    const refused = [
      'credentials "omit"',
      'cache "no-store"',
      'mode "no-cors"',
      "keepalive true",
      'integrity "sha256-a"',
      'referrer "http://x/elsewhere"',
      'referrerPolicy "no-referrer"',
    ]
      .map((option) => `TypeError: Cannot send the request: XMLHttpRequest does not support ${option}`)
      .map((message) => message.replace("http://x/", opened.tab.url()));

    assertEquals(await ask(opened.tab, "failures"), [...refused, "RangeError: before"]);
  },
};

Deno.test("xhrFetch() in Chromium", async (test) => {
  const browser = await launchChromium();
  for (const [name, check] of Object.entries(checks)) {
    // the browser is older than a step, whose leaks are those of the test
    await test.step({
      name,
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async () => {
        await using opened = await open(browser);
        await check(opened);
      },
    });
  }
  await browser.close();
});
