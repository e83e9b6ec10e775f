/**
 * The helpers that declare responses, each by itself: a bundler leaves out those that a program does not use.
 */
import { responseStream } from "../representation/byte_stream.ts";
import { bytes as bytesRepresentation } from "../representation/bytes.ts";
import { toCustomBody } from "../representation/custom.ts";
import { empty as emptyRepresentation } from "../representation/empty.ts";
import { json as jsonRepresentation } from "../representation/json.ts";
import { ndjson as ndjsonRepresentation } from "../representation/ndjson.ts";
import { problem as problemRepresentation } from "../representation/problem.ts";
import { raw as rawRepresentation } from "../representation/raw.ts";
import { type ResponseRepresentation } from "../representation/representation.ts";
import { sse as sseRepresentation } from "../representation/sse.ts";
import { responseText } from "../representation/text.ts";
import { checkRepresentation } from "./representation.ts";
import {
  declareResponse,
  type ResponseArguments,
  type ResponseDeclaration,
  type ResponseHelpers,
  type ResponseKind,
} from "./response.ts";

/** The helper of a representation; its overloads are stated in {@linkcode ResponseHelpers}. */
function helper(
  representation: ResponseRepresentation<ResponseKind>,
): (...given: ResponseArguments) => ResponseDeclaration {
  return (...given) => declareResponse(representation, given);
}

/** Declares a JSON body, as `response.json` of `@scope/api` does. */
export const json: ResponseHelpers["json"] = /* @__PURE__ */ helper(jsonRepresentation) as ResponseHelpers["json"];

/** Declares a text body, as `response.text` of `@scope/api` does. */
export const text: ResponseHelpers["text"] = /* @__PURE__ */ helper(responseText) as ResponseHelpers["text"];

/** Declares a body of bytes, as `response.bytes` of `@scope/api` does. */
export const bytes: ResponseHelpers["bytes"] = /* @__PURE__ */ helper(bytesRepresentation) as ResponseHelpers["bytes"];

/** Declares a response without content, as `response.empty` of `@scope/api` does. */
export const empty: ResponseHelpers["empty"] = /* @__PURE__ */ helper(emptyRepresentation) as ResponseHelpers["empty"];

/** Declares a problem document (RFC 9457), as `response.problem` of `@scope/api` does. */
export const problem: ResponseHelpers["problem"] = /* @__PURE__ */ helper(
  problemRepresentation,
) as ResponseHelpers["problem"];

/** Declares bytes that are sent as they come, as `response.stream` of `@scope/api` does. */
export const stream: ResponseHelpers["stream"] = /* @__PURE__ */ helper(responseStream) as ResponseHelpers["stream"];

/** Declares values that are sent as they come, each a line of JSON, as `response.ndjson` of `@scope/api` does. */
export const ndjson: ResponseHelpers["ndjson"] = /* @__PURE__ */ helper(
  ndjsonRepresentation,
) as ResponseHelpers["ndjson"];

/** Declares server-sent events, as `response.sse` of `@scope/api` does. */
export const sse: ResponseHelpers["sse"] = /* @__PURE__ */ helper(sseRepresentation) as ResponseHelpers["sse"];

/** Declares a native `Response`, as `response.raw` of `@scope/api` does. */
export const raw: ResponseHelpers["raw"] = /* @__PURE__ */ helper(rawRepresentation) as ResponseHelpers["raw"];

/** Declares a response of a representation of your own, as `response.as` of `@scope/api` does. */
export const asRepresentation: ResponseHelpers["as"] = ((custom: unknown, ...given: ResponseArguments) => {
  checkRepresentation(custom, "response.as()");
  return declareResponse(toCustomBody(custom), given, "second");
}) as ResponseHelpers["as"];

/**
 * Declares the representation of a response, for the `responses` of a route, router or contract. The last argument is always
 * options; without a schema there is typing at compile time and no check at run time.
 *
 * @example Three representations
 * ```ts
 * import { response } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * assertEquals(response.json(type({ name: "string" })).contentType, "application/json");
 * assertEquals(response.text().contentType, "text/plain;charset=UTF-8");
 * assertEquals(response.empty({ headers: type({ location: "string" }) }).contentType, undefined);
 * ```
 *
 * Each throws a `TypeError` for an unknown option, a malformed media type or something that is no Standard Schema.
 */
export const response: ResponseHelpers = /* @__PURE__ */ Object.freeze({
  json,
  text,
  bytes,
  empty,
  problem,
  stream,
  ndjson,
  sse,
  raw,
  as: asRepresentation,
});
