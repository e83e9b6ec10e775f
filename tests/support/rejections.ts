/** Unhandled promise rejections. */

/** Runs `use`, and returns all rejections that were not handled during the run. */
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

/** Waits until all started work has settled: microtasks and a few timers. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
