/** An audit finds each fault of a server, with the verdict that people expect, and nothing in a server without one. */
import { type AuditReport, auditServer } from "@scope/api/audit";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createThings, document, type Serve, token } from "./things.ts";

const credentials = { token };

/** The verdict of each operation that does not agree. */
function differing({ operations }: AuditReport): Record<string, readonly string[]> {
  return Object.fromEntries(
    operations.filter(({ verdict }) => verdict !== "agrees").map(({ operation, verdicts }) => [operation, verdicts]),
  );
}

/** The messages and commands of all findings. */
function findings({ operations }: AuditReport): (readonly [string, string | null])[] {
  return operations.flatMap((each) => each.findings.map(({ message, curl }) => [message, curl] as const));
}

/** A server that answers some requests otherwise. */
function except(
  matches: (request: Request) => boolean,
  change: (answer: Response) => Response | Promise<Response>,
): Serve {
  const serve = createThings();
  return async (request) => {
    const isMatch = matches(request);
    const answer = await serve(request);
    return isMatch && answer.ok ? await change(answer) : answer;
  };
}

const isRead = ({ url, method }: Request): boolean => method === "GET" && /\/things\/[^/]+$/.test(url);
const isList = ({ url, method }: Request): boolean => method === "GET" && /\/things(?:\?|$)/.test(url);
const isMe = ({ url }: Request): boolean => url.endsWith("/me");

Deno.test("auditServer() finds nothing in a server that does what its document says", async () => {
  const report = await auditServer(document, createThings(), { credentials, write: true });
  assertEquals([report.outcome, differing(report), report.reason], ["agrees", {}, null]);
  assertEquals(report.operations.map(({ operation }) => operation), [
    "GET /things",
    "POST /things",
    "GET /things/{id}",
    "DELETE /things/{id}",
    "GET /me",
  ]);
});

Deno.test("auditServer() sends GET and HEAD alone, and says what it did not call", async () => {
  const sent = new Set<string>();
  const serve = createThings();
  const report = await auditServer(document, (request) => {
    sent.add(request.method);
    return serve(request);
  });

  assertEquals([...sent].toSorted(), ["GET", "HEAD"]);
  assertEquals(report.outcome, "agrees");
  assertEquals(differing(report), {
    "POST /things": ["never reached"],
    "DELETE /things/{id}": ["never reached"],
    "GET /me": ["never reached"],
  });
  assertEquals(report.operations.map(({ reason }) => reason), [
    null,
    "it may change something; pass --write to call it",
    null,
    "it may change something; pass --write to call it",
    "no valid request was found, because it requires a credential; pass a credential that the server accepts: --credential token=env:VARIABLE",
  ]);
});

Deno.test("auditServer() never sends an undeclared method that may change something, nor a declared one elsewhere", async () => {
  const sent = new Set<string>();
  const serve = createThings();
  await auditServer(document, (request) => {
    const path = new URL(request.url).pathname;
    if (!["GET", "HEAD"].includes(request.method)) {
      sent.add(`${request.method} ${path.replace(/(things\/).+/s, "$1{id}")}`);
    }
    assert(!/\/\/|%2f|%5c|\/\.\.?(?:\/|$)/i.test(path) || ["GET", "HEAD"].includes(request.method), path);
    return serve(request);
  }, { credentials, write: true });

  assertEquals([...sent].toSorted(), ["DELETE /v1/things/{id}", "POST /v1/things"]);
});

/** A fault, the verdicts that it leads to, and the message of its finding. */
type Fault = readonly [serve: Serve, verdicts: Record<string, readonly string[]>, message: string, curl: string];

