/** Contracts as trees of keys, and what an editor must offer while they are being implemented. */
import fc from "fast-check";
import { cursor } from "./places.ts";

/** A route: the parameters of its path, and its other inputs. */
interface Route {
  readonly params: readonly string[];
  readonly inputs: readonly ("query" | "headers" | "body")[];
}

/** The routes of a router. */
interface Tree {
  readonly [key: string]: Route | Tree;
}

/** A program with a cursor, and the names that an editor must offer there. */
export interface Writing {
  readonly program: string;
  readonly offers: readonly string[];
}

const plain: Route = { params: [], inputs: [] };

function withParams(...params: readonly string[]): Route {
  return { params, inputs: [] };
}

/** Keys that types of the package have, too, and keys that are no identifiers. */
export const trees: Readonly<Record<string, Tree>> = {
  "one route": { only: plain },
  "names of the package": {
    node: withParams("a"),
    key: plain,
    method: plain,
    responses: { endpoints: plain, needs: withParams("b"), refusing: plain, types: plain },
    then: { length: plain, bind: plain, then: plain },
  },
  "keys in quotes": {
    "a-b": withParams("x"),
    "1": plain,
    "c d": { "e.f": plain, "~g": plain, toString: withParams("y", "z") },
  },
  "routers of routers": {
    a: { b: { c: { d: { e: withParams("f"), g: plain }, h: plain }, i: plain }, j: {} },
    k: plain,
  },
  "all inputs": {
    all: { params: ["id"], inputs: ["query", "headers", "body"] },
    one: { params: [], inputs: ["body"] },
  },
};

/** Any tree with a few routes. */
export const anyTree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree; entry: Route | Tree }>((tie) => ({
  tree: fc.dictionary(
    fc.oneof(fc.stringMatching(/^[a-z]{1,4}$/), fc.constantFrom("node", "routes", "~types", "a b", "implement", "0")),
    tie("entry"),
    { minKeys: 1, maxKeys: 3, noNullPrototype: true },
  ),
  entry: fc.oneof(
    { maxDepth: 2 },
    fc.record({
      params: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 2 }),
      inputs: fc.subarray<Route["inputs"][number]>(["query", "headers", "body"]),
    }),
    tie("tree"),
  ),
})).tree;

/** All places of a tree of handlers: its keys, those that are left after one, and the inputs of each handler. */
export function writingsOf(tree: Tree): Writing[] {
  const keys = routersOf(tree).flatMap(({ before, after, keys }) => [
    { handlers: `${before}{ ${cursor} }${after}`, offers: keys },
    ...keys.map((key, index) => ({
      handlers: `${before}{ ${JSON.stringify(key)}: half, ${cursor} }${after}`,
      offers: keys.toSpliced(index, 1),
    })),
  ]);
  const inputs = routesOf(tree).flatMap(({ before, after, params, inputs }) => [
    {
      handlers: `${before}({ ${cursor} }) => {}${after}`,
      offers: ["context", "response", "route", "signal", ...inputs, ...params.length > 0 ? ["params"] : []],
    },
    { handlers: `${before}({ params }) => { params.${cursor} }${after}`, offers: params },
    ...inputs.map((input) => ({
      handlers: `${before}({ ${input} }) => { ${input}.${cursor} }${after}`,
      offers: [`in-${input}`],
    })),
  ]);
  return [...keys, ...inputs].map(({ handlers, offers }) => ({ program: implement(tree, handlers), offers }));
}

/** A program that implements a tree of routes. `half` is a handler that is not finished. */
function implement(tree: Tree, handlers: string): string {
  return `
import { defineContract, response, route, router } from "@scope/api";
import { defineServer } from "@scope/api/server";
import { z } from "zod";
const responses = { 204: response.empty() };
const query = z.object({ "in-query": z.string() });
const headers = z.object({ "in-headers": z.string() });
const body = z.object({ "in-body": z.string() });
const half = () => {};
defineServer(defineContract({ routes: ${declare(tree, [])} })).implement(${handlers});
`;
}

/** Declares the routes of a tree, each with its own path. */
function declare(tree: Tree, above: readonly string[]): string {
  const entries = Object.entries(tree).map(([key, entry], index) => {
    const place = [...above, String(index)];
    const declared = isRoute(entry) ? declareRoute(entry, place) : `router("/", { routes: ${declare(entry, place)} })`;
    return `${JSON.stringify(key)}: ${declared}`;
  });
  return `{ ${entries.join(", ")} }`;
}

function declareRoute({ params, inputs }: Route, place: readonly string[]): string {
  const path = `/${[place.join("-"), ...params.map((each) => `:${each}`)].join("/")}`;
  return `route.post(${JSON.stringify(path)}, { ${[...inputs, "responses"].join(", ")} })`;
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

/** Every route of a tree. */
function routesOf(tree: Tree, before = "", after = ""): (TreePlace & Route)[] {
  return Object.entries(tree).flatMap(([key, entry]) => {
    const place = { before: `${before}{ ${JSON.stringify(key)}: `, after: ` }${after}` };
    return isRoute(entry) ? [{ ...place, ...entry }] : routesOf(entry, place.before, place.after);
  });
}

function isRoute(entry: Route | Tree): entry is Route {
  return Array.isArray(entry.params);
}
