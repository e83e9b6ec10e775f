import { defineContract, type Problem, response, route, type SentProblem } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { type } from "arktype";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    declared: route.get("/declared", { responses: { 200: response.text(), 400: response.problem() } }),
    undeclared: route.get("/undeclared", { responses: { 200: response.text() } }),
    described: route.get("/described", {
      responses: { 200: response.text(), 400: response.problem(type({ title: "string" })) },
    }),
  },
});

function clientOf(text: string): ReturnType<typeof createClient<typeof contract>> {
  const headers = { "content-type": "application/problem+json" };
  return createClient(contract, {
    baseUrl: "https://a.example",
    fetch: () => new Response(text, { status: 400, headers }),
  });
}

/** The client's result for a problem document, if it is declared and if it replaces a declared response. */
async function readBoth(text: string): Promise<[declared: Problem, undeclared: Problem | undefined]> {
  const result = await clientOf(text).declared();
  assert(result.status === 400);
  const error = await assertRejects(() => clientOf(text).undeclared(), ClientError);
  assertEquals(error.code, "unexpected-status");
  return [result.body, error.problem];
}

const issue = { location: "body", path: ["list", 0], pointer: "/list/0", message: "no" };
const whole = {
  type: "about:blank",
  title: "Bad Request",
  status: 400,
  detail: "It is bad",
  instance: "/log/1",
  code: "invalid-request",
  issues: [issue],
  balance: 30,
};

Deno.test("a problem document with valid members is read unchanged", async () => {
  for (const document of [whole, {}, { issues: [] }, { extension: ["any"] }]) {
    assertEquals(await readBoth(JSON.stringify(document)), [document, document]);
  }
});

// proves problems | Members with an invalid type are ignored | 3.1
Deno.test("members of a problem document with other types than in RFC 9457 are ignored", async () => {
  const others: Readonly<Record<string, readonly unknown[]>> = {
    type: [null, 1, ["x"], {}, true],
    title: [["x"], null, 0],
    status: ["403", null, [403], {}],
    detail: [{ text: "x" }, 1],
    instance: [1, false],
  };
  for (const [name, values] of Object.entries(others)) {
    const { [name as keyof typeof whole]: _, ...rest } = whole;
    for (const value of values) {
      assertEquals(await readBoth(JSON.stringify({ ...whole, [name]: value })), [rest, rest] as [Problem, Problem]);
    }
  }
  const text = '{"title":["x"],"status":"403","detail":null,"reason":"kept"}';
  assertEquals<unknown[]>(await readBoth(text), [{ reason: "kept" }, { reason: "kept" }]);
});

Deno.test("members of a problem document with other types than this package's are ignored", async () => {
  const { code: _, ...withoutCode } = whole;
  for (const code of [1, null, ["x"]]) {
    assertEquals(await readBoth(JSON.stringify({ ...whole, code })), [withoutCode, withoutCode]);
  }
  const { issues: __, ...withoutIssues } = whole;
  const misfits = [null, [], 1, {}, { ...issue, path: "x" }, { ...issue, path: [null] }, { ...issue, message: 1 }]
    .concat({ ...issue, location: undefined } as never, { ...issue, pointer: [] } as never);
  for (const issues of ["x", {}, null, ...misfits.map((misfit) => [issue, misfit])]) {
    assertEquals(await readBoth(JSON.stringify({ ...whole, issues })), [withoutIssues, withoutIssues]);
  }
});

Deno.test("hostile problem documents neither change a prototype nor throw", async () => {
  const text =
    '{"__proto__":{"title":["x"],"polluted":1},"constructor":1,"toString":2,"hasOwnProperty":3,"status":"x"}';
  for (const problem of await readBoth(text)) {
    assertEquals(Object.keys(problem!), ["__proto__", "constructor", "toString", "hasOwnProperty"]);
    assertStrictEquals(Object.getPrototypeOf(problem), Object.prototype);
    assertEquals([problem!.title, "polluted" in problem!], [undefined, false]);
  }
  const nested = `{"issues":${"[".repeat(900)}${"]".repeat(900)}}`;
  assertEquals(await readBoth(nested), [{}, {}]);
});

Deno.test("a problem document of 10 MB is read, except for ignored members", async () => {
  const members = Array.from({ length: 80_000 }, (_, index) => `"member ${index}":"${"v".repeat(100)}"`);
  const text = `{"title":1,${members.join()},"issues":[${Array(20_000).fill(JSON.stringify(issue)).join()}]}`;
  const result = await clientOf(text).declared();
  assert(result.status === 400);
  const { title, issues, ...others }: SentProblem = result.body;
  assertEquals([title, issues?.length, others["member 7"]], [undefined, 20_000, "v".repeat(100)]);
});

Deno.test("a declared problem that is not a JSON object is invalid-body", async () => {
  for (const text of ["[]", "null", '"text"', "42", '[{"title":"x"}]']) {
    const error = await assertRejects(() => clientOf(text).declared(), ClientError, "must be a JSON object");
    assertEquals([error.code, error.status, error.text], ["invalid-body", 400, text]);
  }
});

Deno.test("a declared problem with a schema is decoded only by the schema", async () => {
  const result = await clientOf('{"title":["x"]}').described();
  assertEquals<unknown>(result.body, { title: ["x"] }); // the server checks it
});
