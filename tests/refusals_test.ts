/** Declared refusals mean the same for the server, its clients, mocks, documents, contract tests and comparisons. */
import { type Contract, defineContract, response, route, router, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer, fieldErrors, type Refuse, verify } from "@scope/api/server";
import { json, slimContract } from "@scope/api/slim";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import { findAll, firstLine } from "./testing/findings.ts";

const Messages = type({ errors: { "[string]": "string[]" } });
const Errors = response.json(Messages);
const Article = type({ title: "1 <= string <= 20" });
const token = security.bearer("token");

const refusals = {
  400: 422,
  401: Errors,
  404: Errors,
  405: 404,
  413: 422,
  415: 422,
  422: Errors,
  500: Errors,
} as const;
const routes = {
  health: route.get("/health", { security: [], responses: { 200: response.text() } }),
  articles: router("/articles", {
    security: [token],
    routes: {
      create: route.post("/", { body: Article, responses: { 201: response.json(Article), 409: Errors } }),
      byTitle: route.get("/:title", { responses: { 200: response.json(Article), 404: Errors } }),
    },
  }),
};
const contract = defineContract({ refusals, routes });

const refuse: Refuse<typeof refusals> = ({ problem, status, response }) => {
  if (!status) return;
  return response(status, { errors: problem.issues ? fieldErrors(problem) : { [problem.code]: [problem.title] } });
};

type Answer = (request: Request) => Response | Promise<Response>;

/** A correct server. */
function serve(): Answer {
  const articles = new Map<string, { title: string }>();
  const server = defineServer(contract, {
    security: [verify(token, ({ token }) => token === "good" ? {} : null)],
    refuse,
  });
  return createFetchHandler(server.implement({
    health: ({ response }) => response(200, "ok"),
    articles: {
      create: ({ body, response }) => {
        if (articles.has(body.title)) return response(409, { errors: { title: ["is taken"] } });
        articles.set(body.title, body);
        return response(201, body);
      },
      byTitle: ({ params, response }) => {
        const found = articles.get(params.title);
        return found ? response(200, found) : response(404, { errors: { title: ["is unknown"] } });
      },
    },
  }));
}

const good = { authorization: "Bearer good", "content-type": "application/json" };

