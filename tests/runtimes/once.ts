/** A value that is created once, when it is first requested. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => made ??= make();
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
