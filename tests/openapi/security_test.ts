/** Security in documents: schemes, requirements, and the refusals that follow from them. */
import {
  defineContract,
  response,
  route,
  type RouteDeclaration,
  router,
  type Security,
  security,
  type SecurityScheme,
} from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { type Contract, type OpenApiDocument, openApiDocument, type OpenApiResponse } from "@scope/api/openapi";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { describeRoute, describeRoutes, info } from "./describe_routes.ts";
import { assertValid } from "../support/validate_document.ts";

const responses = { 200: response.empty() };
const token = security.bearer("token", {
  scopes: ["read", "write"],
  format: "JWT",
  description: "From the members' page.",
});
const login = security.basic("login", { scopes: ["read"] });
const partner = security.apiKey("partner", { header: "x-api-key" });
const session = security.cookie("session", { cookie: "__Host-session", scopes: ["read"] });
const certificate = security.custom("certificate", {
  challenge: "Mutual",
  openapi: { type: "mutualTLS" },
  description: "Ours.",
});
const plain = security.bearer("plain");

const methods = ["get", "post", "delete", "query"] as const;

/** A route of any method. */
function declare(
  method: (typeof methods)[number],
  path: `/${string}`,
  options: { readonly security: Security; readonly responses: typeof responses },
): RouteDeclaration {
  return (route[method] as (path: string, options: object) => RouteDeclaration)(path, options);
}

Deno.test("openApiDocument() describes a security scheme of each kind, by name", async () => {
  const own = security.bearer("own", { scheme: "Token" });
  const oauth = security.bearer("oauth", {
    scopes: ["read", "write"],
    oauth2: {
      flows: {
        clientCredentials: { tokenUrl: "https://a.example/token" },
        authorizationCode: {
          authorizationUrl: "https://a.example/authorize",
          tokenUrl: "https://a.example/token",
          scopes: { read: "Reads" },
        },
      },
    },
  });
  const connect = security.bearer("connect", { openIdConnect: "https://a.example/.well-known/openid-configuration" });
  const schemes = [token, own, oauth, connect, login, partner, session, certificate, plain];
  const document = describeRoutes(
    Object.fromEntries(schemes.map((each) => [each.name, route.get(`/${each.name}`, { security: [each], responses })])),
  );

  assertEquals(document.components?.securitySchemes, {
    token: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "From the members' page." },
    own: { type: "http", scheme: "token" },
    oauth: {
      type: "oauth2",
      flows: {
        clientCredentials: { tokenUrl: "https://a.example/token", scopes: { read: "", write: "" } },
        authorizationCode: {
          authorizationUrl: "https://a.example/authorize",
          tokenUrl: "https://a.example/token",
          scopes: { read: "Reads" },
        },
      },
    },
    connect: { type: "openIdConnect", openIdConnectUrl: "https://a.example/.well-known/openid-configuration" },
    login: { type: "http", scheme: "basic" },
    partner: { type: "apiKey", in: "header", name: "x-api-key" },
    session: { type: "apiKey", in: "cookie", name: "__Host-session" },
    certificate: { type: "mutualTLS", description: "Ours." },
    plain: { type: "http", scheme: "bearer" },
  });
  await assertValid(document);
});

Deno.test("security.bearer() refuses oauth2 together with openIdConnect, because a document can list only one", () => {
  const options = { oauth2: { flows: {} }, openIdConnect: "https://a.example/.well-known/openid-configuration" };

  const error = assertThrows(() => security.bearer("both", options), TypeError);
  assertStringIncludes(error.message, 'security.bearer("both")');
  assertStringIncludes(error.message, '"oauth2" and "openIdConnect" cannot be combined; remove one');
});

