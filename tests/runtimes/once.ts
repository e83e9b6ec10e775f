/** Something that is made once, when it is first asked for. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => made ??= make();
}