const faults: Readonly<Record<string, Fault>> = {
  "a status that the document does not have": [
    except(isRead, (answer) => new Response(answer.body, { status: 203, headers: answer.headers })),
    { "GET /things/{id}": ["undocumented"] },
    "GET /v1/things/1 was answered 203; GET declares 200, 404",
    "curl http://localhost/v1/things/1",
  ],
  "an error that the document does not have": [
    except(isRead, () => Response.json({ message: "I am a teapot" }, { status: 418 })),
    { "GET /things/{id}": ["undocumented"] },
    "GET /v1/things/1 was answered 418; the document allows it, and declares 200, 404",
    "curl http://localhost/v1/things/1",
  ],
  "a failure": [
    except(isList, () => new Response("<h1>Oops</h1>", { status: 500, headers: { "content-type": "text/html" } })),
    { "GET /things": ["undocumented"] },
    "GET /v1/things was answered 500; the server failed",
    "curl http://localhost/v1/things",
  ],
  "a missing field": [
    except(isRead, () => Response.json({ id: "1" })),
    { "GET /things/{id}": ["undocumented"] },
    'GET /v1/things/1 was answered 200 with a body that the document does not declare: it must have the member "name"',
    "curl http://localhost/v1/things/1",
  ],
  "a field of another type": [
    except(isRead, () => Response.json({ id: 1, name: "one" })),
    { "GET /things/{id}": ["undocumented"] },
    "GET /v1/things/1 was answered 200 with a body that the document does not declare: /id must be a string",
    "curl http://localhost/v1/things/1",
  ],
  "a password in an object that may have more members": [
    except(isRead, () => Response.json({ id: "1", name: "one", note: "", password: "lovelace" })),
    { "GET /things/{id}": ["undocumented"] },
    "GET /v1/things/1 was answered 200 with a body that the document does not declare: /password is not described",
    "curl http://localhost/v1/things/1",
  ],
  "a secret below such an object": [
    except(isList, () => Response.json([{ id: "1", name: "one", owner: { login: { passwordHash: "x" } } }])),
    { "GET /things": ["undocumented"] },
    "GET /v1/things was answered 200 with a body that the document does not declare: /0/owner/login/passwordHash is " +
    "not described",
    "curl http://localhost/v1/things",
  ],
  "a member of an object that must not have more": [
    except(isMe, () => Response.json({ name: "Ada", nickname: "Countess" })),
    { "GET /me": ["undocumented"] },
    "GET /v1/me was answered 200 with a body that the document does not declare: /nickname is not allowed",
    "curl http://localhost/v1/me -H 'authorization: ***'",
  ],
  "another content type": [
    except(isRead, async (answer) => new Response(await answer.text(), { headers: { "content-type": "text/html" } })),
    { "GET /things/{id}": ["undocumented"] },
    "GET /v1/things/1 was answered 200 with the content type text/html; the document declares application/json",
    "curl http://localhost/v1/things/1",
  ],
  "credentials that nobody checks": [
    (request) => isMe(request) ? Response.json({ name: "Ada" }) : createThings()(request),
    { "GET /me": ["looser"] },
    "GET /v1/me was answered 200; the document refuses it: it has no credential",
    "curl http://localhost/v1/me",
  ],
  "values that are not checked": [
    (request) => isList(request) ? Response.json([]) : createThings()(request),
    { "GET /things": ["looser"] },
    "GET /v1/things?limit=0 was answered 200; the document refuses it: query/limit must be 1 or more",
    "curl 'http://localhost/v1/things?limit=0'",
  ],
  "values that are refused though the document allows them": [
    (request) =>
      isList(request) && Number(new URL(request.url).searchParams.get("limit")) > 50
        ? Response.json({ message: "At most 50" }, { status: 400 })
        : createThings()(request),
    { "GET /things": ["stricter"] },
    "GET /v1/things?limit=99 was answered 400; the document allows it",
    "curl 'http://localhost/v1/things?limit=99'",
  ],
  "a credential that the document does not ask for": [
    (request) => isList(request) ? new Response(null, { status: 401 }) : createThings()(request),
    { "GET /things": ["stricter"] },
    "GET /v1/things was answered 401; the document allows it, and declares 200, 400",
    "curl http://localhost/v1/things",
  ],
};

