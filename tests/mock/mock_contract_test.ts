import { codec, defineContract, representation, request, response, route, router, security } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { mockContract } from "@scope/api/mock";
import { contractTests } from "@scope/api/testing";
import { verify } from "@scope/api/server";
import { slimContract } from "@scope/api/slim";
import { assert, assertEquals, assertMatch, assertNotEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const User = type({ id: "string", name: "string", "email?": "string.email", createdAt: "string.date.iso" });
const Task = z.object({
  id: z.int().positive(),
  title: z.string().min(1).max(80),
  state: z.enum(["open", "done"]),
  owner: z.object({ id: z.string(), name: z.string() }).nullable(),
});
const Problem = response.problem();

const contract = defineContract({
  basePath: "/api",
  routes: {
    users: router("/users", {
      routes: {
        list: route.get("/", {
          query: z.object({ search: z.string().optional() }),
          responses: { 200: response.json(User.array()) },
        }),
        byId: route.get("/:id", { responses: { 200: response.json(User), 404: Problem } }),
        rename: route.patch("/:id", {
          body: request.json(type({ name: "1 <= string <= 20" })),
          responses: { 200: response.json(User), 404: Problem, 409: response.json(type({ reason: "string" })) },
        }),
        create: route.post("/", {
          body: request.json(type({ name: "string" })),
          responses: { 201: response.json(User, { headers: type({ location: "string" }) }) },
        }),
        remove: route.delete("/:id", { responses: { 204: response.empty() } }),
      },
    }),
    tasks: router("/tasks", {
      routes: {
        list: route.get("/", { responses: { 200: response.json(z.object({ items: z.array(Task) })) } }),
        byId: route.get("/:id", {
          params: z.object({ id: z.coerce.number() }),
          responses: { 200: response.json(Task) },
        }),
        of: route.get("/of/:ownerId", {
          responses: { 200: response.json(z.array(z.object({ ownerId: z.string() }))) },
        }),
      },
    }),
    health: route.get("/health", { responses: { 200: response.text() } }),
  },
});

const origin = "http://localhost";

function get(path: string, headers: Record<string, string> = {}): Request {
  return new Request(`${origin}${path}`, { headers });
}

Deno.test("mockContract() returns valid values to a typed client, and the same for the same request", async () => {
  const client = createClient(contract, { baseUrl: origin, fetch: mockContract(contract) });
  const again = createClient(contract, { baseUrl: "https://elsewhere.example", fetch: mockContract(contract) });
  const users = unwrap(await client.users.list());
  assertEquals(users.length, 3);
  for (const user of users) assert(User.allows(user));
  assertEquals(unwrap(await again.users.list()), users);
  assertNotEquals(unwrap(await client.users.list({ query: { search: "a" } })), users);
});

Deno.test("mockContract() generates other values with another seed", async () => {
  const texts = await Promise.all([0, 1, "one"].map(async (seed) => {
    const answer = await mockContract(contract, { seed })(get("/api/users"));
    return await answer.text();
  }));
  assertEquals(new Set(texts).size, 3);
});

const Token = z.object({ uuid: z.uuid() });
const Account = z.object({ id: z.string(), email: z.email(), uuid: z.uuid(), name: z.string() });
const related = defineContract({
  routes: {
    token: route.get("/token", { responses: { 200: response.json(Token) } }),
    tokens: route.get("/tokens", { responses: { 200: response.ndjson(Token) } }),
    account: route.get("/accounts/:id", { responses: { 200: response.json(Account) } }),
    summary: route.get("/accounts/:id/summary", {
      responses: { 200: response.json(Account.pick({ id: true, name: true, uuid: true })) },
    }),
    friends: route.get("/accounts/:id/friends", { responses: { 200: response.json(z.array(Account)) } }),
  },
});

Deno.test("mockContract() generates other values and things with another seed", async () => {
  const [one, two] = [1, 2].map((seed) =>
    createClient(related, { baseUrl: origin, fetch: mockContract(related, { seed }) })
  );
  assertNotEquals(unwrap(await one!.token()), unwrap(await two!.token()));
  const params = { id: "42" };
  assertNotEquals(unwrap(await one!.account({ params })).uuid, unwrap(await two!.account({ params })).uuid);
});

Deno.test("mockContract() distinguishes things and items, and lists others than the one in the path", async () => {
  const client = createClient(related, { baseUrl: origin, fetch: mockContract(related) });
  const friends = unwrap(await client.friends({ params: { id: "42" } }));
  for (const name of ["id", "uuid"] as const) {
    assertEquals(new Set(friends.map((each) => each[name])).size, friends.length);
  }
  assert(friends.every(({ id }) => id !== "42"));
  const tokens = await Array.fromAsync(unwrap(await client.tokens()));
  assertEquals(new Set(tokens.map(({ uuid }) => uuid)).size, 3);
});

Deno.test("mockContract() generates the same members of a thing for all its schemas", async () => {
  const client = createClient(related, { baseUrl: origin, fetch: mockContract(related) });
  for (const id of ["1", "2", "3", "4"]) {
    const { name, uuid } = unwrap(await client.account({ params: { id } }));
    assertEquals(unwrap(await client.summary({ params: { id } })), { id, name, uuid });
  }
});

Deno.test("mockContract() returns the same thing wherever it occurs", async () => {
  const client = createClient(contract, { baseUrl: origin, fetch: mockContract(contract) });
  const users = unwrap(await client.users.list());
  for (const user of users) {
    assertEquals(unwrap(await client.users.byId({ params: { id: user.id } })), user);
    assertEquals(unwrap(await client.users.rename({ params: { id: user.id }, body: { name: "Eve" } })), user);
  }
  const { items } = unwrap(await client.tasks.list());
  for (const task of items) assertEquals(unwrap(await client.tasks.byId({ params: { id: task.id } })), task);
});

Deno.test("mockContract() repeats a path parameter in the member with its name", async () => {
  const client = createClient(contract, { baseUrl: origin, fetch: mockContract(contract) });
  assertEquals(unwrap(await client.users.byId({ params: { id: "ä/42" } })).id, "ä/42");
  const { id, owner } = unwrap(await client.tasks.byId({ params: { id: 7 } }));
  assert(id === 7 && owner?.id !== "7");
  const owned = unwrap(await client.tasks.of({ params: { ownerId: "x" } }));
  assert(owned.length > 0 && owned.every(({ ownerId }) => ownerId === "x"));
});

Deno.test("mockContract() does not repeat a parameter that is not a number in a numeric member", async () => {
  const Thing = type({ id: "number" });
  const things = defineContract({
    routes: { byId: route.get("/:id", { responses: { 200: response.json(Thing) } }) },
  });
  const mock = mockContract(things);
  const ids = await Promise.all(["7.5", "1e999", "-Infinity", "NaN", "x"].map(async (id) => {
    const answer = await mock(new Request(`${origin}/${id}`));
    return (await answer.json()).id;
  }));

  assertEquals(ids[0], 7.5);
  assert(ids.every(Number.isFinite), ids.join());
});

Deno.test("mockContract() generates values from schemas and names", async () => {
  const Thing = z.object({
    code: z.string().meta({ examples: ["ACME-1"] }),
    kind: z.literal("thing"),
    size: z.enum(["s", "m"]),
    volume: z.number().default(11),
    uuid: z.uuid(),
    contactEmail: z.string(),
    price: z.number(),
    birthday: z.string(),
    zipCode: z.string(),
    sku: z.string().regex(/^[A-Z]{3}-\d{4}$/),
  });
  const one = defineContract({ routes: { thing: route.get("/thing", { responses: { 200: response.json(Thing) } }) } });
  const { code, kind, size, volume, ...rest } = unwrap(
    await createClient(one, { baseUrl: origin, fetch: mockContract(one) }).thing(),
  );
  assertEquals([code, kind, volume], ["ACME-1", "thing", 11]);
  assert(["s", "m"].includes(size));
  assertMatch(rest.contactEmail, /^[a-z]+@example\.com$/);
  assertMatch(rest.birthday, /^20\d\d-\d\d-\d\d$/);
  assertMatch(rest.zipCode, /^\d{5}$/);
  assertMatch(rest.sku, /^[A-Z]{3}-\d{4}$/);
  assert(rest.price >= 1 && rest.price <= 200);
});

Deno.test("mockContract() generates the refusals of requests without a route, whatever the keys of routes are", async () => {
  const NotFound = z.object({ missing: z.literal("page") });
  const Invalid = z.object({ invalid: z.literal("input") });
  const contract = defineContract({
    refusals: { 404: response.json(NotFound) },
    routes: {
      "no route": route.get("/items/:id", {
        params: z.object({ id: z.string().regex(/^\d+$/) }),
        refusals: { 400: response.json(Invalid), 404: response.json(Invalid) },
        responses: { 200: response.empty() },
      }),
    },
  });
  const handler = mockContract(contract);
  const answers = await Promise.all(
    ["/nowhere", "/items/x"].map(async (path) => {
      const answer = await handler(new Request(`http://localhost${path}`));
      return [answer.status, await answer.json()];
    }),
  );

  assertEquals(answers, [[404, { missing: "page" }], [400, { invalid: "input" }]]);
});

Deno.test("mockContract() asks its options about routes of the contract alone, also for requests without a route", async () => {
  const NotFound = z.object({ missing: z.string() });
  const contract = defineContract({
    refusals: { 404: response.json(NotFound), 405: response.json(z.object({ allowed: z.string() })) },
    routes: {
      own: route.get("/own", { refusals: { 404: response.empty() }, responses: { 200: response.empty() } }),
      heir: route.get("/heir", { responses: { 200: response.empty() } }),
    },
  });
  const asked = new Set<string>();
  const handler = mockContract(contract, {
    schema: ({ key, path }, slot) => void asked.add(`schema ${key} ${path} ${slot}`),
    sample: ({ key, path }, [name]) => {
      asked.add(`sample ${key} ${path} ${name}`);
      return key === "heir" && name === "missing" ? "page" : undefined;
    },
  });
  const answer = await handler(new Request("http://localhost/nowhere"));

  assertEquals([answer.status, await answer.json()], [404, { missing: "page" }]);
  assertEquals([...asked].filter((each) => !/ own \/own | heir \/heir /.test(each)), []);
});

Deno.test("mockContract() generates a refusal that no route inherits, without asking its options", async () => {
  const contract = defineContract({
    refusals: { 404: response.json(z.object({ missing: z.literal("page") })) },
    routes: { own: route.get("/own", { refusals: { 404: response.empty() }, responses: { 200: response.empty() } }) },
  });
  const asked: string[] = [];
  const handler = mockContract(contract, { schema: ({ key }) => void asked.push(key) });
  const answer = await handler(new Request("http://localhost/nowhere"));

  assertEquals([answer.status, await answer.json(), asked], [404, { missing: "page" }, []]);
});

Deno.test("mockContract() refuses the requests that the real server refuses", async () => {
  const mock = mockContract(contract, { cors: { origins: ["https://page.example"] }, maxBodyBytes: 1000 });
  const send = async (path: string, init: RequestInit): Promise<number> =>
    (await mock(new Request(`${origin}${path}`, init))).status;
  const json = { "content-type": "application/json" };
  assertEquals(await send("/api/nothing", {}), 404);
  assertEquals(await send("/api/users", { method: "PUT" }), 405);
  assertEquals(await send("/api/users/1", { method: "PATCH", body: "{", headers: json }), 400);
  assertEquals(await send("/api/users/1", { method: "PATCH", body: '{"name":""}', headers: json }), 400);
  assertEquals(
    await send("/api/users/1", { method: "PATCH", body: "x", headers: { "content-type": "text/plain" } }),
    415,
  );
  assertEquals(await send("/api/users", { method: "POST", body: `"${"x".repeat(1000)}"`, headers: json }), 413);
  const preflight = await mock(
    new Request(`${origin}/api/users`, {
      method: "OPTIONS",
      headers: { origin: "https://page.example", "access-control-request-method": "GET" },
    }),
  );
  assertEquals([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, "https://page.example"]);
});

Deno.test("mockContract() handles HEAD like GET, without content", async () => {
  const mock = mockContract(contract);
  const head = await mock(new Request(`${origin}/api/users`, { method: "HEAD" }));
  assertEquals([head.status, head.headers.get("content-type"), await head.text()], [200, "application/json", ""]);
});

Deno.test("a mock's declared HEAD has the header fields of GET, and contract tests find nothing in it", async () => {
  const Built = z.object({ "x-build": z.string(), "x-version": z.string() });
  const both = defineContract({
    routes: {
      get: route.get("/ping/:id", {
        responses: { 200: response.json(z.object({ up: z.boolean() }), { headers: Built }) },
      }),
      head: route.head("/ping/:id", {
        responses: { 200: response.json(z.object({ up: z.boolean() }), { headers: Built }) },
      }),
    },
  });
  const mock = mockContract(both);
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) => mock(new Request(`${origin}/ping/1`, { method }))),
  );
  for (const name of ["content-type", "x-build", "x-version"]) {
    assertEquals(head!.headers.get(name), get!.headers.get(name), name);
  }
  assertEquals(await head!.text(), "");
  for (const { run } of contractTests(both, { target: mock, runs: 20 })) await run();
});

