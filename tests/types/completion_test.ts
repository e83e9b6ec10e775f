/** What an editor offers while a program is being written. The suite of runtimes runs the same places with TypeScript 7. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { places, writeAt } from "./places.ts";
import { startWriting } from "./program.ts";
import { anyTree, trees, writingsOf } from "./trees.ts";

const editor = startWriting();

for (const [name, place] of Object.entries(places)) {
  Deno.test(`an editor offers what is allowed at ${name}`, () => {
    const program = writeAt(place);
    if (place.parameters) assertEquals(editor.parameters(program), place.parameters);
    const offered = place.offers || place.includes ? editor.complete(program).toSorted() : [];
    if (place.offers) assertEquals(offered, place.offers.toSorted());
    assertEquals(place.includes?.filter((each) => !offered.includes(each)) ?? [], []);
  });
}

for (const [name, tree] of Object.entries(trees)) {
  Deno.test(`an editor offers exactly the keys that a tree of handlers lacks, and a handler's inputs: ${name}`, () => {
    assertOffers(tree);
  });
}

Deno.test("an editor offers the keys that are left, and the inputs, in handlers of any contract", () => {
  fc.assert(fc.property(anyTree, assertOffers), tries(1));
});

function assertOffers(tree: Parameters<typeof writingsOf>[0]): void {
  for (const { program, offers } of writingsOf(tree)) {
    assertEquals(editor.complete(program).toSorted(), offers.toSorted(), program);
  }
}
