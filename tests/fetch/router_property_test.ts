import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { askFor, type Matched, mountRoutes, type RouteText } from "../support/mount_routes.ts";

/** The routing rules written down plainly: try every route, order those that have the path by segment, static first. */
function matchNaively(texts: readonly RouteText[], method: string, path: string): Matched | 404 | 405 {
  const having = texts.map((route) => ({ route, segments: segmentsOf(route.slice(route.indexOf(" ") + 1)) }))
    .filter(({ segments }) => paramsOf(segments, segmentsOf(path)) !== undefined);
  if (having.length === 0) return 404;
  const methodOf = (route: string): string => route.slice(0, route.indexOf(" "));
  const answering = having.filter(({ route }) => methodOf(route) === method);
  const [best] = answering.toSorted((one, other) => {
    const level = one.segments.findIndex((segment, index) =>
      segment.startsWith(":") !== other.segments[index]!.startsWith(":")
    );
    return level === -1 ? 0 : one.segments[level]!.startsWith(":") ? 1 : -1;
  });
  return best ? { route: best.route, params: paramsOf(best.segments, segmentsOf(path))! } : 405;
}

function segmentsOf(path: string): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

function paramsOf(declared: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (declared.length !== given.length || given.includes("")) return undefined;
  const pairs = declared.map((segment, index) => [segment, decodeURIComponent(given[index]!)] as const);
  if (pairs.some(([segment, text]) => !segment.startsWith(":") && segment !== text)) return undefined;
  return Object.fromEntries(
    pairs.filter(([segment]) => segment.startsWith(":")).map(([name, text]) => [name.slice(1), text]),
  );
}

const few = ["a", "aa", "é", "a b"];
const many = [...few, "ab", "b", "ba", "c", "d", "e", "f", "g"];
const literal = fc.oneof(fc.constantFrom(...few), fc.constantFrom(...many));
const routePath = fc.array(fc.oneof(literal, fc.constant(":")), { maxLength: 4 })
  .map((segments) => "/" + segments.map((segment, index) => segment === ":" ? `:p${index}` : segment).join("/"));
const method = fc.constantFrom("GET", "POST", "DELETE");
const routes = fc.uniqueArray(fc.tuple(method, routePath).map(([method, path]) => `${method} ${path}` as RouteText), {
  minLength: 1,
  maxLength: 40,
});
const path = fc.array(fc.constantFrom(...many, "a%62", "%C3%A9", "a%20b", "%61", "a%2Fa", "%2561", "x", ""), {
  maxLength: 5,
})
  .map((segments) => "/" + segments.join("/"));

Deno.test("createFetchHandler() matches like a straightforward implementation of the rules", async () => {
  await fc.assert(
    fc.asyncProperty(routes, fc.array(fc.tuple(method, path), { minLength: 1, maxLength: 8 }), async (table, asked) => {
      const handler = mountRoutes(table);
      for (const [method, path] of asked) {
        const pathname = new URL(`http://localhost${path}`).pathname;
        assertEquals(await askFor(handler, method, path), matchNaively(table, method, pathname), `${method} ${path}`);
      }
    }),
    tries(300),
  );
});

Deno.test("createFetchHandler() matches independently of the declaration order", async () => {
  const shuffled = routes.chain((table) =>
    fc.tuple(fc.constant(table), fc.shuffledSubarray(table, { minLength: table.length }))
  );
  await fc.assert(
    fc.asyncProperty(shuffled, method, path, async ([table, other], method, path) => {
      assertEquals(await askFor(mountRoutes(other), method, path), await askFor(mountRoutes(table), method, path));
    }),
    tries(100),
  );
});
