import { type Problem } from "../wire/problem_document.ts";

/**
 * Groups the messages of a problem's issues by field name, to show them in a form. The issue at `/user/name` belongs to
 * the field `user.name`. An issue of the whole value has the name `""`.
 *
 * @example What a form shows
 * ```ts
 * import { fieldErrors } from "@scope/api/client";
 * import { assertEquals } from "@std/assert";
 *
 * const problem = {
 *   issues: [
 *     { location: "body", path: ["user", "name"], pointer: "/user/name", message: "must be non-empty" },
 *     { location: "body", path: ["tags", 0], pointer: "/tags/0", message: "must be a string" },
 *   ],
 * };
 *
 * assertEquals(fieldErrors(problem), { "user.name": ["must be non-empty"], "tags.0": ["must be a string"] });
 * assertEquals(fieldErrors(undefined), {});
 * ```
 */
export function fieldErrors(problem: Pick<Problem, "issues"> | undefined): Readonly<Record<string, readonly string[]>> {
  const messages = new Map<string, string[]>();
  for (const { path, message } of problem?.issues ?? []) {
    const name = path.join(".");
    const others = messages.get(name);
    if (others) others.push(message);
    else messages.set(name, [message]);
  }
  return Object.fromEntries(messages);
}
