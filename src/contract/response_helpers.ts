/** The helpers that declare responses, as separate exports: a bundler drops those that a program does not use. */
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

/** Creates the helper of a representation. {@linkcode ResponseHelpers} declares its overloads. */
function helper(
  representation: ResponseRepresentation<ResponseKind>,
): (...args: ResponseArguments) => ResponseDeclaration {
  return (...args) => declareResponse(representation, args);
}

/** Declares a JSON body. The same function as `response.json` of `@scope/api`. */
export const json: ResponseHelpers["json"] = /* @__PURE__ */ helper(jsonRepresentation) as ResponseHelpers["json"];

/** Declares a text body. The same function as `response.text` of `@scope/api`. */
export const text: ResponseHelpers["text"] = /* @__PURE__ */ helper(responseText) as ResponseHelpers["text"];

/** Declares a body of bytes. The same function as `response.bytes` of `@scope/api`. */
export const bytes: ResponseHelpers["bytes"] = /* @__PURE__ */ helper(bytesRepresentation) as ResponseHelpers["bytes"];

/** Declares a response without content. The same function as `response.empty` of `@scope/api`. */
export const empty: ResponseHelpers["empty"] = /* @__PURE__ */ helper(emptyRepresentation) as ResponseHelpers["empty"];

/** Declares a problem document (RFC 9457). The same function as `response.problem` of `@scope/api`. */
export const problem: ResponseHelpers["problem"] = /* @__PURE__ */ helper(
  problemRepresentation,
) as ResponseHelpers["problem"];

/** Declares a stream of bytes. The same function as `response.stream` of `@scope/api`. */
export const stream: ResponseHelpers["stream"] = /* @__PURE__ */ helper(responseStream) as ResponseHelpers["stream"];

/** Declares a stream of JSON lines. The same function as `response.ndjson` of `@scope/api`. */
export const ndjson: ResponseHelpers["ndjson"] = /* @__PURE__ */ helper(
  ndjsonRepresentation,
) as ResponseHelpers["ndjson"];

/** Declares server-sent events. The same function as `response.sse` of `@scope/api`. */
export const sse: ResponseHelpers["sse"] = /* @__PURE__ */ helper(sseRepresentation) as ResponseHelpers["sse"];

/** Declares a native `Response`. The same function as `response.raw` of `@scope/api`. */
export const raw: ResponseHelpers["raw"] = /* @__PURE__ */ helper(rawRepresentation) as ResponseHelpers["raw"];

/** Declares a response in a custom format. The same function as `response.as` of `@scope/api`. */
export const asRepresentation: ResponseHelpers["as"] = ((custom: unknown, ...args: ResponseArguments) => {
  checkRepresentation(custom, "response.as()");
  return declareResponse(toCustomBody(custom), args, "second");
}) as ResponseHelpers["as"];

/**
 * Declares a response, for the option `responses` of a route, router or contract. The last argument is always options.
 * Without a schema, the body has a type at compile time and no validation at run time.
 *
 * Each helper throws a `TypeError` for an unknown option, a malformed media type or a schema that is not a Standard
 * Schema.
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