for (const [name, [serve, verdicts, message, curl]] of Object.entries(faults)) {
  Deno.test(`auditServer() finds ${name}`, async () => {
    const only = ["listThings", "readThing", "me"];
    const report = await auditServer(document, serve, { credentials, only, values: { id: ["1"] } });
    assertEquals(report.outcome, "drift");
    assertEquals(differing(report), verdicts);
    assertEquals(findings(report).slice(0, 1), [[message, curl]]);
  });
}

Deno.test("auditServer() finds faults of methods that change something, with `write`", async () => {
  const serve = createThings();
  const report = await auditServer(document, async (request) => {
    if (request.method !== "POST") return serve(request);
    const { name } = await request.clone().json().catch(() => ({})) ?? {};
    if (name === "") return Response.json({ id: "0", name: "" }, { status: 201 });
    if (typeof name === "string" && name.length === 20) return Response.json({ message: "Too long" }, { status: 422 });
    return serve(request);
  }, { credentials, write: true });

  assertEquals(differing(report), { "POST /things": ["looser", "stricter"] });
  const [operation] = report.operations.filter(({ verdict }) => verdict !== "agrees");
  assertEquals(operation?.findings.map(({ verdict, curl }) => [verdict, curl?.replace(/.* --data-raw /, "")]), [
    ["looser", `'{"name":""}'`],
    ["stricter", `'{"name":"aaaaaaaaaaaaaaaaaaaa"}'`],
  ]);
});

Deno.test("auditServer() reports as hints what the document does not promise", async () => {
  const serve = createThings();
  const report = await auditServer(document, async (request) => {
    if (request.method === "HEAD") return new Response(null, { status: 405 });
    const answer = await serve(request);
    if (isRead(request) && answer.ok) return Response.json({ ...await answer.json(), createdAt: 0 });
    return answer.status === 404 && !isRead(request) ? new Response("<html>", { status: 200 }) : answer;
  }, { credentials });

  assertEquals(report.outcome, "agrees");
  const rules = report.operations.flatMap(({ hints }) => hints.map(({ rule }) => rule));
  assertEquals([...new Set(rules)].toSorted(), ["head-as-get", "invalid-accepted", "not-found", "undeclared-members"]);
});

Deno.test("auditServer() replaces the path of the document's servers by that of the URL", async () => {
  const audited = async (path: string, mount: string): Promise<AuditReport> => {
    const serve = createThings();
    await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
      const url = new URL(request.url);
      if (!url.pathname.startsWith(`${mount}/`)) return new Response(null, { status: 404 });
      return serve(new Request(`${url.origin}/v1${url.pathname.slice(mount.length)}${url.search}`, request));
    });
    return await auditServer(document, `http://127.0.0.1:${server.addr.port}${path}`, { only: ["listThings"] });
  };
  const results = [
    await audited("", "/v1"), // that of the document
    await audited("", ""), // which is not there
    await audited("/", ""),
    await audited("/other/v2/", "/other/v2"),
    await audited("/elsewhere", "/v1"),
  ];

  assertEquals(results.map(({ outcome }) => outcome), ["agrees", "agrees", "agrees", "agrees", "not run"]);
  assertEquals(results.map(({ target }) => target.replace(/^http:\/\/127\.0\.0\.1:\d+/, "")), [
    "/v1",
    "",
    "",
    "/other/v2",
    "/elsewhere",
  ]);
  assertEquals(results.map(({ notes }) => notes).slice(0, 3), [
    [],
    ["below /v1, the path of its servers, all requests were answered 404; these are the answers without it"],
    [],
  ]);
  assertEquals(
    results[4]?.reason?.replaceAll(/127\.0\.0\.1:\d+/g, "host"),
    "all requests were answered 404; is /elsewhere the right path? Without a path in the URL, it is /v1, as in the document",
  );
});

