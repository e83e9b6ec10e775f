/** A request as plain data, from which a measurement creates as many requests as it needs. */
export interface RequestData {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request, and the response that the contract promises. */
export interface Scenario {
  readonly title: string;
  readonly request: RequestData;
  readonly status: number;
  /** The text or the JSON value of the response. The text of errors differs between systems. */
  readonly body?: unknown;
  /** The guarantees that a system needs for its figure to be comparable with ours. */
  readonly needs: readonly Guarantee[];
  /** How many requests are handled between two readings of the clock. */
  readonly batch: number;
}

/** The observed guarantees of a system. `strips`: it does not send fields that the schema strips. */
export type Guarantee = "input" | "output" | "strips" | "wrongMethod";

export type ScenarioName = keyof typeof scenarios;

const json = { "content-type": "application/json" };

/** About 64 KiB as JSON. */
const items = Array.from(
  { length: 1_130 },
  (_, id) => ({ id, name: `the name of item ${id}`, active: id % 2 === 0 }),
);

export const scenarios = {
  text: {
    title: "static text",
    request: { path: "/api/health" },
    status: 200,
    body: "ok",
    needs: ["output"],
    batch: 500,
  },
  parameter: {
    title: "parameter, JSON out",
    request: { path: "/api/users/42" },
    status: 200,
    body: { id: "42", name: "Ada" },
    needs: ["input", "output", "strips"],
    batch: 500,
  },
  patch: {
    title: "PATCH, JSON in and out",
    request: {
      method: "PATCH",
      path: "/api/users/42",
      headers: json,
      body: JSON.stringify({ name: "Grace" }),
    },
    status: 200,
    body: { id: "42", name: "Grace" },
    needs: ["input", "output", "strips"],
    batch: 500,
  },
  query: {
    title: "query and header, list out",
    request: {
      path: "/api/users?tags=a&tags=b&page=2",
      headers: { "x-user": "ada" },
    },
    status: 200,
    body: { user: "ada", page: 2, tags: ["a", "b"] },
    needs: ["input", "output", "strips"],
    batch: 500,
  },
  large: {
    title: "64 KiB JSON in and out",
    request: {
      method: "POST",
      path: "/api/import",
      headers: json,
      body: JSON.stringify({ items }),
    },
    status: 200,
    body: { items },
    needs: ["input", "output", "strips"],
    batch: 20,
  },
  notFound: {
    title: "404",
    request: { path: "/api/nothing/here" },
    status: 404,
    needs: [],
    batch: 500,
  },
  wrongMethod: {
    title: "405",
    request: { method: "PUT", path: "/api/users/42" },
    status: 405,
    needs: ["wrongMethod"],
    batch: 500,
  },
  invalid: {
    title: "invalid body",
    request: {
      method: "PATCH",
      path: "/api/users/42",
      headers: json,
      body: JSON.stringify({ name: "" }),
    },
    status: 400,
    needs: ["input"],
    batch: 200,
  },
} as const satisfies Record<string, Scenario>;

export const scenarioNames = Object.keys(scenarios) as ScenarioName[];

/** Requests that are sent once before measuring, to observe the guarantees of a system. */
export const proofs = {
  /** The handler's result contains a field that the schema does not declare. */
  strips: { path: "/api/profiles/42" },
  /** The schema rejects the handler's result. */
  output: { path: "/api/profiles/broken" },
} as const satisfies Record<string, RequestData>;

/** Returns the path of route number `index` in a route table. */
export function tablePath(index: number): string {
  return `/api/resource${index}/items/:id`;
}

/** Returns a request for route number `index` in a route table. */
export function tableRequest(index: number): RequestData {
  return { path: `/api/resource${index}/items/42` };
}

export function toRequest(data: RequestData): Request {
  return requestMaker(data)();
}

/**
 * Returns a function that creates the same request again and again. Everything except the `Request` is computed once.
 */
export function requestMaker({ method, path, headers, body }: RequestData): () => Request {
  const url = `http://localhost${path}`;
  if (method === undefined && headers === undefined && body === undefined) return () => new Request(url);
  const init: RequestInit = {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
  };
  return () => new Request(url, init);
}