Deno.test("mockContract() responds with the lowest 2xx, with declared headers, or without content", async () => {
  const client = createClient(contract, { baseUrl: origin, fetch: mockContract(contract) });
  const created = await client.users.create({ body: { name: "Ada" } });
  assertEquals(created.status, 201);
  assertMatch(created.headers.location, /^\//);
  assertEquals((await client.users.remove({ params: { id: "1" } })).status, 204);
});

// proves further | A mock honours the preference `code` for declared statuses only | RFC 7240
Deno.test("mockContract() responds with the status of the option or the request", async () => {
  const mock = mockContract(contract, { status: { "users.byId": 404 } });
  const missing = await mock(get("/api/users/42"));
  assertEquals([missing.status, await missing.json()], [404, { type: "about:blank", title: "Not Found", status: 404 }]);
  assertEquals((await mock(get("/api/users/42", { prefer: "code=200" }))).status, 200);
  assertEquals((await mock(get("/api/users/42", { prefer: 'respond-async, Code="200"; foo' }))).status, 200);
  assertEquals((await mock(get("/api/users/42", { prefer: "code=418" }))).status, 404); // not declared
  assertEquals((await mock(get("/api/users", { prefer: "wait=10, code=404" }))).status, 200); // nor here
});

Deno.test("mockContract() runs the user's handlers, and generates all other responses", async () => {
  const mock = mockContract(contract, {
    handlers: {
      users: {
        rename: ({ params, body, response }) =>
          response(200, { id: params.id, name: body.name, createdAt: "2026-01-01" }),
      },
    },
  });
  const client = createClient(contract, { baseUrl: origin, fetch: mock });
  const renamed = unwrap(await client.users.rename({ params: { id: "7" }, body: { name: "Grace" } }));
  assertEquals(renamed, { id: "7", name: "Grace", createdAt: "2026-01-01" });
  assertEquals(unwrap(await client.users.byId({ params: { id: "7" } })).id, "7");
  const preferred = await mock(
    new Request(`${origin}/api/users/7`, {
      method: "PATCH",
      body: '{"name":"x"}',
      headers: { "content-type": "application/json", prefer: "code=409" },
    }),
  );
  assertEquals(preferred.status, 409);
});

Deno.test("mockContract() uses the values of the option sample, and refuses invalid ones", async () => {
  const seen: unknown[] = [];
  const mock = mockContract(contract, {
    sample: ({ key }, path, schema) => {
      if (key === "tasks.list") seen.push([path, schema.type]);
      return path.at(-1) === "name" ? "Faker" : undefined;
    },
  });
  const users = await (await mock(get("/api/users"))).json();
  assertEquals(users.map(({ name }: { name: string }) => name), ["Faker", "Faker", "Faker"]);
  assert(seen.some((each) => JSON.stringify(each) === '[["items",0,"title"],"string"]'), JSON.stringify(seen));
  assertThrows(
    () => mockContract(contract, { sample: (_route, path) => path.at(-1) === "name" ? 1 : undefined }),
    TypeError,
    "mockContract(): Cannot sample a JSON Schema: the value supplied for /",
  );
});

Deno.test("mockContract() waits before every response", async () => {
  const mock = mockContract(contract, { delay: 60 });
  const start = performance.now();
  assertEquals((await mock(get("/api/health"))).status, 200);
  assert(performance.now() - start >= 55);
  const gone = new AbortController();
  const left = mock(new Request(`${origin}/api/health`, { signal: gone.signal }));
  gone.abort();
  await left; // its timer does not outlive it
});

const token = security.bearer("token", { scopes: ["read", "write"] });
const key = security.apiKey("key", { header: "x-api-key" });
const tls = security.custom("tls", { challenge: "Mutual", openapi: { type: "mutualTLS" } });

Deno.test("mockContract() accepts every well-formed credential and grants every scope", async () => {
  const secured = defineContract({
    routes: {
      me: route.get("/me", { security: [token.scoped("read", "write"), key], responses: { 200: response.text() } }),
      other: route.get("/other", { security: [tls], responses: { 200: response.text() } }),
    },
  });
  const callers: unknown[] = [];
  const mock = mockContract(secured, {
    handlers: {
      me: ({ caller, response }) => {
        callers.push(caller satisfies unknown);
        return response(200, "me");
      },
    },
  });
  assertEquals((await mock(get("/me"))).status, 401);
  assertEquals((await mock(get("/me", { authorization: "Bearer not well formed" }))).status, 401);
  assertEquals((await mock(get("/me", { authorization: "Bearer abc" }))).status, 200);
  assertEquals((await mock(get("/me", { "x-api-key": "k" }))).status, 200);
  assertEquals((await mock(get("/other"))).status, 200);
  assertEquals(callers.length, 2);
});

Deno.test("mockContract() treats requests without a credential as those of the option caller", async () => {
  const session = security.cookie("session", { cookie: "sid", scopes: ["read", "write"] });
  const signed = security.custom("signed", { challenge: "Signature", openapi: { type: "mutualTLS" } });
  const secured = defineContract({
    security: [session.scoped("read")],
    routes: {
      me: route.get("/me", { responses: { 200: response.json<unknown>() } }),
      maybe: route.get("/maybe", { security: [session, security.none], responses: { 200: response.json<unknown>() } }),
      save: route.put("/me", { security: [session.scoped("write"), signed], responses: { 204: response.empty() } }),
      health: route.get("/health", { security: [], responses: { 200: response.json<unknown>() } }),
    },
  });
  type Answers = (
    input: { readonly caller?: unknown; readonly response: (status: 200, body: unknown) => unknown },
  ) => unknown;
  const show: Answers = (input) => input.response(200, "caller" in input ? input.caller : "nobody");
  const handlers = { me: show, maybe: show, health: show } as never;
  const mock = mockContract(secured, { caller: { name: "Ada" }, handlers });
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const answer = await mock(new Request(`http://localhost${path}`, init));
    return answer.status === 200 ? await answer.json() : answer.status;
  };
  const ada = { name: "Ada", scopes: ["read", "write"] };

  assertEquals(await ask("/me"), ada);
  assertEquals(await ask("/me", { headers: { cookie: "sid=1" } }), ada);
  assertEquals([await ask("/maybe"), await ask("/me", { method: "PUT" }), await ask("/health")], [ada, 204, "nobody"]);
  assertEquals((await mockContract(secured, { handlers })(new Request("http://localhost/me"))).status, 401);
  assertThrows(() => mockContract(secured, { caller: [] }), TypeError, '"caller" must be an object, got an array');
});