Deno.test("auditServer() uses given values, and learns others from responses", async () => {
  const serve: Serve = (request) => {
    const path = new URL(request.url).pathname;
    if (path === "/v1/things/secret-42") return Response.json({ id: "secret-42", name: "hidden" });
    return isList(request) ? Response.json([]) : Response.json({ message: "There is no such thing" }, { status: 404 });
  };
  const only = ["readThing"];

  const blind = await auditServer(document, serve, { only });
  assertEquals(blind.outcome, "not run");
  assertEquals(
    blind.reason,
    "all requests were answered 404; is /v1 the right path? Pass another one in the URL: http://localhost/v1, or " +
      "http://localhost/ for none",
  );
  assertEquals((await auditServer(document, serve, { only, values: { id: ["secret-42"] } })).outcome, "agrees");
});

Deno.test("auditServer() sends API keys in the query and in the header authorization, and masks them", async () => {
  const secured = {
    openapi: "3.1.0",
    info: { title: "Keys", version: "1" },
    paths: {
      "/a": { get: { security: [{ inQuery: [] }], responses: { 200: { description: "" }, 401: { description: "" } } } },
      "/b": {
        get: { security: [{ inHeader: [] }], responses: { 200: { description: "" }, 401: { description: "" } } },
      },
    },
    components: {
      securitySchemes: {
        inQuery: { type: "apiKey", in: "query", name: "api_key" },
        inHeader: { type: "apiKey", in: "header", name: "Authorization" },
      },
    },
  };
  const serve: Serve = (request) => {
    const url = new URL(request.url);
    const isKnown = url.pathname === "/a"
      ? url.searchParams.get("api_key") === "key of the query"
      : request.headers.get("authorization") === "key of the header";
    return new Response(null, { status: isKnown ? 204 : 401 });
  };
  const credentials = { inQuery: "key of the query", inHeader: "key of the header" };
  const report = await auditServer(secured, serve, { credentials });

  assertEquals(report.operations.map(({ findings }) => findings.map(({ curl }) => curl)), [
    ["curl 'http://localhost/a?api_key=***'"],
    ["curl http://localhost/b -H 'authorization: ***'"],
  ]);
});

Deno.test("auditServer() accepts any status and media type that the document has, also by default or as one of several", async () => {
  const several = { "application/json": { schema: { type: "string" } }, "text/csv": {}, "image/*": {} };
  const api = {
    openapi: "3.0.3",
    info: { title: "Statuses", version: "1" },
    paths: {
      "/default": { get: { responses: { default: { description: "Anything" } } } },
      "/range": { get: { responses: { "2XX": { description: "Any success" } } } },
      "/types": { get: { responses: { 200: { description: "One of several", content: several } } } },
    },
  };
  const types = ["text/csv", "image/png", "application/json; charset=utf-8"];
  let asked = 0;
  const report = await auditServer(api, ({ url }) => {
    if (!url.endsWith("/types")) return new Response(null, { status: 203 });
    return new Response('"a"', { headers: { "content-type": types[asked++ % 3]! } });
  });
  assertEquals(report.operations.map(({ verdict, findings }) => [verdict, findings]), [
    ["agrees", []],
    ["agrees", []],
    ["agrees", []],
  ]);
});

