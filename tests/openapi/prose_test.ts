/** The prose of documents: `docs` and `notes` beside the contract, and what has no place. */
import { defineContract, request, response, route, router, security } from "@scope/api";
import { diffContracts } from "@scope/api/diff";
import { openApiDocument, type OpenApiOptions } from "@scope/api/openapi";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { z } from "zod";
import { assertValid } from "../support/validate_document.ts";
import { info } from "./describe_routes.ts";

const User = z.object({ id: z.string().describe("An id."), name: z.string(), tags: z.array(z.string()) });
const contract = defineContract({
  docs: { summary: "People" },
  routes: {
    users: router("/users", {
      docs: { tags: ["Users"], audience: "partner" },
      routes: {
        byId: route.get("/:id", {
          query: z.object({ full: z.string().optional() }),
          headers: z.object({ "x-trace": z.string().optional() }),
          responses: {
            200: response.json(User, { headers: z.object({ "x-left": z.string() }) }),
            404: response.problem(),
          },
          docs: { summary: "Old", "x-inline": 1, query: { full: { description: "Inline.", deprecated: true } } },
        }),
        add: route.post("/", { body: request.json(User), responses: { 201: response.empty() } }),
      },
    }),
    health: route.get("/health", { responses: { 204: response.empty() } }),
    audit: route.get("/audit", { responses: { 204: response.empty() }, docs: { audience: "internal" } }),
  },
});
type Options = OpenApiOptions<typeof contract>;

const document = {
  info,
  servers: [{ url: "https://api.acme.example", "x-region": "eu" }],
  externalDocs: { url: "https://docs.acme.example" },
  "x-tagGroups": [{ name: "All", tags: ["Users"] }],
  schemas: { User },
  notes: {
    User: {
      description: "A person.",
      properties: { id: { examples: ["u_1"], "x-pii": true }, tags: { items: { description: "A tag." } } },
    },
  },
  docs: {
    users: {
      byId: {
        summary: "Read a user",
        "x-rate-limit": 10,
        externalDocs: { url: "https://docs.acme.example/users" },
        servers: [{ url: "https://users.acme.example" }],
        params: { id: { description: "The user's id.", example: "u_1" } },
        query: { full: { description: "Beside.", examples: { all: { value: "yes" } } } },
        headers: { "X-Trace": { "x-log": true } },
        responses: {
          200: {
            description: "The user.",
            example: { id: "u_1", name: "Ada", tags: [] },
            headers: { "X-Left": { description: "Calls left." } },
            links: { self: { operationId: "users.byId" } },
          },
          400: { description: "Not a user." },
        },
      },
      add: {
        body: { description: "The new user.", examples: { ada: { value: { id: "u_1", name: "Ada", tags: [] } } } },
        callbacks: { added: { "{$request.body#/id}": { post: { responses: { 204: { description: "Seen" } } } } } },
      },
    },
  },
} satisfies Options;

