/** Who may call a route: the functions that verify credentials, and the callers that they return. */
import { type Awaitable } from "../awaitable.ts";
import { type Responses } from "../contract/response.ts";
import { type SchemeName, type SecurityBelow } from "../contract/security_below.ts";
import { type Security, type SecurityScheme } from "../contract/security_scheme.ts";
import { isMarked, markAs, type Marked } from "../mark.ts";
import { type RouteInfo } from "./call.ts";
import { type CreateResult } from "./result.ts";

/** What every verifier is passed beside the credential. */
export interface VerifierInput<Declared extends Responses = Record<never, never>> {
  /** The request as it came. Its body must not be read. */
  readonly request: Request;
  /** Aborts when the client goes away. Read it only where it is used. */
  readonly signal: AbortSignal;
  /** The route that was matched. */
  readonly route: RouteInfo;
  /** Builds a result of a response that the contract declares for all routes, to be thrown: `throw response(429)`. */
  readonly response: CreateResult<Declared>;
}

/**
 * A caller: an object, which has its granted `scopes` where the scheme has scopes.
 *
 * @internal
 */
export type AnyCaller<Scope extends string> = [Scope] extends [never] ? NoList : CallerWithScopes;

/**
 * A caller of a scheme with scopes.
 *
 * @internal
 */
export interface CallerWithScopes {
  /** The scopes that were granted to the caller. */
  readonly scopes: readonly string[];
}

/**
 * An object that is not a list: rows of a database are not a caller, and an empty list of them even less.
 *
 * @internal
 */
export type NoList = object & {
  /** What lists have. */
  readonly [Symbol.iterator]?: never;
};

/**
 * Verifies the credentials of one scheme; made by {@linkcode verify}.
 */
export interface Verifier<
  Name extends string = string,
  Caller = unknown,
  Needs extends object = never,
  Declared extends Responses = Responses,
> extends Marked<"verifier"> {
  /** The name of the scheme. */
  readonly name: Name;
  /** The scheme. */
  readonly scheme: SecurityScheme;
  /** Returns the caller. */
  readonly verify: AnyVerify;
  /** The callers, what the verifier needs of the adapter, and the responses that it may throw, in types only. */
  readonly types?: {
    readonly caller: Caller;
    readonly needs: (needs: Needs) => void;
    readonly declared: Declared;
  } | undefined;
}

/**
 * No verifier: what tells `verify(…)` inside of `defineServer(contract, { security: […] })` which responses the contract shares.
 *
 * @internal
 */
export type NoVerifier<Declared extends Responses> = Verifier<never, never, Record<never, never>, Declared>;

/**
 * A function that verifies credentials, whatever its types.
 *
 * @internal
 */
export type AnyVerify = (input: object, runtime: object) => unknown;

/**
 * Pairs a security scheme of a contract with the function that verifies its credentials, for `defineServer`.
 *
 * @example A token that is looked up
 * ```ts
 * import { defineContract, response, route, security } from "@scope/api";
 * import { createFetchHandler } from "@scope/api/fetch";
 * import { defineServer, verify } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const token = security.bearer("token");
 * const contract = defineContract({
 *   security: [token],
 *   routes: { me: route.get("/me", { responses: { 200: response.text() } }) },
 * });
 *
 * const members = new Map([["secret", { name: "Ada" }]]);
 * const server = defineServer(contract, { security: [verify(token, ({ token }) => members.get(token))] });
 * const handler = createFetchHandler(server.implement({ me: ({ caller, response }) => response(200, caller.name) }));
 *
 * const asAda = new Request("http://localhost/me", { headers: { authorization: "Bearer secret" } });
 * assertEquals(await (await handler(asAda)).text(), "Ada");
 * assertEquals((await handler(new Request("http://localhost/me"))).status, 401);
 * ```
 *
 * @param scheme The scheme, as the contract declares it.
 * @param verify Returns the caller, now or later: an object, with `scopes` where the scheme has scopes. `null` and `undefined` refuse the
 * credential with 401. It may throw a result of a response that the contract declares for all routes; anything else that it throws is
 * answered with 500. So is anything else that it returns: `false`, an array, a `Response`, a result. Its second argument is what the
 * adapter's `contextInput` returned: annotate what it needs. Inside of `defineServer`, its `response` is typed by the contract.
 * @throws {TypeError} If `scheme` is not a security scheme, or `verify` is not a function.
 */
export function verify<
  Name extends string,
  Credential extends object,
  Scope extends string,
  Given extends AnyCaller<Scope> | null | undefined,
  Needs extends object = Record<never, never>,
  Declared extends Responses = Responses,
>(
  scheme: SecurityScheme<Name, Credential, Scope>,
  verify: (input: Credential & VerifierInput<Declared>, runtime: Needs) => Awaitable<Given>,
): Verifier<Name, NonNullable<Given>, Needs, Declared> {
  if (!isMarked(scheme, "security scheme")) {
    throw new TypeError(
      "verify(): its first argument must be a security scheme, made by security.bearer(…) or another helper",
    );
  }
  if (typeof verify !== "function") throw new TypeError("verify(): its second argument must be a function");
  const { name } = scheme;
  return markAs("verifier", { name, scheme, verify: verify as unknown as AnyVerify }); // whose input the fetch layer makes as declared
}

