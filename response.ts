/**
 * The helpers of `response` as separate exports. With a namespace import, a bundler drops the representations that a
 * program does not use. The object `response` of `@scope/api` includes all of them.
 *
 * ```ts
 * import { route } from "@scope/api";
 * import * as response from "@scope/api/response";
 *
 * export const health = route.get("/health", { responses: { 200: response.text() } });
 * ```
 *
 * @module
 */
export {
  asRepresentation as as,
  bytes,
  empty,
  json,
  ndjson,
  problem,
  raw,
  sse,
  stream,
  text,
} from "./src/contract/response.ts";
