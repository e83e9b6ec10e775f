import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { calls, linesOf, shortHovers, shortProgram, successFirst } from "../../types/hovers.ts";
import { cursor, places, writeAt } from "../../types/places.ts";
import { anyTree, trees, writingsOf } from "../../types/trees.ts";
import { tries } from "../../support/tries.ts";
import { compilersFolder, tsc } from "../kit.ts";
import { startLanguageServer } from "../language_server.ts";

const compilerOptions = {
  strict: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  noEmit: true,
  skipLibCheck: true,
};

/** Checks what the language server of TypeScript 7 offers, in a folder with the npm copy of the package. */
export function testEditors(): void {
  Deno.test("the language server of TypeScript 7 offers what is allowed where a program is being written", async (test) => {
    const folder = await compilersFolder("editors");
    await Deno.writeTextFile(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    await Deno.writeTextFile(`${folder}/main.ts`, "");
    await using server = await startLanguageServer(tsc("7", folder, ["--lsp", "--stdio"]), "main.ts");
    for (const [name, place] of Object.entries(places)) {
      await test.step(name, async () => {
        const program = writeAt(place);
        const offset = program.indexOf(cursor);
        await server.open(program.replace(cursor, ""));
        if (place.parameters) assertEquals(await server.parameters(offset), place.parameters);
        const offered = place.offers || place.includes ? (await server.complete(offset)).toSorted() : [];
        if (place.offers) assertEquals(offered, place.offers.toSorted());
        assertEquals(place.includes?.filter((each) => !offered.includes(each)) ?? [], []);
      });
    }
    for (const tree of [...Object.values(trees), ...fc.sample(anyTree, tries(2))]) {
      for (const { program, offers } of writingsOf(tree)) {
        await server.open(program.replace(cursor, ""));
        assertEquals((await server.complete(program.indexOf(cursor))).toSorted(), offers.toSorted(), program);
      }
    }
    await test.step("it shows calls in few lines", async () => {
      await server.open(shortProgram);
      const shown: Record<string, string> = {};
      for (const name of Object.keys(shortHovers)) {
        shown[name] = await server.hover(shortProgram.lastIndexOf(name));
      }
      assertEquals(Object.fromEntries(Object.keys(shown).map((name) => [name, linesOf(shown[name]!)])), shortHovers);
      for (const name of calls) assertMatch(shown[name]!, successFirst);
    });
  });
}
