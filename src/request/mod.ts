/**
 * The functions of `request`: `import * as request from "@scope/api/request"` is the `request` of `@scope/api`. esbuild and
 * `deno bundle` drop the representations that a program does not use only with this import, and other bundlers with both.
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
export { asRepresentation as as, bytes, form, formData, json, ndjson, stream, text } from "../contract/request.ts";
