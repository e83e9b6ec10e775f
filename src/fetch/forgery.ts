import { type AllowsOrigin } from "./origins.ts";

/**
 * Whether a page of another origin may have made a request, as far as browsers tell: by `sec-fetch-site`, else by `origin`, which must
 * then have the host and port of the request's URL. Its scheme may differ, for a proxy may end TLS.
 */
export function isForeign({ headers, url }: Request, allowsOrigin: AllowsOrigin): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return false;
  const origin = headers.get("origin");
  if (origin !== null && origin !== "null" && allowsOrigin(origin, ignore)) return false;
  if (site !== null) return true;
  return origin !== null && !isHostOf(origin, url);
}

/** What the user's function of origins throws is reported when the fields of the answer are added. */
function ignore(): void {}

function isHostOf(origin: string, url: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}
