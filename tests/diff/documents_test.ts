/** Documents that other tools wrote. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type AnyOpenApiDocument, diffContracts } from "@scope/api/diff";
import { importContract } from "@scope/api/import";
import { processorTime } from "../support/processor_time.ts";

/** The changes of two documents, each as one line. */
function list(before: AnyOpenApiDocument, after: AnyOpenApiDocument): string[] {
  return diffContracts(before, after).map(({ verdict, rule, route, where, message }) =>
    [verdict, rule, route, where || "-", message].join(" | ")
  );
}

/** A document of one operation, as people write them: everything by reference. */
function documentWith(user: object, more: object = {}, operation: object = {}): AnyOpenApiDocument {
  return {
    openapi: "3.1.1",
    paths: {
      "/users/{id}": {
        parameters: [{ $ref: "#/components/parameters/Id" }],
        put: {
          parameters: [{ name: "X-Trace", in: "header", schema: { type: "string" } }],
          requestBody: { $ref: "#/components/requestBodies/User" },
          responses: { 200: { $ref: "#/components/responses/User" }, default: { description: "An error" } },
          ...operation,
        },
      },
    },
    components: {
      parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "string" } } },
      requestBodies: {
        User: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/User" } } } },
      },
      responses: {
        User: {
          description: "A user",
          headers: { ETag: { schema: { type: "string" }, required: true } },
          content: { "application/json; charset=utf-8": { schema: { $ref: "#/components/schemas/User" } } },
        },
      },
      schemas: { User: user, Name: { type: "string", minLength: 1 } },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      ...more,
    },
  } as AnyOpenApiDocument;
}

const user = {
  type: "object",
  properties: {
    name: { $ref: "#/components/schemas/Name" },
    friends: { type: "array", items: { $ref: "#/components/schemas/User" } },
  },
  required: ["name"],
};

Deno.test("diffContracts() reads each part of two equal documents once", () => {
  let reads = 0;
  const counted = () => ({
    ...documentWith(user),
    get "x-note"() {
      reads++;
      return "equal";
    },
  });

  assertEquals(list(counted(), counted()), []);
  assertEquals(reads, 2);
});

Deno.test("an empty list and an empty object in documents are not equal", () => {
  const only = (value: object) => documentWith({ ...user, properties: { tags: { const: value } }, required: [] });

  assertEquals(list(only([]), only([])), []);
  assertEquals(list(only([]), only({})), [
    "breaking | request-narrowed | PUT /users/{id} | body /tags | can no longer be an array",
    "breaking | response-widened | PUT /users/{id} | 200 /tags | may be an object now",
  ]);
});

Deno.test("diffContracts() follows the references of documents, including recursive ones", () => {
  const longer = { schemas: { User: user, Name: { type: "string", minLength: 2 } } };

  assertEquals(list(documentWith(user), documentWith(user)), []);
  assertEquals(list(documentWith(user), documentWith(user, longer)), [
    "breaking | request-narrowed | PUT /users/{id} | body /name | must have a length of 2 or more now, not 1",
    "compatible | response-narrowed | PUT /users/{id} | 200 /name | must have a length of 2 or more now, not 1",
  ]);
  assertEquals(list(documentWith(user), documentWith({ ...user, required: [] })), [
    "breaking | response-widened | PUT /users/{id} | 200 /name | may be missing now",
    "compatible | request-widened | PUT /users/{id} | body /name | is no longer required",
  ]);
});

Deno.test("diffContracts() reads parameters, headers and security of documents", () => {
  const id = { name: "id", in: "path", required: true, schema: { type: "string", pattern: "^[0-9]+$" } };
  const trace = { name: "x-trace", in: "header", required: true, schema: { type: "string" } };
  const headers = { User: { description: "A user", content: { "application/json": { schema: user } } } };

  assertEquals(list(documentWith(user), documentWith(user, { parameters: { Id: id } })), [
    "breaking | request-narrowed | PUT /users/{id} | params /id | must match the pattern ^[0-9]+$ now",
  ]);
  assertEquals(list(documentWith(user), documentWith(user, {}, { parameters: [trace] })), [
    "breaking | request-narrowed | PUT /users/{id} | headers /x-trace | is required now",
  ]);
  assertEquals(list(documentWith(user), documentWith(user, { responses: headers })), [
    "breaking | response-widened | PUT /users/{id} | 200 headers /etag | is no longer sent",
  ]);
  assertEquals(list(documentWith(user), { ...documentWith(user), security: [{ token: [] }] } as AnyOpenApiDocument), [
    "breaking | security-narrowed | PUT /users/{id} | security | callers with no credential are no longer accepted",
  ]);
  assertEquals(list(documentWith(user), documentWith(user, {}, { operationId: "putUser" })), [
    "source | key-renamed | PUT /users/{id} | - | the key became putUser",
  ]);
});

