/** Watches for promises that reject without anyone who waits for them, where the platform tells. */
import { type Finding } from "./finding.ts";

/** What a platform's event of a rejected promise has. */
interface RejectionEvent extends Event {
  readonly reason: unknown;
}

/** Runs a test; adds a finding if a promise of the server rejects meanwhile and nobody handles it. */
export async function watchRejections(run: () => Promise<Finding[]>): Promise<Finding[]> {
  if (typeof globalThis.addEventListener !== "function") return await run();
  const reasons: unknown[] = [];
  const note = (event: Event): void => {
    event.preventDefault();
    reasons.push((event as RejectionEvent).reason);
  };
  globalThis.addEventListener("unhandledrejection", note);
  try {
    const findings = await run();
    await new Promise((resolve) => setTimeout(resolve, 0)); // platforms tell once the tasks at hand are done
    return reasons.length > 0 ? [...findings, toFinding(reasons[0])] : findings;
  } finally {
    globalThis.removeEventListener("unhandledrejection", note);
  }
}

function toFinding(reason: unknown): Finding {
  const said = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  return {
    rule: "no-failure",
    route: "*",
    state: `a promise rejected that nothing handles: ${said}`,
    requests: [],
    before: [],
  };
}
