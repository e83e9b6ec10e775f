/**
 * One segment of a pathname as text, or `undefined` where no URL can carry it: nothing, a dot segment (URLs resolve it away,
 * percent-encoded too) and half of a surrogate pair.
 */
export function encodeSegment(text: string): string | undefined {
  if (text === "" || text === "." || text === ".." || !text.isWellFormed()) return undefined;
  return encodeURIComponent(text);
}

/** The text of one segment of a pathname, decoded once. Throws for a malformed percent escape. */
export function decodeSegment(segment: string): string {
  return segment.includes("%") ? decodeURIComponent(segment) : segment;
}

/**
 * A pathname in the one spelling that all equal ones share: decoded, but for `%` and, inside of a segment, `/`. Each segment's
 * text is still found by {@linkcode decodeSegment}. `undefined` for a malformed percent escape.
 */
export function normalizePathname(pathname: string): string | undefined {
  if (!pathname.includes("%")) return pathname;
  try {
    const segments = pathname.split("/").map(decodeSegment);
    return segments.map((text) => text.replaceAll("%", "%25").replaceAll("/", "%2F")).join("/");
  } catch {
    return undefined;
  }
}
