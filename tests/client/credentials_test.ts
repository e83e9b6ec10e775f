import { type Contract, defineContract, request, response, route, security } from "@scope/api";
import { type Client, ClientError, type ClientOptions, createClient } from "@scope/api/client";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertMatch, assertRejects, assertThrows, fail } from "@std/assert";
import fc from "fast-check";
import { type } from "arktype";
import { tries } from "../support/tries.ts";
import { recordCalls } from "../support/client_errors.ts";

const baseUrl = "https://a.example/v1";
const token = security.bearer("token");
const login = security.basic("login");
const partner = security.apiKey("partner", { header: "x-api-key" });
const session = security.cookie("session", { cookie: "sid" });
const theme = security.cookie("theme", { cookie: "theme" });
const signed = security.custom("signed", { challenge: "Signature", openapi: { type: "mutualTLS" } });
const responses = { 200: response.json<Record<string, string>>() };

const contract = defineContract({
  routes: {
    open: route.get("/open", { security: [], responses }),
    token: route.get("/token", { security: [token], responses }),
    either: route.get("/either", { security: [signed, token, partner, session, security.none], responses }),
    login: route.get("/login", { security: [login], responses }),
    partner: route.get("/partner", { security: [partner], responses }),
    session: route.get("/session", { security: [session], responses }),
    theme: route.get("/theme", { security: [theme], responses }),
    signed: route.get("/signed", { security: [signed], responses }),
    slot: route.post("/slot/:id", {
      security: [token],
      headers: type({ "authorization?": "string", "cookie?": "string" }),
      body: request.text(),
      responses,
    }),
  },
});
type Routes = typeof contract.routes;
type Options = Partial<ClientOptions<Routes>>;

/** A client of an endpoint that responds with the header fields that it received. */
function echo(options: Options): Client<Routes> {
  return createClient(contract, {
    baseUrl,
    fetch: ({ headers }) => Response.json(Object.fromEntries(headers)),
    ...options,
  });
}

/** The error of a call that is refused before anything is sent. */
async function refusal(credentials: object): Promise<ClientError> {
  const { fetch, assertUnsent } = recordCalls(() => new Response());
  const options = { baseUrl, credentials: credentials as Record<string, string>, fetch };
  const client = createClient(contract as Contract, options) as Client<Routes>;
  return await assertUnsent(() => client.either());
}

