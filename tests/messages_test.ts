/** The messages of the library, as the source has them. */
import { assert, assertEquals } from "@std/assert";
import ts from "typescript";

const root = new URL("../", import.meta.url);

/** A text of the source. A template has `…` in place of its values. */
interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** The files of the library and its programs. */
async function* listFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    if (isDirectory) yield* listFiles(`${folder}${name}/`);
    else if (name.endsWith(".ts")) yield `${folder}${name}`;
  }
}

/** The texts of a file that are sentences: they have a space between two words. */
function* listTexts(file: string, node: ts.Node): Generator<SourceText> {
  const text = ts.isStringLiteralLike(node)
    ? node.text
    : ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…")
    : ts.isTemplateLiteralTypeNode(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…")
    : "";
  if (/\S \S/.test(text)) yield { file, text };
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* listTexts(file, child);
}

const texts: SourceText[] = [];
for (const file of await Array.fromAsync(listFiles("src/"))) {
  const source = ts.createSourceFile(
    file,
    await Deno.readTextFile(new URL(file, root)),
    ts.ScriptTarget.Latest,
  );
  texts.push(...listTexts(file, source));
}

/** Options whose values may be confidential. */
const confidential: readonly string[] = ['"baseUrl" must be', '"nonce" must be'];

Deno.test("a message that says what an option must be says what it is", () => {
  const demands = texts.filter(({ text }) => /^(?:[\w.()]+: )?"[^"]+" must be /.test(text));
  const found = demands.filter(({ text }) => !/, got /.test(text));

  assert(demands.length > 20, `${demands.length} messages`);
  assertEquals(found.filter(({ text }) => !confidential.some((start) => text.includes(start))), []);
});
