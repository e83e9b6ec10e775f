/** What a mock answers where it cannot make up a response. */
import { isInstance } from "../is_instance.ts";
import { problemType } from "../wire/problem.ts";
import { statusPhrase } from "../wire/status_phrase.ts";

/** A response that a mock cannot make up. */
export class NotMockedError extends Error {
  override readonly name = "NotMockedError";
}

/** A 501 for a response that could not be made up; `undefined` for any other error. */
export function answerNotMocked(error: unknown): Response | undefined {
  if (!isInstance(error, NotMockedError)) return undefined;
  const problem = { type: "about:blank", title: statusPhrase(501), status: 501, detail: error.message };
  return new Response(JSON.stringify(problem), { status: 501, headers: { "content-type": problemType } });
}
