import { type Awaitable } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type EntryOf, type SecurityBelow } from "../contract/security_below.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { type SecurityEntry, type SecurityScheme } from "../contract/security_scheme.ts";
import { type BasicCredential } from "../wire/credentials.ts";
import { cannotCreate, checkKeys } from "./check_options.ts";

/**
 * The credentials for a contract's security schemes, by scheme name. Each is the token, key or cookie as text, or a
 * username and a password. It may also be a function that returns one, synchronously or not. `undefined` means no
 * credential.
 */
export type ClientCredentials<Routes> = [Routes] extends [never] ? undefined
  : SecurityBelow<Routes> extends infer Secured // inferred, because otherwise TypeScript 7 follows the tree without end
    ? [Secured] extends [never] ? AnyCredentials // the types of these routes are not known
    : CredentialsOf<EntryOf<Secured>>
  : never;

/**
 * The credentials for some entries of lists of security schemes.
 *
 * @internal
 */
export type CredentialsOf<Entry extends SecurityEntry> = string extends Entry["name"] ? AnyCredentials
  : [CredentialName<Entry>] extends [never] ? Readonly<Record<string, never>>
  : { readonly [Each in Entry as CredentialName<Each>]?: CredentialSource<CredentialValue<Each>> };

/**
 * The name of an entry whose credential a client can send. It excludes `security.none`, which takes none, and custom
 * schemes, which read their own.
 *
 * @internal
 */
export type CredentialName<Entry extends SecurityEntry> = Entry extends unknown
  ? keyof NonNullable<Entry["types"]> extends never ? never : Exclude<Entry["name"], "">
  : never;

/**
 * The type of the credential that an entry takes.
 *
 * @internal
 */
export type CredentialValue<Entry extends SecurityEntry> = NonNullable<Entry["types"]> extends BasicCredential
  ? BasicCredential
  : string;

/**
 * A credential, or a function that returns it.
 *
 * @internal
 */
export type CredentialSource<Value> = Value | (() => Awaitable<Value | undefined>) | undefined;

/**
 * The credentials for a contract whose types do not contain its schemes.
 *
 * @internal
 */
export type AnyCredentials = Readonly<Record<string, CredentialSource<string | BasicCredential>>>;

/** Credentials, or functions that return them, by scheme name. */
export type CredentialSources = Readonly<Record<string, unknown>>;

/**
 * Checks the option `credentials` for a contract with the routes `nodes`.
 *
 * @throws {TypeError} For a scheme that the routes do not have, or a custom one.
 */
export function checkCredentials(credentials: unknown, nodes: readonly RouteNode[]): CredentialSources {
  const names = new Set(nodes.flatMap(schemesOf).flatMap(({ name, credential }) => credential ? name : []));
  return checkKeys(credentials, [...names], "credential", cannotCreate) as CredentialSources;
}

/** Returns the security schemes that a route accepts. */
export function schemesOf({ security = [] }: RouteNode): SecurityScheme[] {
  return requirementsOf(security).map(({ scheme }) => scheme);
}
