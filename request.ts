/**
 * The helpers of `request` as separate exports. With a namespace import, a bundler drops the representations that a
 * program does not use. The object `request` of `@scope/api` includes all of them.
 *
 * ```ts
 * import { route } from "@scope/api";
 * import * as request from "@scope/api/request";
 * import * as response from "@scope/api/response";
 * import { type } from "arktype";
 *
 * export const rename = route.patch("/users/:id", {
 *   body: request.json(type({ name: "string" })),
 *   responses: { 204: response.empty() },
 * });
 * ```
 *
 * @module
 */
export { asRepresentation as as, bytes, form, formData, json, stream, text } from "./src/contract/request.ts";
