import type { Contract, SlimContract } from "../../contract/contract.ts";
import type { RouteNode, RouterNode } from "../../contract/node.ts";
import type { EntryOf, SecurityBelow } from "../../contract/rules.ts";
import type { SecurityScheme } from "../../contract/security_scheme.ts";
import { markAs } from "../../mark.ts";
import type { Representation } from "../../representation/representation.ts";
import type { Schema } from "../../schema.ts";
import type { CredentialPlace } from "../../wire/credentials.ts";
import type { AnyEntry, AnyRow, AnyRows, SchemeArguments, SlimRows } from "./rows.ts";

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
export function slimContract(rows: object, places?: CredentialPlaces): object {
  return createSlimContract(rows as AnyRows, places); // SlimRows has checked the shape of the rows
}

/** How requests carry the credentials of security schemes, by the names of these. */
export type CredentialPlaces = Readonly<Record<string, CredentialPlace | undefined>>;

/** Creates a contract from rows. */
export function createSlimContract(rows: AnyRows, places: CredentialPlaces = {}): object {
  const known = new Map(
    // clients read only these two members of a scheme
    Object.entries(places).map(([name, credential]) => [name, { name, credential } as SecurityScheme] as const),
  );
  return markAs("slim contract", { routes: toRouter(rows, "", known) });
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
  // clients read no other members of a node, and ignore schemas that are not codecs
  return markAs("route", {
    key,
    method,
    path,
    ...schemas,
    body: body && toDeclaration(body),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, entry]) => [status, toDeclaration(entry)]),
    ),
    // the compiler has checked the names
    security: names.map((name) => ({ schemes: name.split("+").map((each) => known.get(each)!) })),
  }) as unknown as RouteNode;
}

/** The members of a request body or a response that clients read. */
interface Declaration<Declared extends Representation> {
  readonly representation: Declared;
  readonly contentType: Declared["contentType"] | string | readonly string[];
  /** A codec, or 1 for any other schema. */
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
