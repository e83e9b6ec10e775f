/** The changes of routes that the comparison knows, each with the calls of an old client that prove its verdict. */
import {
  request,
  type RequestBody,
  response,
  type ResponseDeclaration,
  route,
  router,
  type RouteTree,
  type Schema,
  type Security,
  security,
} from "@scope/api";
import { type } from "arktype";
import { fromJsonSchema } from "./from_json_schema.ts";

/** One change of a tree of routes. */
export interface RouteRow {
  /** A description. */
  readonly name: string;
  /** The routes of the old contract. */
  readonly before: RouteTree;
  /** The routes of the new contract. */
  readonly after: RouteTree;
  /** The changes: verdict, rule, route and place, one line for each. */
  readonly changes: readonly string[];
  /** Calls of an old client. The old server responds to all of them. */
  readonly calls: readonly Call[];
}

/** A call of an old client, and its outcome on the new server. */
export interface Call {
  /** The key of the route. */
  readonly key?: string;
  /** The caller's input. */
  readonly input?: object;
  /** The content type of the request, if the contract leaves it to the caller. */
  readonly contentType?: string;
  /** The credentials of the client, by the names of their schemes. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** The status of the new server's response, if it has several. */
  readonly status?: number;
  /** The response of a handler of the new server, if it must be this one. */
  readonly answer?: readonly [status: number, body?: unknown, headers?: object];
  /** Whether the old client gets the promised response. */
  readonly works: boolean;
}

const works: readonly Call[] = [{ works: true }];
const fails: readonly Call[] = [{ works: false }];

const ok = { responses: { 200: response.text() } };
const csv = { contentType: "text/csv" };
const name = type({ name: "string" });
const named = { body: { name: "Ada" } };

function get(options: object = {}): RouteTree {
  return { it: route.get("/it", { ...ok, ...options }) };
}

function post(body?: RequestBody): RouteTree {
  return { it: route.post("/it", { ...(body && { body }), ...ok }) };
}

function answering(responses: Readonly<Record<number, ResponseDeclaration>>): RouteTree {
  return { it: route.get("/it", { responses }) };
}

/** A change and its reverse. */
function both(
  name: string,
  [before, after]: readonly [RouteTree, RouteTree],
  forth: Pick<RouteRow, "changes" | "calls">,
  back: Pick<RouteRow, "changes" | "calls">,
): readonly RouteRow[] {
  return [
    { name, before, after, ...forth },
    { name: `${name}, the reverse`, before: after, after: before, ...back },
  ];
}

const byId = route.get("/users/:id", { responses: { 200: response.json(type({ id: "string" })) } });
const me = route.get("/users/me", { responses: { 200: response.text() } });

/** Every row about routes. */
const ofRoutes: readonly RouteRow[] = [
  ...both("a route is removed", [{ ...get(), other: route.get("/other", ok) }, { other: route.get("/other", ok) }], {
    changes: ["breaking route-removed it"],
    calls: [...fails, { key: "other", works: true }],
  }, { changes: ["compatible route-added it"], calls: [{ key: "other", works: true }] }),
  {
    name: "a route has another method",
    before: get(),
    after: { it: route.put("/it", ok) },
    changes: ["breaking route-removed it", "compatible route-added it"],
    calls: fails,
  },
  {
    name: "a route has another path",
    before: { it: route.get("/users/:id", ok) },
    after: { it: route.get("/users/:id/name", ok) },
    changes: ["breaking route-removed it", "compatible route-added it"],
    calls: [{ input: { params: { id: "1" } }, works: false }],
  },
  {
    name: "a route is added that takes a call of another one",
    before: { byId },
    after: { byId, me },
    changes: ["breaking route-shadows byId", "compatible route-added me"],
    calls: [
      { key: "byId", input: { params: { id: "me" } }, works: false },
      { key: "byId", input: { params: { id: "you" } }, works: true },
    ],
  },
  {
    name: "a route is added whose literal the parameter of another one refused",
    before: { byId: route.get("/users/:id", { params: type({ id: "/^[0-9]+$/" }), ...ok }) },
    after: { byId: route.get("/users/:id", { params: type({ id: "/^[0-9]+$/" }), ...ok }), me },
    changes: ["compatible route-added me"],
    calls: [{ key: "byId", input: { params: { id: "7" } }, works: true }],
  },
  {
    name: "a path parameter and the key of a route are renamed",
    before: { byId },
    after: { one: route.get("/users/:key", { responses: { 200: response.json(type({ id: "string" })) } }) },
    changes: ["source key-renamed byId", "source parameter-renamed byId params /id"],
    calls: [{ key: "byId", input: { params: { id: "1" } }, works: true }],
  },
  {
    name: "a route moves to another group of the tree",
    before: { users: router("/users", { routes: { byId: route.get("/:id", ok) } }) },
    after: { byId: route.get("/users/:id", ok) },
    changes: ["source key-renamed users.byId"],
    calls: [{ key: "users.byId", input: { params: { id: "1" } }, works: true }],
  },
  ...both("a path parameter is narrowed", [
    { it: route.get("/users/:id", ok) },
    { it: route.get("/users/:id", { params: type({ id: "string >= 2" }), ...ok }) },
  ], {
    changes: ["breaking request-narrowed it params /id"],
    calls: [{ input: { params: { id: "1" } }, works: false }, { input: { params: { id: "12" } }, works: true }],
  }, {
    changes: ["compatible request-widened it params /id"],
    calls: [{ input: { params: { id: "12" } }, works: true }],
  }),
];

