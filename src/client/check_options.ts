/** What clients and calls refuse of the objects that they are given. */

/** Throws the error of an object that cannot be used as it is. */
export type Refuse = (state: string) => never;

/** The object that was given, or none; refuses anything else, and a key that nobody reads. `what` names what its keys are. */
export function checkKeys(given: unknown, allowed: readonly string[], what: string, refuse: Refuse): object {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null) refuse(`the ${what}s must be an object`);
  const unknown = Object.keys(given).find((key) => !allowed.includes(key));
  if (unknown === undefined) return given;
  refuse(`unknown ${what} ${JSON.stringify(unknown)} (allowed: ${allowed.join(", ") || "none"})`);
}

/** How many bytes a client takes. */
export interface Limits {
  /** The most bytes of a body that is read as a whole. */
  readonly maxBodyBytes: number;
  /** The most bytes of one record of a stream. */
  readonly maxRecordBytes: number;
}

/** Refuses limits of bytes that are invalid. */
export function checkLimits(limits: { readonly [Name in keyof Limits]?: unknown }, refuse: Refuse): void {
  for (const name of ["maxBodyBytes", "maxRecordBytes"] as const) {
    const { [name]: limit = Infinity } = limits;
    if (limit === Infinity || (Number.isSafeInteger(limit) && (limit as number) >= 0)) continue;
    refuse(`${name} must be a whole number from 0, or Infinity`);
  }
}

/** Throws the error of a client that cannot be created. */
export function cannotCreate(state: string): never {
  throw new TypeError(`Cannot create a client: ${state}`);
}
