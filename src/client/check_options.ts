/** Checks that clients and calls share for the objects passed to them. */
import { describeConfidential } from "../describe_value.ts";

/** Throws the error for an invalid object. */
export type Refuse = (state: string) => never;

/**
 * Returns the object, or an empty one if none was passed. Refuses anything else, and any key that is not in `allowed`.
 * `what` is what the message calls the keys.
 */
export function checkKeys(value: unknown, allowed: readonly string[], what: string, refuse: Refuse): object {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null) {
    refuse(`the ${what}s must be an object, got ${describeConfidential(value)}`);
  }
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown === undefined) return value;
  refuse(`unknown ${what} ${JSON.stringify(unknown)} (allowed: ${allowed.join(", ") || "none"})`);
}

/** Limits for the sizes of bodies and records. */
export interface Limits {
  /** The most bytes of a body that is read as a whole. */
  readonly maxBodyBytes: number;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
}

/** Refuses invalid limits. */
export function checkLimits(limits: { readonly [Name in keyof Limits]?: unknown }, refuse: Refuse): void {
  for (const name of ["maxBodyBytes", "maxRecordBytes"] as const) {
    const { [name]: limit = Infinity } = limits;
    if (limit === Infinity || (Number.isSafeInteger(limit) && (limit as number) >= 0)) continue;
    refuse(`"${name}" must be a non-negative integer or Infinity, got ${describeConfidential(limit)}`);
  }
}

/** Throws the error for a client that cannot be created. */
export function cannotCreate(state: string): never {
  throw new TypeError(`createClient(): ${state}`);
}
