import { ClientError } from "../client/error.ts";
import { isInstance } from "../is_instance.ts";

/**
 * Returns the status of an outcome, declared or not. Returns `network` for a missing response or a broken connection,
 * and `undefined` for all other errors, because the same request would fail again.
 */
export function statusOf(outcome: unknown): number | "network" | undefined {
  if (!isInstance(outcome, ClientError)) return (outcome as { readonly status: number }).status;
  if (outcome.code === "network") return "network";
  return outcome.code === "unexpected-status" ? outcome.status : undefined;
}