Deno.test("mockContract() does not wait for a request that has already been aborted", async () => {
  const mock = mockContract(contract, { delay: 60_000 });
  const answer = await mock(new Request("http://localhost/users/42", { signal: AbortSignal.abort() }));
  await answer.body?.cancel();
});

Deno.test("mockContract() runs the user's verifiers, and accepts the credentials of all other schemes", async () => {
  const secured = defineContract({
    routes: {
      me: route.get("/me", { security: [token.scoped("read"), key], responses: { 200: response.text() } }),
    },
  });
  const byToken = verify(token, ({ token }) => token === "good" ? { scopes: ["read"] } : undefined);
  const mock = mockContract(secured, { security: [byToken] });
  assertEquals((await mock(get("/me", { authorization: "Bearer bad" }))).status, 401);
  assertEquals((await mock(get("/me", { authorization: "Bearer good" }))).status, 200);
  assertEquals((await mock(get("/me", { "x-api-key": "k" }))).status, 200);
});

const csv = representation<readonly Record<string, string>[]>({
  contentType: "text/csv",
  encode: (rows) => rows.map((row) => Object.values(row).join()).join("\n"),
  decode: (bytes) => new TextDecoder().decode(bytes).split("\n").map((line) => ({ name: line })),
});
const Meeting = codec(
  type({ at: "string.date.iso", title: "string" }),
  type({ at: "Date", title: "string" }),
  {
    decode: ({ at, title }) => ({ at: new Date(at), title }),
    encode: ({ at, title }) => ({ at: at.toISOString(), title }),
  },
);
const kinds = defineContract({
  routes: {
    text: route.get("/text", { responses: { 200: response.text() } }),
    html: route.get("/html", { responses: { 200: response.text({ contentType: "text/html" }) } }),
    bytes: route.get("/bytes", { responses: { 200: response.bytes() } }),
    image: route.get("/image", { responses: { 200: response.bytes({ contentType: "image/*" }) } }),
    listed: route.get("/listed", { responses: { 200: response.bytes({ contentType: ["image/webp", "image/png"] }) } }),
    stream: route.get("/stream", { responses: { 200: response.stream() } }),
    lines: route.get("/lines", { responses: { 200: response.ndjson(User) } }),
    events: route.get("/events", { responses: { 200: response.sse(User) } }),
    dated: route.get("/dated", { responses: { 200: response.sse(Meeting) } }),
    csv: route.get("/csv", { responses: { 200: response.as(csv, z.array(z.object({ name: z.string() })).min(1)) } }),
    meeting: route.get("/meeting", { responses: { 200: response.json(Meeting) } }),
    problem: route.get("/problem", { responses: { 422: response.problem() } }),
    raw: route.get("/raw", { responses: { 200: response.raw() } }),
    form: route.post("/form", {
      body: request.form(type({ name: "string" })),
      responses: { 200: response.json(type({ ok: "boolean" })) },
    }),
    files: route.post("/files", {
      body: request.formData(type({ file: "File" })),
      responses: { 200: response.json(type({ name: "string" })) },
    }),
    upload: route.post("/upload", { body: request.stream(), responses: { 204: response.empty() } }),
  },
});

