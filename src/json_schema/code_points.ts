/** Returns the number of code points of a text, which JSON Schema counts as its length. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