const optionalQuery = get({ query: type({ "q?": "string" }) });
const requiredQuery = get({ query: type({ q: "string" }) });
const withQuery = { query: { q: "x" } };

/** Every row about queries and request headers. */
const ofFields: readonly RouteRow[] = [
  ...both("a required query parameter is added", [get(), requiredQuery], {
    changes: ["breaking request-narrowed it query /q"],
    calls: fails,
  }, {
    changes: ["compatible request-narrowed it query /q"],
    calls: [{ input: withQuery, works: true }],
  }),
  ...both("an optional query parameter is added", [get(), optionalQuery], {
    changes: ["compatible request-widened it query /q"],
    calls: works,
  }, {
    changes: ["compatible request-narrowed it query /q"],
    calls: [...works, { input: withQuery, works: true }],
  }),
  ...both("a query parameter becomes required", [optionalQuery, requiredQuery], {
    changes: ["breaking request-narrowed it query /q"],
    calls: [...fails, { input: withQuery, works: true }],
  }, {
    changes: ["compatible request-widened it query /q"],
    calls: [{ input: withQuery, works: true }],
  }),
  {
    name: "a query parameter is removed where others are refused",
    before: get({ query: type({ "+": "reject", "p?": "string", "q?": "string" }) }),
    after: get({ query: type({ "+": "reject", "p?": "string" }) }),
    changes: ["breaking request-narrowed it query /q"],
    calls: [{ input: withQuery, works: false }, { input: { query: { p: "x" } }, works: true }],
  },
  ...both("a request header is narrowed", [
    get({ headers: type({ "x-a": "string" }) }),
    get({ headers: type({ "x-a": "'b'" }) }),
  ], {
    changes: ["breaking request-narrowed it headers /x-a"],
    calls: [{ input: { headers: { "x-a": "a" } }, works: false }, { input: { headers: { "x-a": "b" } }, works: true }],
  }, {
    changes: ["compatible request-widened it headers /x-a"],
    calls: [{ input: { headers: { "x-a": "b" } }, works: true }],
  }),
  ...both("a required request header is added", [get(), get({ headers: type({ "x-a": "string" }) })], {
    changes: ["breaking request-narrowed it headers /x-a"],
    calls: fails,
  }, {
    changes: ["compatible request-narrowed it headers /x-a"],
    calls: [{ input: { headers: { "x-a": "a" } }, works: true }],
  }),
];

const required = post(request.json(name));
const optional = post(request.json(name, { optional: true }));
const odd = new Uint8Array([0xff]);
const png: Call = { input: { body: odd }, contentType: "image/png", works: true };

