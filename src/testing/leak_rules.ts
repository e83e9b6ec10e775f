/** Finds internals of the server in responses. */
import { type Exchange } from "./exchange.ts";
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

/** Checks that an error response does not contain a stack trace. */
export function checkLeak({ answer: { status, body } }: Exchange): Breach | undefined {
  if (status < 400 || body.length === 0) return undefined;
  const text = new TextDecoder().decode(body);
  const trace = traces.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  if (trace === undefined) return undefined;
  return { rule: "no-leak", state: `was answered ${status} with a part of a stack: ${trace.slice(0, 80)}` };
}
