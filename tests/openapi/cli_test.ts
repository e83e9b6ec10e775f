import { openApiDocument } from "@scope/api/openapi";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { contract } from "../../examples/users/contract.ts";
import { type Ran, runModule } from "../support/run_module.ts";

const root = new URL("../../", import.meta.url);

const runCommand = (...args: readonly string[]): Promise<Ran> => runModule("src/tools/openapi/cli.ts", ...args);

/** Runs the command on a module of this text, which is written to the root of the project. */
async function runOn(text: string, ...args: readonly string[]): Promise<Ran> {
  const path = await Deno.makeTempFile({ dir: new URL(".reports", root).pathname, suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, text);
    return await runCommand(path, ...args);
  } finally {
    await Deno.remove(path);
  }
}

const declared = `
import { defineContract, request, response, route } from "@scope/api";
const responses = { 200: response.empty() };
const routes = { leaf: route.get("/leaf", { responses, docs: { summary: "Leaf" } }) };
`;

await Deno.mkdir(new URL(".reports", root), { recursive: true });

Deno.test("the command writes the document of a module's contract", async () => {
  const { code, stdout, stderr } = await runCommand(
    "./examples/users/contract.ts",
    "--title",
    "Users",
    "--version",
    "1.2.3",
  );

  assertEquals([code, stderr], [0, ""]);
  assertEquals(JSON.parse(stdout), openApiDocument(contract, { info: { title: "Users", version: "1.2.3" } }));
  assert(stdout.endsWith("}\n"));
});

Deno.test("the command accepts the URL of a module", async () => {
  const url = new URL("examples/users/contract.ts", root).href;
  const { code, stderr } = await runCommand(url, "--title=Users", "--version=1");

  assertEquals([code, stderr], [0, ""]);
});

Deno.test("the command uses the exports of a module: contract under another name, info and options", async () => {
  const { code, stdout, stderr } = await runOn(
    `${declared}
    export const api = defineContract({ routes });
    export const info = { title: "Leaves", version: "2.0.0" };
    export const openApiOptions = { tags: [{ name: "leaf" }] };`,
    "--export=api",
    "--version=3.0.0",
    "--openapi=3.2",
  );

  assertEquals([code, stderr], [0, ""]);
  const { openapi, info, tags } = JSON.parse(stdout);
  assertEquals([openapi, info], ["3.2.0", { title: "Leaves", version: "3.0.0" }]);
  assertEquals(tags, [{ name: "leaf" }]);
});

/** Mistakes that the command rejects, and a part of each message. */
const refused: Readonly<Record<string, readonly [args: readonly string[], words: string]>> = {
  "no module": [[], "pass one <module>"],
  "two modules": [["a.ts", "b.ts"], "pass one <module>"],
  "a module that is not there": [["./nowhere.ts"], "nowhere.ts"],
  "an export that is not there": [
    ["examples/users/contract.ts", "--export=api"],
    "must export api; name another export by --export",
  ],
  "an unknown option": [["examples/users/contract.ts", "--titel=Users"], "--titel"],
  "a document without a title": [["examples/users/contract.ts", "--version=1"], "--title"],
  "a document without a version": [["examples/users/contract.ts", "--title=Users"], "--version"],
  "an export that is no contract": [
    ["./src/tools/openapi/mod.ts", "--export=docsPage", "--title=a", "--version=1"],
    "defineContract()",
  ],
};

for (const [name, [args, words]] of Object.entries(refused)) {
  Deno.test(`the command refuses ${name} with exit code 1 and writes nothing`, async () => {
    const { code, stdout, stderr } = await runCommand(...args);

    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, words);
    assert(!stderr.includes("    at "), stderr); // names the mistake, not a place in our code
  });
}

Deno.test("the command prints its usage", async () => {
  const { code, stdout } = await runCommand("--help");

  assertEquals(code, 0);
  assertStringIncludes(stdout, "--export <name>");
});

Deno.test("the command writes OpenAPI 3.0, and lists on the standard error what it cannot say", async () => {
  const { code, stdout, stderr } = await runOn(
    `${declared}
    const pair = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }), jsonSchema: {
      output: () => ({ type: "array", prefixItems: [{ type: "string" }], items: false }),
    } } };
    export const contract = defineContract({
      routes: { ...routes, pair: route.get("/pair", { responses: { 200: response.json(pair) } }) },
    });
    export const info = { title: "Leaves", version: "2.0.0" };`,
    "--openapi=3.0",
  );
  const { openapi, paths } = JSON.parse(stdout);

  assertEquals([code, openapi], [0, "3.0.3"]);
  assertEquals(paths["/pair"].get.responses["200"].content["application/json"].schema, {
    type: "array",
    items: { type: "string" },
    maxItems: 1,
  });
  assertEquals(
    stderr,
    "Not in OpenAPI 3.0: prefixItems of " +
      "#/paths/~1pair/get/responses/200/content/application~1json/schema/prefixItems\n",
  );
});

Deno.test("the command adds the prose of the module that --document names", async () => {
  const folder = "./examples/import/shop";
  const { code, stdout, stderr } = await runCommand(`${folder}/contract.ts`, `--document=${folder}/document.ts`);

  assertEquals([code, stderr], [0, ""]);
  assertEquals(JSON.parse(stdout).servers, [{ url: "https://shop.example.com" }]);
  const missing = await runCommand(`${folder}/contract.ts`, `--document=${folder}/contract.ts`);
  assertEquals([missing.code, missing.stdout], [1, ""]);
  assertStringIncludes(missing.stderr, "contract.ts must export document");
});
