import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import ts from "typescript";
import { type Ran, runModule } from "../support/run_module.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

const root = new URL("../../", import.meta.url);
const reports = new URL(".reports/", root);
await Deno.mkdir(reports, { recursive: true });

const runCommand = (...args: readonly string[]): Promise<Ran> => runModule("slim_cli.ts", ...args);

const contractText = `
import { defineContract, response, route } from "@scope/api";
import { Day } from "./codecs.ts";
const routes = { day: route.get("/day", { responses: { 200: response.json(Day) } }) };
export const contract = defineContract({ routes });
export const api = contract;
`;

const codecsText = `
import { codec } from "@scope/api";
import { type } from "arktype";
export const Day = codec(type("string"), type("Date"), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
`;

/** Runs a test with a folder that has a contract and its codecs. */
function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/contract.ts`, contractText);
    await Deno.writeTextFile(`${folder}/codecs.ts`, codecsText);
    await test(folder);
  }, reports.pathname);
}

const written =
  `// Written by @scope/api/slim/cli from ./contract.ts. If it is out of date, it does not compile: write it again.
import { json, type SlimContract, slimContract } from "@scope/api/slim";
import type { contract as whole } from "./contract.ts";
import { Day } from "./codecs.ts";

export const contract: SlimContract<typeof whole> = slimContract<typeof whole>({
  day: ["GET", "/day", {}, { 200: [json, { codec: Day }] }],
});
`;

/** The arguments that write a folder's contract. */
function argsFor(folder: string): string[] {
  return [`${folder}/contract.ts`, `--codecs=${folder}/codecs.ts`, `--out=${folder}/contract.slim.ts`];
}

Deno.test("the slim command writes a file that a client accepts, and prints nothing", () =>
  inFolder(async (folder) => {
    assertEquals(await runCommand(...argsFor(folder)), { code: 0, stdout: "", stderr: "" });
    assertEquals(await Deno.readTextFile(`${folder}/contract.slim.ts`), written);

    await Deno.writeTextFile(
      `${folder}/page.ts`,
      `import { createClient } from "@scope/api/client";
      import { contract } from "./contract.slim.ts";
      const client = createClient(contract, { baseUrl: "http://localhost", fetch: () => Response.json("2026-06-01") });
      const { body }: { readonly body: Date } = await client.day();
      console.log(body.toISOString());`,
    );
    const args = ["run", "--check", "--allow-net", "--quiet", `${folder}/page.ts`];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
    assertEquals(new TextDecoder().decode(stdout), "2026-06-01T00:00:00.000Z\n", new TextDecoder().decode(stderr));
  }));

Deno.test("the slim command writes paths relative to the file, and accepts another library and export", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/web`);
    const out = `${folder}/web/contract.ts`;
    const options = [`--codecs=${folder}/codecs.ts`, `--out=${out}`, "--export=api", "--library=jsr:@scope/api/slim"];
    assertEquals((await runCommand(`${folder}/contract.ts`, ...options)).stderr, "");

    const text = await Deno.readTextFile(out);
    assertStringIncludes(text, 'from "jsr:@scope/api/slim";\n');
    assertStringIncludes(
      text,
      'import type { api as whole } from "../contract.ts";\nimport { Day } from "../codecs.ts";\n',
    );
    assertStringIncludes(text, "export const api: SlimContract<typeof whole> =");
  }));

Deno.test("the slim command can write another extension, for compilers that refuse .ts in imports", () =>
  inFolder(async (folder) => {
    assertEquals((await runCommand(...argsFor(folder), "--extension=.js")).stderr, "");

    const text = await Deno.readTextFile(`${folder}/contract.slim.ts`);
    assertStringIncludes(text, 'from "./contract.js";\nimport { Day } from "./codecs.js";\n');
  }));

