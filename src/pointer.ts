/** One step of a JSON Pointer (RFC 6901). */
export function formatStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
