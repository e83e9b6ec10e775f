import { trimSlashes } from "../path.ts";
import { cannotDeclare } from "./declared.ts";

/** What a path must not contain, and the fix for each. Slashes at the ends of a path do not matter. */
const refusedText: readonly (readonly [RegExp, string])[] = [
  [/%/, ", a percent sign; write the decoded character instead"],
  [/[?#]/, "; declare what follows in the query slot instead"],
  [/\\/, ", a backslash; separate segments with / instead"],
  [/\p{Cc}/u, ", a control character; leave it out"],
  [/\p{Surrogate}/u, ", half of a surrogate pair; leave it out"],
  [/\/\/+/, ", an empty segment; write one slash between segments"],
  [/(?<=^|\/)\.\.?(?=\/|$)/, ", a dot segment, which URLs resolve away; write the path it leads to"],
  [
    /(?<=^|\/):(?![A-Za-z_]\w*(?:\/|$))[^/]*/,
    ", which is no parameter; write : and letters, digits and _, no digit first",
  ],
  [/(?<=^|\/)(:[^/]+)(?=\/(?:.*\/)?\1(?:\/|$))/, " twice; give each parameter a name of its own"],
];

/** Throws a `TypeError` if a path is invalid, declared or joined. `where` names it in the message. */
export function checkPath(path: unknown, where: string): asserts path is string {
  if (typeof path !== "string") cannotDeclare(where, 'its path must be a string like "/users/:id"');
  const trimmed = trimSlashes(path);
  for (const [pattern, state] of refusedText) {
    const found = pattern.exec(trimmed);
    if (found) cannotDeclare(`${where} ${JSON.stringify(path)}`, `it contains ${JSON.stringify(found[0])}${state}`);
  }
}
