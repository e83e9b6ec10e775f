import { codec, defineContract, request, response, route, router } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler, fetchAdapter } from "@scope/api/fetch";
import { defineServer, type HandlersOf } from "@scope/api/server";
import { type } from "arktype";
import { z } from "zod";

const User = type({ id: "string", name: "string" });
const ok = { 200: response.empty() };
const contract = defineContract({
  routes: {
    health: route.get("/health", { responses: ok }),
    users: router("/users", {
      routes: {
        byId: route.get("/:id", { responses: { 200: response.json(User), 404: response.text() } }),
        rename: route.patch("/:id", {
          query: type({ tags: "string[]" }),
          body: type({ name: "string" }),
          responses: { 200: response.json(User), 201: response.empty({ headers: type({ location: "string" }) }) },
        }),
      },
    }),
  },
});
const server = defineServer(contract);
type Handlers = HandlersOf<typeof server>;
const health: Handlers["health"] = ({ response }) => response(200);
const users: Handlers["users"] = {
  byId: ({ params, response }) => response(200, { id: params.id, name: "Ada" }),
  rename: ({ params, body, response }) => response(200, { id: params.id, name: body.name }),
};
const client = createClient(contract, { baseUrl: "https://api.example.com" });

/** Checked by the compiler, never run: each `@ts-expect-error` is itself an error if the line after it has none. */
function misuse(_mistakes: () => unknown): void {}

Deno.test("route refuses invalid options", () => {
  misuse(() => [
    // @ts-expect-error GET does not take a body
    route.get("/", { responses: ok, body: User }),
    // @ts-expect-error HEAD does not take a body
    route.head("/", { responses: ok, body: User }),
    // @ts-expect-error unknown option
    route.post("/", { responses: ok, querry: User }),
    // @ts-expect-error no responses
    route.get("/", {}),
    // @ts-expect-error a schema that JSON cannot encode
    route.get("/", { responses: { 200: z.date() } }),
    // @ts-expect-error no text is a number
    route.get("/", { responses: ok, query: type({ page: "number" }) }),
    // @ts-expect-error no text is a boolean
    route.get("/", { responses: ok, headers: z.object({ "x-on": z.boolean() }) }),
    // @ts-expect-error a path parameter is one text
    route.get("/:id", { responses: ok, params: type({ id: "string[]" }) }),
    // @ts-expect-error JSON cannot carry a Date
    route.post("/", { responses: ok, body: type({ at: "Date" }) }),
    // @ts-expect-error a response is not a request
    route.post("/", { responses: ok, body: response.text() }),
  ]);
});

Deno.test("request and response refuse schemas that do not fit their representation", () => {
  misuse(() => [
    // @ts-expect-error JSON cannot carry a bigint
    response.json(z.object({ n: z.bigint() })),
    // @ts-expect-error JSON cannot carry a Map
    response.json(z.map(z.string(), z.string())),
    // @ts-expect-error JSON cannot carry a function
    request.json(type({ f: "Function" })),
    // @ts-expect-error JSON cannot carry undefined in a list
    response.json(z.array(z.string().optional())),
    // @ts-expect-error text is a string
    response.text(type("number")),
    // @ts-expect-error text is a string
    request.text(type({ a: "string" })),
    // @ts-expect-error bytes are a Uint8Array
    response.bytes(type("string")),
    // @ts-expect-error a header is text
    response.empty({ headers: type({ location: "number" }) }),
    // @ts-expect-error an empty response does not have a media type
    response.empty({ contentType: "text/plain" }),
    // @ts-expect-error unknown option
    request.json(User, { content: "text/plain" }),
    // @ts-expect-error decodes to a string
    codec(type("string"), type("Date"), { decode: (text) => text, encode: (date) => date.toISOString() }),
  ]);
});

Deno.test("request refuses invalid forms, streams and options", () => {
  misuse(() => [
    // @ts-expect-error a form cannot carry a number
    request.form(type({ n: "number" })),
    // @ts-expect-error a form cannot carry a file
    request.form(type({ file: "File" })),
    // @ts-expect-error a form is an object
    request.form(type("string")),
    // @ts-expect-error a form has a schema
    request.form(),
    // @ts-expect-error form data cannot carry a Date
    request.formData(type({ at: "Date" })),
    // @ts-expect-error form data cannot carry an object
    request.formData(z.object({ user: z.object({ id: z.string() }) })),
    // @ts-expect-error form data is an object
    request.formData(z.file()),
    // @ts-expect-error the platform makes the boundary
    request.formData({ contentType: "multipart/form-data" }),
    // @ts-expect-error a stream is not checked
    request.stream(type({ a: "string" })),
    // @ts-expect-error no boolean
    request.text({ optional: "yes" }),
    // @ts-expect-error no boolean
    request.json(User, { optional: 1 }),
    request.form(z.object({ n: z.coerce.number(), list: z.array(z.string()), one: z.enum(["a"]).optional() })),
    request.formData(z.object({ file: z.union([z.file(), z.string()]), files: z.array(z.file()), any: z.unknown() })),
    request.formData(type({ file: "File | string", "blob?": "Blob" })),
  ]);
});

