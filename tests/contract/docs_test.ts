/** Documentation is copied, and parts of it are inherited. */
import { defineContract, type Docs, response, route, router } from "@scope/api";
import { assert, assertEquals } from "@std/assert";

const responses = { 200: response.empty() };
const everything: Docs = {
  summary: "A summary",
  description: "A description",
  tags: ["a", "b"],
  operationId: "operation",
};

Deno.test("defineContract() keeps all docs of contract and route", () => {
  const contract = defineContract({
    docs: everything,
    routes: { leaf: route.get("/", { responses, docs: everything }) },
  });
  assertEquals(contract.docs, everything);
  assertEquals(contract.routes.leaf.docs, everything);
});

Deno.test("defineContract() adds tags to every route below, and only tags", () => {
  const { tags = [] } = everything;
  const leaf = route.get("/", { responses });
  const inRouter = defineContract({ routes: { group: router("/", { routes: { leaf }, docs: everything }) } });
  const inContract = defineContract({ routes: { group: router("/", { routes: { leaf } }) }, docs: everything });
  assertEquals(inRouter.routes.group.leaf.docs, { tags });
  assertEquals(inContract.routes.group.leaf.docs, { tags });
});

Deno.test("defineContract() overrides docs with nearer ones, one by one", () => {
  const leaf = route.get("/leaf", { responses, docs: { summary: "Leaf" } });
  const open = route.get("/open", { responses, docs: { tags: [] } });
  const group = router("/", { routes: { leaf, open }, docs: { tags: ["near"] } });
  const { routes } = defineContract({ routes: { group }, docs: everything });
  assertEquals<unknown>(routes.group.leaf.docs, { summary: "Leaf", tags: ["near"] });
  assertEquals(routes.group.open.docs, { tags: [] });
});

Deno.test("defineContract() inherits docs if a nearer value is undefined", () => {
  const docs = { tags: undefined } as never;
  const { routes } = defineContract({ routes: { leaf: route.get("/", { responses, docs }) }, docs: everything });
  assertEquals(routes.leaf.docs.tags, ["a", "b"]);
});

Deno.test("defineContract() has empty docs if none are declared", () => {
  const contract = defineContract({ routes: { leaf: route.get("/", { responses }) } });
  assertEquals(contract.docs, {});
  assertEquals(contract.routes.leaf.docs, {});
});

Deno.test("route.get() is not affected by later changes of its docs", () => {
  const docs = { tags: ["a"] };
  const declared = route.get("/", { responses, docs });
  docs.tags.push("b");
  assertEquals(declared.docs, { tags: ["a"] });
  assert(!Object.isFrozen(docs.tags));
});

Deno.test("route.get() does not split a text of tags into letters", () => {
  // no such types, but a value of a wider type must not break into its letters
  const declared = route.get("/", { responses, docs: { tags: "users" } as never });
  assertEquals<unknown>(declared.docs, { tags: "users" });
});
