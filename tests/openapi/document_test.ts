import { type Contract, openApiDocument, type OpenApiOptions } from "@scope/api/openapi";
import { defineContract, request, response, route, router } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { contract as users } from "../../examples/users/contract.ts";
import { describeRoute, describeRoutes, info } from "./describe_routes.ts";
import { assertValid } from "../support/validate_document.ts";
import { assertTypeError } from "../support/assert_refused.ts";

const responses = { 200: response.empty() };
const leaf = route.get("/leaf", { responses });

Deno.test("openApiDocument() lists every route of a contract by path and method", async () => {
  const document = openApiDocument(users, { info });

  assertEquals(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)]), [
    ["/api/health", ["get"]],
    ["/api/users/{id}", ["get", "patch"]],
    ["/api/profiles/{id}", ["get"]],
  ]);
  assertEquals(document.paths["/api/users/{id}"]?.patch?.operationId, "users.rename");
  assertEquals(document.paths["/api/users/{id}"]?.patch?.tags, ["users"]);
  await assertValid(document);
});

Deno.test("openApiDocument() returns frozen JSON data", () => {
  const document = openApiDocument(users, { info });

  assertEquals(JSON.parse(JSON.stringify(document)), document);
  const pending: unknown[] = [document];
  for (const value of pending) {
    if (typeof value !== "object" || value === null) continue;
    assert(Object.isFrozen(value));
    pending.push(...Object.values(value));
  }
});

Deno.test("openApiDocument() returns the same text every time", () => {
  assertEquals(
    JSON.stringify(openApiDocument(users, { info })),
    JSON.stringify(openApiDocument(users, { info })),
  );
});

Deno.test("openApiDocument() contains the info, servers and tags of the options", async () => {
  const whole = {
    info: {
      ...info,
      summary: "A summary",
      description: "A description",
      termsOfService: "https://example.com/terms",
      contact: { name: "Ada", email: "ada@example.com" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "https://{region}.example.com", variables: { region: { default: "eu", enum: ["eu"] } } }],
    tags: [{ name: "leaf", description: "Leaves" }],
  } satisfies OpenApiOptions;

  const { openapi, paths: _, components: __, ...rest } = describeRoutes({ leaf }, whole);

  assertEquals(openapi, "3.1.0");
  assertEquals(rest, whole);
  await assertValid(describeRoutes({ leaf }, whole));
});

Deno.test("openApiDocument() leaves a base path that its servers have out of the paths", () => {
  const contract = defineContract({
    basePath: "/v1",
    routes: { leaf, root: route.get("/", { responses }) },
  }) as Contract;
  const servers = [{
    url: "https://{name}.example.com/{edition}/",
    variables: { name: { default: "a" }, edition: { default: "v1" } },
  }];
  const { paths, servers: listed } = openApiDocument(contract, { info, servers, basePath: "/v1" });

  assertEquals(Object.keys(paths), ["/leaf", "/"]);
  assertEquals(listed, servers);
  const describe = (options: object) => openApiDocument(contract, { info, servers, ...options });
  assertTypeError(() => describe({ basePath: "/v2" }), '"servers"', "https://{name}.example.com/{edition}/", "/v2");
  assertTypeError(() => describe({ basePath: "/v1", servers: [] }), '"servers"', "/v1", "undefined");
  assertTypeError(() => describe({ basePath: "v1/" }), '"basePath" must be a path like "/v1"', '"v1/"');
  const other = [{ url: "https://example.com/v" }];
  assertTypeError(() => describe({ basePath: "/v", servers: other }), "/v1/leaf is not below /v");
});

Deno.test("openApiDocument() writes declared operation ids alone if it is asked to", () => {
  const named = route.get("/named", { responses, docs: { operationId: "named" } });
  const { paths } = describeRoutes({ leaf, named }, { operationIds: "declared" });

  assertEquals([paths["/leaf"]?.get?.operationId, paths["/named"]?.get?.operationId], [undefined, "named"]);
  assertTypeError(() => describeRoutes({ leaf }, { operationIds: "none" as never }), '"operationIds"', '"none"');
});

Deno.test("openApiDocument() uses the summary and description of the contract if info has none", () => {
  const contract = defineContract({ routes: { leaf }, docs: { summary: "S", description: "D" } }) as Contract;

  assertEquals(openApiDocument(contract, { info }).info, { summary: "S", description: "D", ...info });
  const { summary } = openApiDocument(contract, { info: { ...info, summary: "Other" } }).info;
  assertEquals(summary, "Other");
});

Deno.test("openApiDocument() adds docs to an operation, including inherited ones", async () => {
  const told = route.get("/told", {
    responses,
    deprecated: true,
    docs: { summary: "S", description: "D", operationId: "tell" },
  });
  const document = describeRoutes({ group: router("/", { routes: { told }, docs: { tags: ["a", "b"] } }) });

  const { responses: _, ...operation } = document.paths["/told"]!.get!;
  assertEquals(operation, {
    operationId: "tell",
    tags: ["a", "b"],
    summary: "S",
    description: "D",
    deprecated: true,
  });
  await assertValid(document);
});

