import { discardBody } from "../wire/discard_body.ts";
import { type ReceivedResult, type ResultTracker } from "./representation.ts";

/** An attempt, with its result. */
interface Attempt {
  /** `undefined` until it arrives. */
  result?: ReceivedResult;
  /** Whether a part of its body remains to be read. */
  isOpen: boolean;
}

/**
 * Tracks the results of a call's attempts. It closes those that the caller does not receive. `release` frees the
 * resources of the call.
 */
export function trackResults(release: () => void): ResultTracker {
  const attempts: Attempt[] = [];
  let kept: Attempt | undefined;
  let isOver = false;
  return {
    async track<Result extends ReceivedResult>(start: (release: () => void) => Promise<Result>): Promise<Result> {
      const own: Attempt = { isOpen: true };
      attempts.push(own);
      const result = await start(() => {
        own.isOpen = false;
        if (own === kept) release();
      });
      own.result = result;
      if (isOver) close(own);
      return result;
    },
    end(response): boolean {
      isOver = true;
      kept = response && attempts.find(({ result }) => result?.response === response);
      for (const own of attempts) if (own !== kept) close(own);
      return kept?.isOpen === true;
    },
  };
}

/** Closes a body that will not be read: items, bytes, or a native response. */
function close({ result, isOpen }: Attempt): void {
  if (!isOpen || !result) return;
  const body = result.body as Partial<AsyncIterator<unknown>> & Pick<Response, "body"> | ReadableStream;
  if ("return" in body) body.return?.();
  else discardBody("body" in body ? body : { body });
}
