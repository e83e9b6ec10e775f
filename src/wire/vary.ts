/** Adds names to the header `vary` (RFC 9110, section 12.5.5), each once. A `*` already covers all names. */
export function addVary(headers: Headers, names: readonly string[]): void {
  const present = (headers.get("vary") ?? "").toLowerCase().split(",").map((name) => name.trim());
  if (present.includes("*")) return;
  const missing = names.filter((name) => !present.includes(name));
  if (missing.length > 0) headers.append("vary", missing.join(", "));
}