Deno.test("a body in a document is optional unless it is marked as required", () => {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/User" } } };
  const optional = documentWith(user, { requestBodies: { User: { content } } });

  assertEquals(list(optional, documentWith(user)), [
    "breaking | body-required | PUT /users/{id} | body | the body is required now",
  ]);
});

Deno.test("an unreadable schema in a document is unproven", () => {
  const [change] = diffContracts(documentWith(user), documentWith({ $ref: "https://example.com/user.json" }));

  assertEquals([change?.verdict, change?.rule, change?.where], ["unproven", "schema-unknown", "body"]);
  assertEquals(
    change?.message,
    'Cannot follow $ref "https://example.com/user.json": the schema does not define it',
  );
});

Deno.test("a keyword that cannot be read makes its slot unproven, and the others are compared", () => {
  for (
    const [odd, message] of [
      [{ type: "string", pattern: "(?i)a" }, "the pattern (?i)a is not a JavaScript regular expression"],
      [{ type: "integer", multipleOf: 0 }, "multipleOf must be greater than 0, not 0"],
    ] as const
  ) {
    const before = { type: "object", properties: { a: {} } };
    const content = { "application/json": { schema: { type: "object", properties: { a: odd } } } };
    const after = documentWith(before, { requestBodies: { User: { required: true, content } } }, {
      operationId: "put",
    });

    assertEquals(list(documentWith(before), after), [
      `unproven | schema-unknown | PUT /users/{id} | body | Cannot read a JSON Schema: ${message}`,
      "source | key-renamed | PUT /users/{id} | - | the key became put",
    ]);
  }
});

Deno.test("a value that matches two branches of a oneOf is never sent and is not a witness", () => {
  const before = { oneOf: [{ type: "integer", multipleOf: 2 }, { type: "integer", multipleOf: 3 }] };
  const [change] = diffContracts(documentWith(before), documentWith({ type: "integer", not: { const: 0 } }))
    .filter(({ where }) => where === "body");

  assertEquals([change?.verdict, change?.witness], ["unproven", undefined]);
});

Deno.test("a hundred members and a recursion do not slow down a comparison", () => {
  const properties = Object.fromEntries(
    Array.from(
      { length: 100 },
      (_, index) => [`m${index}`, { $ref: `#/components/schemas/${index % 2 ? "User" : "Name"}` }],
    ),
  );
  const begun = processorTime();

  assertEquals(
    list(
      documentWith({ type: "object", properties }),
      documentWith({ type: "object", properties: { ...properties, n: { type: "string" } } }),
    ).length,
    2,
  );
  assertEquals(processorTime() - begun < 10_000, true);
});

Deno.test("a change that many paths lead to does not slow down a comparison", () => {
  const chain = (maxLength: number) => {
    const schemas: Record<string, object> = { S24: { type: "string", maxLength } };
    for (let index = 0; index < 24; index++) {
      const next = { $ref: `#/components/schemas/S${index + 1}` };
      schemas[`S${index}`] = { type: "object", properties: { a: next, b: next } };
    }
    return documentWith({ $ref: "#/components/schemas/S0" }, { schemas: { ...schemas, User: schemas.S0 } });
  };
  const begun = processorTime();
  const listed = list(chain(9), chain(8));

  assertEquals(
    listed[0],
    `breaking | request-narrowed | PUT /users/{id} | body ${
      "/a".repeat(24)
    } | must have a length of 8 or less now, not 9`,
  );
  assertEquals(listed.length, 6); // three in the request, three in the response
  assertEquals(processorTime() - begun < 10_000, true);
});

/** A document of one operation. */
function documentOf(operation: object, more: object = {}, path = "/pets"): AnyOpenApiDocument {
  return { openapi: "3.1.0", paths: { [path]: { post: operation } }, ...more } as AnyOpenApiDocument;
}

const ok = { 200: { description: "OK" } };

