/** A result of a call: 202 while the work goes on, and another status when it has ended. */
interface Polled {
  readonly status: number;
  readonly response: Response;
}

/**
 * Calls `read` until its status is not 202, and waits in between as long as `Retry-After` says. After `timeout`
 * milliseconds, or when `signal` aborts, it rejects with the reason.
 */
export async function waitForJob<Result extends Polled>(
  read: (signal: AbortSignal) => Promise<Result>,
  { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal },
): Promise<Exclude<Result, { readonly status: 202 }>> {
  const deadline = AbortSignal.timeout(timeout);
  const end = signal ? AbortSignal.any([signal, deadline]) : deadline;
  for (;;) {
    const result = await read(end).catch((error) => {
      end.throwIfAborted();
      throw error;
    });
    if (result.status !== 202) return result as Exclude<Result, { readonly status: 202 }>; // the other statuses
    await sleep(toWait(result.response.headers.get("retry-after")), end);
  }
}

/** The milliseconds that a `Retry-After` asks for, in seconds or as a date (RFC 9110, section 10.2.3): at least 100. */
function toWait(retryAfter: string | null): number {
  const isDate = retryAfter?.endsWith(" GMT");
  const isSeconds = /^\d+$/.test(retryAfter ?? "");
  const wait = isDate ? Date.parse(`${retryAfter}`) - Date.now() : isSeconds ? 1_000 * Number(retryAfter) : 1_000;
  return Number.isNaN(wait) ? 1_000 : Math.min(Math.max(wait, 100), 2 ** 31 - 1); // what a timer can wait
}

function sleep(milliseconds: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(end.reason);
    };
    const timer = setTimeout(() => {
      end.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (end.aborted) stop();
    else end.addEventListener("abort", stop, { once: true });
  });
}