Deno.test("openApiDocument() lists the security of each operation, inherited or its own, in order", async () => {
  const contract = defineContract({
    security: [token, session],
    routes: {
      inherited: route.get("/inherited", { responses }),
      open: route.get("/open", { security: [], responses }),
      optional: route.get("/optional", { security: [security.none, token.scoped("read")], responses }),
      group: router("/group", {
        security: [token.scoped("write", "read"), partner],
        routes: { leaf: route.get("/", { responses }) },
      }),
    },
  });
  for (const version of ["3.1", "3.2"] as const) {
    const document = openApiDocument(contract as Contract, { info, version });
    const listed = Object.values(document.paths).map((item) => [item.get?.operationId, item.get?.security]);

    assertEquals(listed, [
      ["inherited", [{ token: [] }, { session: [] }]],
      ["open", []],
      ["optional", [{}, { token: ["read"] }]],
      ["group.leaf", [{ token: ["write", "read"] }, { partner: [] }]],
    ]);
    assertEquals(Object.keys(document.components?.securitySchemes ?? {}), ["token", "session", "partner"]);
    await assertValid(document);
  }
});

Deno.test("openApiDocument() omits security if the contract does", () => {
  const document = describeRoutes({ leaf: route.get("/", { responses }) });

  assert(!("securitySchemes" in document.components!));
  assert(!("security" in document.paths["/"]!.get!));
});

Deno.test("openApiDocument() lists the 401 of routes that refuse callers, with its challenges", () => {
  const refused: OpenApiResponse = {
    description: "The credential is missing or invalid.",
    headers: {
      "www-authenticate": {
        description: "A challenge for each scheme that is accepted (RFC 9110, section 11.6.1).",
        required: true,
        schema: { type: "string" },
      },
    },
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        example: { type: "about:blank", title: "Unauthorized", status: 401, code: "unauthorized" },
      },
    },
  };
  const answerTo = (list: Security): OpenApiResponse | undefined =>
    describeRoute(route.get("/", { security: list, responses })).responses["401"];

  assertEquals(answerTo([partner]), refused);
  assertEquals(answerTo([certificate]), refused);
  assertEquals(answerTo([token, security.none]), { ...refused, description: "The credential is invalid." });
  assertEquals(answerTo([session, certificate, security.none]), undefined);
  assertEquals(answerTo([]), undefined);
});

Deno.test("openApiDocument() lists the 403 of routes with scopes, and of those that other sites may call with a cookie", () => {
  const keyed = security.apiKey("keyed", { header: "x-key", scopes: ["read"] });
  const answerTo = (method: (typeof methods)[number], list: Security, declared: object = responses): unknown => {
    const { description, headers, content } = describeRoute(
      declare(method, "/", { security: list, responses: declared as typeof responses }),
      { version: "3.2" },
    ).responses["403"] ?? {};
    const { code } = (content?.["application/problem+json"]?.example ?? {}) as { readonly code?: string };
    return description && [description, headers?.["www-authenticate"] !== undefined, code];
  };
  const lacking = "The caller lacks a scope.";
  const foreign = "A page of another site made the request.";

  assertEquals(answerTo("get", [token]), undefined);
  assertEquals(answerTo("post", [token, partner]), undefined);
  assertEquals(answerTo("get", [session]), undefined);
  assertEquals(answerTo("query", [session]), undefined);
  assertEquals(answerTo("get", [keyed.scoped("read")]), [lacking, false, "forbidden"]);
  assertEquals(answerTo("get", [token.scoped("read")]), [lacking, true, "forbidden"]);
  assertEquals(answerTo("get", [session.scoped("read")]), [lacking, false, "forbidden"]);
  assertEquals(answerTo("post", [session, security.none]), [foreign, false, "cross-site"]);
  assertEquals(answerTo("post", [login]), [foreign, false, "cross-site"]);
  assertEquals(answerTo("post", [token.scoped("read"), session]), [`${lacking} ${foreign}`, true, "forbidden"]);
  assertEquals(answerTo("get", [session], { 101: response.raw() }), [foreign, false, "cross-site"]);
});

