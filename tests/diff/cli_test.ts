import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Ran, runDeno, runModule } from "../support/run_module.ts";
import { stringify } from "yaml";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

const root = new URL("../../", import.meta.url).pathname;

const run = (...args: readonly string[]): Promise<Ran> => runModule("src/tools/diff/cli.ts", ...args);

/** A contract in a module: a name that must have a length, and a query of a pattern. */
function moduleWith(least: number, pattern: string): string {
  return `
    import { defineContract, request, response, route } from "${root}mod.ts";
    import { type } from "arktype";
    export const contract = defineContract({
      routes: {
        rename: route.patch("/users/:id", {
          query: type({ "q?": /${pattern}/ }),
          body: request.json(type({ name: "string >= ${least}" })),
          responses: { 204: response.empty() },
        }),
      },
    });
  `;
}

/** The output if nothing changed. */
const nothing = "wire: patch, package: patch\n";

function withFiles(test: (folder: string) => Promise<void>): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/before.ts`, moduleWith(1, "^[a-z]+$"));
    await Deno.writeTextFile(`${folder}/after.ts`, moduleWith(2, "^[a-z]+$"));
    await Deno.writeTextFile(`${folder}/unproven.ts`, moduleWith(1, "^[a-z0-9]+(?<!-)$"));
    await test(folder);
  }, `${root}tests/diff`); // below deno.json, whose imports it uses
}

Deno.test("diff/cli compares modules and documents, and fails on breaking changes", async () => {
  await withFiles(async (folder) => {
    const document = await runModule("src/tools/openapi/cli.ts", "--title=Users", "--version=1", `${folder}/before.ts`);
    await Deno.writeTextFile(`${folder}/pipe`, document.stdout); // without an extension, as the files of a shell's <(…)
    const line =
      'breaking  request-narrowed  rename  body /name  must have a length of 2 or more now, not 1  {"name":"a"}\n' +
      "wire: major, package: major\n";

    assertEquals(await run(`${folder}/before.ts`, `${folder}/after.ts`), { code: 1, stdout: line, stderr: "" });
    assertEquals(await run(`${folder}/pipe`, `${folder}/after.ts`), { code: 1, stdout: line, stderr: "" });
    assertEquals(await run(`${folder}/pipe`, `${folder}/before.ts`), { code: 0, stdout: nothing, stderr: "" });
    assertEquals((await run(`${folder}/before.ts`, `${folder}/after.ts`, "--fail-on=none")).code, 0);
    const json = await run(`${folder}/before.ts`, `${folder}/after.ts`, "--json");
    assertEquals(JSON.parse(json.stdout), [{
      verdict: "breaking",
      rule: "request-narrowed",
      route: "rename",
      where: "body /name",
      message: "must have a length of 2 or more now, not 1",
      witness: { name: "a" },
    }]);
  });
});

Deno.test("diff/cli reads YAML, and refuses anchors that would fill the memory", async () => {
  await withFiles(async (folder) => {
    const { stdout } = await runModule(
      "src/tools/openapi/cli.ts",
      "--title=Users",
      "--version=1",
      `${folder}/before.ts`,
    );
    await Deno.writeTextFile(`${folder}/openapi.yaml`, stringify(JSON.parse(stdout)));
    assertEquals(await run(`${folder}/openapi.yaml`, `${folder}/before.ts`), { code: 0, stdout: nothing, stderr: "" });
    assertStringIncludes(
      (await run(`${folder}/openapi.yaml`, `${folder}/after.ts`)).stdout,
      "breaking  request-narrowed  rename  body /name",
    );
    const levels = Array.from({ length: 20 }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`);
    await Deno.writeTextFile(`${folder}/bomb.yaml`, `a0: &a0 x\n${levels.join("\n")}\n`);
    const bomb = await run(`${folder}/bomb.yaml`, `${folder}/before.ts`);
    assertEquals([bomb.code, bomb.stderr], [
      1,
      `Cannot compare contracts: ${folder}/bomb.yaml must be a module, JSON or YAML; its anchors expand to more than 1 MB\n`,
    ]);
    await Deno.writeTextFile(`${folder}/cycle.yaml`, "a: &a [*a]\n");
    assertEquals((await run(`${folder}/cycle.yaml`, `${folder}/before.ts`)).code, 1);
  });
});

