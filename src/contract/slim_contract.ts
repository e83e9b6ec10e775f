/** Slim contracts, which only clients accept, and the message of everything else that receives one. */
import { isMarked, type Marked } from "../mark.ts";
import { type Contract } from "./contract.ts";

/** The routes of a contract without its schemas, for a client. `slimContract` of `@scope/api/slim` returns it. */
export interface SlimContract<Whole extends Contract = Contract> extends Marked<"slim contract"> {
  /** The routes, for clients. They have no schemas except codecs, despite their types. */
  readonly routes: Whole["routes"];
}

/** The reason why `value` is not a contract, for an error message. `name` names the value. */
export function describeNonContract(value: unknown, name: string): string {
  return isMarked(value, "slim contract")
    ? `${name} is a slim one, which has no schemas; import the module of the whole contract instead`
    : `${name} was not made by defineContract()`;
}
