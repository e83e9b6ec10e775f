import { discardBody } from "../wire/discard_body.ts";
import { type ReceivedResult, type ResultTracker } from "./representation.ts";

/** An attempt, and its result. */
interface Attempt {
  /** Absent while it is awaited. */
  result?: ReceivedResult;
  /** Whether something of its body is left to read. */
  isOpen: boolean;
}

/** Tracks the results of a call's attempts: they are closed, unless the caller gets them. `release` releases what the call holds. */
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

/** Tells that nobody is going to read a body that is read later: items, bytes, or a native response. */
function close({ result, isOpen }: Attempt): void {
  if (!isOpen || !result) return;
  const body = result.body as Partial<AsyncIterator<unknown>> & Pick<Response, "body"> | ReadableStream;
  if ("return" in body) body.return?.();
  else discardBody("body" in body ? body : { body });
}