Deno.test("openApiDocument({ docs, notes }) adds prose beside the contract, which wins over that inside", async () => {
  const described = openApiDocument(contract, document);
  const { get } = described.paths["/users/{id}"]!;

  assertEquals([get?.summary, get?.["x-rate-limit"], get?.["x-inline"], get?.tags], ["Read a user", 10, 1, ["Users"]]);
  assertEquals([get?.externalDocs, get?.servers], [
    document.docs.users.byId.externalDocs,
    document.docs.users.byId.servers,
  ]);
  assertEquals(get?.parameters, [
    {
      name: "id",
      in: "path",
      description: "The user's id.",
      required: true,
      schema: { type: "string" },
      example: "u_1",
    },
    {
      name: "full",
      in: "query",
      description: "Beside.",
      deprecated: true,
      schema: { type: "string" },
      examples: { all: { value: "yes" } },
    },
    { name: "x-trace", in: "header", schema: { type: "string" }, "x-log": true },
  ]);
  assertEquals(get?.responses["200"], {
    description: "The user.",
    headers: { "x-left": { description: "Calls left.", required: true, schema: { type: "string" } } },
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/User" },
        example: { id: "u_1", name: "Ada", tags: [] },
      },
    },
    links: { self: { operationId: "users.byId" } },
  });
  assertEquals(get?.responses["400"]?.description, "Not a user.");
  assertEquals(get?.responses["500"], { $ref: "#/components/responses/InternalError" });
  assertEquals(described.components?.schemas?.["User"], {
    type: "object",
    properties: {
      id: { type: "string", description: "An id.", examples: ["u_1"], "x-pii": true },
      name: { type: "string" },
      tags: { type: "array", items: { type: "string", description: "A tag." } },
    },
    required: ["id", "name", "tags"],
    description: "A person.",
  });
  const { post } = described.paths["/users"]!;
  assertEquals(post?.requestBody?.description, "The new user.");
  assertEquals(post?.requestBody?.content["application/json"]?.examples, document.docs.users.add.body.examples);
  assertEquals(post?.callbacks, document.docs.users.add.callbacks);
  const { servers, externalDocs, "x-tagGroups": groups } = described;
  assertEquals({ servers, externalDocs, groups }, {
    servers: document.servers,
    externalDocs: document.externalDocs,
    groups: document["x-tagGroups"],
  });
  assertEquals(described.info, { summary: "People", ...info });
  await assertValid(described);
});

Deno.test("prose changes nothing that a caller notices", () => {
  const [plain, full] = [openApiDocument(contract, { info }), openApiDocument(contract, document)];

  for (const [before, after] of [[plain, full], [full, plain], [contract, full], [full, contract]] as const) {
    const others = ["servers", "callbacks"]; // which are no prose
    assertEquals(diffContracts(before, after).filter(({ where }) => !others.some((each) => where.includes(each))), []);
  }
});

Deno.test("openApiDocument({ audience }) lists the routes without an audience, and those of its readers", () => {
  const operationsFor = (audience?: readonly string[]): (string | undefined)[] =>
    Object.values(openApiDocument(contract, { info, schemas: { User }, ...(audience && { audience }) }).paths)
      .flatMap((item) => Object.values(item)).map(({ operationId }) => operationId);

  assertEquals(operationsFor(), ["users.byId", "users.add", "health", "audit"]);
  assertEquals(operationsFor(["partner"]), ["users.byId", "users.add", "health"]);
  assertEquals(operationsFor(["internal"]), ["health", "audit"]);
  assertEquals(operationsFor([]), ["health"]);
  const { components } = openApiDocument(contract, { ...document, audience: [] });
  assertEquals(Object.keys(components?.schemas ?? {}), ["Problem"]);
});

Deno.test("openApiDocument({ notes }) reaches the schema beside null, and the members of a union", () => {
  const Cat = z.object({ kind: z.literal("cat"), name: z.string() });
  const Dog = z.object({ kind: z.literal("dog"), name: z.string() });
  const Pet = z.discriminatedUnion("kind", [Cat, Dog]).nullable();
  const Owner = z.object({ pet: z.object({ name: z.string() }).nullable(), id: z.union([z.string(), z.number()]) });
  const pets = defineContract({
    routes: {
      owner: route.get("/owner", { responses: { 200: response.json(Owner) } }),
      pet: route.get("/pet", { responses: { 200: response.json(Pet) } }),
    },
  });

  const { components } = openApiDocument(pets, {
    info,
    schemas: { Owner, Pet },
    notes: {
      Owner: {
        properties: {
          pet: { properties: { name: { description: "The name." } } },
          id: { anyOf: [{ title: "UUID" }, { title: "Number" }] },
        },
      },
      Pet: { anyOf: [{ description: "A cat." }, { properties: { name: { examples: ["Rex"] } } }] },
    },
  });

  const { pet, id } = (components?.schemas?.["Owner"] as { properties: Record<string, unknown> }).properties;
  assertEquals(pet, {
    anyOf: [
      { type: "object", properties: { name: { type: "string", description: "The name." } }, required: ["name"] },
      { type: "null" },
    ],
  });
  assertEquals(id, { anyOf: [{ type: "string", title: "UUID" }, { type: "number", title: "Number" }] });
  const members = JSON.stringify(components?.schemas?.["Pet"]);
  assertStringIncludes(members, '"required":["kind","name"],"description":"A cat."}');
  assertStringIncludes(members, '"name":{"type":"string","examples":["Rex"]}');
});

