/** The helpers that declare request bodies, as separate exports: a bundler drops those that a program does not use. */
import { requestStream } from "../representation/byte_stream.ts";
import { bytes as bytesRepresentation } from "../representation/bytes.ts";
import { form as formRepresentation } from "../representation/form.ts";
import { formData as formDataRepresentation } from "../representation/form_data.ts";
import { toCustomBody } from "../representation/custom.ts";
import { json as jsonRepresentation } from "../representation/json.ts";
import { type RequestRepresentation } from "../representation/representation.ts";
import { requestText } from "../representation/text.ts";
import { checkRepresentation } from "./representation.ts";
import {
  declareBody,
  type RequestArguments,
  type RequestBody,
  type RequestHelpers,
  type RequestKind,
} from "./request.ts";

/** Creates the helper of a representation. {@linkcode RequestHelpers} declares its overloads. */
function helper(representation: RequestRepresentation<RequestKind>): (...args: RequestArguments) => RequestBody {
  return (...args) => declareBody(representation, args);
}

/** Declares a JSON body. The same function as `request.json` of `@scope/api`. */
export const json: RequestHelpers["json"] = /* @__PURE__ */ helper(jsonRepresentation) as RequestHelpers["json"];

/** Declares a text body. The same function as `request.text` of `@scope/api`. */
export const text: RequestHelpers["text"] = /* @__PURE__ */ helper(requestText) as RequestHelpers["text"];

/** Declares a body of bytes. The same function as `request.bytes` of `@scope/api`. */
export const bytes: RequestHelpers["bytes"] = /* @__PURE__ */ helper(bytesRepresentation) as RequestHelpers["bytes"];

/** Declares a URL-encoded form. The same function as `request.form` of `@scope/api`. */
export const form: RequestHelpers["form"] = /* @__PURE__ */ helper(formRepresentation) as RequestHelpers["form"];

/** Declares form data, with files. The same function as `request.formData` of `@scope/api`. */
export const formData: RequestHelpers["formData"] = /* @__PURE__ */ helper(
  formDataRepresentation,
) as RequestHelpers["formData"];

/** Declares a body that the handler reads as it arrives. The same function as `request.stream` of `@scope/api`. */
export const stream: RequestHelpers["stream"] = /* @__PURE__ */ helper(requestStream) as RequestHelpers["stream"];

/** Declares a body in a custom format. The same function as `request.as` of `@scope/api`. */
export const asRepresentation: RequestHelpers["as"] = ((custom: unknown, ...args: RequestArguments) => {
  checkRepresentation(custom, "request.as()");
  return declareBody(toCustomBody(custom), args, "second");
}) as RequestHelpers["as"];

/**
 * Declares the request body of a route, for its option `body`. The last argument is always options. Without a schema,
 * the body has a type at compile time and no validation at run time.
 *
 * Each helper throws a `TypeError` for an unknown option, a malformed media type or a schema that is not a Standard
 * Schema.
 *
 * @example Three representations
 * ```ts
 * import { request } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * assertEquals(request.json(type({ name: "string" })).contentType, "application/json");
 * assertEquals(request.text().contentType, "text/plain");
 * assertEquals(request.bytes({ contentType: "image/png", optional: true }).contentType, "image/png");
 * ```
 */
export const request: RequestHelpers = /* @__PURE__ */ Object.freeze({
  json,
  text,
  bytes,
  form,
  formData,
  stream,
  as: asRepresentation,
});
