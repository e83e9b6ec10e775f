/** Invalid security throws when it is declared, and a contract's routes inherit security. */
import { defineContract, response, route, router, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import { assertRefused } from "../support/assert_refused.ts";

const token = security.bearer("token", { scopes: ["notes:read", "notes:write"] });
const session = security.cookie("session", { cookie: "__Host-session" });
const partner = security.apiKey("partner", { header: "x-api-key" });
const basic = security.basic("basic");
const tls = security.custom("tls", { challenge: "Mutual", openapi: { type: "mutualTLS" } });

const responses = { 204: response.empty() };
const get = (path: string, security?: unknown) => route.get(path, { security: security as [], responses });

/** A helper of any type. */
type AnyHelper = (name: unknown, options?: unknown) => unknown;

Deno.test("security.… refuses a name that is not a name", () => {
  for (const name of ["", " ", "a b", "a/b", "é", "a\n", "__proto__ ", undefined, null, 1, {}, []]) {
    const { all: _, none: _none, ...helpers } = security;
    for (const helper of Object.values(helpers)) {
      assertRefused(
        () => (helper as AnyHelper)(name, {}),
        "the name must have only letters, digits, dots, hyphens and underscores",
      );
    }
  }
  for (const name of ["a", "A.b-c_1", "constructor"]) assertEquals(security.bearer(name).name, name);
});

Deno.test("security.… refuses unknown options and lists the allowed ones", () => {
  assertRefused(
    () => security.bearer("t", { scope: ["a"] } as never),
    'security.bearer("t")',
    'unknown option "scope"; did you mean "scopes"?',
    "(allowed: scheme, format, oauth2, openIdConnect, metadata, scopes, realm, description)",
  );
  assertRefused(() => security.basic("b", { scheme: "Token" } as never), "(allowed: scopes, realm, description)");
  assertRefused(() => security.cookie("c", { header: "x" } as never), "(allowed: cookie, scopes, realm, description)");
  assertRefused(() => security.apiKey("k", { cookie: "x" } as never), "(allowed: header, scopes, realm, description)");
  assertRefused(
    () => security.custom("c", { ambiant: true } as never),
    'did you mean "ambient"?',
    "(allowed: challenge, openapi, ambient, scopes, realm, description)",
  );
  for (const options of [null, "text", [], 1]) assertRefused(() => security.bearer("t", options as never), "object");
});

Deno.test("security.… throws without a required option", () => {
  assertRefused(() => (security.apiKey as AnyHelper)("k"), 'security.apiKey("k")', '"header" is required');
  assertRefused(() => (security.cookie as AnyHelper)("c", {}), '"cookie" is required');
  assertRefused(() => (security.custom as AnyHelper)("c", { openapi: {} }), '"challenge" is required');
  assertRefused(() => (security.custom as AnyHelper)("c", { challenge: "A" }), '"openapi" is required');
  assertRefused(() => security.apiKey("k", { header: undefined } as never), '"header" is required');
});

Deno.test("security.… refuses values that a request or a challenge cannot carry", () => {
  const refused: readonly [helper: keyof typeof security, options: object, state: string][] = [
    [
      "apiKey",
      { header: "authorization" },
      '"header" must not be "authorization"; use security.bearer() or security.basic()',
    ],
    ["apiKey", { header: "cookie" }, '"header" must not be "cookie"; use security.cookie()'],
    ["apiKey", { header: "X-Api-Key" }, '"header" must be a lower-case header name like "x-api-key", got '],
    ["apiKey", { header: "x api" }, '"header" must be a lower-case header name like "x-api-key", got '],
    ["apiKey", { header: "" }, '"header" must be a lower-case header name like "x-api-key", got '],
    ["apiKey", { header: 1 }, '"header" must be a lower-case header name like "x-api-key", got '],
    ["cookie", { cookie: "a b" }, '"cookie" must be a cookie name like "__Host-session", got '],
    ["cookie", { cookie: "a=b" }, '"cookie" must be a cookie name like "__Host-session", got '],
    ["cookie", { cookie: "a;b" }, '"cookie" must be a cookie name like "__Host-session", got '],
    ["cookie", { cookie: "" }, '"cookie" must be a cookie name like "__Host-session", got '],
    ["bearer", { scheme: "To ken" }, '"scheme" must be an authentication scheme like "Bearer", got '],
    ["bearer", { scheme: "" }, '"scheme" must be an authentication scheme like "Bearer", got '],
    ["bearer", { scheme: "a,b" }, '"scheme" must be an authentication scheme like "Bearer", got '],
    ["bearer", { realm: "a\nb" }, '"realm" must be a Latin-1 string without control characters, got "a'],
    ["bearer", { realm: "a\u007fb" }, '"realm" must be a Latin-1 string without control characters, got "a'],
    ["bearer", { realm: "\u0100" }, '"realm" must be a Latin-1 string without control characters, got '],
    ["bearer", { realm: 1 }, '"realm" must be a Latin-1 string without control characters, got '],
    ["basic", { realm: "\r\nset-cookie: a=b" }, '"realm" must be a Latin-1 string without control characters, got '],
    ["bearer", { metadata: "/relative" }, '"metadata" must be an absolute URL, got "'],
    ["bearer", { metadata: "https://a.example/\n" }, '"metadata" must be an absolute URL, got "'],
    ["bearer", { openIdConnect: "a" }, '"openIdConnect" must be an absolute URL, got "'],
    ["bearer", { format: 1 }, '"format" must be a string, got 1'],
    ["bearer", { scheme: "Token", format: "JWT" }, '"format" describes only tokens of the scheme "Bearer"'],
    ["bearer", { description: {} }, '"description" must be a string, got an object'],
    ["bearer", { oauth2: {} }, '"oauth2" must be an object { flows: { … } }, got an object'],
    ["bearer", { oauth2: { flows: [] } }, '"oauth2" must be an object { flows: { … } }, got an object'],
    ["bearer", { scopes: "read" }, '"scopes" must be an array of scopes like ["notes:read"], got "read"'],
    ["bearer", { scopes: ["a b"] }, '"scopes" has the invalid scope "a b"; remove spaces, quotes and backslashes'],
    ["bearer", { scopes: ['a"'] }, '"scopes" has the invalid scope '],
    ["bearer", { scopes: ["a\\"] }, '"scopes" has the invalid scope '],
    ["bearer", { scopes: ["é"] }, '"scopes" has the invalid scope '],
    ["bearer", { scopes: [""] }, '"scopes" has the invalid scope '],
    ["bearer", { scopes: [1] }, '"scopes" has the invalid scope '],
    ["bearer", { scopes: [undefined] }, '"scopes" has the invalid scope '],
    ["bearer", { scopes: ["a", "b", "a"] }, '"scopes" has "a" twice; remove one'],
    ["custom", { challenge: "", openapi: {} }, `"challenge" must be a challenge like 'DPoP algs="ES256"', got `],
    [
      "custom",
      { challenge: "A b=c,, d", openapi: {} },
      `"challenge" must be a challenge like 'DPoP algs="ES256"', got `,
    ],
    [
      "custom",
      { challenge: "A a=1, B b=2", openapi: {} },
      `"challenge" must be a challenge like 'DPoP algs="ES256"', got `,
    ],
    [
      "custom",
      { challenge: 'A a="\n"', openapi: {} },
      `"challenge" must be a challenge like 'DPoP algs="ES256"', got `,
    ],
    ["custom", { challenge: 'A a="', openapi: {} }, `"challenge" must be a challenge like 'DPoP algs="ES256"', got `],
    ["custom", { challenge: "A", openapi: [] }, '"openapi" must be an object like { type: "mutualTLS" }, got an array'],
    ["custom", { challenge: "A", openapi: {}, ambient: "yes" }, '"ambient" must be a boolean, got "yes"'],
  ];
  for (const [helper, options, state] of refused) {
    assertRefused(() => (security[helper] as unknown as AnyHelper)("it", options), `security.${helper}("it")`, state);
  }
});

Deno.test("security.… has its options, with their defaults", () => {
  assertEquals(
    [token, basic, session, partner, tls].map(({ name, kind, realm, isAmbient, scopes }) => [
      name,
      kind,
      realm,
      isAmbient,
      scopes.length,
    ]),
    [
      ["token", "bearer", "api", false, 2],
      ["basic", "basic", "api", true, 0],
      ["session", "cookie", "api", true, 0],
      ["partner", "apiKey", "api", false, 0],
      ["tls", "custom", "api", false, 0],
    ],
  );
  const ambient = security.custom("c", { challenge: "A", openapi: {}, ambient: true, realm: "own" });
  assertEquals([ambient.isAmbient, ambient.realm], [true, "own"]);
  assertEquals(security.bearer("t", { realm: undefined, scopes: undefined } as never).realm, "api");
});

Deno.test("scoped() requires scopes that the scheme has", () => {
  assertEquals(token.scoped("notes:write", "notes:read", "notes:write").scopes, ["notes:write", "notes:read"]);
  assertRefused(
    () => token.scoped("notes:delete" as never),
    'security.bearer("token").scoped()',
    'unknown scope "notes:delete" (declared: notes:read, notes:write)',
  );
  assertRefused(
    () => session.scoped("a" as never),
    'unknown scope "a" (declared: none; declare it by the option "scopes")',
  );
  assertRefused(
    () => (token.scoped as (...scopes: string[]) => unknown)(),
    "pass at least one scope, or use the scheme itself",
  );
  assertRefused(() => token.scoped(["notes:read"] as never), "unknown scope ");
  assertRefused(() => token.scoped("toString" as never), "unknown scope ");
});

Deno.test("a list of security refuses a value that is not an entry", () => {
  for (const list of [token, "token", {}, null, 1, true]) {
    assertRefused(() => get("/", list), '"security" must be an array of schemes, got ');
  }
  for (const entry of ["token", undefined, null, {}, { name: "token", kind: "bearer" }, verify(token, () => null)]) {
    assertRefused(() => get("/", [session, entry]), '"security[1]" must be a scheme, got ');
  }
  assertRefused(() => get("/", Array(1)), '"security[0]" must be a scheme, got ');
  assertRefused(
    () => get("/", [[token, session]]),
    '"security[0]" must be a scheme, got an array; write security.all(…) for schemes that are required together',
  );
  for (
    const declare of [
      () => router("/", { security: ["a"] as never, routes: { it: get("/") } }),
      () => defineContract({ security: ["a"] as never, routes: { it: get("/") } }),
    ]
  ) assertRefused(declare, '"security[0]" must be a scheme, got ');
});

Deno.test("a list of security refuses indistinguishable entries", () => {
  const both = (one: unknown, other: unknown) => () => get("/", [one, other]);
  assertRefused(
    both(token, security.bearer("other")),
    '"security" has "token" and "other", which both use the authentication scheme bearer; remove one',
  );
  assertRefused(both(token, security.bearer("other", { scheme: "BEARER" })), "the authentication scheme bearer");
  assertRefused(both(basic, security.bearer("other", { scheme: "basic" })), "the authentication scheme basic");
  assertRefused(both(partner, security.apiKey("other", { header: "x-api-key" })), "the header x-api-key");
  assertRefused(both(session, security.cookie("other", { cookie: "__Host-session" })), "the cookie __Host-session");
  assertRefused(both(tls, security.custom("other", { challenge: "A", openapi: {} })), "a custom scheme");
  assertRefused(both(token, token.scoped("notes:read")), '"security" has "token" and "token"');
  assertRefused(both(token, token), '"security" has "token" and "token"');
  assertRefused(both(security.none, security.none), '"security" has security.none twice; remove one');
  assertRefused(
    () => get("/", [security.none]),
    '"security" must have a scheme besides security.none; write [] for public routes',
  );
  get("/", [token, security.bearer("other", { scheme: "Token" }), basic, session, partner, tls, security.none]);
  get("/", [session, security.cookie("other", { cookie: "__host-session" })]); // cookies differ by case
});

Deno.test("a contract refuses two schemes with one name, wherever they are declared", () => {
  const another = security.cookie("token", { cookie: "t" });
  assertRefused(
    () => defineContract({ routes: { a: get("/a", [token]), b: get("/b", [another]) } }),
    'a and b have different security schemes named "token"; rename one, or share it',
  );
  assertRefused(() => defineContract({ routes: { a: get("/a", [token, another]) } }), "a and a have different");
  assertRefused(
    () =>
      defineContract({
        security: [another],
        routes: { a: get("/a"), r: router("/r", { security: [token.scoped("notes:read")], routes: { b: get("/b") } }) },
      }),
    "a and r.b have different security schemes",
  );
  assertRefused(() => router("/", { security: [token], routes: { a: get("/a"), b: get("/b", [another]) } }), "named");
  // equal is not the same: their verifiers may differ
  assertRefused(
    () => defineContract({ routes: { a: get("/a", [security.basic("b")]), b: get("/b", [security.basic("b")]) } }),
    "different security schemes",
  );
  defineContract({ routes: { a: get("/a", [token]), b: get("/b", [token.scoped("notes:read")]) } });
});

Deno.test("a contract refuses an API key in a header that its route declares", () => {
  const declare = (headers: never) => () =>
    defineContract({ security: [partner], routes: { it: route.get("/", { headers, responses }) } });
  assertRefused(
    declare(type({ "x-api-key": "string" }) as never),
    '"headers" of it must not declare "x-api-key", which has the credential of the scheme "partner"; remove it',
  );
  assertRefused(declare(type({ "x-api-key?": "string" }) as never), 'must not declare "x-api-key"');
  declare(type({ "x-other": "string" }) as never)();
  const shared = type({ authorization: "string", cookie: "string" });
  defineContract({ security: [token, session], routes: { it: route.get("/", { headers: shared, responses }) } });
});

Deno.test("a contract refuses routes that are public by omission, and names them all", () => {
  const routes = {
    a: get("/a"),
    b: get("/b", [token]),
    r: router("/r", { routes: { c: get("/c"), d: get("/d", []) } }),
  };
  assertRefused(
    () => defineContract({ routes }),
    '"security" is missing for a, r.c, but other routes declare it; declare it, or write [] for public routes',
  );
  assertRefused(
    () => defineContract({ routes: { a: get("/a"), b: get("/b", []) } }),
    '"security" is missing for a, but',
  );
  defineContract({ security: [], routes });
  defineContract({ security: [session], routes });
  defineContract({ routes: { a: get("/a"), b: get("/b") } });
  router("/", { routes }); // its contract may have security
});

Deno.test("a route inherits the whole nearest list of security", () => {
  const list = [token.scoped("notes:read"), session] as const;
  const { routes } = defineContract({
    security: [token],
    routes: {
      own: get("/own", [partner]),
      open: get("/open", []),
      inherits: get("/inherits"),
      below: router("/below", {
        security: list,
        routes: {
          inherits: get("/inherits"),
          open: get("/open", []),
          deep: router("/deep", { routes: { inherits: get("/inherits"), own: get("/own", [basic, security.none]) } }),
          closed: router("/closed", { security: [], routes: { inherits: get("/inherits"), own: get("/own", [tls]) } }),
        },
      }),
    },
  });
  const named = (node: { readonly security: unknown }) =>
    (node.security as readonly { name: string; scopes?: readonly string[] }[]).map(({ name, scopes }) =>
      scopes?.length === 1 ? `${name} ${scopes}` : name
    );
  assertEquals(named(routes.own), ["partner"]);
  assertEquals(named(routes.open), []);
  assertEquals(named(routes.inherits), ["token"]);
  assertEquals(named(routes.below.inherits), ["token notes:read", "session"]);
  assertEquals(named(routes.below.open), []);
  assertEquals(named(routes.below.deep.inherits), ["token notes:read", "session"]);
  assertEquals(named(routes.below.deep.own), ["basic", ""]);
  assertEquals(named(routes.below.closed.inherits), []);
  assertEquals(named(routes.below.closed.own), ["tls"]);
  assertEquals(defineContract({ routes: { it: get("/") } }).routes.it.security, undefined);
});

Deno.test("a router with inherited security may be used in several places", async () => {
  const me = router("/me", { routes: { it: route.get("/", { responses: { 200: response.text() } }) } });
  const contract = defineContract({
    routes: {
      a: router("/a", { security: [token], routes: { me } }),
      b: router("/b", { security: [session, security.none], routes: { me } }),
      c: router("/c", { security: [], routes: { me } }),
    },
  });
  const server = defineServer(contract, {
    security: [
      verify(token, ({ token }) => ({ name: token, scopes: [] })),
      verify(session, ({ value }) => ({ name: value })),
    ],
  });
  const handler = createFetchHandler(server.implement({
    a: { me: { it: ({ caller, response }) => response(200, caller.name) } },
    b: { me: { it: ({ caller, response }) => response(200, caller?.name ?? "nobody") } },
    c: { me: { it: (input) => input.response(200, String("caller" in input)) } },
  }));
  const ask = async (path: string, headers: HeadersInit = {}) =>
    await (await handler(new Request(`http://localhost${path}/me`, { headers }))).text();
  assertEquals(await ask("/a", { authorization: "Bearer ada" }), "ada");
  assertEquals(await ask("/b", { cookie: "__Host-session=eve" }), "eve");
  assertEquals(await ask("/b", { authorization: "Bearer ada" }), "nobody");
  assertEquals(await ask("/c", { authorization: "Bearer ada" }), "false");
});

Deno.test("declared security is a frozen copy", () => {
  const flows = { clientCredentials: { tokenUrl: "https://a.example", scopes: { a: "A" } } };
  const openapi = { type: "http", "x-more": { list: [1] } };
  const scopes = ["a"];
  const oauth = security.bearer("oauth", { oauth2: { flows }, scopes });
  const custom = security.custom("custom", { challenge: "A", openapi });
  const list = [oauth.scoped("a"), custom];
  const { routes } = defineContract({ security: list, routes: { it: get("/") } });
  list.length = 0;
  scopes.push("b");
  flows.clientCredentials.scopes.a = "changed";
  openapi["x-more"].list.push(2);
  assertEquals(routes.it.security.length, 2);
  assertEquals([oauth.scopes, oauth.options.scopes], [["a"], ["a"]]);
  assertEquals<unknown>(oauth.options.oauth2, {
    flows: { clientCredentials: { tokenUrl: "https://a.example", scopes: { a: "A" } } },
  });
  assertEquals<unknown>(custom.options.openapi, { type: "http", "x-more": { list: [1] } });
  for (const scheme of [oauth, custom, token, basic, session, partner]) assertFrozen(scheme, scheme.name);
  assertFrozen(routes.it.security, "security");
  assertFrozen(security, "helpers");
  assert(!Object.isFrozen(flows.clientCredentials) && !Object.isFrozen(openapi) && !Object.isFrozen(scopes));
});

function assertFrozen(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null || value instanceof RegExp) return;
  assert(Object.isFrozen(value), `${path} is not frozen`);
  for (const [key, below] of Object.entries(value)) assertFrozen(below, `${path}.${key}`);
}