Deno.test("diffContracts() puts the path of the nearest server before the paths of a document", () => {
  const plain = documentOf({ responses: ok }, {}, "/v1/pets");
  for (const url of ["https://api.example.com/v1", "/v1/", "https://api.example.com/{version}"]) {
    const server = { url, variables: { version: { default: "v1" } } };
    assertEquals(list(plain, documentOf({ responses: ok }, { servers: [server] })), []);
    assertEquals(list(plain, documentOf({ responses: ok, servers: [server] }, { servers: [{ url: "/v2" }] })), []);
  }
  const moved = list(plain, documentOf({ responses: ok }, { servers: [{ url: "/v2" }] }));
  assertEquals(moved, [
    "breaking | route-removed | POST /v1/pets | - | POST /v1/pets was removed",
    "compatible | route-added | POST /v2/pets | - | POST /v2/pets was added",
  ]);
});

Deno.test("diffContracts() compares a document whose paths have the same shape with itself", () => {
  const paths = { "/a/{x}": { get: { operationId: "x", responses: ok } }, "/a/{y}": { get: { responses: {} } } };
  const document = { openapi: "3.1.0", paths } as AnyOpenApiDocument;
  assertEquals(list(document, document), []);
});

Deno.test("diffContracts() reads readOnly and writeOnly: such properties are not part of the other direction", () => {
  const withSchema = (properties: object, required: readonly string[]): AnyOpenApiDocument => {
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
    return documentOf(
      { requestBody: { required: true, content }, responses: { 200: { description: "OK", content } } },
      { components: { schemas: { Pet: { type: "object", properties, required } } } },
    );
  };
  const id = { type: "string", readOnly: true };
  const secret = { type: "string", writeOnly: true };
  assertEquals(list(withSchema({ id }, []), withSchema({ id }, ["id"])), [
    "compatible | response-narrowed | POST /pets | 200 /id | is always present now",
  ]);
  assertEquals(list(withSchema({ secret }, ["secret"]), withSchema({ secret }, [])), [
    "compatible | request-widened | POST /pets | body /secret | is no longer required",
  ]);
});

Deno.test("a property is readOnly or writeOnly if the component that it refers to is", () => {
  const withSchemas = (id: object, schemas: object = {}): AnyOpenApiDocument => {
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
    const Pet = { type: "object", properties: { id }, required: ["id"] };
    return documentOf({ requestBody: { required: true, content }, responses: ok }, {
      components: { schemas: { Pet, ...schemas } },
    });
  };
  const inPlace = withSchemas({ type: "string", readOnly: true });
  const referred = withSchemas({ $ref: "#/components/schemas/Id" }, { Id: { type: "string", readOnly: true } });
  const required = withSchemas({ $ref: "#/components/schemas/Id" }, { Id: { type: "string" } });
  assertEquals(list(inPlace, referred), []);
  assertEquals(list(referred, required), ["breaking | request-narrowed | POST /pets | body /id | is required now"]);
  const merged = withSchemas({ allOf: [{ type: "string" }, { description: "An id", readOnly: true }] });
  assertEquals(list(inPlace, merged), []);
  const Id = { allOf: [{ $ref: "#/components/schemas/Key" }] };
  const farther = withSchemas({ $ref: "#/components/schemas/Id" }, { Id, Key: { type: "string", readOnly: true } });
  assertEquals(list(inPlace, farther), []);
});

Deno.test("diffContracts() reads parameters and headers as texts, which numbers and booleans become", () => {
  const at = (id: object, ids: object = {}, left: object = {}): AnyOpenApiDocument => {
    const parameters = [
      { name: "id", in: "query", schema: id },
      { name: "ids", in: "query", schema: { type: "array", items: ids } },
    ];
    const headers = { "x-left": { required: true, schema: left } };
    return documentOf({ parameters, responses: { 200: { description: "OK", headers } } });
  };
  const [text, number] = [{ type: "string" }, { type: "integer" }];
  assertEquals(list(at(number, { type: "boolean" }, text), at(text, text, number)), [
    "source | request-widened | POST /pets | query /id | may be any text now",
    "source | request-widened | POST /pets | query /ids | may be any text now",
    "source | response-narrowed | POST /pets | 200 headers /x-left | is no longer any text",
  ]);
  assertEquals(list(at(text, {}, number), at(number, {}, text)).map((line) => line.split(" | ")[0]), [
    "breaking",
    "breaking",
  ]);
  assertEquals(list(at(number), at({ ...text, maxLength: 2 })).map((line) => line.split(" | ")[0]), ["breaking"]);
});

