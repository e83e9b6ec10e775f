/** What a client takes in place of a contract, and what everything else says to that. */
import { isMarked, type Marked } from "../mark.ts";
import { type Contract } from "./contract.ts";
import { type RouterNode } from "./node.ts";

/**
 * The private key of a slim contract's routes, so that nothing but a client finds them: they have no schemas.
 *
 * @internal
 */
export const slimRoutes: unique symbol = /* @__PURE__ */ Symbol.for("@scope/api/slim-routes");

/**
 * What a slim contract has beside its mark.
 *
 * @internal
 */
export interface SlimRoutes {
  /** The routes, whose schemas other than codecs accept nothing. */
  readonly [slimRoutes]: RouterNode;
}

/** The routes of a contract without its schemas, for a client; made by `slimContract` of `@scope/api/slim`. */
export interface SlimContract<Whole extends Contract = Contract> extends Marked<"slim contract">, SlimRoutes {
  /** The contract that it was made of, in types only. */
  readonly types?: Whole;
}

/** Why `value`, which is named by `name`, is refused where a contract is needed. */
export function describeNonContract(value: unknown, name: string): string {
  return isMarked(value, "slim contract")
    ? `${name} is a slim one, which has no schemas; import the module of the whole contract instead`
    : `${name} was not made by defineContract()`;
}
