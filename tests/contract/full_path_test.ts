/** The full path of a route joins the segments of its parts with single slashes. */
import { defineContract, response, route, router } from "@scope/api";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";

const responses = { 200: response.empty() };

const literal = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  // deno-lint-ignore no-control-regex -- control characters are what no path may contain
  .filter((text) => !/[%?#\\/\u0000-\u001f\u007f-\u009f]|^:|^\.\.?$/.test(text));
const slashes = fc.nat({ max: 2 }).map((count) => "/".repeat(count));

/** Segments as a user may write them: joined by a slash, with any number of slashes around them. */
const part = fc.record({ segments: fc.array(literal, { maxLength: 3 }), before: slashes, after: slashes })
  .map(({ segments, before, after }) => ({ segments, text: before + segments.join("/") + after }));

Deno.test("defineContract() joins the segments of base path, routers and route", () => {
  fc.assert(
    fc.property(part, fc.array(part, { maxLength: 3 }), part, (base, routers, own) => {
      const leaf = route.get(own.text, { responses });
      const top = routers.reduceRight<ReturnType<typeof router> | typeof leaf>(
        (below, { text }) => router(text, { routes: { below } }),
        leaf,
      );
      const contract = defineContract({ basePath: base.text, routes: { below: top } });

      const segments = [base, ...routers, own].flatMap((each) => each.segments);
      assertEquals(contract.basePath, `/${base.segments.join("/")}`);
      assertEquals(deepest(contract.routes).path, `/${segments.join("/")}`);
    }),
  );
});

Deno.test("defineContract() treats two paths as one exactly if they differ only in parameter names", () => {
  const segment = fc.constantFrom("a", "a:b", "a:c", ":x", ":y");
  const path = fc.uniqueArray(segment, { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(path, path, (one, other) => {
      const routes = {
        one: route.get(one.join("/"), { responses }),
        other: route.get(other.join("/"), { responses }),
      };
      assertEquals(isRefused(() => defineContract({ routes })), shape(one) === shape(other));
    }),
    tries(500),
  );
});

function shape(segments: readonly string[]): string {
  return segments.map((segment) => segment.startsWith(":") ? ":" : segment).join("/");
}

/** The node at the end of a tree whose groups have one child each. */
function deepest(tree: object): { readonly path: string } {
  return "below" in tree ? deepest(tree.below as object) : tree as { readonly path: string };
}

function isRefused(declare: () => unknown): boolean {
  try {
    declare();
    return false;
  } catch (error) {
    if (error instanceof TypeError) return true;
    throw error;
  }
}