Deno.test("diffContracts() compares the cookies of documents", () => {
  const withCookie = (...more: readonly object[]): AnyOpenApiDocument =>
    documentOf({ parameters: more.map((each) => ({ name: "theme", in: "cookie", ...each })), responses: ok });
  const theme = { schema: { type: "string" } };
  assertEquals(list(withCookie(theme), withCookie({ ...theme, required: true })), [
    "breaking | request-narrowed | POST /pets | cookies /theme | is required now",
  ]);
  assertEquals(list(withCookie(), withCookie(theme)), [
    "compatible | request-widened | POST /pets | cookies /theme | was added",
  ]);
  assertEquals(
    diffContracts(
      withCookie({ ...theme, required: true }),
      importContract({
        ...withCookie({ ...theme, required: true }),
        info: { title: "Pets", version: "1" },
      }).contract,
    ),
    [],
  ); // contracts declare no cookies
});

Deno.test("diffContracts() reads the media types of a document's response as those that a client may ask for", () => {
  const withTypes = (...types: readonly string[]): AnyOpenApiDocument => {
    const content = Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }]));
    return documentOf({ responses: { 200: { description: "OK", content } } });
  };
  assertEquals(list(withTypes("text/plain"), withTypes("text/plain", "text/csv")), [
    "compatible | content-type-added | POST /pets | 200 | text/csv was added",
  ]);
  assertEquals(list(withTypes("text/plain", "text/csv"), withTypes("text/plain")), [
    "breaking | content-type-removed | POST /pets | 200 | text/csv was removed",
  ]);
  assertEquals(list(withTypes("text/plain"), withTypes("text/csv")).map((line) => line.split(" ")[0]), [
    "breaking",
    "breaking",
  ]);
});

Deno.test("diffContracts() does not call an API key in authorization and an HTTP scheme different", () => {
  const withScheme = (scheme: object): AnyOpenApiDocument =>
    documentOf({ security: [{ auth: [] }], responses: ok }, { components: { securitySchemes: { auth: scheme } } });
  const key = withScheme({ type: "apiKey", in: "header", name: "Authorization" });
  const bearer = withScheme({ type: "http", scheme: "bearer" });
  const basic = withScheme({ type: "http", scheme: "basic" });
  assertEquals(list(key, bearer).map((line) => line.split(" ")[0]), ["unproven"]);
  assertEquals(list(bearer, key).map((line) => line.split(" ")[0]), ["unproven"]);
  assertEquals(list(basic, bearer).map((line) => line.split(" ")[0]), ["breaking"]);
});

Deno.test("members that a security scheme of a type does not have make no difference", () => {
  const withScheme = (scheme: object): AnyOpenApiDocument =>
    documentOf({ security: [{ auth: [] }], responses: ok }, { components: { securitySchemes: { auth: scheme } } });
  const bearer = withScheme({ type: "http", scheme: "bearer" });
  assertEquals(list(bearer, withScheme({ type: "http", scheme: "Bearer", in: "header", name: "Authorization" })), []);
  const key = withScheme({ type: "apiKey", in: "header", name: "X-Key" });
  assertEquals(list(key, withScheme({ type: "apiKey", in: "header", name: "x-key", scheme: "bearer" })), []);
  const query = withScheme({ type: "apiKey", in: "query", name: "X-Key" });
  assertEquals(list(key, query).map((line) => line.split(" ")[0]), ["breaking"]);
});

Deno.test("a document with thousands of new paths is compared in seconds", () => {
  const documentOf = (...mounts: readonly string[]): AnyOpenApiDocument => {
    const names = Array.from({ length: 2_000 }, (_, index) => `a${index}`);
    const paths = mounts.flatMap((mount) => names.map((name) => [`/${mount}/${name}`, { get: { responses: ok } }]));
    return { openapi: "3.1.0", paths: Object.fromEntries(paths) } as AnyOpenApiDocument;
  };
  const begun = processorTime();
  const listed = list(documentOf("{mount}"), documentOf("{mount}", "main"));
  assertEquals(listed.filter((line) => line.includes("goes to")).length, 2_000);
  assert(processorTime() - begun < 6_000);
});

Deno.test("a path of thousands of segments is compared with a new one", () => {
  const end = "/a".repeat(20_000);
  const documentOf = (...starts: readonly string[]): AnyOpenApiDocument => ({
    openapi: "3.1.0",
    paths: Object.fromEntries(starts.map((start) => [`/${start}${end}`, { get: { responses: ok } }])),
  } as AnyOpenApiDocument);
  const listed = list(documentOf("{mount}"), documentOf("{mount}", "main"));
  assertEquals(listed.filter((line) => line.includes("goes to")).length, 1);
});

