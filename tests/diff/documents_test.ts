/** Documents that other tools wrote. */
import { assertEquals } from "@std/assert";
import { type AnyOpenApiDocument, diffContracts } from "@scope/api/diff";

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
  const begun = performance.now();

  assertEquals(
    list(
      documentWith({ type: "object", properties }),
      documentWith({ type: "object", properties: { ...properties, n: { type: "string" } } }),
    ).length,
    2,
  );
  assertEquals(performance.now() - begun < 10_000, true);
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
  const begun = performance.now();
  const listed = list(chain(9), chain(8));

  assertEquals(
    listed[0],
    `breaking | request-narrowed | PUT /users/{id} | body ${
      "/a".repeat(24)
    } | must have a length of 8 or less now, not 9`,
  );
  assertEquals(listed.length, 6); // three in the request, three in the response
  assertEquals(performance.now() - begun < 10_000, true);
});
