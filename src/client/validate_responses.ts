/** Validation of responses, for clients of servers that do not validate them themselves. */
import { whenReady } from "../awaitable.ts";
import type { WireReader } from "../contract/call.ts";
import { acceptedValue, declaredKeys, type Schema, toCheck } from "../schema.ts";
import { checkReceivedFields } from "../wire/headers.ts";

/**
 * The value of the option `validate` of {@linkcode createClient}: received bodies, headers and items of streams are
 * validated by the declared schemas. A call rejects with code `invalid-body` and the `issues` if a schema refuses a
 * value; otherwise its result has the schema's output. A schema that transforms must accept what it returns.
 *
 * Pass it where the server may send something else than the contract declares: an API of others, or an older or newer
 * version of your own. A server of this package has validated what it sends.
 *
 * @example
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { ClientError, createClient, validateResponses } from "@scope/api/client";
 * import { assert, assertRejects } from "@std/assert";
 * import { z } from "zod";
 *
 * const User = z.object({ name: z.string() });
 * const contract = defineContract({ routes: { me: route.get("/me", { responses: { 200: response.json(User) } }) } });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => Response.json({ name: null }),
 *   validate: validateResponses,
 * });
 *
 * const error = await assertRejects(() => client.me(), ClientError, "name: ");
 * assert(error.code === "invalid-body" && error.issues?.length === 1);
 * ```
 */
export function validateResponses(schema: Schema): WireReader {
  const check = toCheck(schema);
  return {
    decode: (value) => whenReady(check(value), (checked) => acceptedValue(checked, "")),
    decodeFields: (fields) =>
      whenReady(checkReceivedFields(check, fields), (checked) => toReceivedForms(acceptedValue(checked, ""))),
    names: () => declaredKeys(schema),
  };
}

/** Returns header fields in the forms that a result has: cookies as a list, the values of any other field joined. */
function toReceivedForms(fields: unknown): unknown {
  const received = Object.entries(Object(fields)).map(([name, value]) => [
    name,
    name === "set-cookie" ? value && [value].flat() : Array.isArray(value) ? value.join(", ") : value,
  ]);
  return Object.fromEntries(received);
}