/**
 * The callers by the name of their scheme; nobody by the empty name, which is that of `security.none`.
 *
 * @internal
 */
export type CallersOf<Verifiers extends Verifier> = [Verifiers] extends [never] ? Record<never, never>
  : { readonly [Each in Verifiers | Nobody as Each["name"]]: NonNullable<Each["types"]>["caller"] };

/**
 * Nobody, among the verifiers.
 *
 * @internal
 */
export interface Nobody {
  /** The name of `security.none`. */
  readonly name: "";
  /** The caller. */
  readonly types?: { readonly caller: undefined };
}

/**
 * What the verifiers need of the adapter, all together.
 *
 * @internal
 */
export type VerifierNeeds<Verifiers extends Verifier> = [Verifiers] extends [never] ? unknown
  : NonNullable<Verifiers["types"]>["needs"] extends (needs: infer Needs) => void ? Needs
  : never;

/**
 * The callers of a list of security schemes; `undefined` where everyone is let in, or a caller needs no credential.
 *
 * @internal
 */
export type CallerOf<Secured extends Security | undefined, Callers> = Secured extends readonly never[] | undefined
  ? undefined
  : Callers[NonNullable<Secured>[number]["name"] & keyof Callers];

/**
 * The callers of all routes below a node.
 *
 * @internal
 */
export type CallerBelow<Node, Callers> = SecurityBelow<Node> extends infer Secured extends Security | undefined
  ? CallerOf<Secured, Callers>
  : never;

/**
 * `unknown` where verifiers throw only responses that a contract declares for all routes, as far as their types say which, else an
 * error message that no options have.
 *
 * @internal
 */
export type ResponsesFit<Verifiers extends Verifier, Shared extends Responses> = [UnsharedBy<Verifiers, Shared>] extends
  [never] ? unknown
  : {
    readonly [
      Name in UnsharedBy<
        Verifiers,
        Shared
      > as `the contract does not share the responses that verify(${Name}, …) annotates`
    ]: never;
  };

/**
 * The names of the verifiers that annotate responses which a contract does not share.
 *
 * @internal
 */
export type UnsharedBy<Verifiers, Shared extends Responses> = Verifiers extends
  Verifier<infer Name, unknown, never, infer Declared> ? Responses extends Declared ? never
  : CreateResult<Shared> extends CreateResult<Declared> ? never
  : Name
  : never;

/**
 * `unknown` unless a context factory annotates its argument with a `caller` that the verifiers do not return, else an error message
 * that no options have.
 *
 * @internal
 */
export type CallerFits<Needs, Caller> = Needs extends { readonly caller: infer Annotated }
  ? [Caller] extends [Annotated] ? unknown
  : { readonly "the context factory annotates another caller than the verifiers return": never }
  : unknown;

/**
 * What a context factory needs of the adapter's `contextInput`, which never returns the caller.
 *
 * @internal
 */
export type WithoutCaller<Needs> = Needs extends { readonly caller: unknown } ? Omit<Needs, "caller"> : Needs;

/**
 * `unknown` where there is a verifier for each scheme of a contract and for no other, else an error message that no options have.
 *
 * @internal
 */
export type EachVerified<Routes, Verifiers extends Verifier> = SecurityBelow<Routes> extends infer Secured // TypeScript 7 follows the tree without end otherwise
  ? NamesMatch<SchemeName<Secured>, Verifiers["name"]>
  : never;

/**
 * {@linkcode EachVerified} of the names of schemes and of verifiers.
 *
 * @internal
 */
export type NamesMatch<Schemes extends string, Verified extends string> = [Schemes, Verified] extends
  [Verified, Schemes] ? unknown
  : string extends Schemes ? unknown // routes whose types say nothing
  : { readonly [Message in VerifierMismatch<Schemes, Verified>]: never };

/**
 * Which verifier is missing, or verifies a scheme that a contract does not have: the keys of an object that no options have, because
 * the compiler names them, once for a list and not for each of its entries.
 *
 * @internal
 */
export type VerifierMismatch<Schemes extends string, Verified extends string> =
  | `missing: verify(…) for the security scheme "${Exclude<Schemes, Verified>}"`
  | `the contract has no security scheme "${Exclude<Verified, Schemes>}"; remove its verifier`;

/**
 * `unknown` where a contract has no security schemes, else an error message that no contract is assignable to.
 *
 * @internal
 */
export type NoneToVerify<Routes> = SecurityBelow<Routes> extends infer Secured ? NoSchemes<SchemeName<Secured>> : never;

/**
 * {@linkcode NoneToVerify} of the names of schemes.
 *
 * @internal
 */
export type NoSchemes<Schemes extends string> = [Schemes] extends [never] ? unknown
  : string extends Schemes ? unknown // routes whose types say nothing
  : `missing: { security: [verify(…)] } for the security scheme "${Schemes}"`;