Deno.test("diff/cli fails on milder changes with --fail-on", async () => {
  await withFiles(async (folder) => {
    const milder = await run(`${folder}/before.ts`, `${folder}/unproven.ts`, "--samples=50");
    assertEquals(milder.code, 0);
    assertStringIncludes(
      milder.stdout,
      "unproven  request-changed  rename  query /q  pattern ^[a-z]+$ became ^[a-z0-9]+(?<!-)$;",
    );
    assertEquals((await run(`${folder}/before.ts`, `${folder}/unproven.ts`, "--fail-on=unproven")).code, 1);
    assertEquals((await run(`${folder}/after.ts`, `${folder}/before.ts`, "--fail-on=source")).code, 0);
    assertEquals((await run(`${folder}/after.ts`, `${folder}/before.ts`, "--fail-on=compatible")).code, 1);
  });
});

Deno.test("diff/cli accepts listed changes, and warns of those that do not occur", async () => {
  await withFiles(async (folder) => {
    const accept = `--accept=${folder}/accepted.txt`;
    const entry = "request-narrowed  rename  body /name  no client sends such names\n";
    await Deno.writeTextFile(
      `${folder}/accepted.txt`,
      `# decided in June\n\n${entry}route-removed\tusers.old\t-\tnobody calls it\n`,
    );

    assertEquals(await run(`${folder}/before.ts`, `${folder}/after.ts`, accept), {
      code: 0,
      stdout: "accepted  request-narrowed  rename  body /name  must have a length of 2 or more now, not 1  " +
        "(no client sends such names)\nwire: minor, package: minor\n",
      stderr: "Unused rule: route-removed  users.old  -\n",
    });
    await Deno.writeTextFile(`${folder}/accepted.txt`, entry.replace("/name", "/names"));
    assertEquals((await run(`${folder}/before.ts`, `${folder}/after.ts`, accept)).code, 1);
    await Deno.writeTextFile(`${folder}/accepted.txt`, "request-narrowed  rename  body /name\n");
    const { code, stderr } = await run(`${folder}/before.ts`, `${folder}/after.ts`, accept);
    assertEquals(code, 1);
    assertStringIncludes(
      stderr,
      "line 1: it lacks a field; write the rule, the route, the place (- for none) and a reason",
    );
  });
});

Deno.test("diff/cli applies a policy, checks a version, and writes annotations with the summary of a job", async () => {
  await withFiles(async (folder) => {
    const sides = [`${folder}/before.ts`, `${folder}/after.ts`];
    const ended = { rule: "request-*", route: "*", verdict: "compatible", until: "2020-12-31", why: "one consumer" };
    await Deno.writeTextFile(`${folder}/policy.json`, JSON.stringify({ failOn: "none", rules: [ended] }));
    const policy = `--policy=${folder}/policy.json`;

    const mild = await run(...sides, policy);
    assertEquals([mild.code, mild.stderr], [0, "Expired rule, since 2020-12-31: request-*  *  *\n"]);
    assertEquals((await run(...sides, policy, "--strict")).code, 1);
    assertEquals((await run(...sides, policy, "--fail-on=breaking")).code, 1);
    const unknown = await run(...sides, policy, "--version=1.5.0");
    assertEquals([unknown.code, unknown.stderr], [
      1,
      "Cannot compare contracts: --version needs the earlier version; compare with a package, or with a document that " +
      "has info.version\n",
    ]);
    const summary = `${folder}/summary.md`;
    const github = await runDeno(
      ["run", "-A", "--no-check", "--quiet", "src/tools/diff/cli.ts", ...sides, "--format=github"],
      { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: folder },
    );
    assertEquals(github, {
      code: 1,
      stdout:
        "::error file=after.ts,title=breaking request-narrowed::rename  body /name  must have a length of 2 or more " +
        'now, not 1  {"name":"a"}\nwire: major, package: major\n',
      stderr: "",
    });
    assertEquals(
      await Deno.readTextFile(summary),
      "### rename\n\n- **breaking** `rename` `body /name` must have a length of 2 or more now, not 1, for example " +
        '`{"name":"a"}` (request-narrowed)\n\nwire: major, package: major\n',
    );
  });
});

