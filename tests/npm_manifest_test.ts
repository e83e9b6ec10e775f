import { assertEquals } from "@std/assert";
import { floors, manifest } from "../scripts/npm_manifest.ts";

const root = new URL("../", import.meta.url);

Deno.test("package.json has the oldest supported versions as engines", () => {
  assertEquals(manifest.engines, { node: ">=20.3", deno: ">=2.2", bun: ">=1.4", typescript: ">=5.7" });
});

for (const page of ["README.md", "docs/runtimes.md"]) {
  Deno.test(`${page} has the oldest supported versions`, async () => {
    const text = (await Deno.readTextFile(new URL(page, root))).replaceAll(/\s+/g, " ");
    const { deno, node, bun, typescript } = floors;
    const sentence =
      `runs on Deno ${deno}, Node ${node}, Bun ${bun} and later, on Cloudflare Workers and in browsers. ` +
      `Its types need TypeScript ${typescript} or later.`;
    assertEquals(text.split(sentence).length, 2);
  });
}
