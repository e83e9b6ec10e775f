/** Documents in YAML, as the commands read them. */
import { assertEquals, assertRejects } from "@std/assert";
import { parseDocument } from "../src/tools/commands.ts";

const parse = (text: string): Promise<unknown> => parseDocument(text, "api.yaml", "Cannot import");

Deno.test("parseDocument() merges the keys of anchors, and what stands beside them is nearer", async () => {
  const text = `
shared: &shared { id: { type: string }, name: { type: string } }
other: &other { at: { type: string } }
one: { <<: *shared, name: { type: integer } }
two:
  <<: [*shared, *other]
quoted: { "<<": *other }
`;
  const { one, two, quoted } = await parse(text) as Record<string, unknown>;
  const [string, integer] = [{ type: "string" }, { type: "integer" }];
  assertEquals(one, { id: string, name: integer });
  assertEquals(two, { id: string, name: string, at: string });
  assertEquals(quoted, { "<<": { at: string } });
});

Deno.test("parseDocument() reads any number of uses of an anchor", async () => {
  const uses = Array.from({ length: 2_000 }, (_, index) => `  p${index}: *gone`).join("\n");
  const { paths } = await parse(`gone: &gone { description: gone }\npaths:\n${uses}`) as { paths: object };
  assertEquals(Object.keys(paths).length, 2_000);
  assertEquals(Object.values(paths).at(-1), { description: "gone" });
});

Deno.test("parseDocument() refuses anchors that expand to far more than the document", async () => {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const part = level === 0 ? '"text"' : `*a${level - 1}`;
    return `l${level}: &a${level} [${Array(10).fill(part).join(", ")}]`;
  });
  await assertRejects(
    () => parse(levels.join("\n")),
    TypeError,
    "Cannot import: api.yaml must be JSON or YAML; its anchors expand to more than 1 MB",
  );
  await assertRejects(() => parse("a: &a [*a]"), TypeError, "Cannot import: api.yaml must be JSON or YAML; ");
});