Deno.test("Client refuses forms and streams that do not fit", () => {
  const uploads = createClient(
    defineContract({
      routes: {
        form: route.post("/form", { body: request.form(type({ a: "string" })), responses: ok }),
        data: route.post("/data", { body: request.formData(type({ file: "File" })), responses: ok }),
        stream: route.post("/stream", { body: request.stream(), responses: ok }),
        optional: route.post("/optional", { body: request.text({ optional: true }), responses: ok }),
      },
    }),
    { baseUrl: "https://api.example.com" },
  );
  misuse(() => [
    // @ts-expect-error no text
    uploads.form({ body: { a: new File([], "") } }),
    // @ts-expect-error no field of it
    uploads.form({ body: { a: "1", b: "2" } }),
    // @ts-expect-error no body
    uploads.form({}),
    // @ts-expect-error text is not a file
    uploads.data({ body: { file: "text" } }),
    // @ts-expect-error no file
    uploads.data({ body: {} }),
    // @ts-expect-error bytes are not a stream
    uploads.stream({ body: new Uint8Array() }),
    // @ts-expect-error a stream of texts
    uploads.stream({ body: ReadableStream.from(["text"]) }),
    // @ts-expect-error a text
    uploads.optional({ body: 1 }),
    uploads.data({ body: new FormData() }),
    uploads.optional(),
    uploads.optional({}),
    uploads.optional({ body: undefined }),
  ]);
});

Deno.test("request and response accept types that fit their representation", () => {
  interface Named {
    readonly name: string;
    readonly tags?: readonly string[] | undefined;
    readonly inner: { readonly n: number | null };
  }
  misuse(() => [
    response.json<Named>(),
    response.json(z.custom<Named>()),
    response.json(z.unknown()),
    response.json(z.record(z.string(), z.union([z.string(), z.array(z.number())]))),
    response.json(z.date().transform((date) => date.toISOString())),
    request.json(type("string.date.parse")),
    route.get("/:id", {
      responses: ok,
      params: z.object({ id: z.enum(["a", "b"]) }),
      query: z.object({ n: z.unknown() }),
    }),
    response.empty({ headers: type({ "set-cookie": "string[]" }) }),
  ]);
});

Deno.test("defineContract() refuses invalid routes", () => {
  misuse(() => [
    // @ts-expect-error the path does not have name
    defineContract({ routes: { a: route.get("/:id", { params: type({ name: "string" }), responses: ok }) } }),
    // @ts-expect-error a schema is not a route
    defineContract({ routes: { User } }),
    // @ts-expect-error a plain object is not a router
    defineContract({ routes: { users: { byId: route.get("/", { responses: ok }) } } }),
    // @ts-expect-error unknown option
    defineContract({ routes: { a: route.get("/", { responses: ok }) }, base: "/" }),
    // @ts-expect-error no routes
    defineContract({}),
  ]);
});

Deno.test("Server refuses invalid handlers", () => {
  misuse(() => [
    // @ts-expect-error all handlers are missing
    server.implement({}),
    // @ts-expect-error all handlers of users are missing
    server.implement({ health, users: {} }),
    // @ts-expect-error all handlers of users are missing
    server.implement(contract.routes.users, {}),
    // @ts-expect-error all handlers of users are missing
    server.at(contract.routes.users).implement({}),
    // @ts-expect-error users is missing
    server.implement({ health }),
    // @ts-expect-error users.rename is missing
    server.implement({ health, users: { byId: users.byId } }),
    // @ts-expect-error unknown handler
    server.implement({ health, users, other: health }),
    // @ts-expect-error no function
    server.implement({ users, health: { status: 200 } }),
    // @ts-expect-error undeclared status
    server.implement({ users, health: ({ response }) => response(404) }),
    // @ts-expect-error undeclared status
    server.implement({ users, health: () => ({ status: 404 }) }),
    // @ts-expect-error a native response
    server.implement({ users, health: () => new Response() }),
    // @ts-expect-error no result
    server.implement({ users, health: () => {} }),
    // @ts-expect-error a body where none is declared
    server.implement({ users, health: ({ response }) => response(200, "ok") }),
    // @ts-expect-error a slot that is not declared
    server.implement({ users, health: ({ query, response }) => response(200, query) }),
  ]);
});

Deno.test("CreateResult refuses a body or headers that do not fit", () => {
  misuse(() => [
    // @ts-expect-error wrong type
    ({ response }: Parameters<Handlers["users"]["byId"]>[0]) => response(200, { id: 1, name: "" }),
    // @ts-expect-error excess property
    ({ response }: Parameters<Handlers["users"]["byId"]>[0]) => response(200, { id: "", name: "", age: 1 }),
    // @ts-expect-error no body
    ({ response }: Parameters<Handlers["users"]["byId"]>[0]) => response(200),
    // @ts-expect-error the body of another status
    ({ response }: Parameters<Handlers["users"]["byId"]>[0]) => response(404, { id: "", name: "" }),
    // @ts-expect-error no headers
    ({ response }: Parameters<Handlers["users"]["rename"]>[0]) => response(201, undefined),
    // @ts-expect-error other headers
    ({ response }: Parameters<Handlers["users"]["rename"]>[0]) => response(201, undefined, { etag: "" }),
  ]);
});

