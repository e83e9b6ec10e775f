import type { User } from "../contract/answers.ts";
import type { RequestData, ScenarioName } from "../contract/scenarios.ts";

/** Handles a `Request`: the function that every runtime can serve. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** The server that a client calls, and the signal that all its calls pass on. */
export interface ClientTarget {
  readonly baseUrl: string;
  readonly signal: AbortSignal | undefined;
}

/** The calls of a client that are measured. */
export interface BenchClient {
  readonly findUser: (id: string) => Promise<User>;
  readonly renameUser: (id: string, name: string) => Promise<User>;
}

/** How a middleware that changes nothing passes on the result: it returns it directly, or awaits it first. */
export type Passing = "hands on" | "waits";

/** A way to serve the contract. */
export interface System {
  readonly title: string;
  /** The schema library of its contract, if it does not accept Standard Schema. */
  readonly schemas?: string;
  /** Creates a handler for the contract. */
  readonly create: () => Handler;
  /** Creates a handler with `size` routes. */
  readonly createTable: (size: number) => Handler;
  /** Creates a handler for the static text with `count` middleware functions before it. */
  readonly createLayers?: (count: number, passing: Passing) => Handler;
  /**
   * Creates a client that calls `fetch` instead of the network. It imports the client module itself, so that servers
   * start without it.
   */
  readonly createClient?: (fetch: Handler, target: ClientTarget) => Promise<BenchClient>;
  /** How a system with its own protocol receives the requests of the contract. */
  readonly protocol?: Protocol;
}

/** How requests to a system without methods and paths are written, and how its responses are read. */
export interface Protocol {
  readonly requests: Readonly<
    Partial<Record<ScenarioName | "strips" | "output", RequestData>>
  >;
  readonly tableRequest: (index: number) => RequestData;
  readonly unwrap: (body: unknown) => unknown;
}