Deno.test("new paths of a document with many schemas are compared in seconds", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);
  const name = { name: "name", in: "path", required: true, schema: { type: "string" } };
  const schemas = Object.fromEntries(names(3_000).map((name) => [name, user]));
  const documentOf = (paths: readonly string[]): AnyOpenApiDocument => ({
    openapi: "3.1.0",
    paths: Object.fromEntries(
      paths.map((path) => [path, { get: { parameters: path === "/{name}" ? [name] : [], responses: ok } }]),
    ),
    components: { schemas: { ...schemas, User: user, Name: { type: "string" } } },
  } as AnyOpenApiDocument);
  const begun = processorTime();
  const listed = list(documentOf(["/{name}"]), documentOf(["/{name}", ...names(700).map((name) => `/${name}`)]));

  assertEquals(listed.filter((line) => line.includes("goes to")).length, 700);
  assert(processorTime() - begun < 14_000);
});

Deno.test("diffContracts() lists parameters that are written in another form", () => {
  const withStyle = (style: object, type = "array"): AnyOpenApiDocument =>
    documentOf({ parameters: [{ name: "ids", in: "query", schema: { type }, ...style }], responses: ok });
  assertEquals(list(withStyle({}), withStyle({ explode: false })), [
    "breaking | style-changed | POST /pets | query /ids | is written as one value now, not as usual",
  ]);
  assertEquals(list(withStyle({ style: "form", explode: true }), withStyle({})), []);
  assertEquals(list(withStyle({ explode: false }, "string"), withStyle({}, "string")), []);
});

Deno.test("diffContracts() names the parts of documents that it does not compare", () => {
  const document = documentOf({ responses: ok });
  const called = documentOf({ responses: ok, callbacks: { sold: { "{$request.query.url}": {} } } });
  assertEquals(list(called, called), []);
  assertEquals(list(document, called), [
    "unproven | part-changed |  | callbacks | changed, and is not compared",
  ]);
});

Deno.test("diffContracts() ignores keywords that no value breaks: names that are texts, and bounds of safe integers", () => {
  const withSchema = (schema: object): AnyOpenApiDocument =>
    documentOf({ requestBody: { required: true, content: { "application/json": { schema } } }, responses: ok });
  const safe = { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  const named = { type: "object", additionalProperties: safe, propertyNames: { type: "string" } };
  assertEquals(
    list(withSchema({ type: "object", additionalProperties: { type: "integer" } }), withSchema(named)),
    [],
  );
});

/** A document with one parameter of a query, or one body. */
function documentTaking(parameter: object, body?: object): AnyOpenApiDocument {
  const requestBody = body && { requestBody: { required: true, content: { "application/json": { schema: body } } } };
  const post = { operationId: "one", parameters: [parameter], ...requestBody, responses: { 204: { description: "" } } };
  return { openapi: "3.1.0", paths: { "/": { post } } };
}

const tag = { name: "tag", in: "query", schema: { type: "string" } };

Deno.test("a single value of a query is a list of one, if lists have the usual form", () => {
  const tags = { ...tag, schema: { type: "array", items: { type: "string" } } };
  assertEquals(list(documentTaking(tag), documentTaking(tags)).filter((line) => !line.startsWith("compatible")), []);
  const two = { ...tags, schema: { ...tags.schema, minItems: 2 } };
  assertEquals(
    list(documentTaking(tag), documentTaking(two))[0],
    "breaking | request-narrowed | one | query /tag | must have 2 or more items now, not 1",
  );
  const numbers = { ...tags, schema: { type: "array", items: { type: "string", pattern: "^[0-9]+$" } } };
  assertEquals(list(documentTaking(tag), documentTaking(numbers)), [
    "breaking | request-narrowed | one | query /tag/0 | must match the pattern ^[0-9]+$ now",
    "compatible | request-widened | one | query /tag | need no longer have 1 or more items",
    "compatible | request-widened | one | query /tag | need no longer have 1 or fewer items",
  ]);
  const joined = { ...tags, explode: false };
  assertEquals(list(documentTaking(tag), documentTaking(joined))[0]?.startsWith("breaking"), true);
  assertEquals(list(documentTaking(tags), documentTaking(tag))[0]?.startsWith("breaking"), true);
});

Deno.test("the formats of integers are compared as their bounds", () => {
  const body = (format: string) =>
    documentTaking(tag, { type: "object", properties: { n: { type: "integer", format } }, required: ["n"] });
  const [change] = diffContracts(body("int64"), body("int32"));
  assertEquals([change?.verdict, change?.rule, change?.where], ["breaking", "request-narrowed", "body /n"]);
  assert(Math.abs((change?.witness as { readonly n: number }).n) > 2 ** 31 - 1);
  assertEquals(diffContracts(body("int32"), body("int64")).map(({ verdict }) => verdict), ["compatible", "compatible"]);
  assertEquals(list(body("int32"), body("int32")), []);
  assertEquals(list(body("constructor"), body("int64")).filter((line) => line.startsWith("breaking")), []);
});

Deno.test("a discriminator that is gone or changed is listed, because generated clients read it", () => {
  const cat = { type: "object", properties: { kind: { const: "cat" } }, required: ["kind"] };
  const pet = (discriminator: object | undefined) =>
    documentTaking(tag, { oneOf: [cat], ...(discriminator && { discriminator }) });
  const before = pet({ propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } });
  assertEquals(list(before, pet({ propertyName: "type" })), [
    "source | discriminator-changed | one | body | the discriminator kind cat for #/components/schemas/Cat became type",
  ]);
  assertEquals(list(before, pet(undefined)), [
    "source | discriminator-changed | one | body | the discriminator kind cat for #/components/schemas/Cat was removed",
  ]);
  assertEquals(list(pet(undefined), before), []);
});

