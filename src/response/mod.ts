/**
 * The functions of `response`: `import * as response from "@scope/api/response"` is the `response` of `@scope/api`. esbuild and
 * `deno bundle` drop the representations that a program does not use only with this import, and other bundlers with both.
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
  statuses,
  stream,
  text,
} from "../contract/response.ts";
export { socket } from "../contract/socket.ts";
