/**
 * Mounts an implementation as a function from a Web `Request` to a Web `Response`.
 *
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { fetchAdapter } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 *
 * const contract = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });
 * const implementation = defineServer(contract).implement({ health: ({ response }) => response(200, "ok") });
 *
 * export default { fetch: fetchAdapter().mount(implementation) }; // deno serve --unstable-no-legacy-abort main.ts
 * ```
 *
 * @module
 */
export type { Awaitable } from "./src/awaitable.ts";
export {
  createFetchHandler,
  type FetchAdapter,
  fetchAdapter,
  type FetchHandler,
  type FetchHandlerOptions,
  type FetchOptions,
  type MountedHandler,
} from "./src/fetch/fetch_handler.ts";
export type { CorsOptions } from "./src/server/answer/cors.ts";
export { type BodyEnd, watchBody } from "./src/server/http/native_answer.ts";
export type { ErrorReport, OnError, OnResponse, ResponseReport } from "./src/server/answer/answer_stop.ts";
export type { RequestHeaders, RouteInfo } from "./src/server/define/call.ts";
export type { Implementation } from "./src/server/define/implementation.ts";
export type { ContextInput } from "./src/server/define/call.ts";
export type { RouteQuestion } from "./src/server/http/route_table.ts";
export type { ErrorPhase } from "./src/server/define/result.ts";
