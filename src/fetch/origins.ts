import { describeResult } from "../server/result.ts";
import { type CorsOptions } from "./check_cors.ts";

/**
 * Whether an origin is allowed. If the application's function throws, the error is passed to `report`, and the origin
 * is not allowed.
 */
export type AllowsOrigin = (origin: string | null, report: (error: unknown) => void) => boolean;

/** Plans which origins are allowed. A list never allows `null`, because any sandboxed page has that origin. */
export function planOrigins(origins: CorsOptions["origins"] | undefined): AllowsOrigin {
  if (origins === undefined) return () => false;
  if (origins === "*") return () => true;
  if (typeof origins === "function") return planAsking(origins);
  const allowed: ReadonlySet<string | null> = new Set(origins);
  return (origin) => allowed.has(origin);
}

function planAsking(ask: (origin: string) => unknown): AllowsOrigin {
  return (origin, report) => {
    if (origin === null || !URL.canParse(origin)) return false; // includes "null" and what no browser sends
    try {
      return toBoolean(ask(origin));
    } catch (error) {
      report(error);
      return false;
    }
  };
}

function toBoolean(allowed: unknown): boolean {
  if (typeof allowed === "boolean") return allowed;
  throw new TypeError(`cors.origins() must return a boolean, got ${describeResult(allowed)}`);
}
