import { type Client } from "@scope/api/client";
import { type contract } from "./contract.ts";

/** What a scenario has at hand. */
export interface Stage {
  readonly client: Client<(typeof contract)["routes"]>;
  /** What the client sends by. */
  readonly fetch: (input: Request | string, init?: RequestInit) => Promise<Response>;
  readonly baseUrl: string;
  readonly port: number;
  /** A whole number from 0 to below another. */
  readonly random: (below: number) => number;
  /** One for the whole soak, which never aborts: what is left at it is a leak. */
  readonly signal: AbortSignal;
}

/** One exchange. It throws where anything but what is promised happens. */
export type Scenario = (stage: Stage) => Promise<void>;
