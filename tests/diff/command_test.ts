import { assertEquals, assertStringIncludes } from "@std/assert";

const root = new URL("../../", import.meta.url).pathname;

/** What the command says and how it ends. */
interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

async function run(...args: readonly string[]): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", "diff_cli.ts", ...args],
    cwd: root,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), errors: decoder.decode(stderr) };
}

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

async function withFiles(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ dir: `${root}tests/diff` }); // below deno.json, whose imports it uses
  try {
    await Deno.writeTextFile(`${folder}/before.ts`, moduleWith(1, "^[a-z]+$"));
    await Deno.writeTextFile(`${folder}/after.ts`, moduleWith(2, "^[a-z]+$"));
    await Deno.writeTextFile(`${folder}/unproven.ts`, moduleWith(1, "^[a-z0-9]+$"));
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("diff/cli compares modules and documents, and fails on breaking changes", async () => {
  await withFiles(async (folder) => {
    const document = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--quiet",
        "openapi_cli.ts",
        "--title=Users",
        "--version=1",
        `${folder}/before.ts`,
      ],
      cwd: root,
    }).output();
    await Deno.writeFile(`${folder}/pipe`, document.stdout); // without an extension, as the files of a shell's <(…)
    const line =
      'breaking  request-narrowed  rename  body /name  must have a length of 2 or more now, not 1  {"name":"a"}\n';

    assertEquals(await run(`${folder}/before.ts`, `${folder}/after.ts`), { code: 1, output: line, errors: "" });
    assertEquals(await run(`${folder}/pipe`, `${folder}/after.ts`), { code: 1, output: line, errors: "" });
    assertEquals(await run(`${folder}/pipe`, `${folder}/before.ts`), { code: 0, output: "", errors: "" });
    assertEquals((await run(`${folder}/before.ts`, `${folder}/after.ts`, "--fail-on=none")).code, 0);
    const json = await run(`${folder}/before.ts`, `${folder}/after.ts`, "--json");
    assertEquals(JSON.parse(json.output), [{
      verdict: "breaking",
      rule: "request-narrowed",
      route: "rename",
      where: "body /name",
      message: "must have a length of 2 or more now, not 1",
      witness: { name: "a" },
    }]);
  });
});

Deno.test("diff/cli fails on milder changes if it is told to", async () => {
  await withFiles(async (folder) => {
    const milder = await run(`${folder}/before.ts`, `${folder}/unproven.ts`, "--samples=50");
    assertEquals(milder.code, 0);
    assertStringIncludes(
      milder.output,
      "unproven  request-changed  rename  query /q  pattern ^[a-z]+$ became ^[a-z0-9]+$;",
    );
    assertEquals((await run(`${folder}/before.ts`, `${folder}/unproven.ts`, "--fail-on=unproven")).code, 1);
    assertEquals((await run(`${folder}/after.ts`, `${folder}/before.ts`, "--fail-on=source")).code, 0);
    assertEquals((await run(`${folder}/after.ts`, `${folder}/before.ts`, "--fail-on=compatible")).code, 1);
  });
});

Deno.test("diff/cli lets accepted changes pass, and says which ones are not there", async () => {
  await withFiles(async (folder) => {
    const accept = `--accept=${folder}/accepted.txt`;
    const entry = "request-narrowed  rename  body /name  no client sends such names\n";
    await Deno.writeTextFile(
      `${folder}/accepted.txt`,
      `# decided in June\n\n${entry}route-removed\tusers.old\t-\tnobody calls it\n`,
    );

    assertEquals(await run(`${folder}/before.ts`, `${folder}/after.ts`, accept), {
      code: 0,
      output:
        "accepted  request-narrowed  rename  body /name  must have a length of 2 or more now, not 1  (no client sends such names)\n",
      errors: "Accepted, but not there: route-removed  users.old  -\n",
    });
    await Deno.writeTextFile(`${folder}/accepted.txt`, "request-narrowed  rename  body /name\n");
    const { code, errors } = await run(`${folder}/before.ts`, `${folder}/after.ts`, accept);
    assertEquals(code, 1);
    assertStringIncludes(
      errors,
      "line 1 lacks a field; write the rule, the route, the place (- for none) and a reason",
    );
  });
});

Deno.test("diff/cli says what is wrong with its arguments", async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["mod.ts"], "Cannot compare contracts: name two contracts"],
    [["mod.ts", "mod.ts"], "Cannot compare contracts: mod.ts has no export contract; name another by --export"],
    [["README.md", "mod.ts"], "Cannot compare contracts: README.md is neither a module nor JSON"],
    [["deno.json", "deno.json"], "and is not an OpenAPI document"],
    [
      ["examples/users/openapi.json", "examples/users/openapi.json", "--fail-on=all"],
      "--fail-on=all is not one of breaking",
    ],
    [["examples/users/openapi.json", "examples/users/openapi.json", "--samples=x"], "--samples=x is not a number"],
  ];
  for (const [args, message] of cases) {
    const { code, errors, output } = await run(...args);
    assertEquals([code, output], [1, ""]);
    assertStringIncludes(errors, message);
  }
  assertStringIncludes((await run("--help")).output, "npx scope-api-diff [options] <before> <after>");
});

for (const name of ["users", "auth", "tasks"]) {
  Deno.test(`the ${name} example breaks no client of the document that it was released with`, async () => {
    const { code, output } = await run(
      "--fail-on=unproven",
      `examples/${name}/openapi.json`,
      `examples/${name}/contract.ts`,
    );
    assertEquals([code, output.split("\n").filter((line) => /^(?:breaking|unproven)/.test(line))], [0, []]);
  });
}
