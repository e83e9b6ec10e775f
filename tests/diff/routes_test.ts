/** The table of rules in docs/diff.md: changes of routes, bodies, statuses and security. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Contract,
  defineContract,
  type Deprecated,
  representation,
  request,
  type RequestBody,
  response,
  type ResponseDeclaration,
  route,
  router,
  type RouteTree,
  type Schema,
  type Security,
  security,
} from "@scope/api";
import { type ContractOrDocument, diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { type } from "arktype";
import type { JsonSchemaObject } from "../../src/tools/json_schema/json.ts";
import { fromJsonSchema } from "./from_json_schema.ts";

/** The changes of two trees of routes, each as one line. */
function list(before: RouteTree, after: RouteTree): string[] {
  return compare(defineContract({ routes: before }), defineContract({ routes: after }));
}

function compare(before: ContractOrDocument, after: ContractOrDocument): string[] {
  return diffContracts(before, after).map(({ verdict, rule, route, where, message }) =>
    [verdict, rule, route, where || "-", message].join(" | ")
  );
}

const ok = { responses: { 200: response.text() } };
const name = type({ name: "string" });

Deno.test("a removed route, or one with another method or path, breaks", () => {
  assertEquals(list({ a: route.get("/a", ok), b: route.get("/b", ok) }, { a: route.get("/a", ok) }), [
    "breaking | route-removed | b | - | GET /b was removed",
  ]);
  assertEquals(list({ a: route.get("/a", ok) }, { a: route.post("/a", ok) }), [
    "breaking | route-removed | a | - | GET /a was removed",
    "compatible | route-added | a | - | POST /a was added",
  ]);
  assertEquals(list({ a: route.get("/a/:id", ok) }, { a: route.get("/a/:id/b", ok) }), [
    "breaking | route-removed | a | - | GET /a/{id} was removed",
    "compatible | route-added | a | - | GET /a/{id}/b was added",
  ]);
});

Deno.test("an added route breaks only if it takes calls of an older one", () => {
  const byId = route.get("/users/:id", ok);
  const numbered = route.get("/users/:id", { params: type({ id: "/^[0-9]+$/" }), ...ok });
  const me = route.get("/users/me", ok);

  assertEquals(list({ byId }, { byId, list: route.get("/users", ok) }), [
    "compatible | route-added | list | - | GET /users was added",
  ]);
  assertEquals(list({ byId }, { byId, me }), [
    "breaking | route-shadows | byId | - | /users/me goes to me now",
    "compatible | route-added | me | - | GET /users/me was added",
  ]);
  assertEquals(
    diffContracts(defineContract({ routes: { byId } }), defineContract({ routes: { byId, me } }))[0]?.witness,
    "/users/me",
  );
  assertEquals(list({ byId: numbered }, { byId: numbered, me }), [
    "compatible | route-added | me | - | GET /users/me was added",
  ]);
  assertEquals(list({ byId }, { byId, mine: route.post("/users/me", ok) }), [
    "compatible | route-added | mine | - | POST /users/me was added",
  ]);
  assertEquals(list({ me }, { me, byId }), ["compatible | route-added | byId | - | GET /users/{id} was added"]);
  const [first, second] = [route.get("/:a/x", ok), route.get("/y/:b", ok)];
  assertEquals(list({ first }, { first, second }), [
    "breaking | route-shadows | first | - | /y/x goes to second now",
    "compatible | route-added | second | - | GET /y/{b} was added",
  ]);
});