Deno.test("auditServer() uses given values in bodies, as text and as numbers", async () => {
  const schema = {
    type: "object",
    required: ["product", "shelf"],
    properties: { product: { type: "string" }, shelf: { type: "integer" } },
  };
  const responses = { 201: { description: "" }, 404: { description: "" } };
  const requestBody = { required: true, content: { "application/json": { schema } } };
  const api = {
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    paths: {
      "/orders": { post: { requestBody, responses } },
      "/up": { get: { responses: { 204: { description: "" } } } },
    },
  };
  const serve: Serve = async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 204 });
    const { product, shelf } = await request.json().catch(() => ({})) ?? {};
    if (typeof product !== "string" || !Number.isInteger(shelf)) return new Response(null, { status: 400 });
    return new Response(null, { status: product === "tea-7" && shelf === 12 ? 201 : 404 });
  };
  const blind = await auditServer(api, serve, { write: true });
  assertEquals(blind.operations.map(({ verdict, reason }) => [verdict, reason]), [
    [
      "never reached",
      "its valid requests were answered 21 times 404 and nothing else; pass what exists, such as an id: --value product=… --value shelf=…",
    ],
    ["agrees", null],
  ]);
  const values = { product: ["tea-7"], shelf: ["12"] };
  assertEquals((await auditServer(api, serve, { write: true, values })).operations.map(({ verdict }) => verdict), [
    "agrees",
    "agrees",
  ]);
});

Deno.test("auditServer() shows harmless header fields, and masks others", async () => {
  const headers = { Accept: "application/json", "X-Tenant": "acme-and-sons" };
  const report = await auditServer(document, () => Response.json({}, { status: 203 }), {
    headers,
    only: ["listThings"],
  });
  const [finding] = report.operations.flatMap(({ findings }) => findings);
  assertEquals(finding?.curl, "curl http://localhost/v1/things -H 'accept: application/json' -H 'x-tenant: ***'");
});

Deno.test("auditServer() refuses documents and options that it cannot use", async () => {
  const server = () => new Response();
  const refused: readonly (readonly [run: () => Promise<unknown>, message: string])[] = [
    [() => auditServer(null as never, server), "the document must be an object, got null"],
    [() => auditServer([], "http://localhost/v1"), "the document must be an object, got an array"],
    [
      () => auditServer({ openapi: "3.1.0", paths: {} }, server),
      "no operation can be declared; the document has no paths with operations",
    ],
    [
      () => auditServer(document, "localhost:3000"),
      'the server must be a URL like http://127.0.0.1:3000, got "localhost:3000"',
    ],
    [
      () => auditServer(document, "http://a:b@localhost"),
      "the URL of the server must have no username and password; pass them as a credential",
    ],
    [() => auditServer(document, "http://localhost?a=1"), "the URL of the server must have no query and no fragment"],
    [() => auditServer(document, server, { timout: 1 } as never), 'unknown option "timout"; did you mean "timeout"?'],
    [() => auditServer(document, server, { timeout: 0 }), '"timeout" must be a positive integer, got 0'],
    [
      () => auditServer(document, server, { credentials: { token: "" } }),
      '"credentials" must have a text for "token", got an empty one',
    ],
    [
      () => auditServer(document, server, { credentials: { tokem: "a" } }),
      'no operation requires the security scheme "tokem"; the schemes are token',
    ],
    [() => auditServer(document, server, { headers: { "x y": "a" } }), '"x y" is not the name of a header field'],
    [
      () => auditServer(document, server, { headers: { x: "a\nb" } }),
      "the header field x must have text without line breaks",
    ],
    [
      () => auditServer(document, server, { values: { id: "1" as never } }),
      '"values" must have an array of texts for "id", got "1"',
    ],
  ];
  for (const [run, message] of refused) {
    const error = await assertRejects(run, TypeError);
    assertStringIncludes(error.message, `Cannot audit: ${message}`);
  }
});

