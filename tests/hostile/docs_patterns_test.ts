/**
 * Readers copy the regular expressions of guides and examples to servers, where strangers choose the text. Each takes
 * little time for long text of any repeated piece.
 */
import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import { findAttack } from "../support/slow_patterns.ts";

const root = new URL("../../", import.meta.url);

async function* listFiles(folder: string, extension: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory && folder.startsWith("examples/")) yield* listFiles(`${folder}${name}/`, extension);
    else if (name.endsWith(extension) && name !== "page.js") yield folder + name;
  }
}

/** Returns the code of a page: its blocks, and the code within its sentences. */
function codeOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```(?:ts|js|tsx|html)\b[^\n]*\n(.*?)^```/gms)].map(([, code]) => code!);
  const inline = [...page.replace(/^```.*?^```/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  return [...blocks, ...inline];
}

/** Lists the regular expressions of some code: literals, arguments of `RegExp`, and strings like `"/^a/"`. */
function patternsOf(code: string): RegExp[] {
  const found: RegExp[] = [];
  const add = (source: string, flags: string): void => {
    try {
      found.push(new RegExp(source, flags));
    } catch {
      return; // a path, or prose
    }
  };
  const visit = (node: ts.Node): void => {
    const text = ts.isRegularExpressionLiteral(node) || ts.isStringLiteralLike(node) ? node.text : "";
    const literal = /^\/(.+)\/([a-z]*)$/s.exec(text);
    if (literal) add(literal[1]!, literal[2]!);
    const [pattern] = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.arguments ?? [] : [];
    if (pattern && ts.isStringLiteralLike(pattern) && /RegExp$/.test((node as ts.NewExpression).expression.getText())) {
      add(pattern.text, "");
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("code.ts", code, ts.ScriptTarget.Latest, true));
  return found;
}

const pages = [...await Array.fromAsync(listFiles("docs/", ".md")), "README.md"];
const examples = [...await Array.fromAsync(listFiles("examples/", ".ts"))];

Deno.test("every regular expression of README, guides and examples is fast for 20 KB of any repeated piece", async () => {
  const code = [
    ...await Promise.all(
      pages.map(async (page) => [page, codeOf(await Deno.readTextFile(new URL(page, root)))] as const),
    ),
    ...await Promise.all(examples.map(async (path) => [path, [await Deno.readTextFile(new URL(path, root))]] as const)),
  ];
  const patterns = new Map(
    code.flatMap(([file, blocks]) => blocks.flatMap(patternsOf).map((pattern) => [String(pattern), { file, pattern }])),
  );
  const slow = [...patterns.values()].flatMap(({ file, pattern }) => {
    const attack = findAttack(pattern);
    return attack === undefined ? [] : [`${file}: ${pattern} takes long for ${JSON.stringify(attack)}`];
  });

  assert(patterns.size >= 8, `${patterns.size}`);
  assertEquals(slow, []);
});