Deno.test("a call that a new route takes is found among those of the older one", () => {
  const inLanguage = (schema?: Schema<{ lang: string; id: string }>) =>
    route.get("/:lang/:id", { ...(schema && { params: schema }), ...ok });
  const english = route.get("/en/:slug", ok);
  const uuids = inLanguage(type({ lang: "'en' | 'de'", id: "/^[0-9a-f]{8}$/" }) as never);
  const germanOnly = inLanguage(type({ lang: "'de'", id: "string" }) as never);

  const [change] = diffContracts(
    defineContract({ routes: { a: uuids } }),
    defineContract({ routes: { a: uuids, english } }),
  );
  assertEquals([change?.verdict, change?.rule], ["breaking", "route-shadows"]);
  assert(/^\/en\/[0-9a-f]{8}$/.test(String(change?.witness)), String(change?.witness));
  assertEquals(list({ a: germanOnly }, { a: germanOnly, english }), [
    "compatible | route-added | english | - | GET /en/{slug} was added",
  ]);
  const known = route.get("/en/:x", ok);
  assertEquals(list({ a: uuids, known }, { a: uuids, known, other: route.get("/fr/:slug", ok) }), [
    "compatible | route-added | other | - | GET /fr/{slug} was added",
  ]);
  const special = route.get("/en/special", ok);
  assertEquals(list({ a: inLanguage(), known }, { a: inLanguage(), known, special }), [
    "breaking | route-shadows | known | - | /en/special goes to special now", // calls of a never went there
    "compatible | route-added | special | - | GET /en/special was added",
  ]);
  const deep = route.get("/y/:b/:c", ok);
  assertEquals(list({ deep }, { deep, other: route.get("/:a/x/:c", ok) }), [
    "compatible | route-added | other | - | GET /{a}/x/{c} was added",
  ]);
  assertEquals(
    list({ a: inLanguage(), known }, { a: inLanguage(), known, other: route.get("/:lang/new", ok) })[0],
    [
      "breaking | route-shadows | a | - | /aaaa/new goes to other now",
    ].join(),
  );
});

Deno.test("the schema of a path parameter decides whether the old route accepted a literal; otherwise the change is unproven", () => {
  const params = fromJsonSchema<{ id: string }>(
    { type: "object", properties: { id: { type: "string", format: "uuid" } }, required: ["id"] },
    ({ id }) => !id.includes("-"),
  );
  const byId = route.get("/users/:id", { params, ...ok });
  const [before, after] = [{ byId }, { byId, me: route.get("/users/me", ok) }];
  const [old, young] = [before, after].map((routes) =>
    openApiDocument(defineContract({ routes }), { info: { title: "", version: "" } })
  );

  assertEquals(list(before, after), ["compatible | route-added | me | - | GET /users/me was added"]);
  assertEquals(compare(old!, young!), [
    "unproven | route-shadows | byId | - | calls may go to me now; none was found that does",
    "compatible | route-added | me | - | GET /users/me was added",
  ]);
  assertEquals(
    compare({ openapi: "3.1.0", paths: { "/{a}": { get: {} } } }, {
      openapi: "3.1.0",
      paths: { "/{a}": { get: {} }, "/100%": { get: {} } },
    }),
    [
      "breaking | route-shadows | GET /{a} | - | /100%25 goes to GET /100% now",
      "compatible | route-added | GET /100% | - | GET /100% was added",
    ],
  );
});

Deno.test("schemas of bytes and custom representations are compared like others", () => {
  const post = (body: RequestBody) => ({ a: route.post("/a", { body, ...ok }) });
  const lines = representation<readonly unknown[]>({
    contentType: "text/csv",
    encode: (rows) => rows.join("\n"),
    decode: (bytes) => new TextDecoder().decode(bytes).split("\n"),
  });
  const as = (minLength: number) =>
    post(request.as(lines, type({ "0": `string >= ${minLength}` as "string" }) as never));
  const bytes = post(request.bytes(fromJsonSchema<Uint8Array<ArrayBuffer>>({}, ({ length }) => length > 9)));
  const checked = post(
    request.bytes({ "~standard": { version: 1, vendor: "odd", validate: (value: unknown) => ({ value }) } } as never),
  );

  assertEquals(
    list(as(1), as(2))[0],
    "breaking | request-narrowed | a | body /0 | must have a length of 2 or more now, not 1",
  );
  assertEquals(list(checked, post(request.bytes())), []);
  assertEquals(list(bytes, checked)[0]?.slice(0, 45), "unproven | schema-unknown | a | body | Cannot");
});

Deno.test("names that only code uses are changes of source", () => {
  assertEquals(list({ a: route.get("/a/:id", ok) }, { b: route.get("/a/:key", ok) }), [
    "source | key-renamed | a | - | the key became b",
    "source | parameter-renamed | a | params /id | the parameter became key",
  ]);
  const nested = { users: router("/users", { routes: { byId: route.get("/:id", ok) } }) };
  assertEquals(list(nested, { byId: route.get("/users/:id", ok) }), [
    "source | key-renamed | users.byId | - | the key became byId",
  ]);
  const [old, young] = ["id", "key"].map((name) =>
    route.get(`/a/:${name}` as "/a/:id", {
      params: type({ [name]: name === "id" ? "string" : "string >= 2" } as never) as never,
      ...ok,
    })
  );
  assertEquals(list({ a: old! }, { a: young! }), [
    "breaking | request-narrowed | a | params /key | must have a length of 2 or more now",
    "source | parameter-renamed | a | params /id | the parameter became key",
  ]);
});