Deno.test("mockContract() generates every representation", async () => {
  const client = createClient(kinds, { baseUrl: origin, fetch: mockContract(kinds) });
  assertMatch(unwrap(await client.text()), /\.$/);
  assertMatch(unwrap(await client.html()), /\.$/);
  assert(unwrap(await client.bytes()).length > 0);
  assertEquals((await client.image()).headers.get("content-type"), "image/png");
  assertEquals((await client.listed()).headers.get("content-type"), "image/webp");
  assert((await new Response(unwrap(await client.stream())).text()).length > 0);
  assertEquals(unwrap(await client.csv()).length, 3);
  const meeting = unwrap(await client.meeting());
  assert(meeting.at instanceof Date && !Number.isNaN(meeting.at.getTime()));
  assertEquals((await client.problem()).status, 422);
  const form = { name: "Ada" };
  assertEquals(typeof unwrap(await client.form({ body: form })).ok, "boolean");
  const file = new File(["x"], "x.txt");
  assertEquals(typeof unwrap(await client.files({ body: { file } })).name, "string");
  assertEquals((await client.upload({ body: new Blob(["x"]).stream() })).status, 204);
});

Deno.test("mockContract() generates three items of a stream", async () => {
  for (const delay of [0, 5]) {
    const client = createClient(kinds, { baseUrl: origin, fetch: mockContract(kinds, { delay }) });
    const users = await Array.fromAsync(unwrap(await client.lines()));
    assertEquals(users.length, 3);
    assert(users.every((user) => User.allows(user)));
    const events = await Array.fromAsync(unwrap(await client.events()));
    assertEquals(events.map(({ id }) => id), ["1", "2", "3"]);
    const [dated] = await Array.fromAsync(unwrap(await client.dated()));
    assert(dated?.data.at instanceof Date);
  }
});

