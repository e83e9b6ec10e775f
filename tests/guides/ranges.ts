/** The version and the length of a file. */
export interface FileState {
  readonly size: number; // in bytes
  readonly etag: string; // in quotation marks
  readonly modified?: Date;
}

/** The headers that ask for a part of a file. */
export interface RangeHeaders {
  readonly range?: string | undefined;
  readonly "if-range"?: string | undefined;
}

/** The first and the last byte of a part. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part that a GET asks for (RFC 9110, section 14). `undefined` means the whole file: without a range, with
 * several ranges, with a malformed one, and if the file is not the one that `if-range` names.
 */
export function selectRange(
  { range, "if-range": ifRange }: RangeHeaders,
  { size, etag, modified }: FileState,
): Part | "unsatisfiable" | undefined {
  const isSame = ifRange === undefined || (ifRange === etag && !etag.startsWith("W/")) ||
    ifRange === modified?.toUTCString();
  const [, list = ""] = range?.match(/^bytes=(.*)$/i) ?? [];
  const [spec = "", ...others] = list.split(",").map((each) => each.trim()).filter((each) => each !== "");
  const [, first = "", last = ""] = spec.match(/^(\d*)-(\d*)$/) ?? [];
  if (!isSame || size === 0 || others.length > 0 || first + last === "") return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const start = first === "" ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start < size ? { start, end } : "unsatisfiable";
}

/** Returns a `content-disposition` that saves a file under a name in any language (RFC 6266, RFC 8187). */
export function toAttachment(name: string): string {
  const safe = name.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}/\\]/gu, "_"); // a name, not a path
  const ascii = safe.replaceAll(/[^ -~]|["%]/gu, "_"); // for readers of `filename` alone
  if (ascii === safe) return `attachment; filename="${safe}"`;
  const encoded = encodeURIComponent(safe).replaceAll(/['()*]/g, (text) => `%${text.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
