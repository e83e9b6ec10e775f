import { type Awaitable } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type EntryOf, type SecurityBelow } from "../contract/security_below.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { type SecurityEntry, type SecurityScheme } from "../contract/security_scheme.ts";
import { type BasicInput } from "../wire/credentials.ts";
import { cannotCreate, checkKeys } from "./check_options.ts";

/**
 * The credentials of the callers of some routes, by the names of their security schemes: the token, key or cookie as text, or a username
 * and a password; or a function that returns it, now or later. `undefined` stands for none.
 */
export type ClientCredentials<Routes> = [Routes] extends [never] ? undefined
  : SecurityBelow<Routes> extends infer Secured // inferred, because TypeScript 7 follows the tree without end otherwise
    ? [Secured] extends [never] ? AnyCredentials // routes whose types say nothing
    : CredentialsOf<EntryOf<Secured>>
  : never;

/**
 * The credentials of some entries of lists of security schemes.
 *
 * @internal
 */
export type CredentialsOf<Entry extends SecurityEntry> = string extends Entry["name"] ? AnyCredentials
  : [CredentialName<Entry>] extends [never] ? Readonly<Record<string, never>>
  : { readonly [Each in Entry as CredentialName<Each>]?: CredentialSource<CredentialValue<Each>> };

/**
 * The name of an entry whose credential a client can send: `security.none` has none, and a custom scheme reads its own.
 *
 * @internal
 */
export type CredentialName<Entry extends SecurityEntry> = Entry extends unknown
  ? keyof NonNullable<Entry["types"]> extends never ? never : Exclude<Entry["name"], "">
  : never;

/**
 * What a client is given for the credential of an entry.
 *
 * @internal
 */
export type CredentialValue<Entry extends SecurityEntry> = NonNullable<Entry["types"]> extends BasicInput ? BasicInput
  : string;

/**
 * A credential, or a function that returns it.
 *
 * @internal
 */
export type CredentialSource<Value> = Value | (() => Awaitable<Value | undefined>) | undefined;

/**
 * The credentials of a contract whose types do not tell its schemes.
 *
 * @internal
 */
export type AnyCredentials = Readonly<Record<string, CredentialSource<string | BasicInput>>>;

/** Credentials, or functions that return them, by the name of their scheme. */
export type CredentialSources = Readonly<Record<string, unknown>>;

/** Checks the option `credentials` of a client of `nodes`; throws a `TypeError` for a scheme that they do not have, or a custom one. */
export function checkCredentials(credentials: unknown, nodes: readonly RouteNode[]): CredentialSources {
  const names = new Set(nodes.flatMap(schemesOf).flatMap(({ name, credential }) => credential ? name : []));
  return checkKeys(credentials, [...names], "credential", cannotCreate) as CredentialSources;
}

/** The security schemes that a route accepts. */
export function schemesOf({ security = [] }: RouteNode): SecurityScheme[] {
  return requirementsOf(security).map(({ scheme }) => scheme);
}
