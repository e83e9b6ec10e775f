/** Watches for promises that reject without anyone who waits for them, where the platform tells. */
import { type Finding } from "./finding.ts";

/** Runs a test; adds a finding if a promise of the server rejects meanwhile and nobody handles it. */
export async function watchRejections(run: () => Promise<Finding[]>): Promise<Finding[]> {
  const reasons: unknown[] = [];
  const stop = listen((reason) => void reasons.push(reason));
  try {
    const findings = await run();
    await new Promise((resolve) => setTimeout(resolve, 0)); // platforms tell once the tasks at hand are done
    return reasons.length > 0 ? [...findings, toFinding(reasons[0])] : findings;
  } finally {
    stop();
  }
}

/** What a platform's event of a rejected promise has. */
interface RejectionEvent extends Event {
  readonly reason?: unknown;
}

/** What Node tells rejections by. */
interface NodeProcess {
  readonly on?: (name: string, listener: (reason: unknown) => void) => void;
  readonly off?: NodeProcess["on"];
}

/** Declared here, since not every program has Node's types. */
declare const process: NodeProcess | undefined;

/**
 * Has rejections told to a function instead of the platform, which may end the process; returns what stops that. Node and Bun tell them by
 * `process`, all others by an event.
 */
function listen(tell: (reason: unknown) => void): () => void {
  const node = typeof process === "undefined" ? undefined : process;
  const note = (event: RejectionEvent): void => {
    event.preventDefault();
    tell(event.reason);
  };
  node?.on?.("unhandledRejection", tell);
  globalThis.addEventListener?.("unhandledrejection", note);
  return () => {
    node?.off?.("unhandledRejection", tell);
    globalThis.removeEventListener?.("unhandledrejection", note);
  };
}

function toFinding(reason: unknown): Finding {
  const said = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  const state = `a promise rejected that nothing handles: ${said}`;
  return { rule: "no-failure", route: "*", state, requests: [], before: [] };
}
