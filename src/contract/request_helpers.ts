/**
 * The helpers that declare request bodies, each by itself: a bundler leaves out those that a program does not use.
 */
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

/** The helper of a representation; its overloads are stated in {@linkcode RequestHelpers}. */
function helper(representation: RequestRepresentation<RequestKind>): (...given: RequestArguments) => RequestBody {
  return (...given) => declareBody(representation, given);
}

/** Declares a JSON body, as `request.json` of `@scope/api` does. */
export const json: RequestHelpers["json"] = /* @__PURE__ */ helper(jsonRepresentation) as RequestHelpers["json"];

/** Declares a text body, as `request.text` of `@scope/api` does. */
export const text: RequestHelpers["text"] = /* @__PURE__ */ helper(requestText) as RequestHelpers["text"];

/** Declares a body of bytes, as `request.bytes` of `@scope/api` does. */
export const bytes: RequestHelpers["bytes"] = /* @__PURE__ */ helper(bytesRepresentation) as RequestHelpers["bytes"];

/** Declares the fields of a form, as `request.form` of `@scope/api` does. */
export const form: RequestHelpers["form"] = /* @__PURE__ */ helper(formRepresentation) as RequestHelpers["form"];

/** Declares the fields and files of a form, as `request.formData` of `@scope/api` does. */
export const formData: RequestHelpers["formData"] = /* @__PURE__ */ helper(
  formDataRepresentation,
) as RequestHelpers["formData"];

/** Declares a body that is read as it arrives, as `request.stream` of `@scope/api` does. */
export const stream: RequestHelpers["stream"] = /* @__PURE__ */ helper(requestStream) as RequestHelpers["stream"];

/** Declares a body of a representation of your own, as `request.as` of `@scope/api` does. */
export const asRepresentation: RequestHelpers["as"] = ((custom: unknown, ...given: RequestArguments) => {
  checkRepresentation(custom, "request.as()");
  return declareBody(toCustomBody(custom), given, "second");
}) as RequestHelpers["as"];

/**
 * Declares the representation of a request's body, for the `body` slot of a route. The last argument is always options;
 * without a schema there is typing at compile time and no check at run time.
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
 *
 * Each throws a `TypeError` for an unknown option, a malformed media type or something that is no Standard Schema.
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
