/** However often and however deep a request breaks a schema, the refusal is short, and nothing is read that is not sent. */
import { request, response, route, type Schema } from "@scope/api";
import type { Issue } from "../../src/schema.ts";
import { assert, assertEquals } from "@std/assert";
import { scope, type } from "arktype";
import fc from "fast-check";
import { z } from "zod";
import { tries } from "../support/tries.ts";
import { listen, mountRoute } from "../support/mount_route.ts";

const responses = { 204: response.empty() };

interface Id {
  readonly id: string;
}

/** A schema that rejects every value with these issues. */
function refusing(issues: readonly Issue[]): Schema<Id> {
  return { "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) } };
}

/** The refusal of a JSON body, and the length of its text. */
async function refuse(schema: Schema<Id>, text = "{}"): Promise<{ problem: Refused; length: number }> {
  const declared = route.post("/", { body: request.json(schema), responses });
  const handler = mountRoute(declared, () => ({ status: 204 }));
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: text };
  const answer = await handler(new Request("http://localhost/", init));
  assertEquals(answer.status, 400);
  const body = await answer.text();
  return { problem: JSON.parse(body), length: body.length };
}

interface Refused {
  readonly detail?: string;
  readonly issues: readonly {
    readonly location: string;
    readonly path: readonly (string | number)[];
    readonly pointer: string;
    readonly message: string;
  }[];
}

// proves promises | The response to an invalid request is small, however invalid it is
Deno.test("a body with 100,000 issues receives the first 20 and their number", async () => {
  const text = JSON.stringify(Array.from({ length: 100_000 }, () => "a"));
  for (const schema of [type("number[]"), z.array(z.number())] as unknown as Schema<Id>[]) {
    const { problem, length } = await refuse(schema, text);
    assertEquals(problem.detail, "20 of 100000 issues");
    assertEquals(problem.issues.map(({ pointer }) => pointer), Array.from({ length: 20 }, (_, index) => `/${index}`));
    assert(length < 4_000, String(length));
  }
});

Deno.test("a recursive body that is invalid at each level receives pointers of at most 300 characters", async () => {
  const { node } = scope({ node: { "child?": "node", x: "string" } }).export();
  let body: object = { x: 1 };
  for (let depth = 0; depth < 90; depth++) body = { x: 1, child: body };
  const { problem, length } = await refuse(node as unknown as Schema<Id>, JSON.stringify(body));
  assertEquals([problem.detail, problem.issues.length], ["20 of 91 issues", 20]);
  for (const { pointer, path } of problem.issues) {
    assert(pointer.length <= 300);
    assertEquals(pointer, path.map((key) => `/${key}`).join(""));
  }
  assert(length < 20_000, String(length));
});

Deno.test("a refusal does not read issues that it does not report", async () => {
  const unread: Issue = {
    get message(): string {
      throw new Error("read");
    },
    get path(): [] {
      throw new Error("read");
    },
  };
  const first = Array.from({ length: 20 }, (_, index) => ({ message: `${index}` }));
  const { problem } = await refuse(refusing([...first, unread]));
  assertEquals(problem.detail, "20 of 21 issues");
  assertEquals(problem.issues.map(({ message }) => message), first.map(({ message }) => message));
});

Deno.test("a refusal has no detail if it reports every issue", async () => {
  for (const length of [1, 20]) {
    const { problem } = await refuse(refusing(Array.from({ length }, () => ({ message: "no" }))));
    assertEquals([problem.issues.length, problem.detail], [length, undefined]);
  }
});

Deno.test("a refusal reports 20 issues over params, query and headers", async () => {
  const issues = (length: number): Schema<Id> => refusing(Array.from({ length }, () => ({ message: "no" })));
  const declared = route.get("/:id", { params: issues(3), query: issues(15), headers: issues(9), responses });
  const answer = await mountRoute(declared, () => ({ status: 204 }))(new Request("http://localhost/1"));
  const { detail, issues: reported }: Refused = await answer.json();
  assertEquals(detail, "20 of 27 issues");
  const count = (slot: string): number => reported.filter(({ location }) => location === slot).length;
  assertEquals([count("params"), count("query"), count("headers")], [3, 15, 2]);
});

Deno.test("a refusal counts its issues after the list rule", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `f${100 + index}`);
  const lists = type(Object.fromEntries(names.map((name, index) => [name, index % 2 ? "string[]" : "string[] >= 2"])));
  const handler = mountRoute(route.get("/", { query: lists as never, responses }), () => ({ status: 204 }));
  const answer = await handler(new Request(`http://localhost/?${names.map((name) => `${name}=a`).join("&")}`));
  const { detail, issues }: Refused = await answer.json();
  assertEquals(detail, "20 of 30 issues"); // one in two is mended by a list of one
  assertEquals(
    issues.map(({ pointer }) => pointer),
    names.filter((_, index) => index % 2 === 0).slice(0, 20).map((name) => `/${name}`),
  );
});

Deno.test("a refusal cuts messages at 300 characters without splitting a surrogate pair", async () => {
  const messages = [
    "x".repeat(300),
    "x".repeat(301),
    `${"x".repeat(299)}🌍`,
    `${"x".repeat(298)}🌍y`,
    "é".repeat(1_000),
  ];
  const { problem } = await refuse(refusing(messages.map((message) => ({ message }))));
  assertEquals(
    problem.issues.map(({ message }) => message),
    ["x".repeat(300), "x".repeat(300), "x".repeat(299), `${"x".repeat(298)}🌍`, "é".repeat(300)],
  );
});

Deno.test("a refusal ends a path at the deepest ancestor whose pointer has at most 300 characters", async () => {
  const key = fc.oneof(
    fc.string({ maxLength: 4 }),
    fc.nat(),
    fc.constantFrom("~", "/", "~".repeat(149), "x".repeat(400)),
  );
  const path = fc.array(fc.oneof(key, fc.constant("a".repeat(60))), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(path, { maxLength: 5, minLength: 1 }), async (paths) => {
      const { problem } = await refuse(refusing(paths.map((path) => ({ message: "no", path }))));
      for (const [index, whole] of paths.entries()) {
        const { path, pointer } = problem.issues[index]!;
        const toPointer = (keys: readonly (string | number)[]): string =>
          keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
        assertEquals([path, pointer], [whole.slice(0, path.length), toPointer(path)]);
        assert(
          pointer.length <= 300 &&
            (path.length === whole.length || toPointer(whole.slice(0, path.length + 1)).length > 300),
        );
      }
    }),
    tries(200),
  );
});

Deno.test("onError receives the first 20 of a result's issues and their number", async () => {
  const { heard, onError } = listen();
  const issues = Array.from({ length: 1_000 }, (_, index) => ({ message: "y".repeat(1_000), path: ["items", index] }));
  const declared = route.get("/", { responses: { 200: response.json(refusing(issues)) } });
  const handler = mountRoute(declared, ({ response }) => response(200, { id: "" }), { onError });
  const answer = await handler(new Request("http://localhost/"));
  assertEquals([answer.status, heard.map(({ phase }) => phase)], [500, ["encode"]]);
  const { message } = heard[0]!.error as Error;
  assert(message.includes("items.19: yyy") && !message.includes("items.20") && message.endsWith("; 20 of 1000 issues"));
  assert(message.length < 7_000, String(message.length));
});
