import { request, response, route, type Schema } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { assertProblem, mountRoute } from "../support/mount_route.ts";

type StandardResult = ReturnType<Schema["~standard"]["validate"]>;

/** The handler's query as its schema returns it, or the issues of the refusal. */
async function readQuery(query: Schema<unknown, unknown>, search: string): Promise<unknown> {
  const declared = route.get("/", {
    query: query as Schema<Record<string, string>>,
    responses: { 200: response.json<unknown>() },
  });
  const handler = mountRoute(declared, ({ query, response }) => response(200, query));
  const answer = await handler(new Request(`http://localhost/${search}`));
  const body = await answer.json();
  return answer.status === 200 ? body : body.issues.map(({ path, message }: never) => [path, message]);
}

Deno.test("query passes a string for one value, a list for several, and nothing for an absent key", async () => {
  const Query = type({ "a?": "string | string[]", "b?": "string" });
  assertEquals(await readQuery(Query, "?a=1&b=2"), { a: "1", b: "2" });
  assertEquals(await readQuery(Query, "?a=2&b=&a=1"), { a: ["2", "1"], b: "" });
  assertEquals(await readQuery(Query, "?"), {});
  assertEquals(await readQuery(Query, ""), {});
  assertEquals(await readQuery(Query, "#?a=1"), {});
});

Deno.test("query decodes as URLSearchParams does", async () => {
  const Query = type({ "+": "ignore" });
  assertEquals(await readQuery(Query, "?a%20b=c+d%2B&é=%C3%A9&bad=%GG%FF&a[b]=1&q=a?b=c"), {
    "a b": "c d+",
    "é": "é",
    bad: "%GG\ufffd",
    "a[b]": "1",
    q: "a?b=c",
  });
});

Deno.test("query offers a single value again as a list if the schema requires one", async () => {
  const lists = [
    type({ tag: "string[]", "n?": "string.numeric.parse" }),
    z.object({ tag: z.array(z.string()), n: z.coerce.number().optional() }),
    v.object({ tag: v.array(v.string()), n: v.optional(v.pipe(v.string(), v.transform(Number))) }),
  ];
  for (const Query of lists) {
    assertEquals(await readQuery(Query, "?tag=a"), { tag: ["a"] });
    assertEquals(await readQuery(Query, "?tag=a&n=5"), { tag: ["a"], n: 5 });
    assertEquals(await readQuery(Query, "?tag=a&tag=b"), { tag: ["a", "b"] });
    assertEquals(await readQuery(Query, "?tag="), { tag: [""] });
    const refused = await readQuery(Query, "?n=5");
    assert(Array.isArray(refused) && refused.length === 1, "an absent list stays absent");
  }
});

Deno.test("query offers all refused keys at once, except those that already are lists", async () => {
  const Query = type({ a: "string[]", b: "string[]", c: "string[]" });
  assertEquals(await readQuery(Query, "?a=1&b=2&c=3&c=4"), { a: ["1"], b: ["2"], c: ["3", "4"] });
});

Deno.test("query reports what an element of a list needs, and otherwise the first offer's issues, except those that lists resolved", async () => {
  const Query = type({ tag: "string[]", n: "string.numeric", "ids?": "string.numeric[]" });
  assertEquals(await readQuery(Query, "?tag=a&n=x"), [[["n"], 'n must be a well-formed numeric string (was "x")']]);
  assertEquals(await readQuery(Query, "?tag=a&n=1&ids=x"), [[
    ["ids", 0],
    'ids[0] must be a well-formed numeric string (was "x")',
  ]]);
  assertEquals(await readQuery(Query, "?tag=a"), [[["n"], "n must be a string (was missing)"]]);
  assertEquals(await readQuery(Query, "?tag=a&n=1&n=2"), [[["n"], "n must be a string (was an object)"]]);
});

Deno.test("query reports the schema's later issues if the lists resolved all earlier ones", async () => {
  const checked: unknown[] = [];
  const Stepwise: Schema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate(value): StandardResult {
        checked.push(value);
        const { tag } = value as { tag: unknown };
        if (!Array.isArray(tag)) return { issues: [{ message: "no list", path: [{ key: "tag" }] }] };
        return { issues: [{ message: "none too many", path: [] }] };
      },
    },
  };
  assertEquals(await readQuery(Stepwise, "?tag=a"), [[[], "none too many"]]);
  assertEquals(checked, [{ tag: "a" }, { tag: ["a"] }]);
});