Deno.test("openApiDocument() marks deprecated operations, with or without dates", () => {
  const document = describeRoutes({
    old: router("/old", {
      deprecated: { since: "2026-06-01" },
      routes: { dated: leaf, plain: route.get("/plain", { responses, deprecated: true }) },
    }),
    kept: router("/kept", {
      deprecated: true,
      routes: { leaf: route.get("/leaf", { responses, deprecated: false }) },
    }),
    other: route.get("/other", { responses }),
  });
  const marks = Object.entries(document.paths).map(([path, item]) => [path, item.get?.deprecated]);
  assertEquals(marks, [["/old/leaf", true], ["/old/plain", true], ["/kept/leaf", undefined], ["/other", undefined]]);
});

Deno.test("openApiDocument() names an operation by its dotted key and puts it under the first key", () => {
  const document = describeRoutes({ "a.b": router("/", { routes: { c: router("/", { routes: { leaf } }) } }) });
  const operation = document.paths["/leaf"]?.get;

  assertEquals([operation?.operationId, operation?.tags], ["a.b.c.leaf", ["a.b"]]);
});

Deno.test("openApiDocument() lists routes with unusual keys", async () => {
  const routes = Object.fromEntries(
    ["__proto__", "constructor", "then", "routes"].map((key) => [key, route.get(`/${key}`, { responses })]),
  );
  const document = describeRoutes(routes);

  assertEquals(Object.keys(document.paths), ["/__proto__", "/constructor", "/then", "/routes"]);
  await assertValid(document);
});

Deno.test("openApiDocument() lists routes of one shape in one path item, with its parameter names", async () => {
  const document = describeRoutes({
    read: route.get("/users/:id/posts/:post", { responses }),
    write: route.put("/users/:user/posts/:id", {
      params: type({ user: type("string").describe("the user"), id: type("string").describe("the post") }),
      responses,
    }),
    me: route.get("/users/me/posts/:post", { responses }),
  });

  assertEquals(Object.keys(document.paths), ["/users/{id}/posts/{post}", "/users/me/posts/{post}"]);
  assertEquals(
    document.paths["/users/{id}/posts/{post}"]?.put?.parameters?.map(({ name, description }) => [name, description]),
    [["id", "the user"], ["post", "the post"]],
  );
  await assertValid(document);
});

Deno.test("openApiDocument() encodes literal segments as in a URL", async () => {
  const document = describeRoutes({
    odd: route.get("/a b/é/users:search/@me", { responses }),
    root: route.get("/", { responses }),
  });

  assertEquals(Object.keys(document.paths), ["/a%20b/%C3%A9/users:search/@me", "/"]);
  await assertValid(document);
});

Deno.test("openApiDocument() refuses QUERY in OpenAPI 3.1 by name, and writes it in 3.2", async () => {
  const search = route.query("/search", { body: request.json(type({ text: "string" })), responses });
  const routes = { users: router("/users", { routes: { search } }) };

  assertTypeError(() => describeRoutes(routes), "QUERY", "users.search", '"3.2"');
  const document = describeRoutes(routes, { version: "3.2" });
  assertEquals(document.openapi, "3.2.0");
  assertEquals(document.paths["/users/search"]?.query?.operationId, "users.search");
  await assertValid(document);
});

Deno.test("openApiDocument() refuses one operation id for two routes", () => {
  const same = route.get("/same", { responses, docs: { operationId: "leaf" } });
  assertTypeError(() => describeRoutes({ leaf, same }), "leaf (GET /leaf)", "same (GET /same)", "operationId");

  const routes = { "a.b": leaf, a: router("/a", { routes: { b: leaf } }) };
  assertTypeError(() => describeRoutes(routes), '"a.b"', "GET /a/leaf");
});

Deno.test("openApiDocument() refuses invalid options", () => {
  assertTypeError(() => describeRoutes({ leaf }, { server: [] } as never), '"server"', 'did you mean "servers"?');
  assertTypeError(() => openApiDocument(users, {} as never), "info");
  assertTypeError(
    () => describeRoutes({ leaf }, { info: { title: "Test" } as never }),
    '"info" must have a title and a version, like { title: "…", version: "1.0.0" }',
  );
  assertTypeError(() => describeRoutes({ leaf }, { version: "3.0" as never }), '"3.0"', '"3.1" or "3.2"');
  assertTypeError(
    () => describeRoutes({ leaf }, { schema: {} as never }),
    'openApiDocument(): "schema" must be a function, got an object',
  );
  assertTypeError(
    () => describeRoutes({ leaf }, { refusals: {} as never }),
    'openApiDocument(): "refusals" must be a boolean, got an object',
  );
  for (const gone of ["security", "securitySchemes"]) {
    assertTypeError(() => describeRoutes({ leaf }, { [gone]: [] } as never), `"${gone}"`);
  }
  assertTypeError(() => openApiDocument({ routes: {} } as never, { info }), "defineContract()");
});

Deno.test("openApiDocument() describes a body, and whether it is required", () => {
  const body = request.json(type({ name: "string" }), { description: "The user" });

  assertEquals(describeRoute(route.put("/", { body, responses })).requestBody, {
    description: "The user",
    required: true,
    content: {
      "application/json": {
        schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    },
  });
});

Deno.test("openApiDocument() writes the sunset of a route, for which OpenAPI has no keyword", () => {
  const contract = defineContract({
    routes: {
      old: route.get("/old", {
        deprecated: { since: "2026-01-01", sunset: "2027-01-01" },
        responses: { 204: response.empty() },
      }),
    },
  });
  const { deprecated, "x-sunset": sunset } = openApiDocument(contract, { info }).paths["/old"]!.get!;

  assertEquals([deprecated, sunset], [true, "2027-01-01"]);
});
