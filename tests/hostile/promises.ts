/** Promises and thenables that misbehave when they are awaited or dropped. */
import { canary } from "./plan.ts";

/** The result of a promise. */
export type End = "gives" | "fails";

/** Ways of making a promise of a value, or of a failure. */
export const makes: Readonly<Record<string, (end: End, value: unknown) => unknown>> = {
  "now": (end, value) => {
    if (end === "fails") throw new Error(canary);
    return value;
  },
  "a promise": async (end, value) => await ofEnd(end, value),
  "a later promise": (end, value) => new Promise((resolve) => setTimeout(resolve, 0)).then(() => ofEnd(end, value)),
  "a promise of another class": (end, value) => {
    class Other<Value> extends Promise<Value> {}
    return new Other((resolve) => resolve(ofEnd(end, value)));
  },
  "a thenable that returns nothing": (end, value) => ({
    then: (resolve: Settle, reject: Settle): void => (end === "gives" ? resolve(value) : reject(new Error(canary))),
  }),
  "a thenable that is late": (end, value) => ({
    then: (resolve: Settle, reject: Settle): void => void ofEnd(end, value).then(resolve, reject),
  }),
  "a thenable that changes its mind": (end, value) => ({
    then: (resolve: Settle, reject: Settle): void => {
      if (end === "gives") resolve(value);
      reject(new Error(canary));
      resolve(value);
      fail();
    },
  }),
  "a thenable of a thenable": (end, value) => ({
    then: (resolve: Settle): void => resolve(makes["a thenable that is late"]!(end, value)),
  }),
};

/** The same for failures only. */
export const failures: Readonly<Record<string, () => unknown>> = {
  "a then that throws": () => ({ then: fail }),
  "a then that cannot be looked at": () => Object.defineProperty({}, "then", { get: fail }),
  "a promise whose then throws": () => Object.assign(Promise.resolve(), { then: fail }),
  "a promise whose constructor cannot be looked at": () =>
    Object.defineProperty(Promise.resolve(), "constructor", { get: fail }), // one that rejects would be lost to any \`await\`
  "nothing": () => undefined,
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};

type Settle = (value: unknown) => void;

function ofEnd(end: End, value: unknown): Promise<unknown> {
  return end === "gives" ? Promise.resolve(value) : Promise.reject(new Error(canary));
}

function fail(): never {
  throw new Error(canary);
}
