/** Verifiers of credentials: their types, those of the callers that they return, and how they are misused. */
import type { Responses } from "../../contract/response.ts";
import type {
  CombinedSchemes,
  SchemeName,
  Security,
  SecurityEntry,
  SecurityScheme,
} from "../../contract/security_scheme.ts";
import type { Spread } from "../../contract/infer.ts";
import type { Marked } from "../../mark.ts";
import type { ContextInput } from "./call.ts";
import type { CreateResult } from "./result.ts";
import type { SecurityBelow } from "../../contract/node.ts";

/** The first argument of a verifier, without the credential. */
export interface VerifierInput<Declared extends Responses = Record<never, never>> extends ContextInput {
  /** The request. The verifier must not read its body. */
  readonly request: Request;
  /** The path parameters, percent-decoded and not validated. Which ones there are depends on the route. */
  readonly params: Readonly<Record<string, string>>;
  /** Builds a result to throw, from a response that the contract declares for all routes: `throw response(429)`. */
  readonly response: CreateResult<Declared>;
}

/**
 * A caller: an object that says who called. Every object lets the caller in, except lists, maps, sets, boxed primitives,
 * errors and results. If the scheme has scopes, it has the granted `scopes`.
 *
 * @internal
 */
export type AnyCaller<Scope extends string> = [Scope] extends [never] ? NotAList : CallerWithScopes;

/** A caller of a scheme with scopes. */
interface CallerWithScopes {
  /** The scopes that the caller has. The type is that of any string, in a form from which literals are inferred. */
  readonly scopes: readonly ("" | (string & Record<never, never>))[];
}

/** An object that is not a list. Database rows are not a caller, least of all an empty list of them. */
type NotAList = object & {
  readonly [Symbol.iterator]?: never;
};

/**
 * `unknown` if a scheme has the scopes that a verifier writes out. Otherwise an error message as a type. Scopes of type
 * `string`, such as those of a database, can be any. It is an index, so that a verifier can be generic: the constraint
 * of an index that is not yet known leaves out `any`. `Open` would accept every scope.
 *
 * @internal
 */
export type ScopesFit<Returned, Scope extends string> = ScopesVerdict<UnknownScope<Returned, Scope>>[
  // deno-lint-ignore no-explicit-any -- see above
  [UnknownScope<Returned, Scope>] extends [never] ? "fit" : any
];

/** The types of {@linkcode ScopesFit}. `any` is the index of the message. */
interface ScopesVerdict<Unknown extends string> {
  readonly fit: unknown;
  readonly [misfit: number]: `the security scheme has no scope "${Unknown}"`;
}

/** The literals among a caller's scopes that a scheme does not have. */
type UnknownScope<Returned, Scope extends string> = Returned extends { readonly scopes: readonly (infer Granted)[] }
  ? string extends Granted ? never : Exclude<Literal<Granted>, Scope>
  : never;

/** The literals among types of text. */
type Literal<Text> = Text extends string ? Record<never, never> extends Record<Text, unknown> ? never : `${Text}`
  : never;

/**
 * The caller that a verifier returned. Scopes that it wrote out become those of the scheme. It infers `Caller` anew,
 * because TypeScript would otherwise widen the literals in the list of verifiers.
 *
 * @internal
 */
export type ReturnedCaller<Returned, Scope extends string> = Returned extends infer Caller extends object
  ? WrittenScope<Caller, Scope> extends never ? Caller
  : Spread<Omit<Caller, "scopes"> & { readonly scopes: readonly Scope[] }>
  : never;

/** The scopes that a verifier writes out, if the scheme has others, too. */
type WrittenScope<Caller, Scope extends string> = Caller extends { readonly scopes: readonly (infer Granted)[] }
  ? string extends Granted ? never : [Scope] extends [Granted] ? never : Literal<Granted>
  : never;

/** Verifies the credentials of one scheme. {@linkcode verify} returns it. */
export interface Verifier<
  Name extends string = string,
  Caller = unknown,
  Needs extends object = never,
  Declared extends Responses = Responses,
> extends Marked<"verifier"> {
  /** The name of the scheme. */
  readonly name: Name;
  /** The declared scheme whose credentials it verifies. */
  readonly scheme: SecurityScheme;
  /** Verifies a credential and returns its caller. */
  readonly verify: AnyVerify;
  /**
   * Plans how to authenticate the callers of a route. Every verifier has the same function, so only servers with security
   * bundle it.
   *
   * @internal
   */
  readonly plan: (endpoint: never, allowsOrigin: never, finish: never) => unknown;
  /**
   * Returns what is wrong with the schemes of a server's verifiers, except those that none verifies. Every verifier has
   * the same function, too.
   *
   * @internal
   */
  readonly listMisuses?: typeof listMisuses;
  /**
   * The types of the callers, of the needs from the adapter, and of the responses to throw. Never present at run time.
   */
  readonly types?: {
    readonly caller: Caller;
    readonly needs: (needs: Needs) => void;
    readonly declared: Declared;
  } | undefined;
}

/**
 * No verifier. It tells `verify(…)` inside `defineServer(contract, { security: […] })` which responses the contract
 * shares. It is an interface of its own, because TypeScript would otherwise match it with the verifiers of this copy of
 * the package, and infer only those of other copies.
 *
 * @internal
 */
export interface NoVerifier<Declared extends Responses>
  extends Verifier<never, never, Record<never, never>, Declared> {}

/**
 * A function that verifies credentials, with any types.
 *
 * @internal
 */
export type AnyVerify = (input: object, runtime: object) => unknown;

/**
 * The callers by scheme name. The empty name is that of `security.none`, which has no caller.
 *
 * @internal
 */
