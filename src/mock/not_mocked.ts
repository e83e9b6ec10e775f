/** The response of a mock that cannot generate one. */
import { isInstance } from "../is_instance.ts";
import { problemType } from "../wire/problem.ts";
import { statusPhrase } from "../wire/status_phrase.ts";

/** Thrown for a response that a mock cannot generate. */
export class NotMockedError extends Error {
  override readonly name = "NotMockedError";
}

/** Returns a 501 for a response that could not be generated; `undefined` for any other error. */
export function answerNotMocked(error: unknown): Response | undefined {
  if (!isInstance(error, NotMockedError)) return undefined;
  const problem = { type: "about:blank", title: statusPhrase(501), status: 501, detail: error.message };
  return new Response(JSON.stringify(problem), { status: 501, headers: { "content-type": problemType } });
}
