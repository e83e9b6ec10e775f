/** The commands import TypeScript where the runtime can, and say what helps where it cannot. */
import { assertEquals, assertMatch } from "@std/assert";
import { runDeno } from "./support/run_module.ts";
import { inTemporaryFolder } from "./support/temporary_folder.ts";

/** The oldest Node that the package supports does not run TypeScript, and neither does any before 22.18. */
const version = new TextDecoder().decode((await new Deno.Command("node", { args: ["--version"] }).output()).stdout);
const [, major = "0", minor = "0"] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
const runsTypeScript = Number(major) + Number(minor) / 100 >= 22.18;
if (runsTypeScript) console.error(`NOT TESTED: commands on a Node without TypeScript. This one is ${version.trim()}.`);

const args: Readonly<Record<string, readonly string[]>> = {
  "src/tools/slim/cli.ts": ["--out", "slim.ts", "./contract.ts"],
  "src/tools/openapi/cli.ts": ["./contract.ts"],
  "src/tools/diff/cli.ts": ["./contract.ts", "./contract.ts"],
};

for (const [command, given] of Object.entries(args)) {
  Deno.test(
    `${command} says how to load TypeScript on Node 20`,
    { ignore: runsTypeScript },
    () =>
      inTemporaryFolder(async (folder) => {
        await Deno.writeTextFile(`${folder}/contract.ts`, "export const contract: number = 1;");
        const bundled = await runDeno([
          "bundle",
          "--quiet",
          "--platform=deno",
          command,
          "--output",
          `${folder}/cli.mjs`,
        ]);
        assertEquals(bundled.stderr, "");
        const { code, stderr } = await new Deno.Command("node", { args: ["cli.mjs", ...given], cwd: folder }).output();

        assertEquals(code, 1);
        assertMatch(
          new TextDecoder().decode(stderr),
          /^Cannot import \.\/contract\.ts: Node 2\S+ does not run TypeScript; use Node 22\.18 or later, or run the command with tsx: npx tsx cli\.mjs .*\.\/contract\.ts\n$/,
        );
      }),
  );
}

Deno.test("no command repeats the text of a file that is no document", () =>
  inTemporaryFolder(async (folder) => {
    const path = `${folder}/notes.txt`;
    await Deno.writeTextFile(path, "password of the server\n");
    for (
      const [name, ...given] of [["diff", path, path], ["import", path, "--out", folder], ["audit", path, "http://a"]]
    ) {
      const { code, stdout, stderr } = await runDeno(["run", "-A", "--no-check", `src/tools/${name}/cli.ts`, ...given]);
      assertEquals([code > 0, stdout, /password/.test(stderr)], [true, "", false]);
      assertMatch(stderr, /got a string\n$/);
    }
  }));

Deno.test("the pages call commands that exist, with options that they have", async () => {
  const root = new URL("../", import.meta.url);
  const pages = ["README.md", ...[...Deno.readDirSync(new URL("docs/", root))].map(({ name }) => `docs/${name}`)];
  const faults: string[] = [];
  for (const page of pages) {
    const text = (await Deno.readTextFile(new URL(page, root))).replaceAll("\\\n", " ");
    for (const [call, name = ""] of text.matchAll(/scope-api-([a-z]+)(?: [^\n`]*)?/g)) {
      const usage = await Deno.readTextFile(new URL(`src/tools/${name}/cli.ts`, root)).catch(() => "");
      const own = call.replace(/ [|#&>] .*$/, "");
      const options = [...own.matchAll(/ --([a-z]+(?:-[a-z]+)*)/g)].map(([, option = ""]) => option);
      const unknown = options.filter((option) => !usage.includes(`--${option}`));
      if (usage === "" || unknown.length > 0) faults.push(`${page}: ${call}`);
    }
  }
  assertEquals(faults, []);
});
