import { describeValue } from "../describe_value.ts";
import { trimSlashes } from "../path.ts";
import { cannotDeclare } from "./declared.ts";

/** What a path must not contain, and the fix for each. Slashes at the ends of a path do not matter. */
const refusedText: readonly (readonly [RegExp, string])[] = [
  [/%/, ", a percent sign; write the decoded character instead"],
  [/[?#]/, ', which ends a path; remove it, or declare "query"'],
  [/\\/, ", a backslash; separate segments with / instead"],
  [/\p{Cc}/u, ", a control character; remove it"],
  [/\p{Surrogate}/u, ", a lone surrogate; remove it"],
  [/\/\/+/, ", an empty segment; write one slash between segments"],
  [/(?<=^|\/)\.\.?(?=\/|$)/, ", a dot segment; write the path that it resolves to"],
  [
    /(?<=^|\/):(?![A-Za-z_]\w*(?:\/|$))[^/]*/,
    ", an invalid parameter; its name must have letters, digits and _ only, and not start with a digit",
  ],
  [/(?<=^|\/)(:[^/]+)(?=\/(?:.*\/)?\1(?:\/|$))/, " twice; rename one of the parameters"],
];

/** Throws a `TypeError` if a path is invalid, declared or joined. `where` names it in the message. */
export function checkPath(path: unknown, where: string, what = "the path"): asserts path is string {
  if (typeof path !== "string") {
    cannotDeclare(where, `${what} must be a string like "/users/:id", got ${describeValue(path)}`);
  }
  const trimmed = trimSlashes(path);
  for (const [pattern, state] of refusedText) {
    const found = pattern.exec(trimmed);
    if (found) cannotDeclare(where, `${what} ${JSON.stringify(path)} contains ${JSON.stringify(found[0])}${state}`);
  }
}