Deno.test("query and headers are compared like bodies", () => {
  const get = (options: object) => ({ a: route.get("/a", { ...options, ...ok }) });

  assertEquals(list(get({}), get({ query: type({ "q?": "string" }) })), [
    "compatible | request-widened | a | query /q | was added",
  ]);
  assertEquals(list(get({}), get({ query: type({ q: "string" }) })), [
    "breaking | request-narrowed | a | query /q | is required now",
  ]);
  assertEquals(list(get({ headers: type({ "x-a": "string" }) }), get({ headers: type({ "x-a": "'b'" }) })), [
    'breaking | request-narrowed | a | headers /x-a | must be "b" now',
  ]);
  assertEquals(list(get({ query: type({ q: "string" }) }), get({})), [
    "compatible | request-narrowed | a | query /q | was removed",
  ]);
});

Deno.test("a body that is added or becomes required breaks", () => {
  const post = (body?: ReturnType<typeof request.json>) => ({ a: route.post("/a", { ...(body && { body }), ...ok }) });
  const [required, optional] = [request.json(name), request.json(name, { optional: true })];

  assertEquals(list(post(), post(required)), ["breaking | body-added | a | body | a required body was added"]);
  assertEquals(list(post(), post(optional)), ["compatible | body-added | a | body | an optional body was added"]);
  assertEquals(list(post(optional), post(required)), [
    "breaking | body-required | a | body | the body is required now",
  ]);
  assertEquals(list(post(required), post(optional)), [
    "compatible | body-optional | a | body | the body is optional now",
  ]);
  assertEquals(list(post(required), post()), ["compatible | body-removed | a | body | the body was removed"]);
});

Deno.test("another content type or representation breaks", () => {
  const post = (body: ReturnType<typeof request.text | typeof request.bytes>) => ({
    a: route.post("/a", { body, ...ok }),
  });
  const get = (declared: ResponseDeclaration) => ({ a: route.get("/a", { responses: { 200: declared } }) });
  const csv = { contentType: "text/csv" };

  assertEquals(list(post(request.text()), post(request.text(csv))), [
    "breaking | content-type-removed | a | body | text/plain was removed",
    "compatible | content-type-added | a | body | text/csv was added",
  ]);
  assertEquals(
    list(
      post(request.bytes({ contentType: ["image/png", "image/gif"] }) as never),
      post(request.bytes({ contentType: "image/*" }) as never),
    ),
    ["compatible | content-type-added | a | body | image/* was added"],
  );
  assertEquals(list(post(request.text(csv)), post(request.bytes(csv))), [
    "compatible | representation-changed | a | body | the representation text became bytes",
  ]);
  assertEquals(list(post(request.bytes(csv)), post(request.text(csv))), [
    "breaking | representation-changed | a | body | the representation bytes became text",
  ]);
  assertEquals(list(get(response.text()), get(response.text(csv))), [
    "breaking | content-type-added | a | 200 | text/csv was added",
    "compatible | content-type-removed | a | 200 | text/plain was removed",
  ]);
  assertEquals(list(get(response.bytes()), get(response.stream())), []);
  assertEquals(list(get(response.text()), get(response.empty())), [
    "breaking | content-type-removed | a | 200 | the body is empty now",
  ]);
  assertEquals(list(get(response.empty()), get(response.text())), [
    "compatible | content-type-added | a | 200 | text/plain was added to an empty body",
  ]);
  assertEquals(list(get(response.empty()), get(response.problem())), [
    "breaking | content-type-added | a | 200 | application/problem+json was added to an empty body",
  ]);
  assertEquals(list(get(response.raw()), get(response.problem())), [
    "compatible | content-type-removed | a | 200 | */* was removed",
    "compatible | representation-changed | a | 200 | the representation raw became problem",
  ]);
  assertEquals(list(get(response.raw()), get(response.empty())), [
    "compatible | content-type-removed | a | 200 | the body is empty now",
  ]);
  assertEquals(list(get(response.ndjson(name)), get(response.ndjson(type({ name: "string | null" })))), [
    "breaking | response-widened | a | 200 /name | may be null now",
  ]);
  const upload = (body: RequestBody) => ({ a: route.post("/a", { body, ...ok }) });
  assertEquals(list(upload(request.ndjson(type({ name: "string | null" }))), upload(request.ndjson(name))), [
    "breaking | request-narrowed | a | body /name | can no longer be null",
  ]);
});

