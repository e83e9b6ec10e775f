/** The compiler's errors for wrong options of contract tests, and for the inputs that sample() draws. */
import { codec, type Contract, defineContract, request, response, route, router, security } from "@scope/api";
import { type ContractTestOptions, contractTests, sample, type TestValues } from "@scope/api/testing";
import { assert } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const Day = codec(type({ day: "string" }), type({ day: "Date" }), {
  decode: ({ day }) => ({ day: new Date(day) }),
  encode: ({ day }) => ({ day: day.toISOString() }),
});
const token = security.bearer("token");
const login = security.basic("login");
const contract = defineContract({
  security: [token],
  routes: {
    users: router("/users", {
      routes: {
        byId: route.get("/:id", {
          query: type({ "fields?": "string[]" }),
          headers: type({ "x-user": "string" }),
          responses: { 200: response.text() },
        }),
        rename: route.patch("/:id", {
          body: request.json(type({ name: "string" })),
          responses: { 204: response.empty() },
        }),
      },
    }),
    meet: route.post("/meetings", { security: [login], body: Day, responses: { 204: response.empty() } }),
  },
});
const target = (_: Request): Response => new Response();
type Options = ContractTestOptions<typeof contract.routes>;

Deno.test("values are typed by key, slot and name; bodies are what a client passes", () => {
  const values: TestValues<typeof contract.routes> = {
    "users.byId": { params: { id: ["42", 42] }, query: { fields: ["name"] }, headers: { "x-user": ["ada"] } },
    "users.rename": { params: { id: ["42"] }, body: [{ name: "Ada" }] },
    meet: { body: [{ day: new Date(0) }] },
  };
  // @ts-expect-error no such route
  ({ target, values: { "users.remove": {} } }) satisfies Options;
  // @ts-expect-error no such parameter
  ({ target, values: { "users.byId": { params: { name: ["42"] } } } }) satisfies Options;
  // @ts-expect-error a list of values is needed
  ({ target, values: { "users.byId": { params: { id: "42" } } } }) satisfies Options;
  // @ts-expect-error the route does not have a body
  ({ target, values: { "users.byId": { body: [] } } }) satisfies Options;
  // @ts-expect-error the route does not have a query
  ({ target, values: { "users.rename": { query: {} } } }) satisfies Options;
  // @ts-expect-error the body of another type
  ({ target, values: { "users.rename": { body: [{ name: 1 }] } } }) satisfies Options;
  // @ts-expect-error the application's value, not the wire's
  ({ target, values: { meet: { body: [{ day: "2020" }] } } }) satisfies Options;
  assert(values);
});

Deno.test("functions that sign are typed by signature scheme", () => {
  const signed = security.signature("shop", { headers: ["x-signature"], maxBytes: 100 });
  const receiver = defineContract({
    routes: {
      paid: route.post("/paid", { security: [signed], body: request.text(), responses: { 204: response.empty() } }),
      open: route.get("/open", { security: [token], responses: { 204: response.empty() } }),
    },
  });
  type Own = ContractTestOptions<typeof receiver.routes>;
  const sign = (id: string, content: Uint8Array<ArrayBuffer>) => ({ "x-signature": `${id} ${content.length}` });
  const options: Own = { target, sign: { shop: sign } };
  // @ts-expect-error no such scheme
  ({ target, sign: { shp: sign } }) satisfies Own;
  // @ts-expect-error a scheme that is no signature
  ({ target, sign: { token: sign } }) satisfies Own;
  // @ts-expect-error no function
  ({ target, sign: { shop: "secret" } }) satisfies Own;
  // @ts-expect-error a contract without signatures
  ({ target, sign: { shop: sign } }) satisfies Options;
  // @ts-expect-error a signature is no credential
  ({ target, credentials: { shop: "secret" } }) satisfies Own;
  assert(options);
});

Deno.test("credentials are typed by scheme, rules by name, routes by key", () => {
  const options: Options = {
    target,
    credentials: { token: "test", login: { username: "ada", password: "secret" } },
    ignore: { "document-lies": true, "no-leak": ["users.byId", "*"] },
  };
  // @ts-expect-error no such scheme
  ({ target, credentials: { cookie: "test" } }) satisfies Options;
  // @ts-expect-error a name and a password are needed
  ({ target, credentials: { login: "test" } }) satisfies Options;
  // @ts-expect-error no such rule
  ({ target, ignore: { "no-lies": true } }) satisfies Options;
  // @ts-expect-error no such route
  ({ target, ignore: { "no-leak": ["users.remove"] } }) satisfies Options;
  // @ts-expect-error no such profile
  ({ target, profile: "ours" }) satisfies Options;
  // @ts-expect-error no server
  ({}) satisfies Options;
  // @ts-expect-error a handler returns a response
  ({ target: () => 42 }) satisfies Options;
  assert(contractTests(contract, options).length > 0);
});

Deno.test("strangers are typed by scheme; owned routes are keys and patterns", () => {
  const strangers = { token: () => Promise.resolve("eve"), login: { username: "eve", password: "2" } };
  const options: Options = { target, strangers, owned: ["users.byId", "users.*", "**"] };
  // @ts-expect-error no such scheme
  ({ target, strangers: { session: "1" } }) satisfies Options;
  // @ts-expect-error a bearer token is a string
  ({ target, strangers: { token: 1 } }) satisfies Options;
  // @ts-expect-error a list of patterns is needed
  ({ target, owned: "users.**" }) satisfies Options;
  // @ts-expect-error patterns are strings
  ({ target, owned: [/users/] }) satisfies Options;
  assert(options);
});

Deno.test("the options of a contract with an unknown type accept any keys", () => {
  const any: Contract = contract;
  assert(contractTests(any, { target, values: { "users.byId": { params: { id: ["42"] } } } }).length > 0);
});

Deno.test("sample() is typed as the client's input", () => {
  const renamed = sample(contract.routes.users.rename);
  const met = sample(contract.routes.meet, "seed");

  assertType<IsExact<typeof renamed.body, { name: string }>>(true);
  assertType<IsExact<typeof met.body, { day: Date }>>(true);
  // @ts-expect-error the route does not have a query
  assert(renamed.query === undefined);
  // @ts-expect-error a route is needed
  assert(() => sample(contract.routes.users));
});
