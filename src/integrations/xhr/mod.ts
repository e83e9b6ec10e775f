/**
 * A `fetch` function on top of `XMLHttpRequest`, which reports the progress of uploads in browsers.
 *
 * @module
 */
export { type UploadProgress, xhrFetch, type XhrFetchOptions } from "./xhr_fetch.ts";
