/** The number of code points of a text, by which JSON Schema counts lengths. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
