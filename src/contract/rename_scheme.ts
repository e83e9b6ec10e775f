/** Other names for security schemes, where contracts are composed whose schemes share a name. */
import { isMarked, markAs } from "../mark.ts";
import { describeValue } from "../messages.ts";
import { type Contract, describeNonContract } from "./contract.ts";
import { cannotDeclare } from "./declared.ts";
import { mapNodes, type NodeKey, type RouteNode, type RouterNode, routesOf } from "./node.ts";
import { checkSchemeName, scopeScheme } from "./security.ts";
import {
  type CombinedSchemes,
  type SchemeEntry,
  schemesOf,
  type ScopedScheme,
  type Security,
  type SecurityScheme,
} from "./security_scheme.ts";

/** A security scheme under another name. {@linkcode renameScheme} returns it. */
export interface RenamedScheme<
  Name extends string = string,
  Credential extends object = object,
  Scope extends string = string,
  Before extends string = string,
> extends SecurityScheme<Name, Credential, Scope> {
  /** The scheme that it replaces. */
  readonly renamed: SecurityScheme<Before, Credential, Scope>;
}

/**
 * Returns a security scheme under another name, for {@linkcode withSchemes}: the same credential, scopes and challenge.
 *
 * @param scheme The scheme, as the imported contract declares it. @param name The other name, which verifiers, clients
 * and documents then use.
 * @throws {TypeError} If `scheme` is not a security scheme, or `name` is invalid.
 *
 * @example A token of an imported contract, beside a token of the importing one
 * ```ts
 * import { defineContract, renameScheme, response, route, security, withSchemes } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 *
 * const responses = { 200: response.text() };
 * const billingToken = security.bearer("token");
 * const billing = defineContract({ security: [billingToken], routes: { total: route.get("/total", { responses }) } });
 *
 * const token = security.bearer("token");
 * const renamed = renameScheme(billingToken, "billingToken");
 * const gateway = defineContract({
 *   security: [token],
 *   routes: { billing: withSchemes(billing, renamed), me: route.get("/me", { responses }) },
 * });
 *
 * assertEquals(gateway.routes.billing.total.security[0]?.name, "billingToken");
 * assertEquals(gateway.routes.me.security[0]?.name, "token");
 * ```
 */
export function renameScheme<
  Before extends string,
  Credential extends object,
  Scope extends string,
  Name extends string,
>(
  scheme: SecurityScheme<Before, Credential, Scope>,
  name: Name,
): RenamedScheme<Name, Credential, Scope, Before> {
  const where = "renameScheme()";
  if (!isMarked(scheme, "security scheme")) {
    cannotDeclare(
      where,
      `the scheme must be made by security.bearer(…) or another helper, got ${describeValue(scheme)}`,
    );
  }
  checkSchemeName(name, where);
  const renamed: SecurityScheme = markAs("security scheme", {
    ...scheme,
    name,
    scoped: (...required: string[]) => scopeScheme(renamed, required),
    renamed: scheme,
  });
  return renamed as RenamedScheme<Name, Credential, Scope, Before>; // it has all members of the scheme, and `renamed`
}

/**
 * A list of security schemes, with the renamed ones in place of those that they rename.
 *
 * @internal
 */
type RenamedList<Secured, Schemes extends RenamedScheme> = Secured extends Security
  ? { readonly [Index in keyof Secured]: RenamedEntry<Secured[Index], Schemes> }
  : Secured;

/**
 * {@linkcode RenamedList} for one entry.
 *
 * @internal
 */
type RenamedEntry<Entry, Schemes extends RenamedScheme> = Entry extends
  CombinedSchemes<infer Entries extends readonly SchemeEntry[]>
  ? CombinedSchemes<{ readonly [Index in keyof Entries]: Extract<RenamedEntry<Entries[Index], Schemes>, SchemeEntry> }>
  : Entry extends ScopedScheme<infer Before, infer Credential>
    ? [Extract<Schemes, Renaming<Before>>] extends [never] ? Entry
    : ScopedScheme<Extract<Schemes, Renaming<Before>>["name"], Credential>
  : Entry extends SecurityScheme<infer Before>
    ? [Extract<Schemes, Renaming<Before>>] extends [never] ? Entry : Extract<Schemes, Renaming<Before>>
  : Entry;