Deno.test("openApiDocument() adds optional challenges to a declared 401", async () => {
  const declared = response.json(type({ why: "string" }), {
    description: "Who?",
    headers: type({ "x-why": "string" }),
  });
  const named = response.problem({ headers: type({ "WWW-Authenticate": "'Token'" }) });
  const document = describeRoutes({
    leaf: route.get("/", { security: [partner], responses: { 200: response.empty(), 401: declared } }),
    named: route.get("/named", { security: [partner], responses: { 200: response.empty(), 401: named } }),
  });
  const { description, headers, content } = document.paths["/"]!.get!.responses["401"]!;

  assertEquals(description, "Who?");
  assertEquals(Object.keys(content ?? {}), ["application/json", "application/problem+json"]);
  assertEquals(headers, {
    "x-why": { required: true, schema: { type: "string" } },
    "www-authenticate": {
      description: "A challenge for each scheme that is accepted (RFC 9110, section 11.6.1).",
      schema: { type: "string" },
    },
  });
  assertEquals(Object.keys(document.paths["/named"]!.get!.responses["401"]!.headers ?? {}), ["WWW-Authenticate"]);
  await assertValid(document);
});

Deno.test("openApiDocument() omits the server's own responses if refusals is false", async () => {
  const contract = defineContract({
    security: [token.scoped("read"), session],
    routes: {
      add: route.post("/:id", {
        body: type({ a: "string" }),
        responses: { 201: response.empty(), 400: response.text() },
      }),
      read: route.get("/:id", {
        responses: { 200: response.json(type("string"), { headers: type({ etag: "string" }) }) },
      }),
    },
  });
  const document = openApiDocument(contract as Contract, { info, refusals: false });
  const { get, post } = document.paths["/{id}"]!;

  assertEquals(Object.keys(post!.responses), ["201", "400"]);
  assertEquals(Object.keys(post!.responses["400"]!.content ?? {}), ["text/plain"]);
  assertEquals(Object.keys(get!.responses), ["200"]);
  assertEquals(get!.security, [{ token: ["read"] }, { session: [] }]);
  assertEquals(document.components!.schemas, {});
  assertEquals(
    openApiDocument(contract as Contract, { info, refusals: true }),
    openApiDocument(contract as Contract, { info }),
  );
  await assertValid(document);
});

const schemes = [token, login, partner, session, plain] as const;

/** Lists of schemes that a route can have. */
const lists = fc.record({
  entries: fc.uniqueArray(
    fc.constantFrom<Security[number]>(
      token,
      token.scoped("read"),
      login,
      login.scoped("read"),
      partner,
      session,
      session.scoped("read"),
    ),
    { selector: ({ name }) => name, maxLength: 4 },
  ),
  isOptional: fc.boolean(),
}).map(({ entries, isOptional }): Security => isOptional && entries.length > 0 ? [...entries, security.none] : entries);

/** A contract of a route for each list, and its server. */
function serve(
  routes: readonly { readonly list: Security; readonly method: (typeof methods)[number] }[],
  verdict: () => { readonly scopes: readonly string[] } | undefined,
): { readonly document: OpenApiDocument; readonly handler: FetchHandler } {
  const contract = defineContract({
    routes: Object.fromEntries(
      routes.map((
        { list, method },
        index,
      ) => [`r${index}`, declare(method, `/${index}`, { security: list, responses })]),
    ),
  });
  const used = schemes.filter(({ name }) => routes.some(({ list }) => list.some((entry) => entry.name === name)));
  const server = defineServer(
    contract as Contract,
    {
      security: used.map((scheme) => verify(scheme as SecurityScheme, verdict as () => { scopes: string[] })),
    } as never,
  );
  const handlers = Object.fromEntries(routes.map((_, index) => [`r${index}`, () => ({ status: 200 })]));
  return {
    document: openApiDocument(contract as Contract, { info, version: "3.2" }),
    handler: createFetchHandler(server.implement(handlers as never)),
  };
}