Deno.test("query runs its schema at most twice, and once if it passes or a list could not resolve its issues", async () => {
  let runs = 0;
  const counting = (query: string): Promise<number> => {
    runs = 0;
    const Query = v.pipe(v.unknown(), v.check(() => ++runs > 0), v.object({ a: v.array(v.literal("x")) }));
    return readQuery(Query, query).then(() => runs);
  };
  assertEquals(await counting("?a=x&a=x"), 1);
  assertEquals(await counting("?a=x"), 2);
  assertEquals(await counting("?a=y"), 2);
  assertEquals(await counting("?a=y&a=y"), 1);
  assertEquals(await counting("?b=x"), 1);
});

Deno.test("query keeps hostile keys as own properties, even in the list rule", async () => {
  const seen: object[] = [];
  const Query: Schema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate(value): StandardResult {
        seen.push(value as object);
        return seen.length === 1 ? { issues: [{ message: "no list", path: ["__proto__"] }] } : { value: {} };
      },
    },
  };
  assertEquals(await readQuery(Query, "?__proto__=a&constructor=b"), {});
  const protoOf = (value: object): unknown => Object.getOwnPropertyDescriptor(value, "__proto__")?.value;
  assertEquals(seen.map(protoOf), ["a", ["a"]]);
  for (const value of seen) assertEquals(Object.getPrototypeOf(value), Object.prototype);
  assert(!("a" in {}));
});

Deno.test("query issues contain their place and reason", async () => {
  const declared = route.get("/", { query: type({ "a/b~c": "string.numeric" }), responses: { 204: response.empty() } });
  const handler = mountRoute(declared, ({ response }) => response(204));
  await assertProblem(await handler(new Request("http://localhost/?a/b~c=x")), 400, "Bad Request", "invalid-request", [{
    location: "query",
    path: ["a/b~c"],
    pointer: "/a~1b~0c",
    message: 'value at ["a/b~c"] must be a well-formed numeric string (was "x")',
  }]);
});

Deno.test("query says the same about one bad value of a list as about several", async () => {
  const Status = z.object({ status: z.array(z.enum(["open", "closed"])), page: z.coerce.number().optional() });
  const message = 'Invalid option: expected one of "open"|"closed"';
  assertEquals(await readQuery(Status, "?status=nope"), [[["status", 0], message]]);
  assertEquals(await readQuery(Status, "?status=nope&status=open"), [[["status", 0], message]]);
  const both = await readQuery(Status, "?status=nope&page=x");
  assertEquals((both as [string[], string][]).map(([path]) => path), [["status", 0], ["page"]]);
});

/** Unions of objects, one of which has a list at `ids`, and another at `names`. */
const unions: Readonly<Record<string, Schema<unknown, unknown>>> = {
  "z.union()": z.union([
    z.object({ by: z.literal("id"), ids: z.array(z.string()) }),
    z.object({ by: z.literal("name"), ids: z.string(), names: z.array(z.string()) }),
  ]),
  "z.discriminatedUnion()": z.discriminatedUnion("by", [
    z.object({ by: z.literal("id"), ids: z.array(z.string()) }),
    z.object({ by: z.literal("name"), ids: z.string(), names: z.array(z.string()) }),
  ]),
  "z.union() within another": z.union([
    z.object({ only: z.string() }),
    z.union([
      z.object({ by: z.literal("id"), ids: z.array(z.string()) }),
      z.object({ by: z.literal("name"), ids: z.string(), names: z.array(z.string()) }),
    ]),
  ]),
  "z.intersection() of a union": z.intersection(
    z.union([
      z.object({ by: z.literal("id"), ids: z.array(z.string()) }),
      z.object({ by: z.literal("name"), ids: z.string(), names: z.array(z.string()) }),
    ]),
    z.object({ limit: z.coerce.number().optional() }),
  ),
  "v.union()": v.union([
    v.object({ by: v.literal("id"), ids: v.array(v.string()) }),
    v.object({ by: v.literal("name"), ids: v.string(), names: v.array(v.string()) }),
  ]),
  "v.variant()": v.variant("by", [
    v.object({ by: v.literal("id"), ids: v.array(v.string()) }),
    v.object({ by: v.literal("name"), ids: v.string(), names: v.array(v.string()) }),
  ]),
  "v.union() within another": v.union([
    v.object({ only: v.string() }),
    v.union([
      v.object({ by: v.literal("id"), ids: v.array(v.string()) }),
      v.object({ by: v.literal("name"), ids: v.string(), names: v.array(v.string()) }),
    ]),
  ]),
  "ArkType's or()": type({ by: "'id'", ids: "string[]" }).or({ by: "'name'", ids: "string", names: "string[]" }),
};