export type CallersOf<Verifiers extends Verifier> = [Verifiers] extends [never] ? Record<never, never>
  : { readonly [Each in Verifiers | AnonymousCaller as Each["name"]]: NonNullable<Each["types"]>["caller"] };

/** The entry of `security.none` among the verifiers. */
interface AnonymousCaller {
  readonly name: "";
  readonly types?: { readonly caller: undefined };
}

/**
 * The needs of all verifiers together.
 *
 * @internal
 */
export type VerifierNeeds<Verifiers extends Verifier> = [Verifiers] extends [never] ? unknown
  : NonNullable<Verifiers["types"]>["needs"] extends (needs: infer Needs) => void ? Needs
  : never;

/**
 * The caller type of a list of security schemes. It includes `undefined` if the list accepts callers without a
 * credential.
 */
export type CallerOf<Secured extends Security | undefined, Callers> = Secured extends readonly never[] | undefined
  ? undefined
  : CallerOfEntry<NonNullable<Secured>[number], Callers>;

/** The caller type of an entry: of schemes that are required together, an object with the callers by scheme name. */
type CallerOfEntry<Entry extends SecurityEntry, Callers> = Entry extends CombinedSchemes<infer Entries>
  ? { readonly [Each in Entries[number] as Each["name"]]: Callers[Each["name"] & keyof Callers] }
  : Callers[Entry["name"] & keyof Callers];

/**
 * The callers of all routes below a node.
 *
 * @internal
 */
export type CallerBelow<Node, Callers> = SecurityBelow<Node> extends infer Secured extends Security | undefined
  ? CallerOf<Secured, Callers>
  : never;

/**
 * `unknown` if verifiers throw only responses that a contract declares for all routes, as far as their types show.
 * Otherwise an error message as a type.
 *
 * @internal
 */
export type ResponsesFit<Verifiers extends Verifier, Shared extends Responses> = [UnsharedBy<Verifiers, Shared>] extends
  [never] ? unknown
  : {
    readonly security: {
      readonly [
        Name in UnsharedBy<
          Verifiers,
          Shared
        > as `verify(${Name}, …) annotates responses that the contract does not declare for all routes`
      ]: never;
    };
  };

/** The names of the verifiers that annotate responses which a contract does not share. */
type UnsharedBy<Verifiers, Shared extends Responses> = Verifiers extends
  Verifier<infer Name, unknown, never, infer Declared> ? Responses extends Declared ? never
  : CreateResult<Shared> extends CreateResult<Declared> ? never
  : Name
  : never;

/**
 * An error message as a type if a context factory annotates a `caller` that the verifiers do not return. Otherwise
 * `unknown`. Its key is a symbol, because editors would offer any other key among the options.
 *
 * @internal
 */
export type CallerFits<Needs, Caller> = Needs extends { readonly caller: infer Annotated }
  ? [Caller] extends [Annotated] ? unknown
  : {
    readonly [Symbol.toStringTag]:
      "the caller that the context factory annotates must be one that the verifiers return";
  }
  : unknown;

/**
 * The needs of a context factory from the adapter's `contextInput`, which never returns the caller.
 *
 * @internal
 */
export type WithoutCaller<Needs> = Needs extends { readonly caller: unknown } ? Omit<Needs, "caller"> : Needs;

/**
 * `unknown` if there is one verifier for each scheme of a contract and for no other. Otherwise an error message as a
 * type.
 *
 * @internal
 */
export type EachVerified<Routes, Verifiers extends Verifier> = SecurityBelow<Routes> extends infer Secured // otherwise TypeScript 7 expands the tree without end
  ? NamesMatch<SchemeName<Secured>, Verifiers["name"]>
  : never;

/** {@linkcode EachVerified} for the names of schemes and verifiers. */
type NamesMatch<Schemes extends string, Verified extends string> = [Schemes, Verified] extends [Verified, Schemes]
  ? unknown
  : string extends Schemes ? unknown // routes with general types
  : { readonly security: { readonly [Message in VerifierMismatch<Schemes, Verified>]: Message } };

/**
 * The missing and the unknown verifiers, as the keys of an object type that no list has. The compiler then names them
 * once for the whole list, not for each entry, and an editor offers no such key among the options.
 */
type VerifierMismatch<Schemes extends string, Verified extends string> =
  | `missing: verify(…) for the security scheme "${Exclude<Schemes, Verified>}"`
  | `the contract has no security scheme "${Exclude<Verified, Schemes>}"; remove its verifier`;

/**
 * `unknown` if a contract has no security schemes. Otherwise an error message as a type.
 *
 * @internal
 */
export type NoneToVerify<Routes> = SecurityBelow<Routes> extends infer Secured ? NoSchemes<SchemeName<Secured>> : never;

/** {@linkcode NoneToVerify} for the names of schemes. */
type NoSchemes<Schemes extends string> = [Schemes] extends [never] ? unknown
  : string extends Schemes ? unknown // routes with general types
  : `missing: { security: [verify(…)] } for the security scheme "${Schemes}"`;

/** Returns what is wrong with verified schemes: those that the contract does not have, and those of two verifiers. */
export function listMisuses(verified: readonly SecurityScheme[], schemes: readonly SecurityScheme[]): string[] {
  return [
    ...verified.filter((scheme) => !schemes.includes(scheme)).map(({ name }) =>
      `"security" verifies "${name}", which is not a scheme of the contract; remove it`
    ),
    ...verified.filter((scheme, index) => verified.indexOf(scheme) !== index).map(({ name }) =>
      `"security" verifies "${name}" twice; remove one`
    ),
  ];
}
