/** The commands with which the pages and tasks serve on Deno. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { start } from "./support/processes.ts";

const root = new URL("../", import.meta.url);
const flag = "--unstable-no-legacy-abort";

/** The commands that serve on Deno: those of the guides and of deno.json's tasks. README's first one is shorter. */
async function listServeCommands(): Promise<string[]> {
  const files = ["deno.json"];
  for await (const { name } of Deno.readDir(new URL("docs/", root))) files.push(`docs/${name}`);
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(new URL(file, root))));
  return texts.flatMap((text) => [
    ...text.matchAll(
      /^deno serve .*$|(?<=&& )deno serve .*$|`deno serve [^`]+\.ts`|\bdeno serve [^"]+\.ts(?=")|^CMD \["serve".*$/gm,
    ),
  ]).map(([command]) => command);
}

/** The output of `deno serve` besides its URL after a handler has read the signal of a request. */
async function printOnSignal(flags: readonly string[]): Promise<string> {
  const app = "data:text/javascript,export default { fetch: ({ signal }) => new Response(String(signal.aborted)) }";
  const args = [
    "-c",
    'exec "$0" "$@" 2>&1',
    Deno.execPath(),
    "serve",
    ...flags,
    "--host",
    "127.0.0.1",
    "--port",
    "0",
    app,
  ];
  await using server = await start("sh", args, /http:\/\/127\.0\.0\.1:\d+/, { NO_COLOR: "1" });
  assertEquals(await (await fetch(server.found[0])).text(), "false");
  await new Promise((resolve) => setTimeout(resolve, 200));
  return server.printed();
}

Deno.test("every deno serve command has the flag that avoids the warning about abort signals", async () => {
  const commands = await listServeCommands();

  assert(commands.length >= 8, commands.join("\n"));
  assertEquals(commands.filter((command) => !command.includes(flag)), []);
});

Deno.test("deno serve warns of a signal that is read, unless it has that flag", async () => {
  const [warned, quiet] = await Promise.all([printOnSignal([]), printOnSignal([flag])]);

  assertStringIncludes(warned, flag);
  assertEquals(quiet.split("\n").filter((line) => line !== "" && !line.includes("Listening on")), []);
});
