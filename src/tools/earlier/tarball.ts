/** Reads the files of a package's tarball in memory: nothing is written, so no path or link in it leads anywhere. */
import { gunzipSync } from "node:zlib";

/** The most bytes of a tarball that is unpacked. */
const mostBytes = 200_000_000;

/** The size of a header, and what all sizes are multiples of (POSIX.1-2001, pax). */
const blockSize = 512;

/**
 * Returns the regular files of a tarball by their paths in its first folder, as npm unpacks them. Links, devices and
 * paths that lead out of the folder are left out.
 *
 * @throws {TypeError} If it is not a tarball, or is too large.
 */
export function readTarball(packed: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const bytes = unpack(packed);
  const files = new Map<string, Uint8Array>();
  let longName: string | undefined;
  for (let at = 0; at + blockSize <= bytes.length;) {
    const header = bytes.subarray(at, at + blockSize);
    if (header.every((byte) => byte === 0)) break;
    const size = readSize(header);
    const content = bytes.subarray(at + blockSize, at + blockSize + size);
    if (content.length < size) throw new TypeError("it ends within a file");
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
    const type = String.fromCharCode(header[156]!);
    if (type === "x") longName = readPaxPath(content) ?? longName;
    else if (type === "L") longName = textOf(content);
    else if (type !== "g") {
      const path = toPath(longName ?? nameOf(header));
      longName = undefined;
      if (path === undefined) continue;
      if (type === "0" || type === "\0") files.set(path, content);
      else files.delete(path); // a link replaces the file
    }
  }
  return files;
}

function unpack(packed: Uint8Array): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: mostBytes });
  } catch (cause) {
    const isTooLarge = (cause as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
    throw new TypeError(isTooLarge ? `it has more than ${mostBytes / 1_000_000} MB` : "it is not a gzip file", {
      cause,
    });
  }
}

function textOf(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

function readSize(header: Uint8Array): number {
  const text = textOf(header.subarray(124, 136)).trim();
  if (!/^[0-7]{1,11}$/.test(text)) throw new TypeError("a file in it has an invalid size");
  return parseInt(text, 8);
}

function nameOf(header: Uint8Array): string {
  const isUstar = textOf(header.subarray(257, 262)) === "ustar";
  const prefix = isUstar ? textOf(header.subarray(345, 500)) : "";
  const name = textOf(header.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Returns the path among the records of an extended header, each of which is `length name=value` and a line feed. */
function readPaxPath(content: Uint8Array): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const length = space < 0 ? NaN : Number(new TextDecoder().decode(content.subarray(at, space)));
    if (!Number.isSafeInteger(length) || length <= space - at) break;
    const record = new TextDecoder().decode(content.subarray(space + 1, at + length - 1));
    if (record.startsWith("path=")) path = record.slice("path=".length);
    at += length;
  }
  return path;
}

/** Returns a path without its first folder; `undefined` if it is not below it. */
function toPath(name: string): string | undefined {
  const [first, ...rest] = name.split("/").filter((part) => part !== "." && part !== "");
  return name.startsWith("/") || first === ".." || rest.length === 0 || rest.includes("..")
    ? undefined
    : rest.join("/");
}
