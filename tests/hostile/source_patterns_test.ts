/**
 * Every regular expression of the source takes linear time, whatever the text: literals, and those that `RegExp`
 * receives, which may be built from strings.
 */
import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import { readFolder } from "../support/read_folder.ts";
import { runModule } from "../support/run_module.ts";
import { findAttack } from "../support/slow_patterns.ts";

const root = new URL("../../", import.meta.url);
const source = await readFolder(new URL("src", root).pathname);

/** Lists the nodes of a module. */
function* nodesOf(code: string): Generator<ts.Node> {
  const waiting: ts.Node[] = [ts.createSourceFile("code.ts", code, ts.ScriptTarget.Latest, true)];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    ts.forEachChild(node, (child) => void waiting.push(child));
  }
}

function literalsOf(code: string): RegExp[] {
  return [...nodesOf(code)].filter(ts.isRegularExpressionLiteral).map(({ text }) => {
    const end = text.lastIndexOf("/");
    return new RegExp(text.slice(1, end), text.slice(end + 1));
  });
}

/** Returns the regular expressions that `RegExp` receives while modules are loaded. */
async function builtBy(modules: readonly string[]): Promise<RegExp[]> {
  const { code, stdout, stderr } = await runModule("tests/support/record_patterns.ts", ...modules);
  assertEquals([code, stderr], [0, ""]);
  return JSON.parse(stdout).map(([pattern, flags]: [string, string]) => new RegExp(pattern, flags));
}

function callsRegExp(code: string): boolean {
  return [...nodesOf(code)].some((node) =>
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && /\bRegExp$/.test(node.expression.getText())
  );
}

// proves promises | Every regular expression of the source takes linear time
Deno.test("every regular expression of the source takes linear time, also those that are built from strings", async () => {
  const modules = Object.keys(source).filter((path) => !path.endsWith("/cli.ts")) // a program runs when it is imported
    .map((path) => new URL(`src/${path}`, root).href);
  const patterns = new Map<string, readonly [place: string, pattern: RegExp]>();
  for (const [path, code] of Object.entries(source)) {
    for (const pattern of literalsOf(code)) patterns.set(String(pattern), [path, pattern]);
  }
  const literals = patterns.size;
  for (const pattern of await builtBy(modules)) patterns.set(String(pattern), ["built from strings", pattern]);
  const slow = [...patterns.values()].flatMap(([place, pattern]) => {
    const attack = findAttack(pattern);
    return attack ? [`${place}: ${pattern} is slow for ${JSON.stringify(attack)}`] : [];
  });

  assert(literals > 150 && patterns.size - literals >= 6, `${literals} of ${patterns.size}`);
  assertEquals(slow, []);
});

Deno.test("RegExp is called in the modules that are known: at load, or for the patterns of documents", () => {
  const calling = Object.entries(source).filter(([, code]) => callsRegExp(code)).map(([path]) => path);
  assertEquals(calling.toSorted(), [
    "tools/import/pattern.ts", // patterns of documents are compiled to see whether they are valid, and never run
    "tools/import/write_arktype.ts", // as above
    // it compiles the patterns of documents, which pattern.ts analyzes before it runs them, and those of a program's own
    // schemas, which run them on every value
    "tools/json_schema/pattern_syntax.ts",
    "wire/headers.ts", // at load
  ]);
});

Deno.test("the search for slow regular expressions finds quadratic, cubic and exponential ones", () => {
  const slow: readonly RegExp[] = [
    /\s*,\s*/,
    /a*a*a*b/,
    /^(?:[\w-]+)+$/,
    /\{([^}]*)\}/g,
    /\/+$/,
    /:([^/]+)$/,
    /^([\w-]+):[ \t]*([^\0\r\n]*)$/, // only after a name and a colon, and if the line has an end in it
    /(\d+)(,?)(\d*)!/y,
  ];
  for (const pattern of slow) assert(findAttack(pattern) !== undefined, `${pattern}`);
  for (const pattern of [/\{([^{}]*)\}/g, /(?<!\/)\/+$/, /\/:([^/]+)$/, /^([\w-]+):([^\0\r\n]*)$/]) {
    assertEquals(findAttack(pattern), undefined, `${pattern}`);
  }
});