Deno.test("the slim command checks that a file is up to date", () =>
  inFolder(async (folder) => {
    const out = `${folder}/contract.slim.ts`;
    const check = (): Promise<Ran> => runCommand(...argsFor(folder), "--check");

    const missing = await check();
    assertEquals([missing.code, missing.stdout], [1, ""]);
    assertStringIncludes(missing.stderr, `${out} does not exist; run the same command without --check`);
    await Deno.writeTextFile(out, written.replace("/day", "/days"));
    const outdated = await check();
    assertEquals(outdated.code, 1);
    assertStringIncludes(outdated.stderr, `${out} is out of date; run the same command without --check`);
    assertStringIncludes(await Deno.readTextFile(out), "/days"); // it has written nothing
    await Deno.writeTextFile(out, written.replaceAll("\n", "\r\n")); // as Git may check it out
    assertEquals(await check(), { code: 0, stdout: "", stderr: "" });
  }));

/** What the command refuses, and words of what it says. */
const refused: Readonly<Record<string, readonly [args: readonly string[], words: string]>> = {
  "no module": [["--out=a.ts"], "pass one <module>"],
  "two modules": [["a.ts", "b.ts", "--out=c.ts"], "pass one <module>"],
  "no file": [["a.ts"], "--out is required"],
  "a module that is not there": [["./nowhere.ts", "--out=a.ts"], "nowhere.ts"],
  "an export that is not there": [
    ["examples/users/contract.ts", "--out=a.ts", "--export=api"],
    "must export api; name another export by --export",
  ],
  "a default export": [
    ["examples/users/contract.ts", "--out=a.ts", "--export=default"],
    "must be the name of a named export",
  ],
  "an unknown option": [["examples/users/contract.ts", "--outt=a.ts"], "--outt"],
  "an export that is no contract": [["./openapi.ts", "--out=a.ts", "--export=docsPage"], "defineContract()"],
};

for (const [name, [args, words]] of Object.entries(refused)) {
  Deno.test(`the slim command refuses ${name} with exit code 1 and writes nothing`, async () => {
    const { code, stdout, stderr } = await runCommand(...args);

    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, words);
    assert(!stderr.includes("    at "), stderr); // says what is wrong, not where in our code
    assertEquals(await Deno.stat(new URL("a.ts", root)).catch(() => undefined), undefined);
  });
}

Deno.test("the slim command explains that a missing codec must be exported", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/others.ts`, "export {};");
    const { code, stderr } = await runCommand(
      `${folder}/contract.ts`,
      `--codecs=${folder}/others.ts`,
      `--out=${folder}/contract.slim.ts`,
    );

    assertEquals(code, 1);
    assertMatch(stderr, /the codec of the response 200 of day must be exported by .*others\.ts; export it/);
  }));

Deno.test("the slim command prints its usage", async () => {
  const { code, stdout } = await runCommand("--help");

  assertEquals(code, 0);
  assertStringIncludes(stdout, "--codecs <module>");
});

/** The compiler options that say what becomes of imports and of types. */
const compilers: Readonly<Record<string, ts.CompilerOptions>> = {
  "no option": {},
  verbatimModuleSyntax: { verbatimModuleSyntax: true },
  isolatedModules: { isolatedModules: true },
  "erasableSyntaxOnly": { erasableSyntaxOnly: true },
};

for (const [name, options] of Object.entries(compilers)) {
  Deno.test(`the written file, compiled with ${name}, imports nothing of the whole contract`, () => {
    const compilerOptions = { ...options, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext };
    const { outputText, diagnostics } = ts.transpileModule(written, { compilerOptions, reportDiagnostics: true });

    assertEquals(diagnostics, []);
    assertEquals(outputText.match(/from "[^"]*"/g), ['from "@scope/api/slim"', 'from "./codecs.ts"']);
  });
}

Deno.test("the written file declares its type, as isolatedDeclarations requires", () => {
  const compilerOptions = { isolatedDeclarations: true, declaration: true };
  const { outputText, diagnostics } = ts.transpileDeclaration(written, { compilerOptions, reportDiagnostics: true });

  assertEquals(diagnostics, []);
  assertStringIncludes(outputText, "export declare const contract: SlimContract<typeof whole>;");
});
