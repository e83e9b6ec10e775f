/** The fields of a response of `fetch` that do not fit another connection, or the body that the runtime has decoded. */
import { isToken, listItems } from "./headers.ts";

declare const Deno: unknown; // only here, because the types of each runtime are missing on the others
declare const Bun: unknown;
declare const process: { readonly versions?: { readonly undici?: string } } | undefined;

/** Whether this is Deno. */
export const isDeno: boolean = typeof Deno !== "undefined";

/** Whether this is Bun. */
export const isBun: boolean = typeof Bun !== "undefined";

/** The fields of a connection (RFC 9110, section 7.6.1), which a proxy does not forward. */
export const connectionFields: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The fields that describe content in its coding. */
const codedFields = ["content-encoding", "content-length", "content-digest"];

/** Returns the names of the fields of a message that belong to its connection, and of those that `Connection` names. */
export function listConnectionFields(headers: Headers): readonly string[] {
  return [...connectionFields, ...listItems(headers, "connection").filter(isToken)];
}

/** Returns the fields of a fetched response that do not fit its body, or another connection. */
export function listUnfit(headers: Headers): readonly string[] {
  return [...listConnectionFields(headers), ...isDecoded(headers) ? codedFields : []];
}

/**
 * Returns whether this runtime's `fetch` decodes content: of a single coding on Deno, and on Bun beside `identity`, and
 * of any number on Node, where the spaces around a coding may be of any kind.
 */
function isDecoded(headers: Headers): boolean {
  const stated = listItems(headers, "content-encoding");
  const codings = isBun ? stated.filter((coding) => coding !== "" && coding !== "identity") : stated;
  const hasUnknown = codings.length === 0 || !codings.every((coding) => decodable.includes(coding));
  if (hasUnknown || (isDeno || isBun) && codings.length > 1) return false;
  return undici !== undefined && !isBun || !/[^\t -~]/.test(headers.get("content-encoding")!);
}

/** The version of Node's `fetch`. Deno is asked first, since it takes 10 ms to load its `process`. */
const undici: string | undefined = isDeno || typeof process === "undefined" ? undefined : process.versions?.undici;

/** The content codings that this runtime's `fetch` knows. */
const decodable: readonly string[] = /* @__PURE__ */ listDecodable();

function listDecodable(): string[] {
  if (isDeno) return ["gzip", "br"];
  const [major = 0, minor = 0] = (undici ?? "").split(".").map(Number);
  const hasZstd = isBun || major > 7 || (major === 7 && minor > 10);
  return ["gzip", "x-gzip", "deflate", "br", ...hasZstd ? ["zstd"] : []];
}