const wrong: Readonly<Record<string, readonly [options: object, message: string]>> = {
  "a route": [
    { docs: { users: { byID: {} } } },
    'docs.users.byID: the contract has no route byID; did you mean "byId"? (there are byId, add)',
  ],
  "an option of a route": [
    { docs: { health: { sumary: "" } } },
    'unknown option "sumary" in docs.health; did you mean "summary"?',
  ],
  "a parameter": [
    { docs: { users: { byId: { query: { ful: {} } } } } },
    'docs.users.byId.query.ful: the route has no such parameter; did you mean "full"? (there is full)',
  ],
  "a status": [
    { docs: { users: { byId: { responses: { 201: {} } } } } },
    'docs.users.byId.responses.201: the route has no such response; did you mean "200"?',
  ],
  "a header": [
    { docs: { users: { byId: { responses: { 200: { headers: { "x-lef": {} } } } } } } },
    'docs.users.byId.responses.200.headers.x-lef: the response has no such header; did you mean "x-left"?',
  ],
  "a body": [
    { docs: { health: { body: { description: "" } } } },
    "docs.health.body has no place: the route has no body",
  ],
  "content": [
    { docs: { health: { responses: { 204: { example: 1 } } } } },
    "docs.health.responses.204 has no place: there is no content",
  ],
  "a component": [
    { notes: { Usr: {} } },
    'notes.Usr: the document has no component Usr; did you mean "User"?',
  ],
  "a property": [
    { notes: { User: { properties: { nam: {} } } } },
    'notes.User.properties.nam has no place: the schema does not have it; did you mean "name"? (it has id, name, tags)',
  ],
  "a member of a union": [
    { notes: { User: { anyOf: [{}] } } },
    "notes.User.anyOf has no place: the schema has no anyOf",
  ],
  "a keyword that decides what is valid": [
    { notes: { User: { minLength: 1 } } },
    'unknown note "minLength" in notes.User',
  ],
  "inside of a component": [
    { docs: { users: { add: { body: { schema: { properties: { id: {} } } } } } } },
    "docs.users.add.body.schema.properties has no place: the schema is the component User; write it in notes.User",
  ],
  "a reference of a component": [
    { components: { schemas: { Pet: { $ref: "#/components/schemas/Usr" } } } },
    "components.schemas.Pet refers to #/components/schemas/Usr, which the document does not have; did you mean " +
    '"#/components/schemas/User"?',
  ],
  "a component's name": [
    { components: { schemas: { "a/b": {} } } },
    '"components.schemas" must have names of letters, digits, ".", "-" and "_", got "a/b"',
  ],
  "a component that is no schema": [
    { components: { schemas: { Pet: null } } },
    "components.schemas.Pet must be a JSON Schema, got null",
  ],
  "components of other kinds": [
    { components: { headers: {} } },
    'unknown option "headers" in "components"',
  ],
  "docs that are no object": [{ docs: { users: 1 } }, "docs.users must be an object, got 1"],
  "an audience": [{ audience: "partner" }, '"audience" must be a list like ["partner"], got "partner"'],
};

for (const [what, [options, message]] of Object.entries(wrong)) {
  Deno.test(`openApiDocument() refuses prose without a place: ${what}`, () => {
    assertThrows(
      () => openApiDocument(contract, { info, schemas: { User }, ...options } as Options),
      TypeError,
      message,
    );
  });
}

