/** The full-stack example: its types, its build, and its pages in Chromium, in development and in production. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Call, freePort, run, type Server, startAt } from "../command.ts";
import { chromiumPath, emptyFolder, nodePath, npmFolder, npmInstall, tarball } from "../kit.ts";
import { advance, once } from "../once.ts";
import { readPage } from "./pages.ts";

const example = new URL("../../../examples/full_stack", import.meta.url).pathname;

/** Runs the example as its page says. */
export function testFullStack(): void {
  Deno.test("docs/full-stack.md: its code is that of the example", async () => {
    const oneLine = (code: string): string => code.replaceAll(/\s+/g, " ").trim();
    const blocks = [...readPage("docs/full-stack.md").matchAll(/^```tsx?.*\n\/\/ (\S+)\n([^]*?)^```$/gm)];
    assertEquals(blocks.length, 5);
    for (const [, path = "", code = ""] of blocks) {
      assertStringIncludes(oneLine(await Deno.readTextFile(`${example}/${path}`)), oneLine(code));
    }
  });

  Deno.test(
    "examples/full_stack passes its type check",
    advance(async () => {
      await run(await npm("run", "check"));
    }),
  );

  Deno.test(
    "examples/full_stack in production: sessions, live updates and an upload in Chromium",
    advance(async () => {
      const cwd = await folder();
      await build();
      const files = [...Deno.readDirSync(`${cwd}/dist/assets`)].map(({ name }) => `${cwd}/dist/assets/${name}`);
      const built = (await Promise.all(files.map((file) => Deno.readTextFile(file)))).join(
        "",
      );
      assertEquals(built.includes("mockContract"), false);
      const server = await serve();
      try {
        assertEquals(await inChromium(server, "board"), {
          refused: "Wrong name or password",
          hasProgress: true,
          cookies: 0,
        });
      } finally {
        await server.stop();
      }
    }),
  );

  Deno.test(
    "examples/full_stack in development: the same behind Vite's proxy, and what becomes of a 413",
    advance(async () => {
      await build(); // the server shows its page, too
      const api = await serve();
      const page = await vite({ API: api.baseUrl });
      try {
        assertEquals(await inChromium(page, "board"), {
          refused: "Wrong name or password",
          hasProgress: true,
          cookies: 0,
        });
        const statuses = await inChromium(page, "tooLarge") as number[];
        assertEquals(statuses.filter((status) => status !== 413 && status !== 502), []);
        assertEquals(await inChromium(api, "tooLarge"), [413, 413]);
      } finally {
        await page.stop();
        await api.stop();
      }
    }),
  );

  Deno.test(
    "examples/full_stack without a server: mocks in Vite and in the page",
    advance(async () => {
      const [mocked, alone] = [
        await vite({}, "--mode", "mock"),
        await vite({ API: "http://127.0.0.1:9" }),
      ];
      try {
        assertEquals(await inChromium(mocked, "mock"), true);
        assertEquals(
          await inChromium(
            { ...alone, baseUrl: `${alone.baseUrl}/?mock` },
            "mock",
          ),
          true,
        );
      } finally {
        await mocked.stop();
        await alone.stop();
      }
    }),
  );
}

/** Builds the example's page. */
const build: () => Promise<string> = once(async () => await run(await npm("run", "build")));

/** The example with its packages. */
const folder: () => Promise<string> = once(async () => {
  const cwd = await emptyFolder("full stack");
  await run({ command: "cp", args: ["-r", `${example}/.`, cwd], cwd: "/" });
  await npmInstall(cwd, [await tarball()]);
  return cwd;
});

async function npm(...args: readonly string[]): Promise<Call> {
  const path = `${(await nodePath("24")).replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}`;
  return { command: "npm", args, cwd: await folder(), env: { PATH: path } };
}

async function serve(): Promise<Server> {
  const port = freePort();
  const call = await npm("start");
  return await startAt(`http://localhost:${port}`, {
    ...call,
    env: { ...call.env, PORT: String(port) },
  });
}

async function vite(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Server> {
  const port = freePort();
  const call = await npm(
    "exec",
    "vite",
    "--",
    "--port",
    String(port),
    "--strictPort",
    ...args,
  );
  return await startAt(`http://localhost:${port}`, {
    ...call,
    env: { ...call.env, ...env },
  });
}

async function inChromium({ baseUrl }: Server, what: string): Promise<unknown> {
  const args = ["entries/use_board.js", await chromiumPath(), baseUrl, what];
  return JSON.parse(
    await run({ command: "node", args, cwd: await npmFolder() }),
  );
}
