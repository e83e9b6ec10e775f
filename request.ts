/**
 * The helpers of `request`, each by itself. A namespace import lets a bundler leave out the representations that a program does not
 * use, as the object `request` of `@scope/api` does not.
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
export { asRepresentation as as, bytes, form, formData, json, stream, text } from "./src/contract/request_helpers.ts";
