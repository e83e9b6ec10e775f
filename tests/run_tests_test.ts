/** `deno task ok` must not skip tests of files that have not passed, and tests must run without code generation. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { inTemporaryFolder } from "./support/temporary_folder.ts";

const scripts = new URL("../scripts/", import.meta.url);

/** Runs the script of `deno task test` in a project of one test, and returns its exit code and what it did. */
async function runTests(folder: string, ...options: readonly string[]): Promise<readonly [code: number, did: string]> {
  const args = ["run", "--allow-all", "--no-config", `${folder}/scripts/run_tests.ts`, ...options];
  const command = new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" }, stdin: "null" });
  const { code, stdout } = await command.output();
  const isRun = /\d passed/.test(new TextDecoder().decode(stdout));
  return [code, isRun ? "ran" : "skipped"];
}

async function writeScripts(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/scripts`);
  for (const name of ["run_tests.ts", "realms.ts"]) {
    await Deno.copyFile(new URL(name, scripts), `${folder}/scripts/${name}`);
  }
}

Deno.test("deno task test --unless-passed skips the tests only if a whole run has passed with the same files", () =>
  inTemporaryFolder(async (folder) => {
    await writeScripts(folder);
    await Deno.writeTextFile(`${folder}/.gitignore`, ".reports/\n");
    await Deno.writeTextFile(`${folder}/a_test.ts`, `Deno.test("passes", () => {});\n`);

    assertEquals(await runTests(folder, "--unless-passed"), [0, "ran"], "not a Git repository");
    assertEquals(await runTests(folder, "--unless-passed"), [0, "ran"], "not a Git repository, again");

    await new Deno.Command("git", { args: ["init", "--quiet"], cwd: folder }).output();
    assertEquals(await runTests(folder, "a_test.ts"), [0, "ran"]);
    assertEquals(await runTests(folder, "--unless-passed"), [0, "ran"], "only a run with options has passed");
    assertEquals(await runTests(folder, "--unless-passed"), [0, "skipped"]);
    assertEquals(await runTests(folder), [0, "ran"]);

    await Deno.writeTextFile(`${folder}/a_test.ts`, `Deno.test("fails", () => { throw new Error(); });\n`);
    assertEquals(await runTests(folder, "--unless-passed"), [1, "ran"], "a file differs");
    assertEquals(await runTests(folder, "--unless-passed"), [1, "ran"], "a run has failed");
  }));

Deno.test("deno task test runs every code block, and neither tests nor blocks that the configuration excludes", () =>
  inTemporaryFolder(async (folder) => {
    const [fails, block] = [`throw new Error("ran");\n`, (code: string) => `\`\`\`ts\n${code}\`\`\`\n`];
    await writeScripts(folder);
    await Deno.mkdir(`${folder}/npm`);
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ exclude: ["npm/"] }));
    await Deno.writeTextFile(`${folder}/npm/a_test.ts`, fails);
    await Deno.writeTextFile(`${folder}/npm/README.md`, block(fails));
    await Deno.writeTextFile(`${folder}/b_test.ts`, `Deno.test("passes", () => {});\n`);
    await Deno.writeTextFile(`${folder}/lib.ts`, "export const one = 1;\n");
    const passes = `import { one } from "./lib.ts";\nif (one !== 1) throw new Error();\n`;
    await Deno.writeTextFile(`${folder}/README.md`, block(passes) + block(fails).replace("ts", "ts ignore"));
    assertEquals(await runTests(folder), [0, "ran"]);

    const comment = `/**\n${block(fails)}`.replaceAll("\n", "\n   * ") + "/";
    await Deno.writeTextFile(
      `${folder}/lib.ts`,
      `export interface Lib {\n  ${comment}\n  readonly one: 1;\n}\nexport const one = 1;\n`,
    );
    assertEquals(await runTests(folder), [1, "ran"], "a block of a comment fails");
  }));

Deno.test("deno task test runs code blocks of each language that Deno runs, however they are fenced", () =>
  inTemporaryFolder(async (folder) => {
    await writeScripts(folder);
    const blocks = ["ts", "tsx", "mts", "js", "typescript", "javascript"]
      .map((language, index) =>
        `- a block:\r\n\r\n  \`\`\`${language}\r\n  globalThis.ran = ${index};\r\n  \`\`\`  \r\n`
      );
    await Deno.writeTextFile(`${folder}/README.md`, `${blocks.join("\r\n")}\r\n\`\`\`\`ts\r\nthrow 1;\r\n\`\`\`\`\r\n`);
    await Deno.writeTextFile(`${folder}/b_test.ts`, `Deno.test("passes", () => {});\n`);
    const args = ["run", "--allow-all", "--no-config", `${folder}/scripts/run_tests.ts`];
    const { stdout } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" }, stdin: "null" })
      .output();

    assertStringIncludes(new TextDecoder().decode(stdout), "7 passed | 1 failed");
  }));

Deno.test("deno task test runs tests where code cannot be created from strings, except those whose tools create it", () =>
  inTemporaryFolder(async (folder) => {
    await writeScripts(folder);
    await Deno.mkdir(`${folder}/tests/openapi`, { recursive: true });
    const throws = `let error; try { new Function("") } catch (thrown) { error = thrown; }\n`;
    const strict =
      `Deno.test("strict", () => { ${throws} if (!(error instanceof EvalError)) throw new Error("made"); });`;
    const lenient = `Deno.test("lenient", () => { ${throws} if (error) throw error; });`;
    await Deno.writeTextFile(`${folder}/tests/a_test.ts`, strict);
    await Deno.writeTextFile(`${folder}/tests/openapi/b_test.ts`, lenient);
    assertEquals(await runTests(folder), [0, "ran"]);

    await Deno.writeTextFile(`${folder}/tests/openapi/b_test.ts`, strict);
    assertEquals(await runTests(folder), [1, "ran"], "a test of the second run fails");
    await Deno.writeTextFile(`${folder}/tests/openapi/b_test.ts`, lenient);
    await Deno.writeTextFile(`${folder}/tests/a_test.ts`, lenient);
    assertEquals(await runTests(folder), [1, "ran"], "a test of the first run fails");
  }));
