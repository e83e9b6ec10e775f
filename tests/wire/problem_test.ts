import { STATUS_CODES } from "node:http";
import { assertEquals } from "@std/assert";
import { createProblem, statusPhrase, toProblemIssue } from "../../src/wire/problem.ts";

// proves problems | `~` is escaped as `~0`, then `/` as `~1` | RFC 6901, 3 and 4
Deno.test("toProblemIssue() writes the pointer of RFC 6901, which escapes ~ before /", () => {
  const { path, pointer } = toProblemIssue("body", { message: "no", path: ["a/b", "m~n", "~1", 0, ""] });
  assertEquals(path, ["a/b", "m~n", "~1", 0, ""]);
  assertEquals(pointer, "/a~1b/m~0n/~01/0/");
});

Deno.test("toProblemIssue() points at the whole value if an issue has no path", () => {
  assertEquals(toProblemIssue("body", { message: "no" }).pointer, "");
  assertEquals(toProblemIssue("body", { message: "no", path: [] }).pointer, "");
});

Deno.test("toProblemIssue() accepts the path's steps in all forms, and a symbol by its description", () => {
  const issue = toProblemIssue("query", { message: "no", path: [{ key: "list" }, Symbol("mark"), { key: 1 }] });
  assertEquals(issue, { location: "query", path: ["list", "mark", 1], pointer: "/list/mark/1", message: "no" });
});

// proves problems | `type` is a URI reference; with `about:blank`, the title is the phrase of the status | 3.1.1,
//   4.2.1
Deno.test("createProblem() has the phrase and status of RFC 9110 with type about:blank, as RFC 9457 requires", () => {
  assertEquals(createProblem("body-too-large"), {
    type: "about:blank",
    title: "Content Too Large",
    status: 413,
    code: "body-too-large",
  });
});

Deno.test("statusPhrase() has the phrases of RFC 9110, and numbers for statuses that no route would declare", () => {
  const renamed: Readonly<Record<string, string>> = { 413: "Content Too Large", 422: "Unprocessable Content" };
  const registered = Object.entries({ ...STATUS_CODES, ...renamed }).filter(([status]) => Number(status) >= 200);
  const without = registered.filter(([status]) => statusPhrase(Number(status)) === `Status ${status}`);
  const differing = registered.filter(([status, phrase]) => statusPhrase(Number(status)) !== phrase);
  assertEquals(differing, without);
  assertEquals(without.map(([status]) => Number(status)), [208, 226, 305, 407, 418, 505, 506, 508, 509, 510]);
});
