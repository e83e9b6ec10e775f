import type { Client } from "@scope/api/client";
import type { contract } from "./contract.ts";

/** The parameters of a scenario. */
export interface Stage {
  readonly client: Client<(typeof contract)["routes"]>;
  /** The client's `fetch`. */
  readonly fetch: (input: Request | string, init?: RequestInit) => Promise<Response>;
  readonly baseUrl: string;
  readonly port: number;
  /** A random integer from 0 to below `below`. */
  readonly random: (below: number) => number;
  /** One signal for the whole soak, which never aborts: listeners left on it are leaks. */
  readonly signal: AbortSignal;
}

/** One exchange. It throws if the outcome is not the promised one. */
export type Scenario = (stage: Stage) => Promise<void>;
