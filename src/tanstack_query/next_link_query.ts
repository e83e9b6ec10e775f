import { findLink } from "../wire/links.ts";

/**
 * The query of the link to the next page: of the target with `rel="next"` in the `link` header (RFC 8288) of a result; `undefined` where
 * there is none. It goes to no URL: a call sends what it takes from the query.
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