Deno.test("mockContract() responds 501 for a raw response, unless a handler returns one", async () => {
  const answer = await mockContract(kinds)(get("/raw"));
  assertEquals(answer.status, 501);
  assertStringIncludes(
    (await answer.json()).detail,
    "response 200 of GET /raw (raw) is raw; pass a handler that returns it",
  );
  const mock = mockContract(kinds, { handlers: { raw: ({ response }) => response(200, new Response("raw")) } });
  assertEquals(await (await mock(get("/raw"))).text(), "raw");
});

Deno.test("mockContract() returns equal responses to equal files, dates and bytes", async () => {
  const When = codec(type({ at: "string.date.iso" }), type({ at: "Date" }), {
    decode: ({ at }) => ({ at: new Date(at) }),
    encode: ({ at }) => ({ at: at.toISOString() }),
  });
  const asking = defineContract({
    routes: {
      dates: route.post("/dates", { body: request.json(When), responses: { 200: response.json(User) } }),
      bytes: route.post("/bytes", { body: request.bytes(), responses: { 200: response.json(User) } }),
    },
  });
  const client = createClient(asking, { baseUrl: origin, fetch: mockContract(asking) });
  const ask = async (time: number): Promise<unknown> => unwrap(await client.dates({ body: { at: new Date(time) } }));
  assertEquals(await ask(5), await ask(5));
  assertNotEquals(await ask(5), await ask(6));
  const send = async (text: string): Promise<unknown> =>
    unwrap(await client.bytes({ body: new TextEncoder().encode(text) }));
  assertEquals(await send("a"), await send("a"));
  assertNotEquals(await send("a"), await send("b"));
});

