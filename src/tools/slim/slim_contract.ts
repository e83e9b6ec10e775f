import { type CallTree, type RouteCall, toCall } from "../../contract/call.ts";
import type { Contract, SlimContract } from "../../contract/contract.ts";
import { markAs } from "../../mark.ts";
import type { Representation } from "../../representation/representation.ts";
import type { CredentialPlace } from "../../wire/credentials.ts";
import type { AnyEntry, AnyRow, AnyRows, EntrySource, SchemeArguments, SlimRows } from "./rows.ts";
import type { EntryOf } from "../../contract/security_scheme.ts";
import type { SecurityBelow } from "../../contract/node.ts";

/**
 * Creates a contract for clients from rows that the command `slim/cli` generates. It lacks the schemas of the whole
 * contract, so pages do not bundle a schema library. Pass it to `createClient` instead of the whole contract: types,
 * results and errors are the same. Everything else requires the whole contract. Rows that do not match the whole
 * contract do not compile.
 *
 * @example A client without schemas
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient, unwrap } from "@scope/api/client";
 * import { json, slimContract } from "@scope/api/slim";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const whole = defineContract({
 *   routes: { byId: route.get("/users/:id", { responses: { 200: response.json(type({ name: "string" })) } }) },
 * });
 *
 * const contract = slimContract<typeof whole>({ byId: ["GET", "/users/:id", {}, { 200: json }] });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: () => Response.json({ name: "Ada" }),
 * });
 *
 * assertEquals(unwrap(await client.byId({ params: { id: "42" } })).name, "Ada");
 * ```
 *
 * @typeParam Whole The type of the whole contract: `typeof contract`, from a type-only import.
 * @param rows The routes by key: method, path, slots and responses.
 * @param schemes How requests carry the credentials of the security schemes, by name, if there are any.
 */
export function slimContract<Whole extends Contract>(
  rows: SlimRows<Whole["routes"]>,
  ...schemes: SchemeArguments<EntryOf<SecurityBelow<Whole["routes"]>>>
): SlimContract<Whole>;
export function slimContract(rows: object, places?: CredentialPlaces): SlimContract {
  return createSlimContract(rows as AnyRows, places); // SlimRows has checked the shape of the rows
}

/** How requests carry the credentials of security schemes, by the names of these. */
export type CredentialPlaces = Readonly<Record<string, CredentialPlace | undefined>>;

/** Creates a contract from rows. */
export function createSlimContract(rows: AnyRows, places: CredentialPlaces = {}): SlimContract {
  return markAs("slim contract", { calls: toCalls(rows, "", places) });
}

function toCalls(rows: AnyRows, above: string, places: CredentialPlaces): CallTree {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      isRow(row) ? rowToCall(row, above + name, places) : toCalls(row, `${above}${name}.`, places),
    ]),
  );
}

function isRow(row: AnyRow | AnyRows): row is AnyRow {
  return Array.isArray(row);
}

function rowToCall(
  [method, path, { body, ...schemas }, responses, names = []]: AnyRow,
  key: string,
  places: CredentialPlaces,
): RouteCall {
  const sources = Object.entries(responses).map(([status, row]) => [status, toSource(row)]);
  const security = names.map((entry) =>
    entry.split("+").map((name) => ({ scheme: { name, credential: places[name] } }))
  );
  const source = { key, method, path, ...schemas, body: body && toSource(body) };
  return toCall({ ...source, responses: Object.fromEntries(sources) }, security);
}

/** Returns the body or the response of a row, which has only what differs from the usual. */
function toSource<Format extends Representation>(row: AnyEntry<Format>): EntrySource<Format> {
  const [representation, details] = isAlone(row) ? [row] : row;
  return { optional: false, contentType: representation.contentType, ...details, representation };
}

function isAlone<Format extends Representation>(entry: AnyEntry<Format>): entry is Format {
  return "kind" in entry;
}