Deno.test("a base with a discriminator is compared as the schemas that extend it", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const document = (doors: string, kinds: readonly string[] = ["Car", "Van"]) => ({
    ...documentTaking(tag, { type: "array", items: ref("Vehicle") }),
    components: {
      schemas: {
        Vehicle: {
          type: "object",
          properties: { kind: { type: "string" } },
          required: ["kind"],
          discriminator: { propertyName: "kind" },
        },
        ...Object.fromEntries(kinds.map((kind) => [kind, {
          allOf: [ref("Vehicle"), { type: "object", properties: { doors: { type: doors } }, required: ["doors"] }],
        }])),
      },
    },
  });
  const before = document("integer");
  const breaking = (after: object) =>
    diffContracts(before, after as AnyOpenApiDocument).filter(({ verdict }) => verdict === "breaking")
      .map(({ rule }) => rule);
  assertEquals(list(before, document("integer")), []);
  assertEquals([...new Set(breaking(document("string")))], ["request-narrowed"]);
  assertEquals([...new Set(breaking(document("integer", ["Car"])))], ["request-narrowed"]);
  const { contract } = importContract(before);
  assertEquals(breaking(contract), []);
  assertEquals(diffContracts(contract, before).filter(({ verdict }) => verdict === "breaking"), []);
});

Deno.test("a date-time that must be in UTC now has a witness with an offset", () => {
  const at = (more: object) => documentTaking(tag, { type: "string", format: "date-time", ...more });
  const [change] = diffContracts(at({}), at({ pattern: "Z$" }));
  assertEquals([change?.verdict, change?.witness], ["breaking", "2026-01-02T03:04:05+05:30"]);
});

Deno.test("the formats of nullable integers are compared as their bounds", () => {
  const body = (format: string) =>
    documentTaking(tag, { type: "object", properties: { n: { type: ["integer", "null"], format } }, required: ["n"] });
  const changes = diffContracts(body("int64"), body("int32"));
  assertEquals(changes.map(({ verdict, rule, where }) => [verdict, rule, where]), [
    ["breaking", "request-narrowed", "body /n"],
    ["breaking", "request-narrowed", "body /n"],
  ]);
});

Deno.test("a document of OpenAPI 3.0 means the same as its translation to 3.1", () => {
  const old = {
    ...documentWith({
      type: "object",
      properties: {
        name: { type: "string", nullable: true },
        kind: { type: "string", enum: ["a", "b"], nullable: true },
        friend: { allOf: [{ $ref: "#/components/schemas/Name" }], nullable: true },
        age: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 150, exclusiveMaximum: false },
      },
    }),
    openapi: "3.0.3",
  };
  const translated = documentWith({
    type: "object",
    properties: {
      name: { type: ["string", "null"] },
      kind: { type: ["string", "null"], enum: ["a", "b", null] },
      friend: { anyOf: [{ $ref: "#/components/schemas/Name" }, { type: "null" }] },
      age: { type: "number", exclusiveMinimum: 0, maximum: 150 },
    },
  });

  assertEquals(list(old, translated), []);
  assertEquals(list(translated, old), []);
  const strict = { ...documentWith({ type: "object", properties: { name: { type: "string" } } }), openapi: "3.0.3" };
  assertEquals(list(strict, old).map((line) => line.split(" | ").slice(0, 4).join(" ")).slice(0, 1), [
    "breaking response-widened PUT /users/{id} 200 /name",
  ]);
});

