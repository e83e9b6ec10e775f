/** The API in the page, for development without a server: open the page with `?mock`. */
import { mockContract } from "@scope/api/mock";
import { memorySockets } from "@scope/api/socket";
import { contract } from "../contract.ts";

// browsers remove `cookie` from a `Request`, so everyone is signed in
export const mock = mockContract(contract, { caller: { name: "Ada" }, sockets: memorySockets() });
