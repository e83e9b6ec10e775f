/** Sorts schemas by what they refer to. */
import type { Schemas } from "./schemas.ts";
import { referencesOf } from "./shape.ts";

/**
 * Returns the keys of schemas in an order in which each stands after those that it refers to, where that is possible.
 */
export function sortSchemas(
  keys: readonly string[],
  schemas: Schemas,
): { order: string[]; cyclic: ReadonlySet<string> } {
  const order: string[] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cyclic = new Set<string>();
  // Tarjan's algorithm without recursion, because chains of references can be long.
  for (const root of keys) {
    if (index.has(root)) continue;
    const frames: { key: string; references: readonly string[]; next: number }[] = [];
    const enter = (key: string) => {
      index.set(key, index.size);
      low.set(key, index.get(key)!);
      stack.push(key);
      onStack.add(key);
      frames.push({ key, references: [...new Set(referencesOf(schemas.get(key).shape))], next: 0 });
    };
    enter(root);
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      const reference = frame.references[frame.next++];
      if (reference !== undefined) {
        if (!index.has(reference)) enter(reference);
        else if (onStack.has(reference)) low.set(frame.key, Math.min(low.get(frame.key)!, index.get(reference)!));
        continue;
      }
      frames.pop();
      const above = frames.at(-1);
      if (above) low.set(above.key, Math.min(low.get(above.key)!, low.get(frame.key)!));
      if (low.get(frame.key) !== index.get(frame.key)) continue;
      const component = stack.splice(stack.lastIndexOf(frame.key));
      for (const key of component) onStack.delete(key);
      const isCycle = component.length > 1 || frame.references.includes(frame.key);
      if (isCycle) { for (const key of component) cyclic.add(key); }
      order.push(...component);
    }
  }
  return { order, cyclic };
}