Deno.test("mockContract() generates inputs and outputs of schemas, and retries if a refinement refuses", async () => {
  const odd = defineContract({
    routes: {
      coerced: route.get("/coerced", { responses: { 200: response.json(z.object({ n: z.coerce.number() })) } }),
      given: route.get("/given", {
        responses: { 200: response.json(z.object({ n: z.unknown().pipe(z.number()) })) },
      }),
      piped: route.get("/piped", {
        responses: { 200: response.json(z.object({ n: z.string().transform((text) => text.length) })) },
      }),
      refined: route.get("/refined", {
        responses: { 200: response.json(z.object({ n: z.int().min(0).max(9).refine((n) => n % 3 === 0) })) },
      }),
      later: route.get("/later", {
        responses: { 200: response.json(z.object({ n: z.int() }).refine(() => Promise.resolve(true))) },
      }),
      valibot: route.get("/valibot", { responses: { 200: response.json(v.object({ n: v.string() })) } }),
    },
  });
  const mock = mockContract(odd, {
    schema: ({ key }) =>
      key === "valibot" ? { type: "object", properties: { n: { const: "given" } }, required: ["n"] } : undefined,
  });
  for (const name of ["coerced", "given", "piped", "refined", "later"]) {
    const answer = await mock(get(`/${name}`));
    assertEquals([answer.status, typeof (await answer.json()).n], [200, "number"], name);
  }
  assertEquals(await (await mock(get("/valibot"))).json(), { n: "given" });
});

