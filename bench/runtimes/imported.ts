/** The time that an editor takes to complete in a program that imports the contract of a large OpenAPI document. */
import { run } from "../../tests/runtimes/command.ts";
import { emptyFolder, npmInstall, tarball } from "../../tests/runtimes/kit.ts";
import type { Section } from "../report/section.ts";
import { compilerOptions, formatTimes, startEditors, timeEditor } from "./editors.ts";
import { packagesOf } from "./install.ts";
import { compilers } from "./types.ts";

/** The package with GitHub's document, as GitHub publishes it. */
const source = "@octokit/openapi@23.0.2";

const text =
  `All of GitHub's document (\`${source}\`), imported with Zod by [scope-api-import](../docs/import.md), which writes
interfaces beside the contract. A cell is the median and the 95th percentile of 20, in milliseconds, each after a change
of the text of a module that creates a client: the members of \`client.repos\`, and the type of a property of a result.`;

const program = `import { createClient } from "@scope/api/client";
import { contract } from "./github/mod.ts";
const client = createClient(contract, { baseUrl: "https://api.github.com" });
const result = await client.repos.get({ params: { owner: "denoland", repo: "deno" } });
const name = result.status === 200 && result.body.full_name;
`;

/** Measures both language servers. */
export async function measureImported(short: boolean): Promise<Section> {
  const folder = await emptyFolder("imported");
  const cwd = `${folder}/program`;
  await Deno.mkdir(cwd);
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  await npmInstall(folder, [await tarball(), ...packagesOf(["zod"]), ...compilers, source]);
  const document = "../node_modules/@octokit/openapi/generated/api.github.com.json";
  await run({ command: "../node_modules/.bin/scope-api-import", args: ["--out", "github", document], cwd });
  await Deno.writeTextFile(`${cwd}/main.ts`, program);
  await Deno.writeTextFile(`${cwd}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ["main.ts"] }));
  const rows: string[][] = [];
  for (const [version, start] of Object.entries(startEditors)) {
    console.error(`imported, ${version}`);
    await using editor = await start(cwd, "main.ts");
    const asked = {
      text: program,
      typed: "client.repos.",
      member: "listForOrg",
      variable: "const n",
      property: "string",
    };
    const { members, types } = await timeEditor(editor, asked, short ? 2 : 20);
    rows.push([version, formatTimes(members), formatTimes(types)]);
  }
  const head = ["GitHub", "members, ms", "type, ms"];
  return { title: "Types of an imported contract", text, tables: [{ head, rows }], figures: [] };
}
