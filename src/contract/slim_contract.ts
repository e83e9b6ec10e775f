/** What a client takes in place of a contract, and what everything else says to that. */
import { isMarked, type Marked } from "../mark.ts";
import { type Contract } from "./contract.ts";

/** The routes of a contract without its schemas, for a client; made by `slimContract` of `@scope/api/slim`. */
export interface SlimContract<Whole extends Contract = Contract> extends Marked<"slim contract"> {
  /** The routes, for clients: they have no schemas except codecs, whatever their types say. */
  readonly routes: Whole["routes"];
}

/** Why `value`, which is named by `name`, is refused where a contract is needed. */
export function describeNonContract(value: unknown, name: string): string {
  return isMarked(value, "slim contract")
    ? `${name} is a slim one, which has no schemas; import the module of the whole contract instead`
    : `${name} was not made by defineContract()`;
}