Deno.test("fetchAdapter() and createFetchHandler() refuse implementations whose context input is missing", () => {
  const needing = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ ip }) })
    .implement({ health, users });
  misuse(() => [
    // @ts-expect-error ip is needed
    fetchAdapter().mount(needing),
    // @ts-expect-error ip is needed
    createFetchHandler(needing),
    // @ts-expect-error ip is not a number
    createFetchHandler(needing, { contextInput: () => ({ ip: 1 }) }),
    // @ts-expect-error unknown option
    fetchAdapter({ maxBytes: 1 }),
    createFetchHandler(needing, { contextInput: (_request, info: { readonly ip: string }) => info }),
  ]);
});

Deno.test("Client refuses input that does not fit", () => {
  misuse(() => [
    // @ts-expect-error no input
    client.users.byId(),
    // @ts-expect-error no params
    client.users.byId({}),
    // @ts-expect-error wrong name
    client.users.byId({ params: { name: "" } }),
    // @ts-expect-error a list is not a segment
    client.users.byId({ params: { id: ["a"] } }),
    // @ts-expect-error no body
    client.users.rename({ params: { id: 1 }, query: { tags: [] } }),
    // @ts-expect-error wrong query
    client.users.rename({ params: { id: 1 }, query: { tags: [1] }, body: { name: "" } }),
    // @ts-expect-error excess body property
    client.users.rename({ params: { id: 1 }, query: { tags: [] }, body: { name: "", age: 1 } }),
    // @ts-expect-error a slot that is not declared
    client.users.byId({ params: { id: 1 }, query: {} }),
    // @ts-expect-error no slot at all
    client.health({ params: {} }),
    // @ts-expect-error unknown call
    client.users.remove(),
    // @ts-expect-error unknown call option
    client.health({ timeOut: 1 }),
    // @ts-expect-error a URL does not depend on the body
    client.users.rename.url({ params: { id: 1 }, query: { tags: [] }, body: { name: "" } }),
    // @ts-expect-error no baseUrl
    createClient(contract, {}),
  ]);
});

Deno.test("ClientResult refuses the body of another status", () => {
  misuse(async () => {
    const found = await client.users.byId({ params: { id: 1 } });
    // @ts-expect-error a text does not have a name
    found.body.name;
    // @ts-expect-error undeclared status
    if (found.status === 500) return;
    // @ts-expect-error the narrowed body is a text
    if (found.status === 404) found.body.name;
    // @ts-expect-error the unwrapped body is a user
    unwrap(found).email;
    if (found.status === 200) return found.body.name;
    return found.body.length;
  });
});

Deno.test("request and route refuse invalid limits and deprecations", () => {
  misuse(() => [
    // @ts-expect-error a limit is a number
    request.text({ maxBytes: "5" }),
    // @ts-expect-error the limit of a body is called maxBytes
    request.json(User, { maxBodyBytes: 5 }),
    // @ts-expect-error a response does not have a limit
    response.text({ maxBytes: 5 }),
    // @ts-expect-error a deprecation says since when
    route.get("/", { responses: ok, deprecated: { sunset: "2027-01-01" } }),
    // @ts-expect-error a date is text
    route.get("/", { responses: ok, deprecated: { since: new Date() } }),
    // @ts-expect-error unknown option
    route.get("/", { responses: ok, deprecated: { since: "2026-06-01", until: "" } }),
    // @ts-expect-error deprecated is an option of its own
    route.get("/", { responses: ok, docs: { deprecated: true } }),
  ]);
});

Deno.test("response() refuses members of a problem with another type, and undeclared statuses", () => {
  const problems = defineContract({
    routes: {
      it: route.get("/", {
        responses: { 404: response.problem(), 422: response.problem(type({ field: "string" })) },
      }),
    },
  });
  const server = defineServer(problems);
  type Input = Parameters<HandlersOf<typeof server>["it"]>[0];
  misuse(() => [
    // @ts-expect-error a detail is a string
    ({ response }: Input) => response(404, { detail: 1 }),
    // @ts-expect-error a status is a number
    ({ response }: Input) => response(404, { status: "404" }),
    // @ts-expect-error a problem is an object
    ({ response }: Input) => response(404, "No such task"),
    // @ts-expect-error a problem is not null
    ({ response }: Input) => response(404, null),
    // @ts-expect-error undeclared status
    ({ response }: Input) => response(409, { detail: "Taken" }),
    // @ts-expect-error a schema declares required members
    ({ response }: Input) => response(422),
    // @ts-expect-error a schema declares required members
    ({ response }: Input) => response(422, { detail: "No" }),
    // @ts-expect-error a detail is a string in the plain object too
    server.implement({ it: () => ({ status: 404, body: { detail: 1 } }) }),
  ]);
});