for (const [name, union] of Object.entries(unions)) {
  Deno.test(`query offers a list to the alternative of ${name} that needs one`, async () => {
    assertEquals(await readQuery(union, "?by=id&ids=1&ids=2"), { by: "id", ids: ["1", "2"] });
    assertEquals(await readQuery(union, "?by=id&ids=1"), { by: "id", ids: ["1"] });
    assertEquals(await readQuery(union, "?by=name&ids=1&names=a"), { by: "name", ids: "1", names: ["a"] });
    assert(Array.isArray(await readQuery(union, "?by=other&ids=1&names=a")));
    assert(Array.isArray(await readQuery(union, "?by=id")));
  });
}

Deno.test("query offers several lists at once to an alternative that needs them", async () => {
  const both = [
    z.union([z.object({ a: z.array(z.string()), b: z.array(z.string()) }), z.object({ c: z.string() })]),
    v.union([v.object({ a: v.array(v.string()), b: v.array(v.string()) }), v.object({ c: v.string() })]),
    type({ a: "string[]", b: "string[]" }).or({ c: "string" }),
  ];
  for (const union of both) assertEquals(await readQuery(union, "?a=1&b=2"), { a: ["1"], b: ["2"] });
});

Deno.test("query offers a list to an alternative that needs a tuple, or one of several lists", async () => {
  const unions = [
    z.union([z.object({ ids: z.tuple([z.string()]) }), z.object({ names: z.string() })]),
    z.union([z.object({ ids: z.tuple([z.number()]).or(z.array(z.string())) }), z.object({ names: z.string() })]),
    v.union([v.object({ ids: v.tuple([v.string()]) }), v.object({ names: v.string() })]),
    v.union([
      v.object({ ids: v.union([v.array(v.number()), v.array(v.string())]) }),
      v.object({ names: v.string() }),
    ]),
    type({ ids: ["string"] }).or({ names: "string" }),
    type({ ids: type("number[]").or("string[]") }).or({ names: "string" }),
  ];
  for (const union of unions) assertEquals(await readQuery(union, "?ids=1"), { ids: ["1"] });
});

Deno.test("forms and form data offer lists to the alternatives of a union", async () => {
  const Files = z.union([z.object({ files: z.array(z.file()) }), z.object({ text: z.string() })]);
  const upload = mountRoute(
    route.post("/", { body: request.formData(Files), responses: { 200: response.json<number>() } }),
    ({ body, response }) => response(200, "files" in body ? body.files.length : 0),
  );
  const data = new FormData();
  data.append("files", new File(["x"], "a"));
  assertEquals(await (await upload(new Request("http://localhost/", { method: "POST", body: data }))).json(), 1);

  const Form = v.union([v.object({ ids: v.array(v.string()) }), v.object({ text: v.string() })]);
  const form = mountRoute(
    route.post("/", { body: request.form(Form), responses: { 200: response.json<unknown>() } }),
    ({ body, response }) => response(200, body),
  );
  const body = new URLSearchParams({ ids: "1" });
  assertEquals(await (await form(new Request("http://localhost/", { method: "POST", body }))).json(), { ids: ["1"] });
});

Deno.test("query runs a union at most nine times, whatever its alternatives", async () => {
  let runs = 0;
  const alternatives = Array.from({ length: 40 }, (_, index) => v.object({ [`a${index}`]: v.array(v.literal("x")) }));
  const Query = v.pipe(v.unknown(), v.check(() => ++runs > 0), v.union(alternatives as never));
  const search = Array.from({ length: 40 }, (_, index) => `a${index}=1`).join("&");
  assert(Array.isArray(await readQuery(Query as never, `?${search}`)));
  assertEquals(runs, 9);
});