/** Every row about bodies of requests. */
const ofBodies: readonly RouteRow[] = [
  ...both("a required body is added", [post(), required], {
    changes: ["breaking body-added it body"],
    calls: fails,
  }, {
    changes: ["compatible body-removed it body"],
    calls: [{ input: named, works: true }],
  }),
  ...both("an optional body is added", [post(), optional], {
    changes: ["compatible body-added it body"],
    calls: works,
  }, {
    changes: ["compatible body-removed it body"],
    calls: [...works, { input: named, works: true }],
  }),
  ...both("a body becomes required", [optional, required], {
    changes: ["breaking body-required it body"],
    calls: [...fails, { input: named, works: true }],
  }, {
    changes: ["compatible body-optional it body"],
    calls: [{ input: named, works: true }],
  }),
  {
    name: "a body has another content type",
    before: post(request.text()),
    after: post(request.text(csv)),
    changes: ["breaking content-type-removed it body", "compatible content-type-added it body"],
    calls: [{ input: { body: "x" }, works: false }],
  },
  ...both("a body may have one more content type", [
    post(request.bytes({ contentType: ["image/png"] as readonly string[] }) as RequestBody),
    post(request.bytes({ contentType: ["image/png", "image/gif"] }) as RequestBody),
  ], {
    changes: ["compatible content-type-added it body"],
    calls: [png],
  }, {
    changes: ["breaking content-type-removed it body"],
    calls: [png, { ...png, contentType: "image/gif", works: false }],
  }),
  ...both("a body may have any content type of a wider range", [
    post(request.bytes({ contentType: "image/*" }) as RequestBody),
    post(request.bytes({ contentType: "*/*" }) as RequestBody),
  ], {
    changes: ["compatible content-type-added it body"],
    calls: [png],
  }, {
    changes: ["breaking content-type-removed it body"],
    calls: [png, { ...png, contentType: "font/woff2", works: false }],
  }),
  ...both("text becomes bytes of the same content type", [
    post(request.text(csv)),
    post(request.bytes(csv)),
  ], {
    changes: ["compatible representation-changed it body"],
    calls: [{ input: { body: "a,b" }, works: true }],
  }, {
    changes: ["breaking representation-changed it body"],
    calls: [{ input: { body: odd }, works: false }],
  }),
  ...both("a body may be shorter", [
    post(request.text({ maxBytes: 4 })),
    post(request.text({ maxBytes: 2 })),
  ], {
    changes: ["breaking body-limit-changed it body"],
    calls: [{ input: { body: "abc" }, works: false }, { input: { body: "ab" }, works: true }],
  }, {
    changes: ["compatible body-limit-changed it body"],
    calls: [{ input: { body: "ab" }, works: true }],
  }),
];

const text = answering({ 200: response.text() });
const empty = answering({ 200: response.empty() });

/** Every row about responses. */
const ofResponses: readonly RouteRow[] = [
  {
    name: "a response has another content type",
    before: text,
    after: answering({ 200: response.text(csv) }),
    changes: ["breaking content-type-added it 200", "compatible content-type-removed it 200"],
    calls: fails,
  },
  ...both("a response may have one more content type", [
    answering({ 200: response.bytes({ contentType: ["image/png"] as readonly string[] }) }),
    answering({ 200: response.bytes({ contentType: ["image/png", "image/gif"] }) }),
  ], {
    changes: ["breaking content-type-added it 200"],
    calls: [
      { answer: [200, odd, { "content-type": "image/png" }], works: true },
      { answer: [200, odd, { "content-type": "image/gif" }], works: false },
    ],
  }, {
    changes: ["compatible content-type-removed it 200"],
    calls: works,
  }),
  ...both("a response of text becomes one of bytes", [
    answering({ 200: response.text(csv) }),
    answering({ 200: response.bytes(csv) }),
  ], {
    changes: ["breaking representation-changed it 200"],
    calls: [{ answer: [200, odd], works: false }],
  }, {
    changes: ["compatible representation-changed it 200"],
    calls: works,
  }),
  ...both("a response is empty", [text, empty], {
    changes: ["breaking content-type-removed it 200"],
    calls: fails,
  }, {
    changes: ["compatible content-type-added it 200"],
    calls: works,
  }),
  {
    name: "an empty response becomes a problem document",
    before: answering({ 404: response.empty(), 200: response.text() }),
    after: answering({ 404: response.problem(), 200: response.text() }),
    changes: ["breaking content-type-added it 404"],
    calls: [...works, { status: 404, works: false }],
  },
  {
    name: "a response of any content type becomes a problem document",
    before: answering({ 404: response.bytes({ contentType: "application/*" }), 200: response.text() }),
    after: answering({ 404: response.problem(), 200: response.text() }),
    changes: ["breaking content-type-added it 404", "compatible content-type-removed it 404"],
    calls: [...works, { status: 404, works: false }],
  },
  ...both("a success is added", [text, answering({ 200: response.text(), 201: response.text() })], {
    changes: ["breaking status-added it 201"],
    calls: [...works, { status: 201, works: false }],
  }, {
    changes: ["compatible status-removed it 201"],
    calls: works,
  }),
  ...both("a redirect is added", [text, answering({ 200: response.text(), 303: response.empty() })], {
    changes: ["breaking status-added it 303"],
    calls: [...works, { status: 303, works: false }],
  }, {
    changes: ["compatible status-removed it 303"],
    calls: works,
  }),
  ...both(
    "a failure is added",
    [text, answering({ 200: response.text(), 409: response.text(), 503: response.text() })],
    {
      changes: ["compatible status-added it 409", "compatible status-added it 503"],
      calls: works,
    },
    {
      changes: ["compatible status-removed it 409", "compatible status-removed it 503"],
      calls: works,
    },
  ),
  {
    name: "no success is left",
    before: answering({ 200: response.text(), 404: response.text() }),
    after: answering({ 404: response.text() }),
    changes: ["breaking success-removed it", "compatible status-removed it 200"],
    calls: fails,
  },
];

