/**
 * One segment of a pathname as text, or `undefined` where no URL can carry it: nothing, a dot segment (URLs resolve it away,
 * percent-encoded too) and half of a surrogate pair.
 */
export function encodeSegment(text: string): string | undefined {
  if (text === "" || text === "." || text === ".." || !text.isWellFormed()) return undefined;
  return encodeURIComponent(text);
}

/** The text of one segment of a pathname, decoded once, or `undefined` where a percent escape is malformed. */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