Deno.test("a new success or redirect breaks, a new failure does not, and the last success must stay", () => {
  const get = (...statuses: readonly number[]) => ({
    a: route.get("/a", { responses: Object.fromEntries(statuses.map((status) => [status, response.empty()])) }),
  });

  assertEquals(list(get(200), get(200, 201, 303, 409, 503)), [
    "breaking | status-added | a | 201 | the status may be sent now",
    "breaking | status-added | a | 303 | the status may be sent now",
    "compatible | status-added | a | 409 | the status may be sent now",
    "compatible | status-added | a | 503 | the status may be sent now",
  ]);
  assertEquals(list(get(200, 204), get(200)), [
    "compatible | status-removed | a | 204 | the status is no longer sent",
  ]);
  assertEquals(list(get(200, 404), get(404)), [
    "breaking | success-removed | a | - | no 2xx status remains",
    "compatible | status-removed | a | 200 | the status is no longer sent",
  ]);
});

Deno.test("a declared response header must stay", () => {
  const get = (name?: string) => {
    const headers = name === undefined ? undefined : fromJsonSchema<Record<string, string>>({
      type: "object",
      properties: { "x-a": { type: "string" } },
      required: name === "x-a" ? ["x-a"] : [],
    });
    return { a: route.get("/a", { responses: { 200: headers ? response.text({ headers }) : response.text() } }) };
  };

  assertEquals(list(get("x-a"), get()), ["breaking | response-widened | a | 200 headers /x-a | is no longer sent"]);
  assertEquals(list(get("x-a"), get("x-a?")), [
    "breaking | response-widened | a | 200 headers /x-a | may be missing now",
  ]);
  assertEquals(list(get(), get("x-a")), ["compatible | response-widened | a | 200 headers /x-a | was added"]);
});

Deno.test("accepted callers must still be accepted", () => {
  const token = security.bearer("token", { scopes: ["read", "write"] });
  const key = security.apiKey("key", { header: "x-key" });
  const get = (...schemes: Security) => ({ a: route.get("/a", { security: schemes, ...ok }) });
  const narrowed = "breaking | security-narrowed | a | security | callers with";
  const widened = "compatible | security-widened | a | security | callers with";

  for (
    const [wide, narrow, callers] of [
      [get(), get(token), "no credential"],
      [get(token), get(token.scoped("read")), "token"],
      [get(token.scoped("read")), get(token.scoped("read", "write")), "token (read)"],
      [get(token, key), get(token), "key"],
      [get(token, security.none), get(token), "no credential"],
    ] as const
  ) {
    assertEquals(list(wide, narrow), [`${narrowed} ${callers} are no longer accepted`]);
    assertEquals(list(narrow, wide), [`${widened} ${callers} are accepted now`]);
  }
  const moved = security.apiKey("key", { header: "x-other" });
  assertEquals(list(get(key), get(moved)), [`${narrowed} key are no longer accepted`]);
  assertEquals(list(get(token), get(token)), []);
});

Deno.test("a schema that does not convert is unproven, unless the option schema supplies one", () => {
  const odd = { "~standard": { version: 1, vendor: "odd", validate: (value: unknown) => ({ value }) } } as const;
  const contract = () => defineContract({ routes: { a: route.post("/a", { body: request.json(odd), ...ok }) } });
  const unknown =
    "unproven | schema-unknown | a | body | Cannot compare a: the schema of its body does not convert to JSON Schema: " +
    "schemas of odd do not implement Standard JSON Schema; return one from the option schema(route, slot)";
  const document = JSON.parse(
    JSON.stringify(
      openApiDocument(contract(), { info: { title: "", version: "" }, schema: () => ({ type: "string" }) }),
    ),
  );

  assertEquals(compare(contract(), contract()), [unknown]);
  assertEquals(compare(document, contract()), [unknown]);
  assertEquals(diffContracts(contract(), contract(), { schema: () => ({ type: "string" }) }), []);
  assertEquals(diffContracts(document, contract(), { schema: () => ({ type: "string" }) }), []);
});

Deno.test("a schema that is nested too deeply to be compared is unproven", () => {
  const nested = (leaf: object): object => {
    let schema = leaf;
    for (let level = 0; level < 1_500; level++) schema = { type: "array", items: schema };
    return schema;
  };
  const post = (leaf: object) =>
    defineContract({
      routes: { a: route.post("/a", { body: request.json(fromJsonSchema<unknown>(nested(leaf) as never)), ...ok }) },
    });

  assertEquals(
    diffContracts(post({ type: "string" }), post({ type: "number" }), { samples: 0 }).map(({ verdict }) => verdict),
    ["unproven"],
  );
});