Deno.test("createClient() calls send a token, a key, a cookie, or a username and a password, depending on the scheme", async () => {
  const client = echo({
    credentials: { token: "t", partner: "k", session: "s", login: { username: "ada", password: "ö:" } },
  });
  const sent = await Promise.all([client.token(), client.partner(), client.session(), client.login()]);

  assertEquals(sent.map(({ body }) => body), [
    { authorization: "Bearer t" },
    { "x-api-key": "k" },
    { cookie: "sid=s" },
    { authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode("ada:ö:")))}` },
  ]);
});

Deno.test("createClient() calls send only the first scheme of the route's list that has a value", async () => {
  const all: ClientOptions<Routes>["credentials"] = { session: "s", partner: "k", token: "t" };
  const sent = await Promise.all([
    echo({ credentials: all }).either(),
    echo({ credentials: { ...all, token: undefined } }).either(),
    echo({ credentials: { ...all, token: () => undefined, partner: async () => await Promise.resolve(undefined) } })
      .either(),
    echo({ credentials: { token: () => undefined, login: { username: "a", password: "b" } } }).either(),
  ]);

  assertEquals(sent.map(({ body }) => body), [{ authorization: "Bearer t" }, { "x-api-key": "k" }, {
    cookie: "sid=s",
  }, {}]);
});

Deno.test("createClient() calls of public routes and custom schemes send no credential and run no function", async () => {
  const client = echo({ credentials: { token: () => fail("it was run"), partner: () => fail("it was run") } });

  assertEquals((await client.open()).body, {});
  assertEquals((await client.signed()).body, {});
});

Deno.test("createClient() runs the functions up to the first that has a value, once for each call", async () => {
  const runs: string[] = [];
  const run = (name: string, value?: string) => () => {
    runs.push(name);
    return value;
  };
  const client = echo({
    credentials: { token: run("token"), partner: run("partner", "k"), session: run("session", "s") },
  });
  await client.either();
  await client.either.request();
  client.either.url();

  assertEquals(runs, ["token", "partner", "token", "partner"]);
});

Deno.test("createClient() sends the credential that a function returns, synchronously or not, for each call", async () => {
  let count = 0;
  const client = echo({ credentials: { token: async () => await Promise.resolve(`t${++count}`) } });

  assertEquals((await client.token()).body, { authorization: "Bearer t1" });
  assertEquals((await client.token()).body, { authorization: "Bearer t2" });
});

Deno.test("createClient() calls keep credentials in the header fields of the client, the call and the slot, and run no function", async () => {
  const credentials: ClientOptions<Routes>["credentials"] = { token: () => fail("it was run") };
  const headers = { Authorization: "Bearer own" };
  const input = { params: { id: "1" }, body: "" };
  const sent = await Promise.all([
    echo({ credentials, headers }).token(),
    echo({ credentials, headers: () => Promise.resolve(new Headers(headers)) }).token(),
    echo({ credentials }).token({ headers }),
    echo({ credentials }).slot({ ...input, headers: { authorization: "Bearer own" } }),
  ]);

  assertEquals(sent.map(({ body }) => body["authorization"]), Array(4).fill("Bearer own"));
});

Deno.test("createClient() adds no credential if the header fields contain one of another scheme", async () => {
  const client = echo({ credentials: { token: () => fail("it was run") } });

  assertEquals((await client.either({ headers: { "x-api-key": "own" } })).body, { "x-api-key": "own" });
});

Deno.test("createClient() keeps an authorization of another kind", async () => {
  const client = echo({ credentials: { token: "t" }, headers: { authorization: "Basic own" } });

  assertEquals((await client.token()).body, { authorization: "Basic own" });
});

Deno.test("createClient() calls omit the credential whose header field is undefined, and run no function", async () => {
  const client = echo({ credentials: { token: () => fail("it was run"), partner: "k" } });

  assertEquals((await client.token({ headers: { Authorization: undefined } })).body, {});
  assertEquals((await client.either({ headers: { authorization: undefined } })).body, { "x-api-key": "k" });
});

Deno.test("createClient() adds a cookie to those of the header fields, whose own value takes precedence", async () => {
  const client = echo({ credentials: { session: "s", theme: "dark" } });
  const sent = await Promise.all([
    client.session({ headers: { cookie: "a=b; c=d" } }),
    client.session({ headers: { cookie: "" } }),
    client.session({ headers: { cookie: "sid=own; a=b" } }),
    client.session({ headers: { cookie: "sid=" } }),
    client.theme(),
  ]);

  assertEquals(sent.map(({ body }) => body["cookie"]), [
    "a=b; c=d; sid=s",
    "sid=s",
    "sid=own; a=b",
    "sid=",
    "theme=dark",
  ]);
});

Deno.test("createClient() request() contains the credential, but no URL does", async () => {
  const client = echo({ credentials: { token: "t", session: "s", partner: "k" } });
  const built = await client.slot.request({ params: { id: "1" }, body: "" });

  assertEquals(built.headers.get("authorization"), "Bearer t");
  assertEquals(built.url, `${baseUrl}/slot/1`);
  assertEquals(client.slot.url({ params: { id: "1" } }), `${baseUrl}/slot/1`);
});

Deno.test("createClient() rejects a credential that its field cannot carry, without quoting it", async () => {
  const states: [credentials: object, state: string][] = [
    [{ token: "secret secret" }, "a token must have only letters, digits and -._~+/, and = only at the end"],
    [{ token: "" }, "a token must have only letters, digits and -._~+/, and = only at the end"],
    [{ token: null }, "a token must have only letters, digits and -._~+/, and = only at the end"],
    [
      { token: () => ({ secret: "secret" }) },
      "a token must have only letters, digits and -._~+/, and = only at the end",
    ],
    [{ partner: " secret" }, "the key is not a valid value of the header x-api-key"],
    [{ partner: "secret\r\nx: y" }, "the key is not a valid value of the header x-api-key"],
    [{ session: "secret;" }, "the value of the cookie sid is invalid"],
  ];
  for (const [credentials, state] of states) {
    const error = await refusal(credentials);
    assertEquals(error.message, `Cannot call GET /either (either): ${state}`);
    assertEquals(String((error.cause as Error).message), state);
  }
});

Deno.test("createClient() rejects an invalid username or password, without quoting it", async () => {
  for (const login of [null, "ada:secret", { username: "a:da", password: "" }, { username: "ada" }] as never[]) {
    const error = await assertRejects(() => echo({ credentials: { login } }).login(), ClientError);
    assertEquals(error.code, "invalid-input");
    assertMatch(error.message, /: a (?:username|password) must not have /);
  }
});

Deno.test("createClient() calls reject with invalid-input if a credential function throws or rejects; the message does not quote it", async () => {
  const cause = new Error("cannot refresh secret");
  for (
    const token of [() => Promise.reject(cause), () => {
      throw cause;
    }]
  ) {
    let ran = 0;
    const error = await refusal({ token, partner: () => `${++ran}` });
    assertEquals(ran, 0);
    assertEquals(error.message, 'Cannot call GET /either (either): the function of the credential "token" threw');
    assertEquals((error.cause as Error).cause, cause);
  }
});

Deno.test("createClient() ends a call whose credential takes longer than its timeout, or whose signal aborts", async () => {
  let sent = 0;
  const client = echo({
    credentials: { token: () => new Promise<string>(() => {}) },
    fetch: () => new Response(`${++sent}`),
  });

  assertEquals((await assertRejects(() => client.token({ timeout: 1 }), ClientError)).code, "timeout");
  assertEquals((await assertRejects(() => client.token({ signal: AbortSignal.abort() }), ClientError)).code, "aborted");
  assertEquals(sent, 0);
});

Deno.test("createClient() refuses credentials of unknown and custom schemes, and credentials that are not an object", () => {
  const states: [credentials: unknown, state: string][] = [
    ...["tokne", "toString", "", "signed"].map((name): [object, string] => [
      { [name]: "t" },
      `unknown credential ${JSON.stringify(name)} (allowed: token, partner, session, login, theme)`,
    ]),
    ...["t", null, () => ({})].map((
      given,
    ): [unknown, string] => [
      given,
      `the credentials must be an object, got ${given === "t" ? "a string" : given === null ? null : "a function"}`,
    ]),
  ];
  for (const [credentials, state] of states) {
    const error = assertThrows(() => echo({ credentials } as Options), TypeError);
    assertEquals(error.message, `createClient(): ${state}`);
  }
  assertEquals(Object.keys(echo({ credentials: { token: undefined } })).length, 9);
});

/** Text that a token, a key and a cookie can have, and that nothing else has by chance. */
const secret = fc.stringMatching(/^[a-zA-Z0-9]{12,20}$/).map((text) => `zq${text}`);

const secrets = fc.record(
  { token: secret, partner: secret, session: secret, login: fc.record({ username: secret, password: secret }) },
  { requiredKeys: [] },
);

function assertWithout(text: string, credentials: object): void {
  for (const value of Object.values(credentials)) {
    if (typeof value === "object") assertWithout(text, value);
    else assert(!text.includes(value), `${value} is in ${text}`);
  }
}

const paths = ["open", "token", "either", "login", "partner", "session", "signed"] as const;

// proves promises | A client sends a credential only to routes that declare its scheme, and only to the base origin
Deno.test("a credential is sent only to routes with its scheme, one at a time, and only to the base origin", async () => {
  await fc.assert(
    fc.asyncProperty(secrets, fc.subarray([...paths]), fc.string(), async (credentials, called, id) => {
      const sent: Request[] = [];
      const client = echo({ credentials, fetch: (each) => (sent.push(each), Response.json({})) });
      await Promise.all(called.map((name) => client[name]()));
      await client.slot({ params: { id }, body: "" }).catch(() => {}); // not every text can be sent

      for (const { url, headers } of sent) {
        assertEquals(new URL(url).origin, "https://a.example");
        assertWithout(url, credentials);
        const name = new URL(url).pathname.split("/")[2] as "token";
        const accepted: readonly { readonly name: string }[] = contract.routes[name].security;
        const shown = [token, login, partner, session].filter(({ credential }) => credential?.read(headers));
        const expected = accepted.filter((each) => Object.hasOwn(credentials, each.name)).slice(0, 1);
        assertEquals(shown.map((each) => each.name), expected.map((each) => each.name));
      }
    }),
    tries(60),
  );
});

Deno.test("a path parameter cannot send a credential to another origin", async () => {
  const origins = new Set<string>();
  const client = echo({
    credentials: { token: "t" },
    fetch: ({ url }) => (origins.add(new URL(url).origin), Response.json({})),
  });
  for (
    const id of ["//evil.example", "\\\\evil.example", "@evil.example", "https://evil.example", "..", "%2e%2e", "\n"]
  ) {
    await client.slot({ params: { id }, body: "" }).catch(() => {});
  }
  assertEquals([...origins], ["https://a.example"]);
});

Deno.test("a redirect to another origin receives no credential, over sockets", async () => {
  const seen: Request[] = [];
  const settings = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using other = Deno.serve(settings, (request) => {
    seen.push(request);
    return Response.json({});
  });
  const location = `http://127.0.0.1:${other.addr.port}/partner`;
  await using first = Deno.serve(settings, () => new Response(null, { status: 302, headers: { location } }));
  const client = createClient(contract, {
    baseUrl: `http://127.0.0.1:${first.addr.port}`,
    credentials: { partner: "k", session: "s" },
  });

  for (const call of [client.partner, client.session]) {
    assertEquals((await assertRejects(() => call(), ClientError)).code, "unexpected-status");
  }
  assertEquals(seen, []);
});

