import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { run, type Server, startPrinting } from "../command.ts";
import { emptyFolder, install, nodePath, tarball } from "../kit.ts";
import { advance, once } from "../once.ts";

/** The official SDK of the Model Context Protocol, in the range of the project, and its conformance suite. */
const sdk = ["server", "client"].map((name) => {
  const imports: Readonly<Record<string, string>> = config.imports;
  return imports[`@modelcontextprotocol/${name}`]?.replace("npm:", "") ?? name;
});
const suite = "@modelcontextprotocol/conformance@0.1.16";

/** The scenarios of the suite for a server that has tools and nothing else. */
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "dns-rebinding-protection",
];

const folder = once(async () => {
  const folder = await emptyFolder("tools");
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  await install(folder, [await tarball(), "arktype", "srvx@^1.0.8", ...sdk, suite]);
  for (const entry of ["serve_tools.js", "call_tools.js"]) {
    await Deno.copyFile(new URL(`../entries/${entry}`, import.meta.url), `${folder}/${entry}`);
  }
  return folder;
});

/** Serves tools by the official SDK on Node, and calls them by its client and by its conformance suite. */
export function testTools(): void {
  for (const version of ["20", "24"]) {
    Deno.test(
      `the official SDK serves tools on Node ${version}, and its client calls them there`,
      advance(async () => {
        const server = await startServer(version);
        try {
          for (const pin of ["", "2026-07-28"]) {
            const args = ["call_tools.js", `${server.baseUrl}/mcp`, pin];
            const printed = await run({ command: await nodePath(version), args, cwd: await folder() });
            checkCalls(JSON.parse(printed), pin || "2025-11-25");
          }
        } finally {
          await server.stop();
        }
      }),
    );
  }

  Deno.test(
    "the conformance suite of the Model Context Protocol finds nothing in its scenarios of tools",
    advance(async () => {
      const server = await startServer("24");
      const cwd = await folder();
      const program = `${cwd}/node_modules/@modelcontextprotocol/conformance/dist/index.js`; // which Node 20 cannot run
      try {
        for (const scenario of scenarios) {
          const args = [program, "server", "--url", `${server.baseUrl}/mcp`, "--scenario", scenario];
          const printed = await run({ command: await nodePath("24"), args, cwd }); // it fails where it finds something
          assertMatch(printed, /Passed: ([1-9]\d*)\/\1, 0 failed/, scenario);
        }
      } finally {
        await server.stop();
      }
    }),
  );
}

async function startServer(version: string): Promise<Server> {
  return await startPrinting({ command: await nodePath(version), args: ["serve_tools.js"], cwd: await folder() });
}

interface Called {
  readonly version: string;
  readonly names: readonly string[];
  readonly results: readonly {
    readonly text: string;
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
  }[];
}

function checkCalls({ version, names, results }: Called, expected: string): void {
  assertEquals([version, names.slice(0, 3)], [expected, ["users_byId", "users_list", "users_create"]]);
  const [found, lost, list, invalid, wrong] = results;
  assertEquals(found, { text: '{"id":"42","name":"Ada"}', structuredContent: { id: "42", name: "Ada" } });
  assertEquals([lost?.isError, JSON.parse(lost?.text ?? "").detail], [true, "No user 7"]);
  assertEquals(list?.structuredContent, { result: [{ id: "42", name: "Ada" }] });
  assertEquals([invalid?.isError, JSON.parse(invalid?.text ?? "").issues[0].pointer], [true, "/name"]);
  assertStringIncludes(wrong?.text ?? "", 'must not have "name" (allowed: body)');
}
