/** Detects unhandled promise rejections, where the platform reports them. */
import { type Finding } from "./finding.ts";

/** Runs a test. Adds a finding if a promise of the server rejects during the test and its rejection is not handled. */
export async function watchRejections(run: () => Promise<Finding[]>): Promise<Finding[]> {
  const reasons: unknown[] = [];
  const stop = listen((reason) => void reasons.push(reason));
  try {
    const findings = await run();
    await new Promise((resolve) => setTimeout(resolve, 0)); // platforms report rejections after the current task
    return reasons.length > 0 ? [...findings, toFinding(reasons[0])] : findings;
  } finally {
    stop();
  }
}

/** The event of a platform for an unhandled rejection. */
interface RejectionEvent extends Event {
  readonly reason?: unknown;
}

/** The part of Node's `process` that reports rejections. */
interface NodeProcess {
  readonly on?: (name: string, listener: (reason: unknown) => void) => void;
  readonly off?: NodeProcess["on"];
}

/** Declared here, because not every program includes Node's types. */
declare const process: NodeProcess | undefined;

/**
 * Reports rejections to a function instead of the platform, which might end the process. Returns a function that stops
 * it. Node and Bun report rejections with `process`, all others with an event.
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
  const state = `a promise rejection was not handled: ${said}`;
  return { rule: "no-failure", route: "*", state, requests: [], before: [] };
}