/**
 * A scheme that renames the one of a name.
 *
 * @internal
 */
interface Renaming<Before extends string> {
  readonly renamed: { readonly name: Before };
}

/**
 * A resolved tree with other schemes.
 *
 * @internal
 */
type RenamedTree<Node, Schemes extends RenamedScheme> = Node extends RouteNode ? RouteNode<{
    readonly key: Node["key"];
    readonly method: Node["method"];
    readonly path: Node["path"];
    readonly params: Node["params"];
    readonly query: Node["query"];
    readonly headers: Node["headers"];
    readonly body: Node["body"];
    readonly responses: Node["responses"];
    readonly ownResponses: Node["ownResponses"];
    readonly refusals: Node["refusals"];
    readonly security: RenamedList<Node["security"], Schemes>;
  }>
  : Node extends RouterNode<unknown, infer Shared>
    ? RouterNode<{ readonly [Key in NodeKey<Node>]: RenamedTree<Node[Key], Schemes> }, Shared>
  : never;

/**
 * Returns a contract whose security schemes have other names. The contract that is passed does not change. Use it where
 * contracts are composed whose schemes share a name, because callers pass credentials by these names.
 *
 * An implementation of the contract that is passed can still be included: its verifiers are those of the old names.
 *
 * @param contract The imported contract. @param schemes The new schemes, each from {@linkcode renameScheme}.
 * @throws {TypeError} If `contract` is not a contract, or does not have a scheme that is renamed.
 */
export function withSchemes<Api extends Contract, Schemes extends readonly RenamedScheme[]>(
  contract: Api,
  ...schemes: Schemes
): Contract<Extract<RenamedTree<Api["routes"], Schemes[number]>, RouterNode>, Api["responses"], Api["refusals"]> {
  const where = "withSchemes()";
  if (!isMarked(contract, "contract")) cannotDeclare(where, describeNonContract(contract));
  const known = schemesOf(routesOf(contract.routes));
  const renamed = new Map<unknown, SecurityScheme>();
  for (const [index, scheme] of schemes.entries()) {
    if (!isMarked(scheme, "security scheme") || !("renamed" in scheme)) {
      cannotDeclare(where, `argument ${index + 2} must be made by renameScheme(…), got ${describeValue(scheme)}`);
    }
    const { name, renamed: before } = scheme as RenamedScheme; // it has the member
    if (!known.includes(before)) {
      const names = known.map((each) => each.name).join(", ");
      cannotDeclare(
        where,
        `no route has the scheme "${before.name}" that "${name}" renames; its schemes are: ${names}`,
      );
    }
    if (renamed.has(before)) cannotDeclare(where, `"${before.name}" is renamed twice; remove one`);
    renamed.set(before, scheme);
  }
  const routes = mapNodes(contract.routes, (node) => {
    const { security, origin = node } = node;
    return { security: security && renameList(security, renamed), origin };
  });
  return markAs("contract", { ...contract, routes: routes as never }); // RenamedTree computes the type of the tree
}

function renameList(security: Security, renamed: ReadonlyMap<unknown, SecurityScheme>): Security {
  const renameEntry = (entry: SchemeEntry): SchemeEntry => {
    if (!("scheme" in entry)) return renamed.get(entry) ?? entry;
    const scheme = renamed.get(entry.scheme);
    return scheme ? scopeScheme(scheme, entry.scopes) : entry;
  };
  return Object.freeze(security.map((entry) => {
    if (!("schemes" in entry)) return isMarked(entry, "no security") ? entry : renameEntry(entry);
    const schemes = Object.freeze(entry.schemes.map(renameEntry));
    return markAs("combined schemes", { ...entry, name: schemes.map(({ name }) => name).join("+"), schemes });
  }));
}
