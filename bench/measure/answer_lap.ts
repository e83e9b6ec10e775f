import { type RequestData, toRequest } from "../contract/scenarios.ts";
import { type Handler } from "../systems/system.ts";
import { type Lap } from "./compare.ts";

/** What a batch asks, in turn, and the status that every answer must have. */
export interface Batch {
  readonly requests: readonly RequestData[];
  readonly size: number;
  readonly status: number;
}

/**
 * A lap of one handler. Timed is from the call of the handler to its response; the requests are made before, the bodies
 * are not read, and a response that comes at once is not waited for.
 */
export function answerLap(
  handler: Handler,
  { requests, size, status }: Batch,
): Lap {
  return async () => {
    const batch = Array.from({ length: size }, (_, index) => toRequest(requests[index % requests.length]!));
    const start = performance.now();
    for (const request of batch) {
      const answer = handler(request);
      const response = answer instanceof Promise ? await answer : answer;
      if (response.status !== status) {
        throw new Error(`Cannot measure ${request.url}: status ${response.status}`);
      }
    }
    return (performance.now() - start) * 1e6 / size;
  };
}