const scoped = security.bearer("token", { scopes: ["write"] });
const guarded = defineContract({
  routes: {
    it: route.post("/it", {
      security: [scoped.scoped("write"), login, partner, session],
      responses: { 200: response.text() },
    }),
  },
});

/** A server whose verifiers do as `verdict` says. */
function guard(verdict: () => { scopes: string[] } | undefined): FetchHandler {
  const server = defineServer(guarded, {
    security: [verify(scoped, verdict), verify(login, verdict), verify(partner, verdict), verify(session, verdict)],
  });
  return createFetchHandler(server.implement({ it: ({ response }) => response(200, "ok") }), { onError: () => {} });
}

/** How a call may end. */
const endings: readonly ((request: Request) => Response | Promise<Response>)[] = [
  guard(() => ({ scopes: ["write"] })),
  guard(() => ({ scopes: [] })), // 403
  guard(() => undefined), // 401
  guard(() => fail("the store is down")), // 500
  guard(() => 1 as never), // 500
  () => Promise.reject(new TypeError("connection refused")),
  () => new Response("<h1>Log in</h1>", { headers: { "content-type": "text/html" } }),
  () => new Response(null, { status: 302, headers: { location: "/elsewhere" } }),
];

/** The messages of an error and of its causes, with the rest of its properties. */
function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { text, problem } = error as ClientError;
  return [error.stack, error.message, text, JSON.stringify(problem), messagesOf(error.cause)].join("\n");
}

