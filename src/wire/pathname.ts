/**
 * Encodes a text as one segment of a pathname. `undefined` if no URL can carry it: an empty text, a dot segment (URLs
 * remove it, even percent-encoded) or text with half of a surrogate pair.
 */
export function encodeSegment(text: string): string | undefined {
  if (text === "" || text === "." || text === ".." || !text.isWellFormed()) return undefined;
  return encodeURIComponent(text);
}

/** Decodes one segment of a pathname, once. Throws for a malformed percent escape. */
export function decodeSegment(segment: string): string {
  return segment.includes("%") ? decodeURIComponent(segment) : segment;
}

/**
 * Returns a pathname in normal form: decoded, except for `%` and for `/` inside a segment. {@linkcode decodeSegment}
 * still decodes each segment. `undefined` for a malformed percent escape.
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
