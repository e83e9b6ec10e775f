/** Something that is made once, when it is first asked for. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => made ??= make();
}

/** The same for each text that it is asked for. */
export function onceFor<Value>(make: (text: string) => Promise<Value>): (text: string) => Promise<Value> {
  const made = new Map<string, Promise<Value>>();
  return (text) => {
    const value = made.get(text) ?? make(text);
    made.set(text, value);
    return value;
  };
}
