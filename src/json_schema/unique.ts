import { type Json, typeOf } from "./json.ts";

/** Whether all items are different; `undefined` if one has more than `maxDepth` levels. */
export function areUnique(items: readonly Json[], maxDepth: number): boolean | undefined {
  const scalars = new Set<Json>();
  const texts = new Set<string>();
  let structures = 0;
  for (const item of items) {
    if (typeof item !== "object" || item === null) {
      scalars.add(item);
      continue;
    }
    const text = formatCanonical(item, maxDepth);
    if (text === undefined) return undefined;
    texts.add(text);
    structures++;
  }
  return texts.size === structures && scalars.size === items.length - structures;
}

/**
 * Returns JSON with members sorted by name, so that equal values have equal texts; `undefined` if the value is too
 * deep.
 */
function formatCanonical(value: Json, depth: number): string | undefined {
  const type = typeOf(value);
  if (type !== "array" && type !== "object") return JSON.stringify(value);
  if (depth === 0) return undefined;
  const parts: string[] = [];
  const isList = Array.isArray(value);
  for (const key of isList ? value.keys() : Object.keys(value as object).sort()) {
    const part = formatCanonical((value as never)[key], depth - 1);
    if (part === undefined) return undefined;
    parts.push(isList ? part : `${JSON.stringify(key)}:${part}`);
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`;
}
