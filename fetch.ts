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
} from "./src/fetch/adapter.ts";
export type { CorsOptions } from "./src/fetch/cors.ts";
export { type BodyEnd, type OnResponse, type ResponseReport, watchBody } from "./src/fetch/observe.ts";
export type { ErrorReport, OnError } from "./src/fetch/answer_stop.ts";
export type { RouteInfo } from "./src/server/call.ts";
export type { Implementation } from "./src/server/implementation.ts";
export type { ContextInput } from "./src/server/server.ts";
export type { ErrorPhase } from "./src/server/result.ts";
