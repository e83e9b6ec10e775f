/** Contracts of any shape become documents in which two independent validators find no problems. */
import { request, response, route, router } from "@scope/api";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { convertedFrom, oddWords, routeTrees } from "../support/random_contracts.ts";
import { findProblems } from "../support/validate_document.ts";
import { describeRoutes } from "./describe_routes.ts";

const text = { responses: { 200: response.text() } };
const node = convertedFrom({ type: "object", $id: "Node", properties: { next: { $ref: "#" } } });
const $defs = { "a/b": { properties: { "": { $ref: "#/$defs/%25" } } }, "%": { items: { $ref: "#" } }, "~": {} };
const odd = convertedFrom({ type: "array", items: { $ref: "#/$defs/a~1b" }, $defs });
const notFound = router("/b", { routes: { "": route.get("/", { responses: { 404: response.json(odd) } }) } });

/** The components of the odd schema, by its first place. */
function oddComponents(name: string): object {
  return {
    [name]: { type: "array", items: { $ref: "#/components/schemas/a_b" } },
    a_b: { properties: { "": { $ref: "#/components/schemas/_" } } },
    _: { items: { $ref: `#/components/schemas/${name}` } },
  };
}

/** Routes, the paths of their document, and its components. */
const rows: Readonly<Record<string, readonly [routes: object, paths: readonly string[], components: object]>> = {
  "braces in a path": [{ it: route.get("/a}{/é b/:id", text) }, ["/a%7D%7B/%C3%A9%20b/{id}"], {}],
  "keys and tags that are syntax elsewhere": [
    Object.fromEntries(
      oddWords.slice(0, 3).map((word) => [word, route.get(`/${word}`, { ...text, docs: { tags: [word] } })]),
    ),
    ["/constructor", "/a/b", "/~"],
    {},
  ],
  "a schema that refers to itself": [
    { it: route.put("/it", { body: request.json(node), ...text }) },
    ["/it"],
    { Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } } },
  ],
  "a schema with odd definitions": [
    { it: route.get("/it", { responses: { 200: response.json(odd) } }) },
    ["/it"],
    oddComponents("It200"),
  ],
  "the same definitions in several routes and slots": [
    { it: route.query("/it", { body: request.json(odd), ...text }), group: notFound },
    ["/it", "/b"],
    oddComponents("Group404"),
  ],
};

Deno.test("openApiDocument() returns valid documents for contracts of any shape", async (test) => {
  for (const [name, [routes, paths, components]] of Object.entries(rows)) {
    await test.step(name, async () => {
      const document = describeRoutes(routes, { version: "3.2" });
      const { Problem: _, ...schemas } = document.components!.schemas!;
      assertEquals<unknown>([Object.keys(document.paths), schemas], [paths, components]);
      assertEquals(await findProblems(document), []);
    });
  }
  await test.step("random routes", () =>
    fc.assert(
      fc.asyncProperty(routeTrees, async (routes) => {
        assertEquals(await findProblems(describeRoutes(routes, { version: "3.2" })), []);
      }),
      // failures are not shrunk: each step takes 50 ms
      { numRuns: Number(Deno.env.get("FUZZ_RUNS") ?? 15), endOnFailure: true },
    ));
});
