/** A server that refuses requests in every way that the adapter supports, and a request for each way. */
import { defineContract, request, response, route, security } from "@scope/api";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer, type HandlersOf, type Refuse, verify } from "@scope/api/server";
import { type } from "arktype";

export const token = security.bearer("token", { scopes: ["read", "write"] });
export const session = security.cookie("session", { cookie: "session" });

const Errors = type({ errors: type({ "[string]": "string[]" }) });
const anyone = { security: [] as const };

/** Every refusal in the error format of the RealWorld API. */
export const refusals = {
  400: 422,
  401: response.json(Errors),
  403: 422,
  404: 422,
  405: 422,
  413: 422,
  415: 422,
  422: response.json(Errors),
  500: response.json(Errors),
} as const;

const routes = {
  item: route.get("/items/:id", {
    ...anyone,
    params: type({ id: "string.numeric" }),
    responses: { 200: response.text() },
  }),
  add: route.post("/items", {
    ...anyone,
    body: request.json(type({ name: "string > 0" }), { maxBytes: 20 }),
    responses: { 201: response.empty() },
  }),
  upload: route.post("/upload", {
    ...anyone,
    body: request.stream({ contentType: "application/octet-stream", maxBytes: 20 }),
    responses: { 201: response.empty() },
  }),
  fail: route.get("/fail", { ...anyone, responses: { 200: response.text() } }),
  secret: route.post("/secret", {
    body: request.json(type({ name: "string" })),
    responses: { 200: response.text() },
  }),
  scoped: route.get("/scoped", { security: [token.scoped("write")], responses: { 200: response.text() } }),
  change: route.post("/change", { security: [session], responses: { 200: response.text() } }),
  optional: route.get("/optional", {
    security: [token, security.none],
    query: type({ page: "string" }),
    responses: { 200: response.text() },
  }),
  declared: route.get("/declared", { ...anyone, responses: { 404: response.json(Errors) } }),
};

/** The contract without declared refusals. */
export const plain = defineContract({ security: [token], routes });

/** The contract with declared refusals. */
export const contract = defineContract({ security: [token], refusals, routes });

/** The contract with one response for all refusals. */
const short = defineContract({ security: [token], refusals: response.json(Errors), routes });

/** The type of a `refuse` that builds them. */
export type Shape = Refuse<typeof refusals>;

const verifiers = [verify(token, () => ({ scopes: ["read"] })), verify(session, () => ({ name: "Ada" }))] as const;

const observed = defineServer(plain, { security: verifiers });

const handlers: HandlersOf<typeof observed> = {
  item: ({ params, response }) => response(200, params.id),
  add: ({ response }) => response(201),
  upload: async ({ body, response }) => {
    for await (const _ of body);
    return response(201);
  },
  fail: () => {
    throw new Error("broken");
  },
  secret: ({ response }) => response(200, "secret"),
  scoped: ({ response }) => response(200, "scoped"),
  change: ({ response }) => response(200, "changed"),
  optional: ({ query, response }) => response(200, query.page),
  declared: ({ response }) => response(404, { errors: { declared: ["no"] } }),
};

/** Mounts the contract with declared refusals. Failures are not written to the console. */
export function mount(refuse: Shape, options: FetchOptions = {}): FetchHandler {
  const server = defineServer(contract, { security: verifiers, refuse });
  return createFetchHandler(server.implement(handlers), { onError: () => undefined, ...options });
}

/** Mounts the contract with one response for all refusals. */
export function mountShort(refuse: Refuse<typeof short.refusals>, options: FetchOptions = {}): FetchHandler {
  const server = defineServer(short, { security: verifiers, refuse });
  return createFetchHandler(server.implement(handlers), { onError: () => undefined, ...options });
}

/** Mounts the contract without declared refusals, perhaps with a `refuse` that observes them. */
export function mountPlain(refuse?: Refuse, options: FetchOptions = {}): FetchHandler {
  const server = defineServer(plain, { security: verifiers, ...(refuse && { refuse }) });
  return createFetchHandler(server.implement(handlers), { onError: () => undefined, ...options });
}

/** A request that the adapter refuses. */
export interface RefusedCase {
  readonly code: string;
  readonly status: number;
  /** The key of its route; absent if the request does not match a route. */
  readonly key?: string;
  /** Whether HEAD is refused alike. */
  readonly isRead?: boolean;
  readonly ask: (method?: string) => Request;
}

const json = { "content-type": "application/json" };
const bearer = { authorization: "Bearer abc" };

function read(path: string, headers: HeadersInit = {}): Pick<RefusedCase, "isRead" | "ask"> {
  return { isRead: true, ask: (method = "GET") => new Request(`http://localhost${path}`, { method, headers }) };
}

function post(path: string, headers: HeadersInit, body?: () => BodyInit): Pick<RefusedCase, "ask"> {
  return {
    ask: () => new Request(`http://localhost${path}`, { method: "POST", headers, ...(body && { body: body() }) }),
  };
}

/** A body without a stated length. */
function chunked(): ReadableStream {
  return new Blob(["x".repeat(30)]).stream();
}

/** Every code of the adapter, and the ways to each. */
export const cases: readonly RefusedCase[] = [
  { code: "invalid-path", status: 400, ...read("/items/%") },
  { code: "not-found", status: 404, ...read("/nowhere") },
  { code: "method-not-allowed", status: 405, ...read("/upload") },
  { code: "invalid-request", status: 400, key: "item", ...read("/items/one") },
  { code: "invalid-request", status: 400, key: "add", ...post("/items", json, () => `{"name":""}`) },
  { code: "invalid-body", status: 400, key: "add", ...post("/items", json, () => "{") },
  { code: "unsupported-media-type", status: 415, key: "add", ...post("/items", {}, () => "text") },
  { code: "body-too-large", status: 413, key: "add", ...post("/items", json, () => `{"name":"${"x".repeat(30)}"}`) },
  { code: "body-too-large", status: 413, key: "add", ...post("/items", json, chunked) },
  {
    code: "body-too-large",
    status: 413,
    key: "upload",
    ...post("/upload", { "content-type": "application/octet-stream" }, chunked),
  },
  { code: "unauthorized", status: 401, key: "scoped", ...read("/scoped") },
  { code: "invalid-credential", status: 401, key: "scoped", ...read("/scoped", { authorization: "Bearer ?" }) },
  { code: "unauthorized", status: 401, key: "secret", ...post("/secret", json, () => "{}") },
  { code: "forbidden", status: 403, key: "scoped", ...read("/scoped", bearer) },
  {
    code: "cross-site",
    status: 403,
    key: "change",
    ...post("/change", { cookie: "session=1", origin: "https://evil.example" }),
  },
  { code: "invalid-request", status: 400, key: "secret", ...post("/secret", { ...json, ...bearer }, () => "{}") },
  { code: "invalid-request", status: 400, key: "optional", ...read("/optional") },
  { code: "internal-error", status: 500, key: "fail", ...read("/fail") },
];
