import { ClientError } from "../client/error.ts";
import { isInstance } from "../is_instance.ts";

/**
 * The status of an outcome, declared or not, or `network` where no response came or it broke off; `undefined` for every other error,
 * which the same request would meet again.
 */
export function statusOf(outcome: unknown): number | "network" | undefined {
  if (!isInstance(outcome, ClientError)) return (outcome as { readonly status: number }).status;
  if (outcome.code === "network") return "network";
  return outcome.code === "unexpected-status" ? outcome.status : undefined;
}
