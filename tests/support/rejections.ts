/** Rejections that nobody handles. */

/** Runs `use`, and gives every rejection that nobody handled meanwhile. */
export async function rejectionsOf(use: () => Promise<void>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const hear = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", hear);
  try {
    await use();
    await settled();
  } finally {
    globalThis.removeEventListener("unhandledrejection", hear);
  }
  return unhandled;
}

/** Waits until what has been set going has come to rest: microtasks and a few turns of the timer. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
