/** JSON Pointers (RFC 6901). */

/** One step of a pointer. */
export function formatStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/**
 * The keys that a step, without its slash, may mean in the fragment of a URI: as it is, and percent-decoded, which RFC 6901,
 * section 6, asks for and some libraries leave out.
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