/** Requests that the server refuses, with the status and the first key of the content. */
const refused: readonly (readonly [status: number, key: string, path: string, init?: RequestInit])[] = [
  [401, "unauthorized", "/articles/a"],
  [401, "unauthorized", "/articles", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
  [422, "title", "/articles", { method: "POST", body: "{}", headers: good }],
  [422, "invalid-body", "/articles", { method: "POST", body: "{", headers: good }],
  [422, "unsupported-media-type", "/articles", {
    method: "POST",
    body: "a",
    headers: { ...good, "content-type": "a/b" },
  }],
  [422, "invalid-path", "/articles/%ff", { headers: good }],
  [404, "not-found", "/nowhere"],
  [404, "method-not-allowed", "/health", { method: "DELETE" }],
];

/** What a handler responds to a request. */
async function ask(answer: Answer, path: string, init?: RequestInit): Promise<unknown> {
  const { status, headers, body } = await answer(new Request(`http://localhost${path}`, init));
  const fields = ["content-type", "www-authenticate", "allow", "cache-control"].map((name) => headers.get(name));
  return { status, fields, body: body && await new Response(body).json() };
}

Deno.test("a server sends its refusals as the contract declares them", async () => {
  for (const [status, key, path, init] of refused) {
    const { status: sent, body } = await ask(serve(), path, init) as { status: number; body: { errors: object } };
    assertEquals([sent, Object.keys(body.errors)], [status, [key]], path);
  }
});

Deno.test("a mock with the server's refuse refuses as the server does", async () => {
  const mock = mockContract(contract, {
    refuse,
    security: [verify(token, ({ token }) => token === "good" ? {} : null)],
  });
  for (
    const [, , path, init] of [...refused, [0, "", "/articles/a", {
      headers: { authorization: "Bearer bad" },
    }]] as const
  ) {
    assertEquals(await ask(mock, path, init), await ask(serve(), path, init), path);
  }
});

Deno.test("a mock without refuse generates the refusals that the contract declares", async () => {
  const [mock, again] = [mockContract(contract), mockContract(contract)];
  for (const [status, , path, init] of refused) {
    const answer = await ask(mock, path, init) as { status: number; body: unknown };
    assertEquals(answer.status, status, path);
    assert(Messages.allows(answer.body), path);
    assertEquals(await ask(again, path, init), answer);
  }
});

Deno.test("a mock sends problem documents and empty refusals as the server does", async () => {
  const contract = defineContract({
    refusals: { 400: 422, 404: response.empty(), 422: response.problem() },
    routes: { one: route.get("/one/:id", { params: type({ id: "/^[0-9]+$/" }), responses: { 200: response.text() } }) },
  });
  const server = createFetchHandler(
    defineServer(contract).implement({ one: ({ response }) => response(200, "one") }),
  );
  const mock = mockContract(contract);
  for (const path of ["/one/a", "/none"]) assertEquals(await ask(mock, path), await ask(server, path));
  const { status, body } = await ask(mock, "/one/a") as { status: number; body: { status: number; code: string } };
  assertEquals([status, body.status, body.code], [422, 422, "invalid-request"]);
  assertEquals(await ask(mock, "/none"), { status: 404, fields: [null, null, null, null], body: null });
});

Deno.test("a mock responds with a refusal if a request prefers it", async () => {
  const headers = { ...good, prefer: "code=422" };
  const { status, body } = await ask(mockContract(contract), "/articles/a", { headers }) as {
    status: number;
    body: unknown;
  };
  assertEquals(status, 422);
  assert(Messages.allows(body));
});

Deno.test("a client receives refusals with their types", async () => {
  for (const fetch of [serve(), mockContract(contract, { refuse })]) {
    const client = createClient(contract, {
      baseUrl: "http://localhost",
      fetch: (request) => fetch(request as Request),
    });
    const result = await client.articles.byTitle({ params: { title: "a" } });
    assertType<IsExact<typeof result.status, 200 | 401 | 404 | 422 | 500>>(true);
    assert(result.status === 401);
    assertType<IsExact<typeof result.body, typeof Messages.infer>>(true);
    assertEquals(result.body, { errors: { unauthorized: ["Unauthorized"] } });
  }
});

Deno.test("a client of a slim contract receives refusals as one of the whole contract does", async () => {
  const whole = defineContract({
    refusals,
    routes: { byTitle: route.get("/articles/:title", { responses: { 200: response.json(Article) } }) },
  });
  const slim = slimContract<typeof whole>({
    byTitle: ["GET", "/articles/:title", {}, { 200: json, 422: json, 500: json }],
  });
  const options = { baseUrl: "http://localhost", fetch: mockContract(whole, { status: { byTitle: 422 } }) };
  const [one, other] = await Promise.all(
    [whole, slim].map((each) => createClient(each, options).byTitle({ params: { title: "a" } })),
  );
  assertEquals([one!.status, one!.body], [422, other!.body]);
  // @ts-expect-error the row lacks a refusal that can occur
  slimContract<typeof whole>({ byTitle: ["GET", "/articles/:title", {}, { 200: json, 500: json }] });
});

Deno.test("a document lists each refusal only where it can occur, as the contract declares it", () => {
  const { paths } = openApiDocument(contract, { info: { title: "Articles", version: "1.0.0" } });
  const { get, post } = { get: paths["/articles/{title}"]!.get!, post: paths["/articles"]!.post! };
  assertEquals(Object.keys(paths["/health"]!.get!.responses), ["200", "500"]);
  assertEquals(Object.keys(get.responses), ["200", "401", "404", "422", "500"]);
  assertEquals(Object.keys(post.responses), ["201", "401", "409", "422", "500"]);
  for (const { responses } of [get, post]) {
    for (const status of ["401", "422", "500"]) {
      assertEquals(Object.keys(responses[status]!.content!), ["application/json"]);
    }
  }
  assertEquals(get.responses["422"]!.description, "The request is malformed or invalid.");
  assertEquals(
    post.responses["422"]!.description,
    "The request is malformed or invalid. The body is longer than the server allows. The media type of the body is not supported.",
  );
  assertEquals(get.responses["401"]!.headers?.["www-authenticate"]?.required, true);
  assertEquals(get.responses["404"]!.description, "Not Found");
});

/** A server with a fault in its responses. */
function break_(change: (answer: Response, request: Request) => Response | Promise<Response>): () => Answer {
  return () => {
    const answer = serve();
    return async (request) => await change(await answer(request.clone() as Request), request);
  };
}

/** The first lines of what contract tests find. */
async function find(target: () => Answer): Promise<readonly string[]> {
  const found = await findAll(contractTests(contract, { target, credentials: { token: "good" }, runs: 20 }));
  return [...new Set(found.map(firstLine))];
}

Deno.test("contract tests accept declared refusals", async () => {
  assertEquals(await find(serve), []);
  const mock = () =>
    mockContract(contract, { refuse, security: [verify(token, ({ token }) => token === "good" ? {} : null)] });
  assertEquals((await find(mock)).filter((line) => !line.includes("deleted-is-gone")), []);
});

Deno.test("contract tests require declared refusals", async () => {
  const asProblem = await find(
    break_(({ status }, request) =>
      status === 422
        ? Response.json({ status: 400, code: "invalid-body" }, {
          status: 400,
          headers: { "content-type": "application/problem+json" },
        })
        : serve()(request)
    ),
  );
  assert(asProblem.some((line) => line.includes("the contract refuses it with 422")), asProblem.join("\n"));
  const otherBody = await find(
    break_((answer) => answer.status === 422 ? Response.json({ error: "no" }, { status: 422 }) : answer),
  );
  assert(
    otherBody.some((line) => line.includes("body-matches") && line.includes("was answered 422")),
    otherBody.join("\n"),
  );
  const outside = await find(
    break_((answer, { url }) =>
      answer.status === 404 && !url.includes("/articles/") ? Response.json({}, { status: 404 }) : answer
    ),
  );
  assert(
    outside.some((line) => line.includes("body-matches") && line.includes("was answered 404")),
    outside.join("\n"),
  );
});

Deno.test("contract tests find a refusal of a valid request", async () => {
  const lines = await find(
    break_((answer) => answer.status === 201 ? Response.json({ errors: {} }, { status: 422 }) : answer),
  );
  assert(lines.some((line) => line.startsWith("articles.create: valid-refused")), lines.join("\n"));
});

Deno.test("a comparison reports changed refusals of each route", () => {
  const Other = response.json(type({ errors: "string[]" }));
  const changed = defineContract({ refusals: { ...refusals, 422: Other, 500: Errors } as const, routes });
  const changes = diffContracts(contract, changed).map(({ verdict, route, where }) => `${verdict} ${route} ${where}`);
  assertEquals(
    new Set(changes),
    new Set(["breaking articles.create 422 /errors", "breaking articles.byTitle 422 /errors"]),
  );
  assertEquals(diffContracts(contract, contract), []);
});

const every = {
  400: Errors,
  401: Errors,
  403: Errors,
  404: Errors,
  405: Errors,
  413: Errors,
  415: Errors,
  500: Errors,
} as const;

const short = defineContract({ refusals: Errors, routes });
const whole = defineContract({ refusals: every, routes });

Deno.test("one response in the place of refusals means an object with it at each status", () => {
  assertEquals(short, whole);
  assert(Object.isFrozen(short.refusals));

  const info = { title: "Articles", version: "1.0.0" };
  const document = openApiDocument(short, { info });
  assertEquals(document, openApiDocument(whole, { info }));
  const statuses = ["201", "400", "401", "409", "413", "415", "500"];
  assertEquals(Object.keys(document.paths["/articles"]!.post!.responses), statuses);
  assertEquals(Object.keys(document.paths["/health"]!.get!.responses), ["200", "500"]);
  assertEquals([diffContracts(short, whole), diffContracts(whole, short)], [[], []]);
});

Deno.test("clients, slim contracts, mocks and contract tests know the one response in the place of refusals", async () => {
  const refuse: Refuse<typeof short.refusals> = ({ problem, status, response }) =>
    status && response(status, { errors: problem.issues ? fieldErrors(problem) : { [problem.code]: [problem.title] } });
  const checked = [verify(token, ({ token }) => token === "good" ? {} : null)] as const;
  const target = (): Answer => mockContract(short, { refuse, security: checked });
  const found = await findAll(contractTests(short, { target, credentials: { token: "good" }, runs: 20 }));
  assertEquals(found.map(firstLine).filter((line) => !line.includes("deleted-is-gone")), []);

  const add = route.post("/add", { body: Article, responses: { 201: response.json(Article) } });
  const open = defineContract({ refusals: Errors, routes: { add } });
  const slim = slimContract<typeof open>({
    add: ["POST", "/add", { body: json }, { 201: json, 400: json, 413: json, 415: json, 500: json }],
  });
  for (const contract of [open, slim]) {
    const client = createClient(contract, { baseUrl: "http://localhost", fetch: mockContract(open) });
    const result = await client.add({ body: { title: "" } });
    assert(result.status === 400);
    assertType<IsExact<typeof result.body, typeof Messages.infer>>(true);
    assert(Messages.allows(result.body));
  }
});

Deno.test("a nearer object of refusals replaces single statuses of one response, and one response all statuses", () => {
  const Other = response.text();
  const read = route.get("/read/:id", { refusals: { 400: Other }, responses: { 200: response.text() } });
  const add = route.post("/add", { body: Article, refusals: Errors, responses: { 201: response.empty() } });
  const nested = router("/nested", { refusals: { 400: 422, 422: Other }, routes: { read, add } });
  const routes = defineContract({ refusals: Errors, routes: { read, nested } }).routes;

  assertEquals(routes.read.refusals, { ...every, 400: Other });
  assertEquals(routes.read.responses, { 200: read.responses[200], 400: Other, 500: Errors });
  assertEquals(routes.nested.read.refusals, { ...every, 400: Other, 422: Other });
  assertEquals(routes.nested.add.refusals, { ...every, 422: Other });
  assertEquals(Object.keys(routes.nested.add.responses), ["201", "400", "413", "415", "500"]);
  const below = defineContract({
    refusals: { 500: Other },
    routes: { router: router("/", { refusals: Errors, routes: { add } }) },
  });
  assertEquals(below.routes.router.add.refusals, every);
  assertEquals(below.refusals, { 500: Other });
});

/** A contract of one route with these refusals. */
function declare(refusals: unknown, of: object = {}): Contract {
  const one = route.post("/one", { body: Article, responses: { 201: response.empty() }, ...of });
  return defineContract({ refusals: refusals as never, routes: { one } });
}

Deno.test("a server refuses invalid refusals, and names the place", () => {
  const invalid: readonly (readonly [refusals: unknown, words: string])[] = [
    [{ 400: 422 }, "400: 422, but no response 422"],
    [{ 400: 422, 422: 409, 409: Errors }, "400: 422, but no response 422"],
    [
      { 400: 500, 500: Errors },
      "400: 500; a status except 401 can become another of its class, except 401, 405, 407, 426",
    ],
    [
      { 401: 422, 422: Errors },
      "401: 422; a status except 401 can become another of its class, except 401, 405, 407, 426",
    ],
    [{ 404: 405, 405: Errors }, "404: 405; a status except 401 can become another of its class"],
    [{ 400: 426, 426: Errors }, "400: 426; a status except 401 can become another of its class"],
    [{ 400: 400 }, "400: 400, but no response 400"],
    [{ 418: Errors }, "418, but the server refuses with 400, 401, 403, 404, 405, 413, 415, 500, or what they become"],
    [{ 200: Errors }, "200, but the server refuses with 400"],
    [{ 400: 200, 200: Errors }, "200, but the server refuses with 400"],
    [{ 400: type("string") }, "400: a schema; declare a response with a whole body, or another status"],
    [{ 400: response.stream() }, "400: response.stream(); declare a response with a whole body, or another status"],
    [{ 400: response.raw() }, "400: response.raw(); declare a response with a whole body, or another status"],
    [response.raw(), "400: response.raw(); declare a response with a whole body, or another status"],
    [response.sse(Article), "400: response.sse(); declare a response with a whole body, or another status"],
    [{ 400: "422" }, '400: "422"; declare a response with a whole body, or another status'],
  ];
  for (const [refusals, words] of invalid) {
    for (
      const [declared, place] of [[declare(refusals), "the contract"], [declare({}, { refusals }), "one"]] as const
    ) {
      const expected = ` has "refusals" with ${words}`;
      assertThrows(() => defineServer(declared, { refuse } as never), TypeError, `defineServer(): ${place}${expected}`);
    }
  }
  const other = declare({ 400: Errors }, { responses: { 201: response.empty(), 400: response.text() } });
  const words = 'one has another 400 in "responses" than in "refusals"; use the same declaration';
  assertThrows(() => defineServer(other, { refuse } as never), TypeError, `defineServer(): ${words}`);
  const conflict = declare(Errors, { responses: { 201: response.empty(), 415: response.json(Messages) } });
  const state = 'one has another 415 in "responses" than in "refusals"; use the same declaration';
  assertThrows(() => defineServer(conflict, { refuse } as never), TypeError, `defineServer(): ${state}`);
  const schema = '"refusals" must be a response or an object, got a schema; write response.json(schema)';
  assertThrows(() => declare(Messages), TypeError, `defineContract(): ${schema}`);
  assertThrows(() => declare({}, { refusals: Messages }), TypeError, `route.post("/one"): ${schema}`);
  for (const refusals of [null, [], "400", 422, () => Errors]) {
    assertThrows(() => declare(refusals as never), TypeError, '"refusals" must be a plain');
  }
});

Deno.test("refusals can be the response of response.statuses(), which a route declares too", async () => {
  const Problem = response.problem();
  const contract = defineContract({
    refusals: { 404: Problem },
    routes: {
      read: route.get("/read", { responses: { ...response.statuses("4XX", Problem), 200: response.text() } }),
    },
  });
  const handler = createFetchHandler(defineServer(contract).implement({ read: ({ response }) => response(404) }));

  assertEquals((await handler(new Request("http://localhost/read"))).status, 404);
  assertEquals((await handler(new Request("http://localhost/other"))).status, 404);
});
