/**
 * Whose pages may call.
 *
 * @module
 */

/** A list such as `https://app.example.com, https://admin.example.com`, as an environment variable has it. */
export function parseOrigins(list = ""): ReadonlySet<string> {
  return new Set(list.split(",").map((origin) => origin.trim()).filter((origin) => origin !== ""));
}

/**
 * Whether a request may change something by the authority of a cookie, which a browser sends whoever made it ask. Browsers say who
 * did, in fields that no page can set: what comes from another site, or does not say, may not.
 */
export function mayChange({ method, headers }: Request, origins: ReadonlySet<string>): boolean {
  return method === "GET" || method === "HEAD" ||
    headers.get("sec-fetch-site") === "same-origin" ||
    origins.has(headers.get("origin") ?? "");
}