const routes = fc.array(fc.record({ list: lists, method: fc.constantFrom(...methods) }), {
  minLength: 1,
  maxLength: 5,
});

// proves promises | The operations that require a credential are exactly those that the OpenAPI document says
Deno.test("a call without a credential is 401 exactly if the document's security is neither empty nor contains {}", async () => {
  await fc.assert(
    fc.asyncProperty(routes, async (routes) => {
      const { document, handler } = serve(routes, () => ({ scopes: [] }));
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { security }] of Object.entries(item)) {
          const { status } = await handler(new Request(`https://a.example${path}`, { method: method.toUpperCase() }));
          const isClosed = security!.length > 0 && security!.every((entry) => Object.keys(entry).length > 0);
          assertEquals(status, isClosed ? 401 : 200);
        }
      }
    }),
    tries(100),
  );
});

const credentials = fc.constantFrom<Record<string, string>>(
  {},
  { authorization: "Bearer t" },
  { authorization: "Bearer t t" },
  { authorization: `Basic ${btoa("a:b")}` },
  { authorization: "Basic ?" },
  { "x-api-key": "k" },
  { cookie: "__Host-session=s" },
  { cookie: "__Host-session=s; __Host-session=s" },
);
const sites = fc.constantFrom<Record<string, string>>({}, { "sec-fetch-site": "cross-site" }, {
  origin: "https://b.example",
});
const verdicts = fc.constantFrom(undefined, { scopes: [] }, { scopes: ["read"] });

Deno.test("a document lists every status and challenge that security sends", async () => {
  await fc.assert(
    fc.asyncProperty(routes, credentials, sites, verdicts, async (routes, credential, site, verdict) => {
      const { document, handler } = serve(routes, () => verdict);
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { responses }] of Object.entries(item)) {
          const headers = { ...credential, ...site };
          const answer = await handler(
            new Request(`https://a.example${path}`, { method: method.toUpperCase(), headers }),
          );
          const listed = responses[answer.status];
          assert(listed, `${method} ${path} answered ${answer.status}`);
          const { headers: challenges } = listed.$ref === undefined
            ? listed
            : document.components!.responses![listed.$ref.split("/").at(-1)!]!;
          const required = challenges?.["www-authenticate"];
          if (answer.headers.has("www-authenticate")) assert(required);
          if (required?.required) assert(answer.headers.has("www-authenticate"));
        }
      }
    }),
    tries(300),
  );
});

Deno.test("a document lists 401 and 403 only for routes that can send them", async () => {
  const answers = async (
    list: Security,
    method: (typeof methods)[number],
  ): Promise<[listed: string[], given: string[]]> => {
    const given = new Set<number>();
    let listed: string[] = [];
    for (const verdict of [undefined, { scopes: [] }, { scopes: ["read"] }]) {
      const { document, handler } = serve([{ list, method }], () => verdict);
      listed = Object.keys(document.paths["/0"]![method]!.responses).filter((status) => /^40[13]$/.test(status));
      for (const credential of ["Bearer t", `Basic ${btoa("a:b")}`, undefined]) {
        for (const cookie of [undefined, "__Host-session=s"]) {
          for (const site of ["cross-site", "same-origin"]) {
            const headers = {
              ...(credential && { authorization: credential }),
              ...(cookie && { cookie }),
              ...(!credential && !cookie && { "x-api-key": "k" }),
              "sec-fetch-site": site,
            };
            for (const each of [headers, {}]) {
              const { status } = await handler(
                new Request("https://a.example/0", { method: method.toUpperCase(), headers: each as HeadersInit }),
              );
              given.add(status);
            }
          }
        }
      }
    }
    return [listed, [401, 403].filter((status) => given.has(status)).map(String)];
  };
  await fc.assert(
    fc.asyncProperty(lists, fc.constantFrom(...methods), async (list, method) => {
      const [listed, given] = await answers(list, method);
      assertEquals(listed, given);
    }),
    tries(40),
  );
});