Deno.test("mockContract() refuses what it cannot generate, and names the route, the slot and the fix", () => {
  const of = (declared: Parameters<typeof response.json>[0]): unknown =>
    defineContract({ routes: { one: route.get("/one", { responses: { 200: response.json(declared) } }) } });
  const refused: [unknown, object | undefined, string][] = [
    [{}, undefined, "mockContract(): the contract must be made by defineContract(), got an object"],
    [
      slimContract({}),
      undefined,
      "mockContract(): the contract must be made by defineContract(), got a slim contract, which has no schemas; import the whole contract instead",
    ],
    [
      contract,
      { sead: 1 },
      'mockContract(): unknown option "sead"; did you mean "seed"? (allowed: seed, handlers, status, security, caller, refuse, delay, sample, schema, ',
    ],
    [contract, { seed: {} }, 'mockContract(): "seed" must be a number or a string, got an object'],
    [contract, { delay: -1 }, 'mockContract(): "delay" must be a number of milliseconds, got -1'],
    [contract, { sample: 1 }, 'mockContract(): "sample" must be a function, got 1'],
    [contract, { cors: 1 }, "cors"],
    [contract, { security: {} }, 'mockContract(): "security" must be an array like [verify(scheme, …)], got an object'],
    [
      contract,
      { security: [verify(key, () => ({}))] },
      '"security" verifies "key", which is not a scheme of the contract; remove it',
    ],
    [
      contract,
      { status: { nothing: 200 } },
      'mockContract(): "status" has the unknown route "nothing"',
    ],
    [
      contract,
      { status: { "users.byId": 500 } },
      'mockContract(): "status" of users.byId must be declared, got 500 (declared: 200, 404)',
    ],
    [
      contract,
      { handlers: { user: {} } },
      'mockContract(): "handlers" has user, which is not in the contract; remove it',
    ],
    [
      contract,
      { handlers: { users: { find: () => {} } } },
      'mockContract(): "handlers" has users.find, which is not in the contract; remove it',
    ],
    [contract, { handlers: { health: {} } }, "mockContract(): the handler of health must be a function, got an object"],
    [contract, { handlers: 1 }, 'mockContract(): "handlers" must be an object, got 1'],
    [
      contract,
      { handlers: { health: () => {} }, status: { health: 200 } },
      "mockContract(): health has a handler and a status; remove one",
    ],
    [
      of(v.object({ a: v.string() }) as never),
      undefined,
      "mockContract(): the schema of response 200 of one does not convert to JSON Schema: schemas of valibot do not " +
      "implement Standard JSON Schema; return one from the option schema(route, slot), or pass a handler",
    ],
    [
      defineContract({ routes: { one: route.get("/one", { responses: { 200: response.json() } }) } }),
      undefined,
      "mockContract(): response 200 of one does not have a schema; return one from the option schema(route, slot), or pass a handler",
    ],
  ];
  for (const [given, options, message] of refused) {
    assertThrows(() => mockContract(given as typeof contract, options as never), TypeError, message);
  }
});

