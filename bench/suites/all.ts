import { measureBundles } from "./bundles.ts";
import { measureClients } from "./clients.ts";
import { measureMemory } from "./memory.ts";
import { measureMiddleware } from "./middleware.ts";
import { measureSockets } from "./sockets.ts";
import { measureStartUp } from "./start_up.ts";
import { measureStreams } from "./streams.ts";
import type { Suite } from "./suite.ts";
import { measureTables } from "./tables.ts";
import { measureTypes } from "./types.ts";

/** In the order of the report. */
export const suites = {
  memory: measureMemory,
  tables: measureTables,
  middleware: measureMiddleware,
  clients: measureClients,
  sockets: measureSockets,
  streams: measureStreams,
  startup: measureStartUp,
  types: measureTypes,
  bundles: measureBundles,
} as const satisfies Record<string, Suite>;

export type SuiteName = keyof typeof suites;

export const suiteNames = Object.keys(suites) as SuiteName[];
