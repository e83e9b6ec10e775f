import { type User } from "../contract/answers.ts";
import { type RequestData, type ScenarioName } from "../contract/scenarios.ts";

/** From a `Request` to a `Response`: what every runtime serves. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** The calls of a client that are measured. */
export interface BenchClient {
  readonly findUser: (id: string) => Promise<User>;
  readonly renameUser: (id: string, name: string) => Promise<User>;
}

/** What a middleware that changes nothing does: it hands on what comes of going on, or waits for it first. */
export type Passing = "hands on" | "waits";

/** One way to serve the contract. */
export interface System {
  readonly title: string;
  /** The schema library of its contract, where it takes no Standard Schema. */
  readonly schemas?: string;
  /** Makes a handler of the contract. */
  readonly create: () => Handler;
  /** Makes a handler of so many routes. */
  readonly createTable: (size: number) => Handler;
  /** Makes a handler of the static text with so many middlewares before it. */
  readonly createLayers?: (count: number, passing: Passing) => Handler;
  /** Makes a client that calls `fetch` instead of the network. It imports the client by itself: no server starts with one. */
  readonly createClient?: (fetch: Handler) => Promise<BenchClient>;
  /** For a protocol of its own: how it asks what the contract asks. */
  readonly protocol?: Protocol;
}

/** How a system that is not addressed by method and path is asked, and how its answers are read. */
export interface Protocol {
  readonly requests: Readonly<
    Partial<Record<ScenarioName | "strips" | "output", RequestData>>
  >;
  readonly tableRequest: (index: number) => RequestData;
  readonly unwrap: (body: unknown) => unknown;
}
