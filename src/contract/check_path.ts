import { trimSlashes } from "../path.ts";
import { cannotDeclare } from "./declared.ts";

/** What no path may contain, and what to do instead. */
const refusedText: readonly (readonly [RegExp, string])[] = [
  [/%/, "it contains a percent sign; write the decoded character instead"],
  [/[?#]/, "it contains ? or #; declare what follows in the query slot instead"],
  [/\\/, "it contains a backslash; separate segments with / instead"],
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  [/[\u0000-\u001f\u007f-\u009f]/, "it contains a control character; leave it out"],
  [/\p{Surrogate}/u, "it contains half of a surrogate pair; leave it out"],
];

/** Most paths: of usual letters, with one parameter at most. They need no closer look, which takes 1 µs. */
const plainPath = /^(?:\/[\w~-][\w.~-]*)*(?:\/:[A-Za-z_]\w*(?:\/[\w~-][\w.~-]*)*)?$/;

/** Refuses a path that can't be, as a user wrote it; `where` says what the path is of. */
export function checkPath(path: unknown, where: string): asserts path is string {
  if (typeof path !== "string") cannotDeclare(where, 'its path is no string; write one like "/users/:id"');
  if (plainPath.test(path)) return;
  const trimmed = trimSlashes(path);
  const segments = trimmed === "" ? [] : trimmed.split("/");
  const state = refuseText(path) ?? refuseSegments(segments) ?? refuseRepetition(segments);
  if (state !== undefined) cannotDeclare(`${where} ${JSON.stringify(path)}`, state);
}

function refuseText(path: string): string | undefined {
  return refusedText.find(([pattern]) => pattern.test(path))?.[1];
}

function refuseSegments(segments: readonly string[]): string | undefined {
  for (const segment of segments) {
    const state = refuseSegment(segment);
    if (state !== undefined) return state;
  }
}

function refuseSegment(segment: string): string | undefined {
  if (segment === "") return "it has an empty segment; write one slash between segments";
  if (segment === "." || segment === "..") {
    return `it has the dot segment ${JSON.stringify(segment)}, which URLs resolve away; write the path it leads to`;
  }
  if (segment.startsWith(":") && !/^:[A-Za-z_][A-Za-z0-9_]*$/.test(segment)) {
    return `${JSON.stringify(segment)} is no parameter; write : and letters, digits and _, no digit first`;
  }
}

/** What is wrong with segments that name one parameter twice. */
export function refuseRepetition(segments: readonly string[]): string | undefined {
  const repeated = segments.find((segment, index) => segment.startsWith(":") && segments.indexOf(segment) !== index);
  return repeated && `it names the parameter ${repeated} twice; give each a name of its own`;
}