Deno.test("auditServer() does not call a server stricter that refuses references to what does not exist", async () => {
  const json = (schema: object) => ({ description: "", content: { "application/json": { schema } } });
  const Product = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
  const Order = {
    type: "object",
    required: ["product", "note"],
    properties: { product: { type: "integer" }, note: { type: "string", maxLength: 9 } },
  };
  const api = {
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    paths: {
      "/products": { get: { responses: { 200: json({ type: "array", items: Product }) } } },
      "/products/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        get: { responses: { 200: json(Product), 404: { description: "" } } },
      },
      "/orders": {
        post: {
          requestBody: { required: true, content: { "application/json": { schema: Order } } },
          responses: { 204: { description: "" }, 422: { description: "" } },
        },
      },
    },
  };
  /** Notes may have as many characters as `most` says. */
  const serve = (most: number): Serve => async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/products") return Response.json([{ id: 7 }]);
    if (pathname !== "/orders") {
      return pathname === "/products/7" ? Response.json({ id: 7 }) : new Response(null, { status: 404 });
    }
    const { product, note } = await request.json().catch(() => ({})) ?? {};
    const isValid = product === 7 && typeof note === "string" && [...note].length <= most;
    return new Response(null, { status: isValid ? 204 : 422 });
  };
  const options = { write: true, maxRequests: 300, values: { product: ["7"] } };
  const verdicts = async (most: number) =>
    (await auditServer(api, serve(most), options)).operations.map(({ verdict }) => verdict);

  assertEquals(await verdicts(9), ["agrees", "agrees", "agrees"]);
  assertEquals(await verdicts(8), ["agrees", "agrees", "stricter"]);
});

Deno.test("auditServer() finds what exists by the ids of its list, and signs out and deletes collections last", async () => {
  const ok = { 200: { description: "", content: { "application/json": { schema: {} } } }, 404: { description: "" } };
  const path = (name: string) => [{ name, in: "path", required: true, schema: { type: "string" } }];
  const gone = { 204: { description: "" }, 404: { description: "" } };
  const api = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: {
      "/logout": { post: { responses: gone } },
      "/pets": { get: { responses: ok }, delete: { responses: gone } },
      "/pets/{petId}": { parameters: path("petId"), get: { responses: ok }, delete: { responses: gone } },
      "/homes/{homeId}": { parameters: path("homeId"), get: { responses: ok } },
    },
  };
  const methods: string[] = [];
  const report = await auditServer(api, ({ method, url }) => {
    const { pathname } = new URL(url);
    const place = `${method} ${pathname}`;
    if (method !== "HEAD") methods.push(place);
    if (pathname === "/pets" && method === "GET") return Response.json([{ id: "p-17", home: { id: "h-1" } }]);
    if (place === "GET /pets/p-17") return Response.json({ id: "p-17" });
    const isGone = ["DELETE /pets/p-17", "DELETE /pets", "POST /logout"].includes(place);
    return new Response(null, { status: isGone ? 204 : 404 });
  }, { write: true, maxRequests: 400 });

  assertEquals(differing(report), { "GET /homes/{homeId}": ["never reached"] });
  const firsts = ["GET /pets", "DELETE /pets/p-17", "DELETE /pets", "POST /logout"].map((each) =>
    methods.indexOf(each)
  );
  assertEquals(firsts, firsts.toSorted((one, other) => one - other));
});

Deno.test("auditServer() tells a value that is refused from values that are refused together, which is a hint", async () => {
  const bound = { type: "integer", minimum: 0, maximum: 99 };
  const parameters = ["from", "to"].map((name) => ({ name, in: "query", required: true, schema: bound }));
  const responses = { 200: { description: "" }, 400: { description: "" } };
  const api = {
    openapi: "3.1.0",
    info: { title: "Ranges", version: "1" },
    paths: { "/": { get: { parameters, responses } } },
  };
  const serve = (refuses: (from: number, to: number) => boolean): Serve => ({ url }) => {
    const [from, to] = ["from", "to"].map((name) => new URL(url).searchParams.get(name) ?? "");
    const isInvalid = [from, to].some((text) => !/^\d{1,2}$/.test(text!));
    return new Response(null, { status: isInvalid || refuses(Number(from), Number(to)) ? 400 : 200 });
  };
  const verdictOf = async (refuses: (from: number, to: number) => boolean) => {
    const { operations: [operation] } = await auditServer(api, serve(refuses));
    return [operation?.verdict, operation?.hints.filter(({ rule }) => rule === "valid-refused").length];
  };

  assertEquals(await verdictOf((from, to) => from > to), ["agrees", 1]);
  assertEquals(await verdictOf((from) => from === 99), ["stricter", 0]);
  assertEquals(await verdictOf(() => false), ["agrees", 0]);
  Object.assign(bound, { not: { const: 99 } }); // a keyword that is not checked
  assertEquals(await verdictOf((from) => from === 99), ["agrees", 1]);
});