Deno.test("mockContract() responds 501 for a route whose response has no value, and answers all others", async () => {
  const mock = mockContract(defineContract({
    routes: {
      never: route.get("/never", { responses: { 200: response.json(z.never()) } }),
      refused: route.get("/refused", { responses: { 200: response.json(z.string().refine(() => false)) } }),
      pattern: route.get("/pattern", { responses: { 200: response.json(z.string().regex(/^[^\s\S]$/)) } }),
      fields: route.get("/fields", {
        responses: { 200: response.json(z.string(), { headers: z.object({ etag: z.never() }) }) },
      }),
      fine: route.get("/fine", { responses: { 200: response.json(z.literal("fine")) } }),
    },
  }));
  const details = await Promise.all(["never", "refused", "pattern", "fields"].map(async (path) => {
    const answer = await mock(get(`/${path}`));
    assertEquals(answer.status, 501);
    return (await answer.json()).detail;
  }));

  const advice = "pass a handler, or return a narrower JSON Schema from the option schema(route, slot)";
  const unmatched = "that its schema accepts: no value was found that matches its JSON Schema";
  assertEquals(details, [
    `found no value for response 200 of never ${unmatched}; ${advice}`,
    `found no value for response 200 of refused that its schema accepts: Invalid input; ${advice}`,
    `found no value for response 200 of pattern ${unmatched}; ${advice}`,
    `found no value for headers of response 200 of fields ${unmatched}; ${advice}`,
  ]);
  assertEquals(await (await mock(get("/fine"))).json(), "fine");
});

Deno.test("mockContract() does not need schemas for routes with handlers", async () => {
  const loose = defineContract({ routes: { one: route.get("/one", { responses: { 200: response.json<number>() } }) } });
  const mock = mockContract(loose, { handlers: { one: ({ response }) => response(200, 1) } });
  assertEquals(await (await mock(get("/one"))).json(), 1);
});

Deno.test("mockContract() reports errors of handlers, unless the option onError does", async () => {
  const reports: unknown[] = [];
  const mock = mockContract(contract, {
    handlers: {
      health: () => {
        throw new Error("broken");
      },
    },
    onError: ({ error }) => void reports.push(error),
  });
  assertEquals((await mock(get("/api/health"))).status, 500);
  assertEquals(reports.map(String), ["Error: broken"]);
});

Deno.test("mockContract() calls the option onResponse for every response", async () => {
  const seen: unknown[] = [];
  const mock = mockContract(contract, { onResponse: ({ response }) => void seen.push(response.status) });
  await mock(get("/api/health"));
  await mock(get("/api/none"));
  assertEquals(seen, [200, 404]);
});

Deno.test("mockContract() does not store posted data", async () => {
  const client = createClient(contract, { baseUrl: origin, fetch: mockContract(contract) });
  const before = unwrap(await client.users.list());
  await client.users.create({ body: { name: "Eve" } });
  assertEquals(unwrap(await client.users.list()), before);
});
