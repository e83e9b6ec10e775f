/**
 * The entry point `./client` with a `createClient` that makes a slim contract of each whole one: the client's tests run
 * on it a second time.
 */
import type { Contract } from "@scope/api";
import { createClient as createWhole } from "../../client.ts";
import { isMarked } from "../../src/mark.ts";
import { toSlim } from "./to_slim.ts";

export { ClientError, fieldErrors, isErrorOf, unwrap, unwrapResult } from "../../client.ts";

/** Creates a client of the slim contract of a contract. */
export const createClient =
  ((contract: Contract, options: never) =>
    createWhole(isMarked(contract, "contract") ? toSlim(contract) : contract, options)) as typeof createWhole;