Deno.test("openApiDocument({ components }) lists schemas that no route refers to, which those of the contract win over", async () => {
  const schemas = {
    Person: { $ref: "#/components/schemas/User" },
    Pet: { type: "object", properties: { owner: { $ref: "#/components/schemas/Person" } } },
    User: { type: "null" },
    Seen: {},
  } as const;
  const seen = { seen: { "{$request.body#/url}": { post: { "x-type": { $ref: "#/components/schemas/Pet" } } } } };
  const options = { ...document, components: { schemas }, docs: { health: { callbacks: seen } } } as const;
  const own = openApiDocument(contract, document).components?.schemas;
  const published = openApiDocument(contract, options);
  const { Person, Pet, Seen } = schemas;

  assertEquals<unknown>(published.components?.schemas, { ...own, Person, Pet, Seen });
  await assertValid(openApiDocument(contract, { ...options, docs: {} }));
  const internal = openApiDocument(contract, { ...options, notes: {}, audience: ["internal"] });
  assertEquals<unknown>(Object.keys(internal.components?.schemas ?? {}), ["Problem", "Pet", "Person", "User"]);
});

Deno.test("openApiDocument() checks the names of docs that a contract has", () => {
  const declared = defineContract({
    routes: { leaf: route.get("/", { responses: { 200: response.empty() }, docs: { sumary: "Leaf" } as never }) },
  });

  assertThrows(
    () => openApiDocument(declared, { info }),
    TypeError,
    'openApiDocument(): unknown option "sumary" in "docs" of leaf; did you mean "summary"? (allowed: summary, description',
  );
});

Deno.test("the type of docs knows the routes of a contract", () => {
  const route = (): Options => ({
    info,
    // @ts-expect-error: the contract has no such route
    docs: { userz: {} },
  });
  const member = (): Options => ({
    info,
    // @ts-expect-error: docs have no such member
    docs: { users: { byId: { sumary: "" } } },
  });
  assertEquals([typeof route, typeof member], ["function", "function"]);
});

const responses = { 200: response.empty() };
const urls = { authorizationUrl: "https://a.example", tokenUrl: "https://a.example/token" };
const flows: Readonly<Record<string, readonly [flows: object, message: string]>> = {
  "an unknown flow": [
    { authorisationCode: urls },
    'the security scheme "login" has an unknown OAuth flow "authorisationCode"; did you mean "authorizationCode"?',
  ],
  "a flow without its URL": [
    { authorizationCode: { tokenUrl: urls.tokenUrl } },
    'the security scheme "login": the OAuth flow authorizationCode must have the URL "authorizationUrl"',
  ],
  "a scope that no flow lists": [
    { clientCredentials: { ...urls, scopes: { read: "Read" } } },
    'the security scheme "login" has no OAuth flow with the scope "write", which leaf requires',
  ],
  "a flow of OpenAPI 3.2": [
    { deviceAuthorization: { ...urls, deviceAuthorizationUrl: "https://a.example/device" } },
    'the security scheme "login" has an unknown OAuth flow "deviceAuthorization"; pass version: "3.2"',
  ],
};

for (const [what, [declared, message]] of Object.entries(flows)) {
  Deno.test(`openApiDocument() refuses ${what}, by the name of the scheme`, () => {
    const login = security.bearer("login", { scopes: ["read", "write"], oauth2: { flows: declared as never } });
    const leaf = route.get("/", { security: [login.scoped("write")], responses });

    assertThrows(() => openApiDocument(defineContract({ routes: { leaf } }), { info }), TypeError, message);
  });
}

Deno.test("openApiDocument() lists a response of the server once, however many routes send it", () => {
  const routes = Object.fromEntries(
    Array.from({ length: 3 }, (_, index) => [`r${index}`, route.get(`/${index}/:id`, { responses })]),
  );
  const { paths, components } = openApiDocument(defineContract({ routes }), { info });

  assertEquals(Object.keys(components?.responses ?? {}), ["InvalidPath", "InternalError"]);
  for (const { get } of Object.values(paths)) {
    assertEquals(get?.responses["400"], { $ref: "#/components/responses/InvalidPath" });
  }
});
