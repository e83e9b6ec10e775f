/** Finds internals of the server in responses. */
import { type Exchange, type RuleSettings } from "./exchange.ts";
import { type Breach } from "./finding.ts";

/** Stack traces of JavaScript, Python, Java, Go and PHP. */
const traces: readonly RegExp[] = [
  /\bat [^\n"]{1,300}:\d+:\d+\b/,
  /Traceback \(most recent call last\)/,
  /\bFile \\?"[^"\n]+", line \d+/,
  /\bat [\w.$]+\([\w$]+\.(?:java|kt|scala):\d+\)/,
  /\bgoroutine \d+ \[/,
  /#\d+ [^\n]{1,300}\.php\(\d+\)/,
];

/** The most bytes of content that are searched: pages of errors begin with what went wrong. */
const maxSearched = 65_536;

/** Returns the beginning of the content of a response, as text. */
export function searchedText(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, maxSearched));
}

/** Checks that an error response does not contain a stack trace. */
export function checkLeak({ answer: { status, body } }: Exchange, { show }: RuleSettings): Breach | undefined {
  if (status < 400 || body.length === 0) return undefined;
  const text = searchedText(body);
  const trace = traces.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  if (trace === undefined) return undefined;
  return { rule: "no-leak", state: `was answered ${status} with a part of a stack: ${show(trace, 80)}` };
}
