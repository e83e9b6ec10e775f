/**
 * What no cache may keep.
 *
 * @module
 */
import { type FetchHandler } from "@scope/api/fetch";

/** Says `cache-control: no-store` in every 4xx and 5xx. It wraps the handler, for middleware does not see the adapter's own. */
export function withoutCachedErrors(handler: FetchHandler): FetchHandler {
  return async (request) => {
    const response = await handler(request);
    if (response.status >= 400) response.headers.set("cache-control", "no-store");
    return response;
  };
}