Deno.test("two copies of the package recognize each other's schemes and verifiers", async () => {
  const folder = await copyPackage();
  try {
    const other: typeof import("@scope/api") = await import(`file://${folder}/mod.ts`);
    const otherServer: typeof import("@scope/api/server") = await import(`file://${folder}/server.ts`);
    assert(other.security.bearer !== security.bearer);
    const theirs = other.security.bearer("theirs");
    const contract = defineContract({
      security: [theirs, session, other.security.none],
      routes: { it: route.get("/", { responses: { 200: response.text() } }) },
    });
    const server = defineServer(contract, {
      security: [
        verify(theirs, ({ token }) => ({ name: token })),
        otherServer.verify(session, ({ value }) => ({ name: value })),
      ],
    });
    const handler = createFetchHandler(
      server.implement({ it: ({ caller, response }) => response(200, caller?.name ?? "nobody") }),
    );
    const ask = async (headers: HeadersInit = {}) =>
      await (await handler(new Request("http://localhost/", { headers }))).text();
    assertEquals([await ask(), await ask({ authorization: "Bearer a" })], ["nobody", "a"]);
    assertEquals(await ask({ cookie: "__Host-session=b" }), "b");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** A folder with a second copy of the source. */
async function copyPackage(): Promise<string> {
  const folder = await Deno.makeTempDir();
  const root = new URL("../../", import.meta.url);
  for (const file of ["mod.ts", "server.ts"]) {
    await Deno.copyFile(new URL(file, root), `${folder}/${file}`);
  }
  const copy = async (path: string): Promise<void> => {
    await Deno.mkdir(`${folder}/${path}`);
    for await (const { name, isDirectory } of Deno.readDir(new URL(path, root))) {
      if (isDirectory) await copy(`${path}/${name}`);
      else await Deno.copyFile(new URL(`${path}/${name}`, root), `${folder}/${path}/${name}`);
    }
  };
  await copy("src");
  return folder;
}

Deno.test("verify() refuses a value that is not a scheme, and one that is not a function", () => {
  for (const scheme of [undefined, null, "token", {}, token.scoped("notes:read"), security.none]) {
    const { message } = assertThrows(() => verify(scheme as never, () => null), TypeError);
    assertEquals(
      message.startsWith("verify(): the first argument must be a security scheme, such as security.bearer(…), got "),
      true,
    );
  }
  for (const fn of [undefined, null, {}, "x"]) {
    assertThrows(() => verify(token, fn as never), TypeError, "verify(): the second argument must be a function, got ");
  }
});
