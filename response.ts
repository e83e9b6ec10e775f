/**
 * The helpers of `response`, each by itself. A namespace import lets a bundler leave out the representations that a program does not
 * use, as the object `response` of `@scope/api` does not.
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
} from "./src/contract/response_helpers.ts";
