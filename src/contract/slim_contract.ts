/** Slim contracts, which only clients accept, and the message of everything else that receives one. */
import { describeValue } from "../describe_value.ts";
import { isMarked, type Marked } from "../mark.ts";
import { type Contract } from "./contract.ts";

/** The routes of a contract without its schemas, for a client. `slimContract` of `@scope/api/slim` returns it. */
export interface SlimContract<Whole extends Contract = Contract> extends Marked<"slim contract"> {
  /** The routes, for clients. They have no schemas except codecs, despite their types. */
  readonly routes: Whole["routes"];
}

/** The reason why `value` is not a contract, for an error message. `other` names what else is accepted. */
export function describeNonContract(value: unknown, other?: string): string {
  const found = isMarked(value, "slim contract")
    ? "a slim contract, which has no schemas; import the whole contract instead"
    : describeValue(value);
  return `the contract must be made by defineContract()${other === undefined ? "" : ` or be ${other}`}, got ${found}`;
}