/** Response headers: `x-a` that is always there, perhaps there, or not declared. */
function withHeader(presence: "required" | "optional" | "none"): RouteTree {
  const headers: Schema<Record<string, string>> = fromJsonSchema({
    type: "object",
    properties: { "x-a": { type: "string" } },
    required: presence === "required" ? ["x-a"] : [],
  });
  return answering({ 200: presence === "none" ? response.text() : response.text({ headers }) });
}

const withoutIt: Call = { answer: [200, "x"], works: true };
const withIt: Call = { answer: [200, "x", { "x-a": "1" }], works: true };

/** Every row about headers of responses. */
const ofResponseHeaders: readonly RouteRow[] = [
  ...both("a required response header is removed", [withHeader("required"), withHeader("none")], {
    changes: ["breaking response-widened it 200 headers /x-a"],
    calls: fails,
  }, {
    changes: ["compatible response-widened it 200 headers /x-a"],
    calls: works,
  }),
  ...both("a required response header becomes optional", [withHeader("required"), withHeader("optional")], {
    changes: ["breaking response-widened it 200 headers /x-a"],
    calls: [{ ...withoutIt, works: false }, withIt],
  }, {
    changes: ["compatible response-narrowed it 200 headers /x-a"],
    calls: works,
  }),
  ...both("an optional response header is removed", [withHeader("optional"), withHeader("none")], {
    changes: ["compatible response-narrowed it 200 headers /x-a"],
    calls: works,
  }, {
    changes: ["compatible response-widened it 200 headers /x-a"],
    calls: [withoutIt, withIt],
  }),
];

const token = security.bearer("token", { scopes: ["read", "write"] });
const key = security.apiKey("key", { header: "x-key" });
const movedKey = security.apiKey("key", { header: "x-other" });

function secured(...schemes: Security): RouteTree {
  return get({ security: schemes });
}

/** A requirement that is narrowed: who is no longer let in, and who still is. */
function narrower(
  name: string,
  wide: RouteTree,
  narrow: RouteTree,
  refused: Call["credentials"],
  admitted: Call["credentials"],
): readonly RouteRow[] {
  const calls: readonly Call[] = admitted ? [{ credentials: admitted, works: true }] : [];
  return both(name, [wide, narrow], {
    changes: ["breaking security-narrowed it security"],
    calls: [{ ...(refused && { credentials: refused }), works: false }, ...calls],
  }, { changes: ["compatible security-widened it security"], calls });
}

/** Every row about security. The mock grants the scopes that a token names. */
const ofSecurity: readonly RouteRow[] = [
  ...both("a credential is required", [get(), secured(token)], {
    changes: ["breaking security-narrowed it security"],
    calls: fails,
  }, {
    changes: ["compatible security-widened it security"],
    calls: [{ credentials: { token: "any" }, works: true }],
  }),
  ...narrower("a scope is required", secured(token), secured(token.scoped("read")), { token: "none" }, {
    token: "read",
  }),
  ...narrower(
    "one more scope is required",
    secured(token.scoped("read")),
    secured(token.scoped("read", "write")),
    { token: "read" },
    { token: "read-write" },
  ),
  ...narrower("an alternative is removed", secured(token, key), secured(token), { key: "any" }, { token: "any" }),
  ...narrower(
    "callers without a credential are no longer accepted",
    secured(token, security.none),
    secured(token),
    undefined,
    { token: "any" },
  ),
  {
    name: "a credential is sent in another place",
    before: secured(key),
    after: secured(movedKey),
    changes: ["breaking security-narrowed it security"],
    calls: [{ credentials: { key: "any" }, works: false }],
  },
];

/** Every row. */
export const routeRows: readonly RouteRow[] = [
  ...ofRoutes,
  ...ofFields,
  ...ofBodies,
  ...ofResponses,
  ...ofResponseHeaders,
  ...ofSecurity,
];
