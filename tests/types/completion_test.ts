/** What an editor offers while a program is being written. The suite of runtimes runs the same places with TypeScript 7. */
import { assertEquals } from "@std/assert";
import { cursor, places, writeAt } from "./places.ts";
import { startWriting } from "./program.ts";

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

/** A tree of routes: the parameters of each route's path, or the routes of a router. */
interface Tree {
  readonly [key: string]: readonly string[] | Tree;
}

/** Keys that types of the package have, too, and keys that are no identifiers. */
const trees: Readonly<Record<string, Tree>> = {
  "one route": { only: [] },
  "names of the package": {
    node: ["a"],
    key: [],
    method: [],
    responses: { endpoints: [], needs: ["b"], refusing: [], types: [] },
    then: { length: [], bind: [], then: [] },
  },
  "keys in quotes": { "a-b": ["x"], "1": [], "c d": { "e.f": [], "~g": [], toString: ["y", "z"] } },
  "routers of routers": { a: { b: { c: { d: { e: ["f"], g: [] }, h: [] }, i: [] }, j: {} }, k: [] },
};

for (const [name, tree] of Object.entries(trees)) {
  Deno.test(`an editor offers exactly the keys that a tree of handlers lacks, and a handler's inputs: ${name}`, () => {
    const offered = (handlers: string): string[] => [...editor.complete(implementing(tree, handlers))].toSorted();
    for (const { before, after, keys } of routersOf(tree)) {
      assertEquals(offered(`${before}{ ${cursor} }${after}`), keys.toSorted(), `in ${before}`);
      keys.forEach((key, index) => {
        const written = `${before}{ ${JSON.stringify(key)}: half, ${cursor} }${after}`;
        assertEquals(offered(written), keys.toSpliced(index, 1).toSorted(), `in ${before} after ${key}`);
      });
    }
    for (const { before, after, names } of routesOf(tree)) {
      const inputs = ["context", "response", "route", "signal", ...names.length > 0 ? ["params"] : []];
      assertEquals(offered(`${before}({ ${cursor} }) => {}${after}`), inputs.toSorted(), `in ${before}`);
      assertEquals(offered(`${before}({ params }) => { params.${cursor} }${after}`), names.toSorted(), `in ${before}`);
    }
  });
}

/** A program that implements a tree of routes. `half` is a handler that is not finished. */
function implementing(tree: Tree, handlers: string): string {
  return `
import { defineContract, response, route, router } from "@scope/api";
import { defineServer } from "@scope/api/server";
const responses = { 204: response.empty() };
const half = () => {};
defineServer(defineContract({ routes: ${declare(tree, [])} })).implement(${handlers});
`;
}

/** Declares the routes of a tree, each with its own path. */
function declare(tree: Tree, above: readonly string[]): string {
  const entries = Object.entries(tree).map(([key, entry], index) => {
    const place = [...above, String(index)];
    const declared = isRoute(entry)
      ? `route.get(${
        JSON.stringify(`/${[place.join("-"), ...entry.map((each) => `:${each}`)].join("/")}`)
      }, { responses })`
      : `router("/", { routes: ${declare(entry, place)} })`;
    return `${JSON.stringify(key)}: ${declared}`;
  });
  return `{ ${entries.join(", ")} }`;
}

/** A place in a tree of handlers: the text before and after it. */
interface TreePlace {
  readonly before: string;
  readonly after: string;
}

/** Every router of a tree, which is itself one, with its keys. */
function routersOf(tree: Tree, before = "", after = ""): (TreePlace & { readonly keys: string[] })[] {
  const below = Object.entries(tree).flatMap(([key, entry]) =>
    isRoute(entry) ? [] : routersOf(entry, `${before}{ ${JSON.stringify(key)}: `, ` }${after}`)
  );
  return [{ before, after, keys: Object.keys(tree) }, ...below];
}

/** Every route of a tree, with the parameters of its path. */
function routesOf(tree: Tree, before = "", after = ""): (TreePlace & { readonly names: readonly string[] })[] {
  return Object.entries(tree).flatMap(([key, entry]) => {
    const place = { before: `${before}{ ${JSON.stringify(key)}: `, after: ` }${after}` };
    return isRoute(entry) ? [{ ...place, names: entry }] : routesOf(entry, place.before, place.after);
  });
}

function isRoute(entry: readonly string[] | Tree): entry is readonly string[] {
  return Array.isArray(entry);
}
