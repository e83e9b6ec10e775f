/** The names of components: those of the option `schemas`, then ids, then places, in each library. */
import { defineContract, request, response, route, type Schema } from "@scope/api";
import { diffContracts } from "@scope/api/diff";
import { type JsonSchemaObject, type OpenApiDocument, openApiDocument, type OpenApiOptions } from "@scope/api/openapi";
import { assertEquals, assertThrows } from "@std/assert";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { scope, type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { z } from "zod";
import { assertValid } from "../support/validate_document.ts";
import { describeRoutes } from "./describe_routes.ts";

const ref = (name: string): JsonSchemaObject => ({ $ref: `#/components/schemas/${name}` });

/** The components of a document of routes without the server's own responses. */
function componentsOf(routes: object, options: Partial<OpenApiOptions> = {}): Record<string, unknown> {
  return describeRoutes(routes, { refusals: false, ...options }).components?.schemas ?? {};
}

const object = (properties: object): JsonSchemaObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** The schemas of a module, and two of them as routes declare them. */
interface Declared {
  readonly schemas: Readonly<Record<string, object>>;
  readonly Page: Schema<unknown, unknown>;
  readonly User: Schema<unknown, unknown>;
}

function declareZod(): Declared {
  const Address = z.object({ city: z.string() });
  const User = z.object({ address: Address, old: Address.describe("The last one.") });
  const Page = z.object({ items: z.array(User), next: User.nullable() });
  return { schemas: { Page, User, Address }, Page, User };
}

function declareValibot(): Declared {
  const Address = v.object({ city: v.string() });
  const User = v.object({ address: Address, old: v.pipe(Address, v.description("The last one.")) });
  const Page = v.object({ items: v.array(User), next: v.nullable(User) });
  return { schemas: { Page, User, Address }, Page: toStandardJsonSchema(Page), User: toStandardJsonSchema(User) };
}

function declareArkType(): Declared {
  const Address = type({ city: "string" });
  const User = type({ address: Address, old: Address.describe("The last one."), "+": "delete" });
  const Page = type({ items: User.array(), next: User.or("null") });
  return { schemas: { Page, User, Address }, Page, User };
}

const libraries = { Zod: declareZod(), Valibot: declareValibot(), ArkType: declareArkType() };

for (const [library, { schemas, Page, User }] of Object.entries(libraries)) {
  Deno.test(`openApiDocument({ schemas }) names ${library} schemas wherever they occur, once for both directions`, async () => {
    const document = describeRoutes({
      list: route.get("/users", { responses: { 200: response.json(Page) } }),
      add: route.post("/users", {
        body: request.json(User),
        responses: { 201: response.json(User) },
      }),
    }, { schemas: { ...schemas, helper: () => 1, text: "no schema" }, refusals: false });

    const { Page: page, ...others } = document.components!.schemas!;
    assertEquals(others, {
      User: object({ address: ref("Address"), old: { ...ref("Address"), description: "The last one." } }),
      Address: object({ city: { type: "string" } }),
    });
    assertEquals(
      page,
      object({ items: { type: "array", items: ref("User") }, next: { anyOf: [ref("User"), { type: "null" }] } }),
    );
    await assertValid(document);
  });
}

Deno.test("openApiDocument({ schemas }) takes the exports of a module, whose prototype is null", () => {
  const module = Object.assign(Object.create(null), { User: z.object({ id: z.string() }) });
  const routes = { get: route.get("/", { responses: { 200: response.json(module.User) } }) };

  assertEquals(Object.keys(componentsOf(routes, { schemas: module })), ["User"]);
});

Deno.test("openApiDocument({ schemas }) gives one schema, and equal ones of ArkType, the first of their names", () => {
  const [Cat, Dog] = [type({ name: "string" }), type({ name: "string" })];
  const Fish = z.object({ name: z.string() });
  const routes = {
    cat: route.get("/cat", { responses: { 200: response.json(Cat) } }),
    dog: route.get("/dog", { responses: { 200: response.json(type({ dog: Dog })) } }),
    fish: route.get("/fish", { responses: { 200: response.json(Fish) } }),
  };

  assertEquals(Object.keys(componentsOf(routes, { schemas: { Cat, Dog, Fish, Whale: Fish } })), ["Cat", "Fish"]);
});

Deno.test("openApiDocument({ schemas }) does not take every text of ArkType for a named one", () => {
  const Name = type("string");
  const User = type({ name: Name, note: "string" });
  const routes = { get: route.get("/", { responses: { 200: response.json(User) } }) };

  assertEquals(componentsOf(routes, { schemas: { User, Name } }), {
    User: object({ name: { type: "string" }, note: { type: "string" } }),
  });
});

Deno.test("openApiDocument({ schemas }) names schemas that refer to themselves", () => {
  const { node } = scope({ node: { name: "string", "next?": "node" } }).export();
  const Tree: z.ZodType = z.lazy(() => z.object({ trees: z.array(Tree) }));
  const routes = {
    ark: route.get("/ark", { responses: { 200: response.json(type({ first: node })) } }),
    own: route.get("/own", { responses: { 200: response.json(node) } }),
    zod: route.get("/zod", { responses: { 200: response.json(z.object({ tree: Tree })) } }),
  };
  const components = componentsOf(routes, { schemas: { Node: node, Tree } });

  assertEquals(components["Node"], {
    type: "object",
    properties: { name: { type: "string" }, next: ref("Node") },
    required: ["name"],
  });
  assertEquals(components["Tree"], object({ trees: { type: "array", items: ref("Tree") } }));
});

Deno.test("openApiDocument() names schemas by their ids, nested ones included", () => {
  const VPerson = v.pipe(v.object({ name: v.string() }), v.metadata({ id: "VPerson" }));
  const VTeam = v.pipe(v.object({ lead: VPerson, all: v.array(VPerson) }), v.metadata({ id: "VTeam" }));
  const Person = type({ name: "string" }).configure({ id: "Person" } as object);
  const Team = type({ lead: Person, all: Person.array() }).configure({ id: "Team" } as object);
  const ZPerson = z.object({ name: z.string() }).meta({ id: "ZPerson" });
  const routes = {
    v: route.get("/v", { responses: { 200: response.json(toStandardJsonSchema(VTeam)) } }),
    ark: route.get("/ark", { responses: { 200: response.json(Team) } }),
    z: route.get("/z", { responses: { 200: response.json(z.array(ZPerson)) } }),
  };
  const person = object({ name: { type: "string" } });
  const team = (name: string) => ({
    type: "object",
    properties: { all: { type: "array", items: ref(name) }, lead: ref(name) },
  });
  const { Team: ark, VTeam: valibot, ...others } = componentsOf(routes) as Record<string, JsonSchemaObject>;

  assertEquals(others, { Person: person, VPerson: person, ZPerson: person });
  assertEquals([ark, valibot].map((each) => ({ type: each?.["type"], properties: each?.["properties"] })), [
    team("Person"),
    team("VPerson"),
  ]);
  const named = componentsOf(routes, { schemas: { Human: Person, VHuman: VPerson, ZHuman: ZPerson } });
  assertEquals(Object.keys(named).toSorted(), ["Human", "Team", "VHuman", "VTeam", "ZHuman"]);
});

Deno.test("openApiDocument() names types of ArkType by their aliases, equal ones and those that refer to themselves", () => {
  const UserId = type("string.uuid").configure({ alias: "UserId" }, "self");
  const TeamId = type("string.uuid").configure({ alias: "TeamId" }, "self");
  const Kind = type("string | number").configure({ alias: "Kind" });
  const { Node } = type.module({
    Node: [{ id: TeamId, kind: Kind, "next?": "Node | null", nodes: "Node[]" }, "@", { alias: "Node" }, "self"],
  });
  const routes = {
    all: route.get("/all", { responses: { 200: response.json(type({ first: Node, user: UserId })) } }),
    one: route.get("/one", { responses: { 200: response.json(Node.describe("the first")) } }),
  };
  const id = { type: "string", format: "uuid" };
  const properties = {
    id: ref("TeamId"),
    kind: ref("Kind"),
    next: { anyOf: [ref("Node"), { type: "null" }] },
    nodes: { type: "array", items: ref("Node") },
  };
  const { UserId: user, TeamId: team, ...others } = componentsOf(routes) as Record<string, JsonSchemaObject>;

  assertEquals([user?.["format"], team?.["format"]], [id.format, id.format]);
  assertEquals(others, {
    Kind: { anyOf: [{ type: "number" }, { type: "string" }] },
    Node: { type: "object", properties, required: ["id", "kind", "nodes"] },
  });
  const named = componentsOf(routes, { schemas: { Tree: Node } });
  assertEquals(Object.keys(named).toSorted(), ["Kind", "TeamId", "Tree", "UserId"]);
});

Deno.test("openApiDocument({ schemas }) keeps a name from schemas that have it as their id", () => {
  const Mine = z.object({ mine: z.string() });
  const other = z.object({ other: z.string() }).meta({ id: "User" });
  const ark = type({ ark: "string" }).configure({ id: "User" } as object);
  const routes = {
    ark: route.get("/ark", { responses: { 200: response.json(ark) } }),
    other: route.get("/other", { responses: { 200: response.json(z.object({ other })) } }),
    mine: route.get("/mine", { responses: { 200: response.json(Mine) } }),
  };
  const components = componentsOf(routes, { schemas: { User: Mine } });

  assertEquals(components["User"], object({ mine: { type: "string" } }));
  assertEquals(Object.keys(components).length, 3);
});

Deno.test("openApiDocument() names unnamed schemas in letters and digits, after the first place in alphabetical order", () => {
  const Shared = z.object({ id: z.string() });
  const responses = { 200: response.json(Shared) };
  const later = { "zoo-1": route.get("/zoo", { responses }), "b_c": route.get("/b", { responses }) };
  const routes = { ...later, "a.x": route.get("/a", { responses }) };

  assertEquals(Object.keys(componentsOf(later)), ["BC200"]);
  assertEquals(Object.keys(componentsOf(routes)), ["AX200"]);
});

Deno.test("openApiDocument() keeps the names of named schemas when routes are added, in any order", async () => {
  const { schemas, Page, User } = declareZod();
  const routes = [
    ["page", route.get("/page", { responses: { 200: response.json(Page) } })],
    ["user", route.put("/user", { body: request.json(User), responses: { 200: response.json(User) } })],
    [
      "none",
      route.get("/none", { responses: { 200: response.json(z.object({ users: z.array(User as z.ZodType) })) } }),
    ],
    [
      "same",
      route.get("/same", { responses: { 200: response.json(z.object({ users: z.array(User as z.ZodType) })) } }),
    ],
  ] as const;
  const all = componentsOf(Object.fromEntries(routes), { schemas });
  await fc.assert(
    fc.property(fc.shuffledSubarray([...routes], { minLength: 1 }), (some) => {
      const components = componentsOf(Object.fromEntries(some), { schemas });
      for (const [name, schema] of Object.entries(components)) assertEquals(schema, all[name]);
    }),
    { numRuns: 20 },
  );
});

Deno.test("openApiDocument() calls the output of a schema whose sides differ by another name, in any order of routes", () => {
  const User = z.object({ id: z.string(), name: z.string().default("none") });
  const get = route.get("/", { responses: { 200: response.json(User) } });
  const put = route.put("/", { body: request.json(User), responses: { 204: response.empty() } });

  for (const routes of [{ get, put }, { put, get }]) {
    const { User: input, UserOutput: output } = componentsOf(routes, { schemas: { User } }) as Record<
      string,
      JsonSchemaObject
    >;
    assertEquals([input?.["required"], output?.["required"]], [["id"], ["id", "name"]]);
  }
});

Deno.test("openApiDocument() renames no component when a route adds the other side of a schema, or takes its name", () => {
  const User = z.object({ id: z.string(), name: z.string().default("none") });
  const UserOutput = z.object({ report: z.string() });
  const Page = z.object({ items: z.array(User) });
  const read = route.get("/", { responses: { 200: response.json(Page) } });
  const write = route.put("/", { body: request.json(Page), responses: { 204: response.empty() } });
  const report = route.get("/report", { responses: { 200: response.json(UserOutput) } });

  for (const schemas of [{ Page, User }, { Page, User, UserOutput }]) {
    const before: Record<string, unknown> = componentsOf({ read }, { schemas });
    const after = componentsOf({ write, report, read }, { schemas });
    const names = Object.keys(before);
    assertEquals(Object.fromEntries(names.map((name) => [name, after[name]])), before);
  }
  assertEquals(Object.keys(componentsOf({ read }, { schemas: { Page, User } })), ["PageOutput", "UserOutput"]);
});

Deno.test("openApiDocument() refuses names that OpenAPI does not allow", () => {
  const routes = { get: route.get("/", { responses: { 200: response.empty() } }) };

  assertThrows(
    () => componentsOf(routes, { schemas: { "Ünser": z.string() } }),
    TypeError,
    'openApiDocument(): "schemas" must have names of letters, digits, ".", "-" and "_", got "Ünser"',
  );
  assertThrows(() => componentsOf(routes, { schemas: 1 as never }), TypeError, '"schemas" must be an object, got 1');
});

/** The schemas of a request and of a response of one schema. */
function sidesOf(schema: unknown, options?: Partial<OpenApiOptions>): unknown[] {
  const { paths, components }: OpenApiDocument = describeRoutes({
    put: route.put("/", { body: request.json(schema as never), responses: { 200: response.json(schema as never) } }),
  }, { refusals: false, ...options });
  const { requestBody, responses } = paths["/"]!.put!;
  return [requestBody, responses["200"]].map((each) => {
    const found = each?.content?.["application/json"]?.schema as JsonSchemaObject;
    return found["$ref"] === ref("Put200")["$ref"] ? components?.schemas?.["Put200"] : found;
  });
}

const closed = { additionalProperties: false };
const name = object({ name: { type: "string" } });

Deno.test("openApiDocument() closes the objects of a response only if the schema refuses undeclared members", () => {
  const strict = { ...name, ...closed };
  const shared = (schema: object) => [schema, schema];
  const rows: readonly (readonly [schema: unknown, sides: readonly unknown[]])[] = [
    [z.object({ name: z.string() }), shared(name)],
    [z.strictObject({ name: z.string() }), shared(strict)],
    [z.looseObject({ name: z.string() }), shared({ ...name, additionalProperties: {} })],
    [type({ name: "string", "+": "delete" }), shared(name)],
    [type({ name: "string", "+": "reject" }), shared(strict)],
    [type({ name: "string" }), shared(name)],
    [toStandardJsonSchema(v.object({ name: v.string() })), shared(name)],
    [toStandardJsonSchema(v.strictObject({ name: v.string() })), shared(strict)],
  ];
  for (const [schema, sides] of rows) {
    const [input, output] = sidesOf(schema, { schemas: { Named: schema } });
    assertEquals([input, output], [ref("Named"), ref("Named")]);
    const routes = { get: route.get("/", { responses: { 200: response.json(schema as never) } }) };
    assertEquals(componentsOf(routes, { schemas: { Named: schema } }), { Named: sides[1] });
  }
  const inner = z.strictObject({ name: z.string() });
  assertEquals(componentsOf({ get: route.get("/", { responses: { 200: response.json(z.object({ inner })) } }) }), {});
  assertEquals(
    sidesOf(z.object({ inner, n: z.int().default(1) }))[1],
    object({ inner: strict, n: { default: 1, type: "integer" } }),
  );
});

Deno.test("openApiDocument() leaves out what says nothing: bounds of safe integers, empty lists, encodings of binary", () => {
  const schema = z.object({
    safe: z.int(),
    small: z.int32(),
    file: z.file(),
    all: z.record(z.string(), z.int().min(3)),
  });

  assertEquals(
    sidesOf(schema)[0],
    object({
      safe: { type: "integer" },
      small: { type: "integer", format: "int32" },
      file: { type: "string", format: "binary" },
      all: { type: "object", additionalProperties: { type: "integer", minimum: 3 } },
    }),
  );
  assertEquals(sidesOf(toStandardJsonSchema(v.object({})))[0], { type: "object", properties: {} });
});

Deno.test("openApiDocument() says which property selects a component of a union", async () => {
  const Cat = z.object({ kind: z.literal("cat"), lives: z.int() });
  const Dog = z.object({ kind: z.enum(["dog", "wolf"]), name: z.string() });
  const Fish = type({ kind: "'fish'" });
  const Pets = { Cat, Dog, Fish, Bird: type({ kind: "'bird'" }) };
  const discriminator = {
    propertyName: "kind",
    mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog", wolf: "#/components/schemas/Dog" },
  };
  const document = describeRoutes({
    cats: route.get("/cats", { responses: { 200: response.json(z.discriminatedUnion("kind", [Cat, Dog])) } }),
    fish: route.get("/fish", { responses: { 200: response.json(Fish.or(Pets.Bird)) } }),
    text: route.get("/text", { responses: { 200: response.json(z.union([Cat, z.string()])) } }),
  }, { schemas: Pets });
  const schemaOf = (path: string) => document.paths[path]?.get?.responses["200"]?.content?.["application/json"]?.schema;

  assertEquals(schemaOf("/cats"), { oneOf: [ref("Cat"), ref("Dog")], discriminator });
  assertEquals((schemaOf("/fish") as JsonSchemaObject)["discriminator"], {
    propertyName: "kind",
    mapping: { bird: "#/components/schemas/Bird", fish: "#/components/schemas/Fish" },
  });
  assertEquals(schemaOf("/text"), { anyOf: [ref("Cat"), { type: "string" }] });
  await assertValid(document);
});

Deno.test("openApiDocument({ part }) returns the JSON Schema of one schema inside others", () => {
  const time = { type: "string", format: "date-time" };
  const At = z.date();
  const VAt = v.date();
  const isDate = (part: unknown): boolean =>
    part === At || part === VAt || (part as { readonly code?: string }).code === "date";
  const options = { part: (part: unknown) => isDate(part) ? time : undefined };

  assertEquals(
    sidesOf(z.object({ at: At, list: z.array(At.nullable()) }), options)[1],
    object({
      at: time,
      list: { type: "array", items: { anyOf: [time, { type: "null" }] } },
    }),
  );
  assertEquals(sidesOf(toStandardJsonSchema(v.object({ at: VAt })), options)[1], object({ at: time }));
  assertEquals(sidesOf(type({ at: "Date" }), options)[1], object({ at: time }));
  assertThrows(() => sidesOf(z.object({ at: z.date() }), options), TypeError, "Date cannot be represented");
});

Deno.test("a contract, its document, and the one with names are the same to diffContracts(), in all directions", () => {
  const User = z.object({ n: z.int(), small: z.int32(), all: z.record(z.string(), z.int()), id: z.uuid() });
  const Strict = z.strictObject({ user: User });
  const Group = type({ "a?": "number.integer", b: { c: "string", "+": "delete" }, "+": "reject" });
  const Pet = z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })]);
  const routes = Object.fromEntries(
    Object.entries({ User, Strict, Group, Pet }).map(([name, schema]) => [
      name,
      route.post(`/${name}`, { body: request.json(schema), responses: { 200: response.json(schema) } }),
    ]),
  );
  const contract = defineContract({ routes });
  const info = { title: "Same", version: "1" };
  const plain = openApiDocument(contract, { info });
  const named = openApiDocument(contract, { info, schemas: { User, Strict, Group, Pet } });

  for (const [before, after] of [[contract, plain], [contract, named], [plain, named]] as const) {
    assertEquals([diffContracts(before, after), diffContracts(after, before)], [[], []]);
  }
});
