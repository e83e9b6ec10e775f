import { type Contract } from "../contract/contract.ts";
import { type RouteNode, type RouterNode } from "../contract/node.ts";
import { type EntryOf, type SecurityBelow } from "../contract/security_below.ts";
import { type SecurityScheme } from "../contract/security_scheme.ts";
import { type SlimContract } from "../contract/slim_contract.ts";
import { markAs } from "../mark.ts";
import { type Representation } from "../representation/representation.ts";
import { type Schema } from "../schema.ts";
import { type CredentialPlace } from "../wire/credential_place.ts";
import { type AnyEntry, type AnyRow, type AnyRows, type SchemeArguments, type SlimRows } from "./rows.ts";

/**
 * Makes a contract for clients of rows that the command `slim/cli` wrote: without the schemas of the whole contract, so that a page
 * bundles no schema library. `createClient` takes it in place of the whole contract, with the same types, results and errors; nothing
 * else takes it. Rows that do not fit the whole contract do not compile.
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
 * @typeParam Whole The whole contract: `typeof contract`, of a type-only import.
 * @param rows The routes by key: method, path, slots and responses.
 * @param schemes Where requests carry the credentials of the security schemes, by name, if there are any.
 */
export function slimContract<Whole extends Contract>(
  rows: SlimRows<Whole["routes"]>,
  ...schemes: SchemeArguments<EntryOf<SecurityBelow<Whole["routes"]>>>
): SlimContract<Whole> {
  const [places = {}] = schemes as readonly [places?: Readonly<Record<string, CredentialPlace | undefined>>];
  const known = new Map(
    // a client reads these two members of a scheme, and no other
    Object.entries(places).map(([name, credential]) =>
      [name, markAs("security scheme", { name, credential }) as SecurityScheme] as const
    ),
  );
  // the rows have the shape that SlimRows states
  return markAs("slim contract", { routes: toRouter(rows as AnyRows, "", known) as Whole["routes"] });
}

type KnownSchemes = ReadonlyMap<string, SecurityScheme>;

function toRouter(rows: AnyRows, above: string, known: KnownSchemes): RouterNode {
  const entries = Object.entries(rows).map(([key, row]) => {
    const dotted = above + key;
    return [key, isRow(row) ? toNode(row, dotted, known) : toRouter(row, `${dotted}.`, known)];
  });
  return Object.fromEntries(entries);
}

function isRow(row: AnyRow | AnyRows): row is AnyRow {
  return Array.isArray(row);
}

function toNode([method, path, slots, responses, names = []]: AnyRow, key: string, known: KnownSchemes): RouteNode {
  const { body, ...schemas } = slots;
  // a client reads no more of a node, and looks at no schema that is not a codec
  return markAs("route", {
    key,
    method,
    path,
    ...schemas,
    body: body && toDeclaration(body),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, entry]) => [status, toDeclaration(entry)]),
    ),
    security: names.map((name) => known.get(name)!), // which the compiler has checked
  }) as unknown as RouteNode;
}

/** A request body or a response, as far as a client looks at it. */
interface Declaration<Declared extends Representation> {
  readonly representation: Declared;
  readonly contentType: Declared["contentType"] | string | readonly string[];
  /** A codec as it is, and 1 for any other schema. */
  readonly schema: Schema | 1 | undefined;
  readonly headers: Schema | 1 | undefined;
  readonly optional: boolean;
  readonly maxBytes: number | undefined;
}

function toDeclaration<Declared extends Representation>(entry: AnyEntry<Declared>): Declaration<Declared> {
  const [representation, details = {}] = isAlone(entry) ? [entry] : entry;
  const { codec, described, headers, optional = false, maxBytes, contentType = representation.contentType } = details;
  return { representation, contentType, schema: codec ?? described, headers, optional, maxBytes };
}

function isAlone<Declared extends Representation>(entry: AnyEntry<Declared>): entry is Declared {
  return "kind" in entry;
}