Deno.test("diff/cli writes a line for each change, whatever a document contains", async () => {
  await withFiles(async (folder) => {
    const operation = { operationId: "a\n::error::\u001b[2J", responses: { 200: { description: "" } } };
    const paths = { "/a": { get: operation } };
    await Deno.writeTextFile(`${folder}/before.json`, JSON.stringify({ openapi: "3.1.0", paths }));
    await Deno.writeTextFile(`${folder}/after.json`, JSON.stringify({ openapi: "3.1.0", paths: {} }));

    assertEquals(
      (await run(`${folder}/before.json`, `${folder}/after.json`)).stdout,
      "breaking  route-removed  a\\n::error::\\u001b[2J  -  GET /a was removed\nwire: major, package: major\n",
    );
  });
});

Deno.test("diff/cli writes no control characters, and its JSON stays what it was", async () => {
  await withFiles(async (folder) => {
    const hostile = "a\u001b[2J\u007f\u009b\u202e\u2028\n\udb40\udc41b";
    const content = {
      "application/json": { schema: { type: "object", properties: { [hostile]: { type: "string" } } } },
    };
    const documentOf = (responses: object) => ({
      openapi: "3.1.0",
      paths: { "/a": { get: { operationId: hostile, responses } } },
    });
    const write = (name: string, document: object) => Deno.writeTextFile(`${folder}/${name}`, JSON.stringify(document));
    await write("before.json", documentOf({ 200: { description: "", content } }));
    await write("after.json", documentOf({ 200: { description: "" } }));
    await write("lost.json", { openapi: "3.1.0", paths: { "/a": { $ref: `#/${hostile}` } } });
    await write("version.json", { openapi: hostile, paths: {} });
    await Deno.writeTextFile(`${folder}/accepted.txt`, `route-removed  a\u001b[2J  -  ok\u0007\n`);
    const runs = [
      await run(`${folder}/before.json`, `${folder}/after.json`, `--accept=${folder}/accepted.txt`),
      await run(`${folder}/before.json`, `${folder}/after.json`, "--json"),
      await run(`${folder}/before.json`, `${folder}/lost.json`),
      await run(`${folder}/before.json`, `${folder}/version.json`),
    ];
    for (const { stdout, stderr } of runs) assertEquals((stdout + stderr).match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/gu), null);
    assertEquals(runs.map(({ stderr }) => stderr.split("\n").length), [2, 2, 2, 2]);
    assertEquals(JSON.parse(runs[1]!.stdout)[0].route, hostile);
  });
});

