import { findLink } from "../wire/links.ts";

/**
 * Returns the query of the link to the next page: the target with `rel="next"` in the `link` header of a result (RFC
 * 8288). Returns `undefined` if there is none. The URL itself is not requested: the next call sends what you copy from
 * the query.
 *
 * @example The cursor of the next page
 * ```ts
 * import { nextLinkQuery } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 *
 * const response = Response.json([], { headers: { link: '</tasks?after=42>; rel="next"' } });
 *
 * assertEquals(nextLinkQuery({ response })?.get("after"), "42");
 * ```
 */
export function nextLinkQuery({ response }: { readonly response: Response }): URLSearchParams | undefined {
  const target = findLink(response.headers.get("link") ?? "", "next");
  return target === undefined ? undefined : new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(target)?.[1]);
}
