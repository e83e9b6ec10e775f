import { type ScenarioName, scenarios } from "../contract/scenarios.ts";

/** A target for one measurement of this project. */
export interface Target {
  readonly measure: string;
  readonly title: string;
  readonly sense: "at most" | "at least";
  readonly bound: number;
  readonly unit: string;
  readonly digits: number;
}

const inMemory: Readonly<Record<ScenarioName, number>> = {
  text: 1.10,
  parameter: 1.25,
  patch: 1.20,
  query: 1.10,
  large: 1.02,
  notFound: 1.25,
  wrongMethod: 1.25,
  invalid: 1.10,
};

const routeTables = [1, 32, 256, 2_048];

const overSocket = { text: 0.95, parameter: 0.90, patch: 0.90 };

const ratio = { sense: "at most", unit: "× direct", digits: 2 } as const;

export const targets: readonly Target[] = [
  ...Object.entries(inMemory).map(([name, bound]) => ({
    measure: `memory.${name}`,
    title: `In memory, ${scenarios[name as ScenarioName].title}`,
    bound,
    ...ratio,
  })),
  {
    measure: "memory.losses",
    title: "Peers that are ahead in memory",
    sense: "at most",
    bound: 0,
    unit: "",
    digits: 0,
  },
  ...routeTables.map((size) => ({ measure: `tables.${size}`, title: `Route table of ${size}`, bound: 1.3, ...ratio })),
  {
    measure: "tables.construction.2048",
    title: "Route table of 2048, constructed",
    sense: "at most",
    bound: 40,
    unit: "ms",
    digits: 1,
  },
  {
    measure: "middleware",
    title: "Five middleware functions that change nothing",
    sense: "at most",
    bound: 1,
    unit: "× the same in Hono",
    digits: 2,
  },
  { measure: "clients.find", title: "Client round trip, GET", bound: 1.10, ...ratio, unit: "× handwritten fetch" },
  { measure: "clients.rename", title: "Client round trip, PATCH", bound: 1.10, ...ratio, unit: "× handwritten fetch" },
  ...["memory", "memory, signal", "socket", "socket, signal"].flatMap((place) =>
    Object.entries({ find: "GET", rename: "PATCH" }).map(([call, method]) => ({
      measure: `clients.${call}.${place}`,
      title: `Client and a foreign server, ${method}, ${place}`,
      bound: 1.5,
      ...ratio,
      unit: "× handwritten fetch",
    }))
  ),
  ...Object.entries(overSocket).map(([name, bound]) => ({
    measure: `sockets.${name}`,
    title: `Requests per second, ${scenarios[name as ScenarioName].title}`,
    bound,
    ...ratio,
    sense: "at least" as const,
  })),
  ...Object.entries({
    bytes: "Bytes per second of a stream, in memory",
    ndjson: "NDJSON items per second, in memory",
    socket: "Bytes per second of a download of 1 GiB",
  }).map(([name, title]) => ({
    measure: `streams.${name}`,
    title,
    sense: "at least" as const,
    bound: 0.9,
    unit: "× handwritten",
    digits: 2,
  })),
  {
    measure: "streams.growth",
    title: "Growth of memory during that download",
    sense: "at most",
    bound: 16,
    unit: "MiB",
    digits: 0,
  },
  { measure: "startup", title: "Import and first response", sense: "at most", bound: 10, unit: "ms", digits: 1 },
  ...[10, 100, 500].map((count) => ({
    measure: `types.${count}`,
    title: `Types of a route with its call, among ${count}`,
    sense: "at most" as const,
    bound: 600,
    unit: "instantiations",
    digits: 0,
  })),
  { measure: "bundles.client", title: "Client bundle, gzip", sense: "at most", bound: 3.5, unit: "KiB", digits: 2 },
];

export function holds({ sense, bound }: Target, value: number): boolean {
  return sense === "at most" ? value <= bound : value >= bound;
}