Deno.test("the schemas themselves find changes that JSON Schema cannot express", () => {
  const taking = (refuses: (value: { a: number }) => boolean): Contract => {
    const body = request.json(
      fromJsonSchema<{ a: number }>(
        { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
        refuses,
      ),
    );
    return defineContract({ routes: { a: route.post("/a", { body, ...ok }) } });
  };
  const [change, ...others] = diffContracts(taking(() => false), taking(({ a }) => a === 3));

  assertEquals(others, []);
  assertEquals(change?.verdict, "breaking");
  assertEquals(change?.rule, "request-narrowed");
  assertEquals(change?.where, "body /a");
  assertEquals(change?.message, "values that were valid are rejected now: is refused");
  assertEquals(change?.witness, { a: 3 });
  assertEquals(diffContracts(taking(({ a }) => a === 3), taking(() => false)), []);
});

Deno.test("a refinement of a whole value is reported for the whole, whatever path its library uses", () => {
  const post = (body: Schema) => ({ a: route.post("/a", { body: request.json(body as typeof name), ...ok }) });
  const [before, after] = [name, name.narrow((value) => value.name !== "a")].map((body) =>
    defineContract({ routes: post(body as Schema) })
  );

  assertEquals(diffContracts(before!, after!).map(({ where, witness }) => [where, witness]), [["body", { name: "a" }]]);
});

Deno.test("a value that the old contract's own schema refuses is not a witness", () => {
  const contractOf = (a: object, refuses: (value: { a: number }) => boolean): Contract => {
    const body = request.json(
      fromJsonSchema<{ a: number }>({ type: "object", properties: { a }, required: ["a"] }, refuses),
    );
    return defineContract({ routes: { a: route.post("/a", { body, ...ok }) } });
  };
  const after = contractOf({ type: "integer", not: { const: 0 } }, () => false);
  const [change] = diffContracts(contractOf({ type: "integer" }, ({ a }) => a === 0), after);

  assertEquals([change?.verdict, change?.witness], ["unproven", undefined]);
  assertEquals(diffContracts(contractOf({ type: "integer" }, () => false), after)[0]?.witness, { a: 0 });
});

Deno.test("schemas that both slots of a route share are run for each of them", () => {
  const integer = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
  const contractOf = (refuses: (value: { a: number }) => boolean): Contract => {
    const schema = fromJsonSchema<{ a: number }>(integer, refuses);
    const responses = { 200: response.json(schema) };
    return defineContract({ routes: { a: route.post("/a", { body: request.json(schema), responses }) } });
  };
  const [any, notThree] = [contractOf(() => false), contractOf(({ a }) => a === 3)];

  assertEquals(compare(any, notThree), [
    "breaking | request-narrowed | a | body /a | values that were valid are rejected now: is refused",
  ]);
  assertEquals(compare(notThree, any), [
    "breaking | response-widened | a | 200 /a | values that were invalid may be sent now: is refused",
  ]);
});

Deno.test("schemas that validate asynchronously are compared by their JSON Schemas", () => {
  const contractOf = (minLength: number, isAsync: boolean, refuses = (_value: { a: string }) => false): Contract => {
    const schema = fromJsonSchema<{ a: string }>(
      { type: "object", properties: { a: { type: "string", minLength } }, required: ["a"] },
      refuses,
    );
    const { "~standard": standard } = schema;
    const validate = (value: unknown) => Promise.resolve(standard.validate(value));
    const body = request.json(isAsync ? { "~standard": { ...standard, validate } } : schema);
    return defineContract({ routes: { a: route.post("/a", { body, ...ok }) } });
  };
  const [change, ...others] = diffContracts(contractOf(1, true), contractOf(2, true));
  const isA = ({ a }: { a: string }) => a === "a";

  assertEquals([change?.message, change?.witness], ["must have a length of 2 or more now, not 1", { a: "a" }]);
  assertEquals(others, []);
  assertEquals(compare(contractOf(1, true), contractOf(1, true, isA)), []);
  assertEquals(compare(contractOf(1, true), contractOf(1, false, isA)), []); // the old one may refuse it too
});

Deno.test("diffContracts() refuses arguments that it cannot read", () => {
  const contract = defineContract({ routes: { a: route.get("/a", ok) } });

  assertThrows(
    () => diffContracts(contract, {} as never),
    TypeError,
    "diffContracts(): the contract must be made by defineContract() or be an OpenAPI document, got ",
  );
  assertThrows(
    () => diffContracts({ openapi: "2.0", paths: {} }, contract),
    TypeError,
    'diffContracts(): the document must be of OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, got "2.0"',
  );
  assertThrows(() => diffContracts(contract, contract, { sample: 1 } as never), TypeError, "sample");
  assertThrows(
    () => diffContracts(contract, contract, { samples: -1 }),
    TypeError,
    'diffContracts(): "samples" must be a non-negative integer, got ',
  );
  assertThrows(
    () => diffContracts(contract, contract, { schema: {} as never }),
    TypeError,
    'diffContracts(): "schema" must be a function, got ',
  );
});

Deno.test("diffContracts() finds nothing in schemas with unevaluatedProperties and unevaluatedItems that stay the same", () => {
  const member = { type: "object", patternProperties: { "^x-": { type: "string" } }, unevaluatedProperties: false };
  const branches = { anyOf: [{ properties: { b: { type: "number" } } }, { properties: { c: { type: "number" } } }] };
  const schemas: readonly JsonSchemaObject[] = [
    member,
    { anyOf: [{ ...branches, unevaluatedProperties: false }, { type: "null" }] },
    { $ref: "#/$defs/A", unevaluatedProperties: false, $defs: { A: { properties: { next: { $ref: "#/$defs/A" } } } } },
    { if: { required: ["a"] }, then: { properties: { b: {} } }, unevaluatedProperties: false },
    { properties: { a: {} }, dependentSchemas: { a: { properties: { c: {} } } }, unevaluatedProperties: false },
    { ...branches, unevaluatedProperties: { type: "string" } },
    { type: "array", prefixItems: [{ type: "string" }], contains: { type: "null" }, unevaluatedItems: false },
  ];
  const contractOf = (schema: JsonSchemaObject) =>
    defineContract({
      routes: {
        it: route.put("/it", {
          body: request.json(fromJsonSchema(schema)),
          responses: { 200: response.json(fromJsonSchema(schema)) },
        }),
      },
    });
  const reorder = (schema: object) => Object.fromEntries(Object.entries(structuredClone(schema)).toReversed());
  for (const schema of schemas) {
    for (const other of [schema, reorder(schema)]) {
      assertEquals(diffContracts(contractOf(schema), contractOf(other), { samples: 200 }), [], JSON.stringify(schema));
    }
  }
  const beside = (other: object) => contractOf({ type: "object", properties: { member, other }, required: ["member"] });
  assertEquals(
    diffContracts(beside({ type: "string" }), beside({ type: "string", minLength: 2 })).map(({ where }) => where),
    ["body /other", "200 /other"],
  );
});

Deno.test("diffContracts() lists new, changed and removed deprecations of routes", () => {
  const since = "2026-06-01";
  const changes = (was: Deprecated | undefined, is: Deprecated | undefined) => {
    const of = (deprecated: Deprecated | undefined) => ({
      a: route.get("/a", { ...ok, ...(deprecated && { deprecated }) }),
    });
    return list(of(was), of(is)).map((line) =>
      line.split(" | ").filter((_, index) => [0, 1, 4].includes(index)).join(" | ")
    );
  };

  assertEquals(changes(undefined, true), ["compatible | deprecated | is deprecated now"]);
  assertEquals(changes(undefined, { since, sunset: "2027-01-01" }), [
    "compatible | deprecated | is deprecated now, and is expected to stop working at 2027-01-01",
  ]);
  assertEquals(changes(true, { since, sunset: "2027-01-01" }), [
    "compatible | sunset-changed | is expected to stop working at 2027-01-01",
  ]);
  assertEquals(changes({ since, sunset: "2027-01-01" }, { since, sunset: "2027-02-01" }), [
    "compatible | sunset-changed | is expected to stop working at 2027-02-01, not 2027-01-01",
  ]);
  assertEquals(changes({ since, sunset: "2027-01-01" }, { since }), [
    "compatible | sunset-changed | no longer has a sunset; it was 2027-01-01",
  ]);
  assertEquals(changes({ since }, undefined), ["compatible | deprecation-removed | is no longer deprecated"]);
  assertEquals(changes({ since }, true), []);
});
