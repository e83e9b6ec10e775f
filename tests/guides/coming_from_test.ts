/** The code of other libraries in the guides docs/coming-from-*.md compiles with those libraries. */
import { assert, assertEquals } from "@std/assert";
import { runDeno } from "../support/run_module.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

const root = new URL("../../", import.meta.url);

/** The guides whose library the benchmark depends on. */
const guides = ["hono", "orpc", "ts-rest", "trpc"];

/** The first block of a guide: the API in the other library. */
async function foreignCode(guide: string): Promise<string> {
  const text = await Deno.readTextFile(new URL(`docs/coming-from-${guide}.md`, root));
  const [, code] = text.match(/^```ts ignore\n(.*?)^```$/ms) ?? [];
  assert(code, `docs/coming-from-${guide}.md has no code of the library`);
  return code;
}

/** A configuration with the packages of the benchmark and those of the tests. */
async function writeConfig(folder: string): Promise<string> {
  const [own, bench] = await Promise.all(["deno.json", "bench/deno.json"].map(readConfig));
  const packages = Object.entries({ ...own?.imports, ...bench?.imports }).filter(([, to]) => to.startsWith("npm:"));
  const config = { imports: Object.fromEntries(packages), compilerOptions: bench?.compilerOptions };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
  return `${folder}/deno.json`;
}

interface Config {
  readonly imports: Readonly<Record<string, string>>;
  readonly compilerOptions: object;
}

async function readConfig(file: string): Promise<Config> {
  return JSON.parse(await Deno.readTextFile(new URL(file, root)));
}

Deno.test("the code of other libraries in the migration guides compiles", () =>
  inTemporaryFolder(async (folder) => {
    const config = await writeConfig(folder);
    for (const guide of guides) await Deno.writeTextFile(`${folder}/${guide}.ts`, await foreignCode(guide));
    const { code, stderr } = await runDeno(["check", "--no-lock", "--quiet", `--config=${config}`, folder]);

    assertEquals(code, 0, stderr);
  }));

Deno.test("the code of FastAPI in its guide is Python, with the routes and models of the document beside it", async () => {
  const page = await Deno.readTextFile(new URL("docs/coming-from-fastapi.md", root));
  const [, code = ""] = page.match(/^```python\n(.*?)^```$/ms) ?? [];
  const args = ["-c", "import ast, sys; print(ast.dump(ast.parse(sys.argv[1])).count('FunctionDef'))", code];
  const parsed = await new Deno.Command("python3", { args }).output().catch(() => undefined);

  if (parsed === undefined) console.warn("SKIPPED: python3 is not installed");
  else assertEquals(new TextDecoder().decode(parsed.stdout), "4\n");
  for (const name of ["User", "Message"]) {
    assert(code.includes(`class ${name}(BaseModel)`) && page.includes(`#/components/schemas/${name}`));
  }
});