Deno.test("diffContracts() ignores the header parameters that OpenAPI ignores", () => {
  const parameters = ["Accept", "CONTENT-TYPE", "authorization"].map((name) => ({
    name,
    in: "header",
    required: true,
    schema: { const: name },
  }));
  const content = { "application/json": { schema: user } };
  const headers = { "Content-Type": { required: true, schema: { type: "string" } } };
  const responses = { 200: { description: "A user", content, headers } };
  const before = documentWith(user, {}, { responses: { 200: { ...responses[200], headers: {} } } });

  assertEquals(
    list(before, documentWith(user, {}, { parameters, responses })).filter((line) => line.includes("header")),
    [
      "compatible | request-narrowed | PUT /users/{id} | headers /x-trace | was removed",
    ],
  );
  const query = parameters.map((each) => ({ ...each, in: "query" }));
  assertEquals(
    list(before, documentWith(user, {}, { parameters: query })).filter((line) => /breaking/.test(line)).length,
    3,
  );
});

Deno.test("diffContracts() lists what a document deprecates, and the operations that it no longer does", () => {
  const old = { type: "string", deprecated: true };
  const wasOld = { ...user, properties: { ...user.properties, old: { type: "string" }, none: old } };
  const isOld = {
    ...user,
    properties: { ...user.properties, old, none: { allOf: [{ $ref: "#/components/schemas/Name" }] } },
  };
  const trace = { name: "X-Trace", in: "header", deprecated: true, schema: { $ref: "#/components/schemas/Name" } };
  const named = { name: "X-Trace", in: "header", schema: { $ref: "#/components/schemas/Name" } };
  const before = documentWith(wasOld, {}, { parameters: [named] });
  const after = documentWith(isOld, {}, { parameters: [trace], deprecated: true, "x-sunset": "2027-01-01" });

  assertEquals(list(before, after).filter((line) => !/narrowed|widened/.test(line)), [
    "compatible | deprecated | PUT /users/{id} | - | is deprecated now, and is expected to stop working at 2027-01-01",
    "compatible | deprecated | PUT /users/{id} | headers /x-trace | is deprecated now",
    "compatible | deprecated | PUT /users/{id} | body /old | is deprecated now",
    "compatible | deprecated | PUT /users/{id} | 200 /old | is deprecated now",
  ]);
  assertEquals(list(after, before).filter((line) => line.includes("| - |")), [
    "compatible | deprecation-removed | PUT /users/{id} | - | is no longer deprecated",
  ]);
});

Deno.test("a reference that leads nowhere is one line of an error, whatever it contains", () => {
  const document = { openapi: "3.1.0", paths: { "/a": { $ref: "#/\u001b]0;x\u0007\n\u009b\u202eNo changes" } } };

  assertThrows(
    () => diffContracts(document, { openapi: "3.1.0", paths: {} }),
    TypeError,
    'diffContracts(): the document does not define "#/\\u001b]0;x\\u0007\\n\\u009b\\u202eNo changes"',
  );
});

Deno.test("nullable allows null beside a choice of schemas, as tools of OpenAPI 3.0 read it", () => {
  const choice = { oneOf: [{ type: "string" }, { type: "number" }] };
  const before = { ...documentWith({ anyOf: [choice, { type: "null" }] }), openapi: "3.0.3" } as AnyOpenApiDocument;

  for (
    const nullable of [{ nullable: true, ...choice }, { nullable: true, type: "string", allOf: [{ minLength: 1 }] }]
  ) {
    const after = { ...documentWith(nullable), openapi: "3.0.3" } as AnyOpenApiDocument;
    assertEquals(list(before, after).filter((line) => line.includes("null")), []);
  }
});

Deno.test("x-nullable allows null, as it does in an import", () => {
  const schema = { type: "object", properties: { size: { type: "integer", "x-nullable": true } } };
  const document = {
    swagger: "2.0",
    info: { title: "Files", version: "1.0.0" },
    paths: {
      "/file": { get: { operationId: "get", tags: ["files"], responses: { 200: { description: "", schema } } } },
    },
  };

  assertEquals(diffContracts(document, importContract(document).contract), []);
});