Deno.test("diff/cli reads documents of several files, below their folder, and Swagger 2.0", async () => {
  await withFiles(async (folder) => {
    const write = async (path: string, text: string): Promise<string> => {
      await Deno.mkdir(`${folder}/${path.slice(0, path.lastIndexOf("/"))}`, { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
      return `${folder}/${path}`;
    };
    const writeAll = async (name: string, type: string): Promise<string> => {
      await write(
        `${name}/paths/a.json`,
        JSON.stringify({ get: { operationId: "a", responses: { $ref: "../all.yaml#/a" } } }),
      );
      const content = { "application/json": { schema: { type } } };
      await write(`${name}/all.yaml`, stringify({ a: { 200: { description: "", content } } }));
      return await write(
        `${name}/api.yaml`,
        stringify({ openapi: "3.1.0", paths: { "/a": { $ref: "./paths/a.json" } } }),
      );
    };
    const [old, young] = [await writeAll("old", "string"), await writeAll("young", "integer")];
    const line = "breaking  response-widened  a  200  may be a number now  0\nwire: major, package: major\n";

    assertEquals(await run(old, old), { code: 0, stdout: nothing, stderr: "" });
    assertEquals(await run(old, young), { code: 1, stdout: line, stderr: "" });
    const swagger = (type: string) => ({
      swagger: "2.0",
      paths: { "/a": { get: { operationId: "a", responses: { 200: { description: "", schema: { type } } } } } },
    });
    const [before, after] = [
      await write("swagger/before.yaml", stringify(swagger("string")).replace('"2.0"', "2.0")),
      await write("swagger/after.json", JSON.stringify(swagger("integer"))),
    ];
    assertEquals((await run(before, after)).stdout, line);
    assertEquals(await run(before, old), { code: 0, stdout: nothing, stderr: "" });

    const outside = await write(
      "inner/api.json",
      JSON.stringify({ openapi: "3.1.0", paths: { "/a": { $ref: "../old/paths/a.json" } } }),
    );
    const refused = await run(outside, old);
    assertEquals([refused.code, refused.stderr], [
      1,
      `Cannot compare contracts: the document refers to ${folder}/old/paths/a.json, which is not below ${folder}/inner; ` +
      "pass --root with a folder that contains both\n",
    ]);
    assertEquals((await run(outside, young, `--root=${folder}`)).stdout, line);
    const lost = await write(
      "lost/api.json",
      JSON.stringify({ openapi: "3.1.0", paths: { "/a": { $ref: "lost.json" } } }),
    );
    assertEquals((await run(lost, old)).stderr, `Cannot compare contracts: ${folder}/lost/lost.json does not exist\n`);
  });
});

Deno.test("diff/cli explains invalid arguments", async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["mod.ts"], "Cannot compare contracts: pass <before> and <after>"],
    [["mod.ts", "mod.ts", "--against=git:main"], "Cannot compare contracts: pass one <after>"],
    [["mod.ts", "mod.ts", "--format=html"], "--format must be one of text, json, markdown and github, got html"],
    [["mod.ts", "mod.ts", "--format=github", "--json"], "--json excludes another --format"],
    [["mod.ts", "mod.ts", "--policy=none.json"], "Cannot compare contracts: none.json does not exist"],
    [["mod.ts", "mod.ts"], "Cannot compare contracts: mod.ts must export contract; name another export by --export"],
    [["README.md", "mod.ts"], "Cannot compare contracts: README.md must be a module, JSON or YAML"],
    [["deno.json", "deno.json"], "must be made by defineContract() or be an OpenAPI document, got "],
    [
      ["examples/users/openapi.json", "examples/users/openapi.json", "--fail-on=all"],
      "--fail-on must be one of breaking, unproven, source, compatible and none, got all",
    ],
    [
      ["examples/users/openapi.json", "examples/users/openapi.json", "--samples=x"],
      "--samples must be a non-negative integer, got x",
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stderr, stdout } = await run(...args);
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, message);
  }
  assertStringIncludes((await run("--help")).stdout, "npx -y -p @scope/api scope-api-diff [options] <before> <after>");
});

for (const [name, file] of Object.entries({ users: "contract", auth: "contract", tasks: "contract", chat: "docs" })) {
  Deno.test(`the ${name} example does not break clients of its released document`, async () => {
    const { code, stdout } = await run(
      "--fail-on=unproven",
      `examples/${name}/openapi.json`,
      `examples/${name}/${file}.ts`,
    );
    assertEquals([code, stdout.split("\n").filter((line) => /^(?:breaking|unproven)/.test(line))], [0, []]);
  });
}