// proves promises | No response, problem, error or URL that the library builds contains a credential
Deno.test("no response, problem, error or URL of the library contains a credential, whether accepted, refused or malformed", async () => {
  const breaks = [
    (text: string) => text,
    (text: string) => `${text}\n`,
    (text: string) => ` ${text};ü`,
    (text: string) => `${text}\ud800`,
  ];
  await fc.assert(
    fc.asyncProperty(
      secrets,
      fc.constantFrom(...endings),
      fc.constantFrom(...breaks),
      async (secrets, ending, broken) => {
        const { login: user, ...texts } = secrets;
        const credentials = {
          ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, broken(text)])),
          ...(user && { login: { username: broken(user.username), password: broken(user.password) } }),
        };
        const answers: Response[] = [];
        const fetch = async (request: Request) => {
          const answer = await ending(request);
          answers.push(answer.clone());
          return answer;
        };
        const client = createClient(guarded, { baseUrl, credentials, fetch });
        assertWithout(client.it.url(), secrets);
        const outcome = await client.it().then(({ body, headers }) => body + JSON.stringify([...headers]), messagesOf);
        assertWithout(outcome, secrets);
        for (const answer of answers) assertWithout(JSON.stringify([...answer.headers]) + await answer.text(), secrets);
      },
    ),
    tries(200),
  );
});

Deno.test("responses to malformed credentials do not quote them", async () => {
  const secrets = { secret: "zqsecret" };
  const handler = guard(() => fail("a verifier was called"));
  for (
    const headers of [
      { authorization: "Bearer zqsecret zqsecret" },
      { authorization: "Bearer zqsecret, Bearer b" },
      { authorization: "Basic zqsecret" },
      { cookie: "sid=zqsecret; sid=zqsecret" },
      { authorization: "Digest zqsecret" },
    ]
  ) {
    const answer = await handler(new Request("https://a.example/it", { method: "POST", headers }));
    assertEquals(answer.status, 401);
    assertWithout(JSON.stringify([...answer.headers]) + await answer.text(), secrets);
  }
});
