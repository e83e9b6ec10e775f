/** What one caller created must not exist for another: every route that forgot to check this is found. */
import { type Contract, defineContract, request, response, route, router, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { type ContractTestOptions, contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as z from "zod";
import { findAll, firstLine } from "./findings.ts";
import { contract, createOrgs, type StoredOrg } from "./orgs.ts";

const callers = { credentials: { token: "ada" }, strangers: { token: "eve" } } as const;
const options = { ...callers, owned: ["orgs.**"] } as const;

/** Runs the tests with strangers alone, and returns the messages of what they find. */
async function findOpen<Api extends Contract>(
  api: Api,
  settings: ContractTestOptions<Api["routes"]>,
): Promise<string[]> {
  const tests = contractTests(api, { runs: 3, ...settings }).filter(({ name }) => name.endsWith(": strangers"));
  assert(tests.length > 0);
  return (await findAll(tests)).map(({ message }) => message);
}

const created = 'after POST /orgs {"name":"a"}';
const added = `${created}, POST /orgs/o1/users {"role":"admin"}`;

/** Checks that a server may forget, with the finding of each. */
const omissions: Readonly<Record<string, string>> = {
  "GET orgs.one.read": `GET /orgs/o1 was answered 200 ... (${created})`,
  "HEAD orgs.one.read": `HEAD /orgs/o1 was answered 200 ... (${created})`,
  "PUT orgs.one.rename": `PUT /orgs/o1 {"name":"a"} was answered 200 ... (${created})`,
  "PATCH orgs.one.change": `PATCH /orgs/o1 {} was answered 200 ... (${created})`,
  "DELETE orgs.one.remove": `DELETE /orgs/o1 was answered 204 ... (${created})`,
  "POST orgs.one.archive": `POST /orgs/o1/archive was answered 204 ... (${created})`,
  "GET orgs.one.users.list": `GET /orgs/o1/users was answered 200 ... (${created})`,
  "HEAD orgs.one.users.list": `HEAD /orgs/o1/users was answered 200 ... (${created})`,
  "POST orgs.one.users.add": `POST /orgs/o1/users {"role":"admin"} was answered 201 ... (${created})`,
  "GET orgs.one.users.read": `GET /orgs/o1/users/u2 was answered 200 ... (${added})`,
  "DELETE orgs.one.users.remove": `DELETE /orgs/o1/users/u2 was answered 204 ... (${added})`,
  "above orgs.one.users.read":
    `GET /orgs/o3/users/u2 was answered 200 ... (${added}, POST /orgs {"name":"a"}, POST /orgs/o3/users {"role":"admin"})`,
  "above orgs.one.users.remove":
    `DELETE /orgs/o3/users/u2 was answered 204 ... (${added}, POST /orgs {"name":"a"}, POST /orgs/o3/users {"role":"admin"})`,
};

for (const [omission, found] of Object.entries(omissions)) {
  Deno.test(`contractTests() finds a server that forgets the owner at ${omission}`, async () => {
    const messages = await findOpen(contract, { ...options, target: createOrgs([omission]) });
    const [, key] = omission.split(" ");
    const expected = found.replace("...", "for another caller; what its caller created must be 403 or 404 for others");
    assertEquals(messages.map((message) => firstLine({ message })), [`${key}: owner-only: ${expected}`]);
  });
}

Deno.test("contractTests() finds a list that shows what another caller created", async () => {
  const messages = await findOpen(contract, { ...options, target: createOrgs(["GET orgs.list"]) });
  assertEquals(messages, [
    `orgs.list: owner-only: GET /orgs was answered with other content for another caller, once its caller had created something (${created})
  curl http://localhost/orgs -X POST -H 'authorization: ***' -H 'content-type: application/json' --data-raw '{"name":"a"}'
  curl http://localhost/orgs -H 'authorization: ***'
  seed 0`,
  ]);
});

Deno.test("contractTests() accepts a server that checks the owner everywhere", async () => {
  const tests = contractTests(contract, { ...options, target: createOrgs() });
  assertEquals(tests.map(({ name }) => name).filter((name) => name.endsWith("strangers")), [
    "orgs.list: strangers",
    "orgs.one.read: strangers",
    "orgs.one.rename: strangers",
    "orgs.one.change: strangers",
    "orgs.one.remove: strangers",
    "orgs.one.archive: strangers",
    "orgs.one.users.list: strangers",
    "orgs.one.users.add: strangers",
    "orgs.one.users.read: strangers",
    "orgs.one.users.remove: strangers",
  ]);
  assertEquals(await findOpen(contract, { ...options, target: createOrgs() }), []);
});

Deno.test("contractTests() with strangers changes and deletes only what it created", async () => {
  const all = Object.keys(omissions);
  for (const forgotten of [[], all]) {
    const before = (): StoredOrg[] =>
      ["ada", "eve", "bob"].map((owner) => ({
        id: owner,
        owner,
        name: owner,
        users: new Map([["x", { id: "x", role: "guest" }]]),
      }));
    const orgs = before();
    const handler = createOrgs(forgotten, orgs)(); // it keeps its state
    const values = { "orgs.one.read": { params: { org: ["ada"] } } };
    await findOpen(contract, { ...options, values, target: (request) => handler(request) });
    assertEquals(orgs.slice(0, 3), before());
    assert(orgs.length > 3);
  }
});

const token = security.bearer("token");
const tokens = verify(token, ({ token }) => ({ id: token }));
const Note = z.object({ text: z.string() });

Deno.test("contractTests() finds what was created by a location, by PUT, and elsewhere", async () => {
  const notes = defineContract({
    security: [token],
    responses: { 404: response.empty() },
    routes: {
      located: router("/located", {
        routes: {
          create: route.post("/", {
            body: Note,
            responses: { 201: response.empty({ headers: z.object({ location: z.string() }) }) },
          }),
          read: route.get("/:slug", { responses: { 200: Note } }),
        },
      }),
      put: router("/put/:slug", {
        routes: {
          write: route.put("/", { body: Note, responses: { 204: response.empty() } }),
          read: route.get("/", { responses: { 200: Note } }),
        },
      }),
      people: router("/people/:person", {
        routes: {
          add: route.post("/letters", {
            body: Note,
            responses: { 201: z.object({ data: z.object({ id: z.int() }) }) },
          }),
        },
      }),
      letters: router("/letters/:letter", { routes: { read: route.get("/", { responses: { 200: Note } }) } }),
    },
  });
  const create = (isChecked: boolean) => () => {
    const stored = new Map<string, { owner: string; text: string }>();
    const find = (id: string, caller: { id: string }) => {
      const note = stored.get(id);
      return note && (!isChecked || note.owner === caller.id) ? note : undefined;
    };
    const server = defineServer(notes, { security: [tokens] });
    const read = server.use(({ caller, next }) => next({ find: (id: string) => find(id, caller) }));
    return createFetchHandler(server.implement({
      located: read.implement(notes.routes.located, {
        create: ({ body, caller, response }) => {
          const slug = `s-${stored.size}`;
          stored.set(`located ${slug}`, { ...body, owner: caller.id });
          return response(201, undefined, { location: `/located/${slug}` });
        },
        read: ({ context, params, response }) => {
          const note = context.find(`located ${params.slug}`);
          return note ? response(200, { text: note.text }) : response(404);
        },
      }),
      put: read.implement(notes.routes.put, {
        write: ({ body, caller, params, response }) => {
          const note = stored.get(`put ${params.slug}`);
          if (isChecked && note && note.owner !== caller.id) return response(404);
          stored.set(`put ${params.slug}`, { ...body, owner: caller.id });
          return response(204);
        },
        read: ({ context, params, response }) => {
          const note = context.find(`put ${params.slug}`);
          return note ? response(200, { text: note.text }) : response(404);
        },
      }),
      people: {
        add: ({ body, caller, response }) => {
          stored.set(`letter ${stored.size}`, { ...body, owner: caller.id });
          return response(201, { data: { id: stored.size - 1 } });
        },
      },
      letters: read.implement(notes.routes.letters, {
        read: ({ context, params, response }) => {
          const note = context.find(`letter ${params.letter}`);
          return note ? response(200, { text: note.text }) : response(404);
        },
      }),
    }));
  };
  const settings = { ...callers, owned: ["*.read", "put.write", "**.read"] };
  assertEquals(await findOpen(notes, { ...settings, target: create(true) }), []);
  const found = await findOpen(notes, { ...settings, target: create(false) });
  assertEquals(found.map((message) => firstLine({ message }).split(" was ")[0]), [
    "located.read: owner-only: GET /located/s-0",
    'put.write: owner-only: PUT /put/a {"text":""}',
    "put.read: owner-only: GET /put/a",
    "letters.read: owner-only: GET /letters/0",
  ]);
});

Deno.test("contractTests() finds what was created at the root, below a base path, and at paths that end with a slash", async () => {
  for (const [basePath, trailingSlash] of [["", false], ["/api/v1", false], ["/api", true]] as const) {
    const notes = defineContract({
      basePath,
      security: [token],
      responses: { 404: response.empty() },
      routes: {
        add: route.post("/", { body: Note, trailingSlash, responses: { 200: z.object({ noteId: z.int() }) } }),
        read: route.get("/:note", { trailingSlash, responses: { 200: response.text() } }),
        lines: route.get("/:note/lines", { trailingSlash, responses: { 200: response.text() } }),
      },
    });
    const create = (isChecked: boolean) => () => {
      const owners: string[] = [];
      const isOpen = (note: string, caller: { id: string }) =>
        isChecked ? owners[Number(note)] === caller.id : owners[Number(note)] !== undefined;
      const server = defineServer(notes, { security: [tokens] });
      return createFetchHandler(server.implement({
        add: ({ caller, response }) => response(200, { noteId: owners.push(caller.id) - 1 }),
        read: ({ caller, params, response }) => isOpen(params.note, caller) ? response(200, "") : response(404),
        lines: ({ caller, params, response }) => isOpen(params.note, caller) ? response(200, "") : response(404),
      }));
    };
    const settings = { ...callers, owned: ["read", "lines"] };
    assertEquals(await findOpen(notes, { ...settings, target: create(true) }), []);
    const found = await findOpen(notes, { ...settings, target: create(false) });
    const end = trailingSlash ? "/" : "";
    assertEquals(found.map((message) => firstLine({ message }).split(" was ")[0]), [
      `read: owner-only: GET ${basePath}/0${end}`,
      `lines: owner-only: GET ${basePath}/0/lines${end}`,
    ]);
  }
});

Deno.test("contractTests() uses what exists by the option values, only to read it and to create below it", async () => {
  const rooms = defineContract({
    security: [token],
    responses: { 403: response.empty() },
    routes: {
      rooms: router("/rooms/:room", {
        routes: {
          read: route.get("/", { responses: { 200: response.text() } }),
          say: route.post("/lines", { body: request.text(), responses: { 201: z.object({ id: z.string() }) } }),
          line: route.get("/lines/:line", { responses: { 200: response.text() } }),
          close: route.delete("/", { responses: { 204: response.empty() } }),
        },
      }),
    },
  });
  const create = (forgotten?: string) => () => {
    const server = defineServer(rooms, { security: [tokens] }).at(rooms.routes.rooms)
      .use(({ caller, route, next, response }) =>
        caller.id === "ada" || route.key === forgotten ? next() : response(403)
      );
    return createFetchHandler(server.implement({
      read: ({ response }) => response(200, "room"),
      say: ({ response }) => response(201, { id: "1" }),
      line: ({ response }) => response(200, "line"),
      close: ({ response }) => response(204),
    }));
  };
  const values = { "rooms.read": { params: { room: ["hall", "attic"] } } };
  const settings = { ...callers, values, owned: ["rooms.*"], ignore: { "owner-only": ["rooms.close"] as const } };
  assertEquals(await findOpen(rooms, { ...settings, target: create() }), []);
  const lines = async (forgotten: string): Promise<string[]> =>
    (await findOpen(rooms, { ...settings, target: create(forgotten) })).map((message) =>
      firstLine({ message }).replace(/ for another.*others/, "")
    );
  assertEquals(await lines("rooms.read"), ["rooms.read: owner-only: GET /rooms/hall was answered 200"]);
  assertEquals(await lines("rooms.say"), ["rooms.say: owner-only: POST /rooms/hall/lines a was answered 201"]);
  assertEquals(await lines("rooms.line"), [
    "rooms.line: owner-only: GET /rooms/hall/lines/1 was answered 200 (after POST /rooms/hall/lines a)",
  ]);
  const [missed, ...others] = await findOpen(rooms, { ...settings, ignore: {}, target: create() });
  assertEquals([firstLine({ message: missed! }), others], [
    "rooms.close: nothing-reached: was not tested with another caller, because no call created what it leads to: " +
    'no response had its location in a header, or its id as "room" or "id" in the body',
    [],
  ]);
});

Deno.test("contractTests() finds an owned route that is public, or that a stranger reaches without a credential", async () => {
  const notes = defineContract({
    security: [token],
    responses: { 404: response.empty() },
    routes: {
      add: route.post("/notes", { body: Note, responses: { 201: z.object({ id: z.string() }) } }),
      open: route.get("/notes/:note", { security: [], responses: { 200: response.text() } }),
      optional: route.get("/notes/:note/title", {
        security: [token, security.none],
        responses: { 200: response.text() },
      }),
    },
  });
  const target = createFetchHandler(
    defineServer(notes, { security: [tokens] }).implement({
      add: ({ response }) => response(201, { id: "1" }),
      open: ({ response }) => response(200, "note"),
      optional: ({ caller, response }) => caller?.id === "eve" ? response(404) : response(200, "note"),
    }),
  );
  const found = await findOpen(notes, { ...callers, owned: ["open"], target });
  assertStringIncludes(found[0]!, "open: owner-only: GET /notes/1 was answered 200 for another caller");
  assertEquals(await findOpen(notes, { ...callers, owned: ["optional"], target }), []);
});

Deno.test("contractTests() says if nothing shows that strangers are refused", async () => {
  const line = async (settings: Partial<ContractTestOptions<typeof contract["routes"]>>): Promise<string[]> =>
    (await findOpen(contract, { ...options, owned: ["orgs.one.read"], target: createOrgs(), ...settings }))
      .map((message) => message.split("\n")[0]!);
  const start = "orgs.one.read: nothing-reached: was not tested with another caller, because";
  assertEquals(await line({ strangers: { token: "nobody" } }), [
    `${start} its credential was answered 401; pass one that the server accepts in the option strangers`,
  ]);
  assertEquals(await line({ target: () => () => new Response(null, { status: 404 }) }), [
    `${start} no call created what it leads to: no response had its location in a header, or its id as "org" or "id" in ` +
    "the body",
  ]);
  const losing = () => {
    const serve = createOrgs()();
    return (request: Request) => request.method === "POST" ? serve(request) : new Response(null, { status: 404 });
  };
  assertEquals(await line({ target: losing }), [
    `${start} the caller who created what it leads to was answered 404, too`,
  ]);
  const ignore = { "owner-only": ["orgs.one.read"] } as const;
  assertEquals(await line({ strangers: { token: "nobody" }, ignore }), []);
});

Deno.test("contractTests() calls functions for the credentials of strangers, and masks them", async () => {
  const secret = "the-credential-of-eve";
  let calls = 0;
  const target = () => {
    const serve = createOrgs(["GET orgs.one.read"])();
    return async (request: Request) => {
      const headers = new Headers(request.headers);
      if (headers.get("authorization") === `Bearer ${secret}`) headers.set("authorization", "Bearer eve");
      const answer = await serve(new Request(request, { headers }));
      return answer.status === 200 ? Response.json({ id: secret, name: "" }) : answer;
    };
  };
  const strangers = { token: () => Promise.resolve((calls++, secret)) };
  const [found, ...others] = await findOpen(contract, { ...options, owned: ["orgs.one.read"], strangers, target });
  assertEquals([others, found?.includes(secret), calls > 0], [[], false, true]);
  assertStringIncludes(found!, "GET /orgs/o1 was answered 200 for another caller");
});

Deno.test("contractTests() asks as a stranger with every credential that a route requires", async () => {
  const basic = security.basic("basic");
  const session = security.cookie("session", { cookie: "session" });
  const byCaller = { add: route.post("/", { body: Note, responses: { 201: z.object({ id: z.string() }) } }) };
  const notes = defineContract({
    responses: { 404: response.empty() },
    routes: {
      alone: router("/alone", {
        security: [basic],
        routes: { ...byCaller, read: route.get("/:note", { responses: { 200: response.text() } }) },
      }),
      both: router("/both", {
        security: [security.all(basic, session)],
        routes: { ...byCaller, read: route.get("/:note", { responses: { 200: response.text() } }) },
      }),
    },
  });
  const server = defineServer(notes, {
    security: [
      verify(basic, ({ username, password }) => ({ name: `${username}:${password}` })),
      verify(session, ({ value }) => ({ value })),
    ],
  });
  const seen: string[] = [];
  const target = createFetchHandler(server.implement({
    alone: {
      add: ({ response }) => response(201, { id: "1" }),
      read: (
        { caller, response },
      ) => (seen.push(caller.name), caller.name === "ada:1" ? response(200, "") : response(404)),
    },
    both: {
      add: ({ response }) => response(201, { id: "1" }),
      read: ({ caller, response }) => {
        const all = `${caller.basic.name} ${caller.session.value}`;
        seen.push(all);
        return all === "ada:1 a" ? response(200, "") : response(404);
      },
    },
  }));
  const found = await findOpen(notes, {
    credentials: { basic: { username: "ada", password: "1" }, session: "a" },
    strangers: { basic: { username: "eve", password: "2" }, session: "e" },
    owned: ["**.read"],
    target,
    runs: 0,
  });
  assertEquals(found, []);
  assertEquals(seen, ["eve:2", "eve:2", "ada:1", "eve:2 e", "eve:2 e", "ada:1 a"]); // GET and HEAD
});

Deno.test("contractTests() throws for strangers and owned routes that cannot be tested", () => {
  const target = createOrgs();
  const mistakes: readonly (readonly [settings: object, message: string])[] = [
    [
      { strangers: { token: "eve" } },
      '"strangers" requires "owned", the routes of what belongs to one caller: ["orgs.**"]',
    ],
    [{ owned: ["orgs.**"] }, '"owned" requires "strangers", the credentials of another caller'],
    [
      { ...options, owned: "orgs.**" },
      '"owned" must be an array of at least one route key or pattern, like ["orgs.**"], got "orgs.**"',
    ],
    [
      { ...options, owned: [] },
      '"owned" must be an array of at least one route key or pattern, like ["orgs.**"], got an array',
    ],
    [{ ...options, owned: [/orgs/] }, '"owned" must contain route keys and patterns, got an object'],
    [
      { ...options, owned: ["org.**"] },
      '"owned" has the pattern "org.**", which matches no route; did you mean "orgs.**"?',
    ],
    [{ ...options, owned: ["org.one.*"] }, 'which matches no route; did you mean "orgs.one.*"?'],
    [{ ...options, owned: ["**.reads"] }, 'which matches no route; did you mean "**.read"?'],
    [
      { ...options, owned: ["orgs.one.raed"] },
      '"owned" has the pattern "orgs.one.raed", which matches no route; did you mean "orgs.one.read"?',
    ],
    [{ ...options, owned: ["orgs.*.lists"] }, "which matches no route"],
    [{ ...options, owned: [""] }, '"owned" has the pattern "", which matches no route'],
    [{ ...options, strangers: { tokn: "eve" } }, 'in "strangers": unknown credential "tokn" (allowed: token)'],
    [
      { ...options, strangers: {} },
      '"strangers" must have a credential for the owned route orgs.list, which accepts "token"',
    ],
    [
      { ...options, credentials: {} },
      '"credentials" must have a credential for the owned route orgs.list, which accepts "token"',
    ],
    [
      { ...options, strangers: { token: "ada" } },
      '"strangers" has the credentials of "credentials"; pass those of another caller',
    ],
    [
      { ...options, target: "http://127.0.0.1:1" },
      '"owned" creates things on the server; pass mutates: true, or a handler as "target"',
    ],
  ];
  for (const [settings, message] of mistakes) {
    const error = assertThrows(() => contractTests(contract, { target, ...settings } as never), TypeError);
    assertStringIncludes(error.message, message);
    assert(error.message.startsWith("contractTests(): "), error.message);
  }
});

Deno.test("patterns of owned routes: * is one key, ** any number, also none", () => {
  const named = (...owned: readonly string[]): string[] =>
    contractTests(contract, { ...callers, owned, target: createOrgs() }).map(({ name }) => name)
      .filter((name) => name.endsWith(": strangers")).map((name) => name.slice(0, -": strangers".length));
  assertEquals(named("orgs.*"), ["orgs.list"]);
  assertEquals(named("orgs.one.*"), [
    "orgs.one.read",
    "orgs.one.rename",
    "orgs.one.change",
    "orgs.one.remove",
    "orgs.one.archive",
  ]);
  assertEquals(named("**.read"), ["orgs.one.read", "orgs.one.users.read"]);
  assertEquals(named("orgs.**.list"), ["orgs.list", "orgs.one.users.list"]);
  assertEquals(named("orgs.one.read.**"), ["orgs.one.read"]);
  assertEquals(named("*.one.**.add", "orgs.one.users.read"), ["orgs.one.users.add", "orgs.one.users.read"]);
  assertEquals(named("**").length, 11);
});
