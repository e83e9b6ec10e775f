/** A program that compares the written interface of an imported contract with the type that the compiler infers. */

/** Returns the contract without its interface, so that the compiler infers its type. */
export function withoutInterface(contract: string): string {
  return contract.replace("export const contract: Api =", "export const contract =");
}

/**
 * The program. `contract.types.ts` has the interface, and `inferred.ts` the contract without one. What a client passes
 * and receives, and what a handler receives and returns, is the same, in both directions.
 */
export const sameTypes = `
import type { InputOf, OutputOf, RouteNode, Schema } from "@scope/api";
import type { Api } from "./contract.types.ts";
import type { contract } from "./inferred.ts";

type Same<One, Other> = [One] extends [Other] ? [Other] extends [One] ? true : false : false;
type Sides<Declared> = Declared extends Schema ? [InputOf<Declared>, OutputOf<Declared>] : Declared;
type Content<Declared> = Declared extends { readonly types?: infer Types } ? SidesOf<NonNullable<Types>> : Declared;
type SidesOf<Types> = { [Name in Exclude<keyof Types, "isCodec">]: Sides<Types[Name]> };
type Facts<Node> = Node extends RouteNode ? {
    key: Node["key"];
    method: Node["method"];
    path: Node["path"];
    params: Sides<Node["params"]>;
    query: Sides<Node["query"]>;
    headers: Sides<Node["headers"]>;
    body: Content<Node["body"]>;
    responses: { [Status in keyof Node["responses"]]: Content<Node["responses"][Status]> };
    security: Node["security"];
  }
  : never;
type Routes = typeof contract["routes"];
type Different = {
  [Group in keyof Routes & keyof Api["routes"]]: {
    [Key in keyof Routes[Group]]: Routes[Group][Key] extends RouteNode
      ? Same<Facts<Routes[Group][Key]>, Facts<Api["routes"][Group][Key & keyof Api["routes"][Group]]>> extends true
        ? never
        : Key
      : never;
  }[keyof Routes[Group]];
}[keyof Routes & keyof Api["routes"]];

type HooksOf<Contract> = Contract extends { readonly webhooks: infer Hooks extends object } ? Hooks : Record<never, never>;
type Hooks = HooksOf<typeof contract>;
type DifferentHooks = {
  [Key in keyof Hooks]: Same<Facts<Hooks[Key]>, Facts<HooksOf<Api>[Key & keyof HooksOf<Api>]>> extends true ? never : Key;
}[Exclude<keyof Hooks, "~scope/api">];

export const hooks: Same<DifferentHooks, never> = true;
export const groups: Same<keyof Routes, keyof Api["routes"]> = true;
export const same: Same<Different, never> = true;
`;
