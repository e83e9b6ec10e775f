import { type Contract, defineContract, response, route, router, security } from "@scope/api";
import { type BasicCredential, type ClientCredentials, type ClientOptions, createClient } from "@scope/api/client";
import { assertEquals } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";

const token = security.bearer("token", { scopes: ["notes:read"] });
const login = security.basic("login");
const partner = security.apiKey("partner", { header: "x-api-key" });
const session = security.cookie("session", { cookie: "__Host-session" });
const signed = security.custom("signed", { challenge: "Signature", openapi: { type: "mutualTLS" } });
const ok = { 200: response.empty() };
const baseUrl = "https://a.example";

const contract = defineContract({
  security: [token.scoped("notes:read"), session],
  routes: {
    all: route.get("/all", { responses: ok }),
    below: router("/below", {
      security: [login, security.none],
      routes: { feed: route.get("/", { responses: ok }), open: route.get("/open", { security: [], responses: ok }) },
    }),
    own: route.get("/own", { security: [partner, signed], responses: ok }),
  },
});
const open = defineContract({ routes: { all: route.get("/", { responses: ok }) } });
const customAlone = defineContract({ security: [signed], routes: { all: route.get("/", { responses: ok }) } });

type Credentials = NonNullable<ClientOptions<typeof contract.routes>["credentials"]>;

/** Checked by the compiler, never run: each `@ts-expect-error` is itself an error if the line after it has none. */
function misuse(_mistakes: () => unknown): void {}

Deno.test("ClientCredentials has the schemes of all routes, and a value or a function for each", () => {
  assertType<IsExact<keyof Credentials, "token" | "session" | "login" | "partner">>(true);
  assertType<IsExact<Exclude<Credentials["token"], (...none: never) => unknown>, string | undefined>>(true);
  assertType<IsExact<Exclude<Credentials["partner"], (...none: never) => unknown>, string | undefined>>(true);
  assertType<IsExact<Exclude<Credentials["session"], (...none: never) => unknown>, string | undefined>>(true);
  assertType<IsExact<Exclude<Credentials["login"], (...none: never) => unknown>, BasicCredential | undefined>>(true);
  assertType<IsExact<ClientCredentials<typeof contract.routes>, Credentials>>(true);
});

Deno.test("createClient() accepts values and functions, which may return undefined", () => {
  const maybe: string | undefined = Math.random() > 2 ? "t" : undefined;
  const credentials: ClientCredentials<typeof contract.routes> = {
    token: () => maybe,
    session: maybe,
    partner: () => Promise.resolve(maybe),
    login: async () => await Promise.resolve({ username: "ada", password: "" }),
  };
  assertEquals(Object.keys(createClient(contract, { baseUrl, credentials })), ["all", "below", "own"]);
  assertEquals(Object.keys(createClient(contract, { baseUrl })), ["all", "below", "own"]);
});

Deno.test("createClient() refuses credentials of other schemes and of other kinds", () => {
  misuse(() => [
    // @ts-expect-error no scheme of that name
    createClient(contract, { baseUrl, credentials: { tokne: "t" } }),
    // @ts-expect-error a custom scheme cannot be shown
    createClient(contract, { baseUrl, credentials: { signed: "t" } }),
    // @ts-expect-error a token is text
    createClient(contract, { baseUrl, credentials: { token: 1 } }),
    // @ts-expect-error a token is not a username and a password
    createClient(contract, { baseUrl, credentials: { token: { username: "ada", password: "" } } }),
    // @ts-expect-error a username and a password are not text
    createClient(contract, { baseUrl, credentials: { login: "ada:secret" } }),
    // @ts-expect-error the password is missing
    createClient(contract, { baseUrl, credentials: { login: { username: "ada" } } }),
    // @ts-expect-error a function returns a key, not a number
    createClient(contract, { baseUrl, credentials: { partner: () => 1 } }),
    // @ts-expect-error a function is passed nothing
    createClient(contract, { baseUrl, credentials: { partner: (key: string) => key } }),
    // @ts-expect-error the contract does not have schemes
    createClient(open, { baseUrl, credentials: { token: "t" } }),
    // @ts-expect-error the contract does not have a scheme that a client can send
    createClient(customAlone, { baseUrl, credentials: { signed: "t" } }),
    // @ts-expect-error the name in security.none is not a scheme's
    createClient(contract, { baseUrl, credentials: { "": "t" } }),
  ]);
});

Deno.test("createClient() accepts options without credentials for any contract, and any credentials if the types contain no schemes", () => {
  const options: ClientOptions = { baseUrl };
  const create = <Boundary extends Contract>(boundary: Boundary) =>
    createClient(boundary, { baseUrl, maxBodyBytes: 1 });
  const unknown: Contract = contract;
  const client = createClient(unknown, {
    ...options,
    credentials: { token: "t", login: { username: "", password: "" } },
  });

  assertEquals([open, contract].map((boundary) => Object.keys(createClient(boundary, options)).length), [1, 3]);
  assertEquals([Object.keys(create(contract)), Object.keys(client)].map((keys) => keys.length), [3, 3]);
});
