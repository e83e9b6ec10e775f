/** A value that is created once, when it is first requested. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => made ??= make();
}

const inAdvance: (() => Promise<unknown>)[] = [];

/** The same, made while earlier tests run: the test suite waits for programs more than it computes. */
export function advance<Value>(make: () => Promise<Value>): () => Promise<Value> {
  const value = once(make);
  inAdvance.push(value);
  return value;
}

/**
 * Makes the values of {@linkcode advance} one after the other, the last one first, while the tests run from the first
 * one on. A value that fails here fails again in the test that needs it.
 */
export async function makeInAdvance(): Promise<void> {
  for (const make of inAdvance.toReversed()) await make().catch(() => {});
}

/** The same, for each text. */
export function onceFor<Value>(make: (text: string) => Promise<Value>): (text: string) => Promise<Value> {
  const made = new Map<string, Promise<Value>>();
  return (text) => {
    const value = made.get(text) ?? make(text);
    made.set(text, value);
    return value;
  };
}
