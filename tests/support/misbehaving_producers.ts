/** Producers of streams that misbehave in any way. */
import fc from "fast-check";
import { atPace, canary, paces } from "./paces.ts";

/** What a producer does when it is asked for an item, or the schema when it validates the item. */
export type Deed = "item" | "throws" | "bad item" | "refused" | "schema fails" | "stuck";

/** How items are produced and sent, and what misbehaves besides. */
export const manners = fc.record({
  kind: fc.constantFrom("ndjson", "sse", "stream"),
  shape: fc.constantFrom("iterator", "generator", "readable"),
  pace: fc.constantFrom(...paces),
  checked: fc.constantFrom(...paces),
  closing: fc.constantFrom("well", "throws", "rejects", "never"),
  onError: fc.constantFrom("well", "throws", "rejects"),
});
export type Manners = typeof manners extends fc.Arbitrary<infer Value> ? Value : never;

export function misbehave(deed: "well" | "throws" | "rejects" | "never"): Promise<void> {
  if (deed === "throws") throw new Error(canary);
  if (deed === "rejects") return Promise.reject(new Error(canary));
  return deed === "never" ? new Promise(() => {}) : Promise.resolve();
}

/** Returns a producer of these deeds. `count.closed` is how often it was closed, except for a generator. */
export function produce(deeds: readonly Deed[], manners: Manners): { source: unknown; count: { closed: number } } {
  const { kind, shape, pace, closing } = manners;
  const count = { closed: 0 };
  const left = [...deeds];
  const make = (deed: Deed): unknown => {
    if (deed === "throws") throw new Error(canary);
    if (deed === "stuck") return new Promise(() => {});
    if (kind === "stream") return deed === "bad item" ? canary : new Uint8Array([1]);
    return deed === "bad item" ? undefined : kind === "sse" ? { data: deed } : deed;
  };
  const next = async (): Promise<IteratorResult<unknown>> => {
    const deed = left.shift();
    return deed ? { done: false, value: await atPace(pace, () => make(deed)) } : { done: true, value: undefined };
  };
  const close = (): Promise<void> => (count.closed++, misbehave(closing));
  const sources = {
    iterator: () => ({ [Symbol.asyncIterator]: () => ({ next, return: () => close().then(() => ({ done: true })) }) }),
    async *generator(): AsyncGenerator<unknown> {
      for (let step = await next(); !step.done; step = await next()) yield step.value;
    },
    readable: () =>
      new ReadableStream({
        async pull(controller): Promise<void> {
          const { done, value } = await next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: close,
      }, { highWaterMark: 0 }),
  };
  return { source: sources[shape](), count };
}
