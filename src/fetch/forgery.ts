import { type AllowsOrigin } from "./origins.ts";

/**
 * Whether a page of another origin may have made a request. Browsers tell it in `sec-fetch-site`, or else in `origin`,
 * which must then have the host and port of the request's URL. The scheme may differ, because a proxy may terminate
 * TLS.
 */
export function isForeign({ headers, url }: Request, allowsOrigin: AllowsOrigin): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return false;
  const origin = headers.get("origin");
  if (origin !== null && origin !== "null" && allowsOrigin(origin, ignore)) return false;
  if (site !== null) return true;
  return origin !== null && !isHostOf(origin, url);
}

/** An error of the application's `origins` function is reported later, when the response's headers are added. */
function ignore(): void {}

function isHostOf(origin: string, url: string): boolean {
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}
