/** A slim contract that is out of date does not compile: one test for each way in which the whole contract may change. */
import {
  codec,
  type Contract,
  defineContract,
  representation,
  request,
  response,
  route,
  router,
  security,
} from "@scope/api";
import { type Client, type ClientOptions, createClient } from "@scope/api/client";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer, verify } from "@scope/api/server";
import {
  as,
  bearerCredential,
  cookieCredential,
  empty,
  form,
  json,
  ndjson,
  problem,
  requestText,
  responseText,
  type SlimContract,
  slimContract,
  sse,
} from "@scope/api/slim";
import { assertEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const User = type({ name: "string" });
const Day = codec(type({ day: "string" }), type({ day: "Date" }), {
  decode: ({ day }) => ({ day: new Date(day) }),
  encode: ({ day }) => ({ day: day.toISOString() }),
});
const Count = codec(type({ count: "string" }), type({ count: "number" }), {
  decode: ({ count }) => ({ count: Number(count) }),
  encode: ({ count }) => ({ count: String(count) }),
});
const csv = representation<string>({ contentType: "text/csv", encode: String, decode: () => "" });
const token = security.bearer("token", { scopes: ["write"] });
const session = security.cookie("session", { cookie: "sid" });

const whole = defineContract({
  basePath: "/api",
  responses: { 429: response.problem() },
  security: [],
  routes: {
    list: route.get("/users", { query: type({ "search?": "string" }), responses: { 200: response.json(User) } }),
    users: router("/users/:id", {
      responses: { 404: response.problem(type({ detail: "string" })) },
      routes: {
        rename: route.patch("/", { body: request.form(User), responses: { 200: response.json(User) } }),
        days: route.get("/days", {
          query: Day,
          responses: { 200: response.ndjson(Day), 204: response.empty({ headers: Day }) },
        }),
      },
    }),
    add: route.post("/days", {
      security: [token.scoped("write"), session],
      headers: type({ "x-key": "string" }),
      body: Day,
      responses: { 201: response.sse(Day, { headers: type({ location: "string" }) }), 202: response.as(csv) },
    }),
    note: route.put("/note", { body: request.text({ optional: true }), responses: { 200: response.text() } }),
  },
});
type Whole = typeof whole;

const rows = {
  list: ["GET", "/api/users", { query: 1 }, { 200: json, 429: problem }],
  rename: ["PATCH", "/api/users/:id", { body: form }, { 200: json, 404: [problem, { schema: 1 }], 429: problem }],
  days: [
    "GET",
    "/api/users/:id/days",
    { query: Day },
    {
      200: [ndjson, { schema: Day }],
      204: [empty, { headers: Day }],
      404: [problem, { schema: 1 }],
      429: problem,
    },
  ],
  add: [
    "POST",
    "/api/days",
    { headers: 1, body: [json, { schema: Day }] },
    { 201: [sse, { schema: Day, headers: 1 }], 202: as(csv), 429: problem },
    ["token", "session"],
  ],
  note: ["PUT", "/api/note", { body: [requestText, { optional: true }] }, { 200: responseText, 429: problem }],
} as const;
const { list, rename, days, add, note } = rows;
const users = { rename, days };
const schemes = { token: bearerCredential(), session: cookieCredential("sid") };

const slim = slimContract<Whole>({ list, users, add, note }, schemes);

Deno.test("a client of the slim contract has the types of one of the whole contract", () => {
  const client = createClient(slim, { baseUrl: "http://localhost", credentials: { token: "t" } });
  const expected = createClient(whole, { baseUrl: "http://localhost" });

  assertType<IsExact<typeof client, typeof expected>>(true);
  // @ts-expect-error the contract does not have this scheme
  void (() => createClient(slim, { baseUrl: "http://localhost", credentials: { key: "t" } }));
});

Deno.test("the names of schemes may have any order, and those of routes too", () => {
  const [method, path, slots, responses] = add;
  slimContract<Whole>({ note, add: [method, path, slots, responses, ["session", "token"]], users, list }, schemes);
});

Deno.test("only createClient() accepts a slim contract, and other functions explain what to import", () => {
  const state = "the contract must be made by defineContract(), got a slim contract, which has no schemas; " +
    "import the whole contract instead";
  // @ts-expect-error a server needs the schemas
  assertThrows(() => defineServer(slim), TypeError, `defineServer(): ${state}`);
  // @ts-expect-error a document describes the schemas
  const describe = (): unknown => openApiDocument(slim, { info: { title: "t", version: "1" } });
  assertThrows(describe, TypeError, `openApiDocument(): ${state}`);
  const server = defineServer(whole, {
    security: [verify(token, () => null), verify(session, () => null)],
  });
  // @ts-expect-error a slim contract has no routes
  assertThrows(() => server.at(slim.routes.users), TypeError);
});

/** Each is a slim contract of before the whole one changed. They are checked by the compiler, and not run. */
const outdated = {
  "a route was added": () =>
    // @ts-expect-error note is missing
    slimContract<Whole>({ list, users, add }, schemes),
  "a route was removed": () =>
    // @ts-expect-error old does not exist
    slimContract<Whole>({ list, users, add, note, old: note }, schemes),
  "a route was added to a router": () =>
    // @ts-expect-error days is missing
    slimContract<Whole>({ list, users: { rename }, add, note }, schemes),
  "a route became a router": () =>
    // @ts-expect-error users has routes
    slimContract<Whole>({ list, users: list, add, note }, schemes),
  "the method changed": () =>
    // @ts-expect-error GET is expected
    slimContract<Whole>({ list: ["POST", ...tail(list)], users, add, note }, schemes),
  "the path changed": () =>
    // @ts-expect-error /api/users is expected
    slimContract<Whole>({ list: ["GET", "/api/people", list[2], list[3]], users, add, note }, schemes),
  "a slot was added": () =>
    // @ts-expect-error query is missing
    slimContract<Whole>({ list: ["GET", "/api/users", {}, list[3]], users, add, note }, schemes),
  "a slot was removed": () =>
    slimContract<Whole>({
      // @ts-expect-error headers are not declared
      list: ["GET", "/api/users", { query: 1, headers: 1 }, { 200: json, 429: problem }],
      users,
      add,
      note,
    }, schemes),
  "a slot became a codec": () =>
    // @ts-expect-error Day is expected
    slimContract<Whole>({ list, users: { rename, days: ["GET", days[1], { query: 1 }, days[3]] }, add, note }, schemes),
  "a slot has another codec": () =>
    slimContract<Whole>({
      list,
      // @ts-expect-error Day is expected
      users: { rename, days: ["GET", days[1], { query: Count }, days[3]] },
      add,
      note,
    }, schemes),
  "a slot is a codec no more": () =>
    // @ts-expect-error 1 is expected
    slimContract<Whole>({ list: ["GET", "/api/users", { query: Day }, list[3]], users, add, note }, schemes),
  "a body was added": () =>
    // @ts-expect-error body is missing
    slimContract<Whole>({ list, users, add, note: ["PUT", "/api/note", {}, note[3]] }, schemes),
  "a body was removed": () =>
    slimContract<Whole>({
      // @ts-expect-error body is not declared
      list: ["GET", "/api/users", { query: 1, body: json }, { 200: json, 429: problem }],
      users,
      add,
      note,
    }, schemes),
  "a body has another representation": () =>
    // @ts-expect-error text is expected
    slimContract<Whole>({ list, users, add, note: ["PUT", "/api/note", { body: json }, note[3]] }, schemes),
  "a body became a codec": () =>
    slimContract<Whole>({
      list,
      users,
      // @ts-expect-error a codec is expected
      add: ["POST", "/api/days", { headers: 1, body: json }, add[3], add[4]],
      note,
    }, schemes),
  "a body has a codec of other types": () =>
    slimContract<Whole>({
      list,
      users,
      // @ts-expect-error Day is expected
      add: ["POST", "/api/days", { headers: 1, body: [json, { schema: Count }] }, add[3], add[4]],
      note,
    }, schemes),
  "a body is a codec no more": () =>
    slimContract<Whole>({
      list,
      users,
      add,
      // @ts-expect-error its schema is not a codec
      note: ["PUT", "/api/note", { body: [requestText, { schema: Day }] }, { 200: responseText, 429: problem }],
    }, schemes),
  "a status was added": () =>
    // @ts-expect-error 429 is missing
    slimContract<Whole>({ list: ["GET", "/api/users", { query: 1 }, { 200: json }], users, add, note }, schemes),
  "a status was removed": () =>
    slimContract<Whole>({
      // @ts-expect-error 410 is not declared
      list: ["GET", "/api/users", { query: 1 }, { 200: json, 429: problem, 410: empty }],
      users,
      add,
      note,
    }, schemes),
  "a response has another representation": () =>
    slimContract<Whole>({
      // @ts-expect-error json is expected
      list: ["GET", "/api/users", { query: 1 }, { 200: sse, 429: problem }],
      users,
      add,
      note,
    }, schemes),
  "a response became a codec": () =>
    slimContract<Whole>({
      list,
      users: {
        rename,
        // @ts-expect-error a codec is expected
        days: ["GET", days[1], { query: Day }, { ...days[3], 200: ndjson }],
      },
      add,
      note,
    }, schemes),
  "a response has a codec of other types": () =>
    slimContract<Whole>({
      list,
      users: {
        rename,
        // @ts-expect-error Day is expected
        days: ["GET", days[1], { query: Day }, { ...days[3], 200: [ndjson, { schema: Count }] }],
      },
      add,
      note,
    }, schemes),
  "a response is a codec no more": () =>
    slimContract<Whole>({
      // @ts-expect-error its schema is not a codec
      list: ["GET", "/api/users", { query: 1 }, { 200: [json, { schema: Day }], 429: problem }],
      users,
      add,
      note,
    }, schemes),
  "a response has headers": () =>
    slimContract<Whole>({
      list,
      users,
      // @ts-expect-error headers are missing
      add: ["POST", "/api/days", add[2], { 201: [sse, { schema: Day }], 202: add[3][202], 429: problem }, add[4]],
      note,
    }, schemes),
  "a response has headers no more": () =>
    slimContract<Whole>({
      // @ts-expect-error headers are not declared
      list: ["GET", "/api/users", { query: 1 }, { 200: [json, { headers: 1 }], 429: problem }],
      users,
      add,
      note,
    }, schemes),
  "headers of a response became a codec": () =>
    slimContract<Whole>({
      list,
      users: {
        rename,
        // @ts-expect-error Day is expected
        days: ["GET", days[1], { query: Day }, { ...days[3], 204: [empty, { headers: 1 }] }],
      },
      add,
      note,
    }, schemes),
  "a schema describes a problem": () =>
    slimContract<Whole>({
      list,
      users: {
        // @ts-expect-error the schema is not mentioned
        rename: ["PATCH", rename[1], { body: form }, { 200: json, 404: problem, 429: problem }],
        days,
      },
      add,
      note,
    }, schemes),
  "security was added": () =>
    // @ts-expect-error the names are missing
    slimContract<Whole>({ list, users, add: ["POST", "/api/days", add[2], add[3]], note }, schemes),
  "security was removed": () =>
    // @ts-expect-error list does not have security
    slimContract<Whole>({ list: ["GET", "/api/users", list[2], list[3], ["token"]], users, add, note }, schemes),
  "a scheme was added to a route": () =>
    // @ts-expect-error session is missing
    slimContract<Whole>({ list, users, add: ["POST", "/api/days", add[2], add[3], ["token"]], note }, schemes),
  "a scheme of a route was removed": () =>
    slimContract<Whole>({
      list,
      users,
      // @ts-expect-error key is not among its schemes
      add: ["POST", "/api/days", add[2], add[3], ["token", "session", "key"]],
      note,
    }, schemes),
  "the contract has schemes": () =>
    // @ts-expect-error the schemes are missing
    slimContract<Whole>(rowsOfWhole),
  "the contract has another scheme": () =>
    // @ts-expect-error session is missing
    slimContract<Whole>(rowsOfWhole, { token: bearerCredential() }),
  "the contract has a scheme no more": () =>
    // @ts-expect-error key does not exist
    slimContract<Whole>(rowsOfWhole, { ...schemes, key: bearerCredential() }),
  "a scheme is of another kind": () =>
    // @ts-expect-error a cookie is expected
    slimContract<Whole>(rowsOfWhole, { token: bearerCredential(), session: bearerCredential() }),
};

const rowsOfWhole = { list, users, add, note };

function tail<Path, Slots, Responses>(
  [, path, slots, responses]: readonly [unknown, Path, Slots, Responses],
): readonly [Path, Slots, Responses] {
  return [path, slots, responses];
}

for (const change of Object.keys(outdated)) {
  Deno.test(`an outdated slim contract does not compile if ${change}`, () => {}); // the compiler has run it
}

Deno.test("functions of any contract, or of any slim one, create clients that have its types", () => {
  const ofWhole = <Boundary extends Contract>(
    boundary: Boundary,
    options: ClientOptions<Boundary["routes"]>,
  ): Client<Boundary["routes"]> => createClient(boundary, options);
  const ofSlim = <Boundary extends Contract>(
    boundary: SlimContract<Boundary>,
    options: ClientOptions<Boundary["routes"]>,
  ): Client<Boundary["routes"]> => createClient(boundary, options);
  const options = { baseUrl: "http://localhost" };

  assertType<IsExact<ReturnType<typeof ofSlim<Whole>>, Client<Whole["routes"]>>>(true);
  assertEquals(Object.keys(ofWhole(whole, options)), Object.keys(ofSlim(slim, options)));
});