const text = { type: "string" };
const answers: Readonly<Record<string, readonly [schema: object, value: unknown, message: string | undefined]>> = {
  "date-time": [{ ...text, format: "date-time" }, "2026-01-31 09:30", " does not have the format date-time"],
  "a date of a leap second": [{ ...text, format: "date-time" }, "2016-12-31t23:59:60.5+01:00", undefined],
  email: [{ ...text, format: "email" }, "ada", " does not have the format email"],
  "an odd email": [{ ...text, format: "email" }, '"a @b"@localhost', undefined],
  uuid: [{ ...text, format: "uuid" }, "42", " does not have the format uuid"],
  "a uuid of another version": [{ ...text, format: "uuid" }, "FFFFFFFF-0000-9000-0000-000000000001", undefined],
  "one of several formats": [
    { anyOf: [{ ...text, format: "uuid" }, { ...text, format: "date" }] },
    "2026-01-31",
    undefined,
  ],
  "a format that is not known": [{ ...text, format: "isbn" }, "?", undefined],
  "unique items": [{ type: "array", uniqueItems: true }, [1, 1], " must have unique items"],
  "too few members": [{ type: "object", minProperties: 1 }, {}, " must have at least 1 member"],
};

for (const [name, [schema, value, message]] of Object.entries(answers)) {
  Deno.test(`auditServer() checks in responses: ${name}`, async () => {
    const responses = { 200: { description: "", content: { "application/json": { schema } } } };
    const api = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths: { "/": { get: { responses } } } };
    const [found] = findings(await auditServer(api, () => Response.json(value), { maxRequests: 20 }));
    assertEquals(found?.[0].split("does not declare: it")[1], message);
  });
}

Deno.test("auditServer() sends a value that is wrong for each part of a request", async () => {
  const schema = {
    type: "object",
    additionalProperties: false,
    required: ["name", "tags"],
    properties: {
      name: { type: "string", pattern: "^[a-z]+$" },
      tags: { type: "array", uniqueItems: true, items: text },
    },
  };
  const requestBody = { required: true, content: { "application/json": { schema } } };
  const parameters = [{ name: "x-tenant", in: "header", required: true, schema: { type: "string", enum: ["a", "b"] } }];
  const responses = { 204: { description: "" }, 400: { description: "" } };
  const paths = { "/": { post: { parameters, requestBody, responses } } };
  const sent = new Set<string>();
  const isSound = ({ name, tags, ...others }: Record<string, unknown>): boolean =>
    /^[a-z]+$/.test(String(name)) && Array.isArray(tags) && new Set(tags).size === tags.length &&
    tags.every((tag) => typeof tag === "string") && Object.keys(others).length === 0;
  await auditServer({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths }, async (request) => {
    const [tenant, body] = [request.headers.get("x-tenant"), await request.text()];
    sent.add(`${tenant} ${body}`);
    const isAccepted = ["a", "b"].includes(tenant ?? "") && body.startsWith("{") && body.endsWith("]}") &&
      isSound(JSON.parse(body));
    return new Response(null, { status: isAccepted ? 204 : 400 });
  }, { write: true, maxRequests: 400 });

  const wrong = [
    /^a \{"tags":\[[^\]]*\]\}$/,
    /^a \{"name":"a"\}$/,
    /"zzz":0/,
    /"name":"~"/,
    /"tags":"~"/,
    /"tags":\["",""\]/,
    /^null /,
    /^~ /,
  ];
  assertEquals(wrong.filter((each) => ![...sent].some((request) => each.test(request))), []);
});