Deno.test("no parameter is null, also where it refers to a schema that may be", () => {
  const schemas = {
    User: user,
    Guid: { $ref: "#/components/schemas/Id" },
    Id: { type: ["string", "null"], minLength: 2 },
    Loop: { $ref: "#/components/schemas/Loop" },
    Old: { type: "string", nullable: true },
  };
  const own = documentWith(user, { schemas }, {
    parameters: [
      { name: "guid", in: "query", schema: { $ref: "#/components/schemas/Guid" } },
      { name: "either", in: "query", schema: { oneOf: [{ $ref: "#/components/schemas/Id" }, { type: "integer" }] } },
      { name: "old", in: "query", schema: { $ref: "#/components/schemas/Old" } },
    ],
  });
  const after = documentWith(user, { schemas }, {
    parameters: [
      { name: "guid", in: "query", schema: { type: "string", minLength: 2 } },
      { name: "either", in: "query", schema: { oneOf: [{ type: "string", minLength: 2 }, { type: "integer" }] } },
      { name: "old", in: "query", schema: { type: "string" } },
    ],
  });

  assertEquals(list(own, after), []);
  assertEquals(list(after, own), []);
});

Deno.test("a reference to a part of a component is followed, whatever the part is in", () => {
  const kinds = (maxLength: number) => ({
    schemas: {
      User: { type: "object", properties: { kind: { $ref: "#/components/schemas/Kinds/properties/kind/oneOf/0" } } },
      Kinds: { type: "object", properties: { kind: { oneOf: [{ type: "string", maxLength }, { type: "integer" }] } } },
    },
  });
  const before = documentWith(kinds(9).schemas.User, kinds(9));

  assertEquals(list(before, documentWith(user, kinds(8))), [
    "breaking | request-narrowed | PUT /users/{id} | body /kind | must have a length of 8 or less now, not 9",
    "compatible | response-narrowed | PUT /users/{id} | 200 /kind | must have a length of 8 or less now, not 9",
  ]);
});

Deno.test("a base may be extended by another name", () => {
  const kind = { type: "string" };
  const schemas = {
    User: {
      type: "object",
      properties: { kind },
      discriminator: { propertyName: "kind", mapping: { boss: "#/components/schemas/Boss" } },
    },
    Simple: { allOf: [{ $ref: "#/components/schemas/User" }] },
    Boss: { allOf: [{ $ref: "#/components/schemas/Simple" }, { properties: { level: { type: "integer" } } }] },
  };
  const before = documentWith(user, { schemas });
  const boss = { allOf: [{ $ref: "#/components/schemas/Simple" }, { properties: { level: { type: "string" } } }] };

  assertEquals(
    list(before, documentWith(user, { schemas: { ...schemas, Boss: boss } })).map((line) => line.split(" | ")[3]),
    ["body /level", "200 /level"],
  );
});

Deno.test("diffContracts() lists no change of a schema that it cannot read, if that is the same", () => {
  const documentWith = (limit: number, title: string) => {
    const filters = { type: "array", maxItems: limit, items: { $recursiveRef: "#" } };
    const Filter = { $recursiveAnchor: true, type: "object", properties: { filters } };
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Filter" } } };
    return {
      openapi: "3.1.0",
      info: { title, version: "1" },
      paths: { "/a": { get: { operationId: "a", responses: { 200: { description: "", content } } } } },
      components: { schemas: { Filter } },
    };
  };
  const messages = (...sides: Parameters<typeof diffContracts>) =>
    diffContracts(...sides).map(({ message }) => message);

  assertEquals(messages(documentWith(2, "One"), documentWith(2, "Another")), []);
  assertEquals(messages(documentWith(2, "One"), documentWith(3, "One")), [
    "Cannot read a JSON Schema: $recursiveRef is not supported; write $ref",
  ]);
});

Deno.test("a security scheme that only has another name is unproven, and one of two schemes is not another one", () => {
  const secured = (...names: readonly string[]): AnyOpenApiDocument => {
    const [first = "", ...others] = names;
    const extra = Object.fromEntries(
      others.map((name) => [`/${name}`, { get: { security: [{ [name]: [] }], responses: ok } }]),
    );
    const securitySchemes = Object.fromEntries(names.map((name) => [name, { type: "http", scheme: "bearer" }]));
    const { paths, ...document } = documentOf({ security: [{ [first]: [] }], responses: ok }, {
      components: { securitySchemes },
    });
    return { ...document, paths: { ...paths, ...extra } } as AnyOpenApiDocument;
  };
  const narrowed = (...sides: [AnyOpenApiDocument, AnyOpenApiDocument]) =>
    diffContracts(...sides).filter(({ rule }) => rule === "security-narrowed").map((
      { verdict, message },
    ) => [verdict, message]);
  assertEquals(narrowed(secured("token"), secured("member")), [
    ["unproven", "callers with token may send the same credential, or may not be accepted"],
  ]);
  assertEquals(narrowed(secured("user", "admin"), secured("admin", "user")), [
    ["breaking", "callers with user are no longer accepted"],
  ]);
});
