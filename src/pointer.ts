/** JSON Pointers (RFC 6901). */

/** Formats one step of a pointer. */
export function formatStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/**
 * The keys that a step, without its slash, can mean in a URI fragment: as written, and percent-decoded. RFC 6901,
 * section 6, requires the encoding, and some libraries leave it out.
 */
export function parseStep(step: string): string[] {
  return [step, decodePercent(step)].map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decodePercent(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
