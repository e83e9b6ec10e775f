/** Clients that validate what they receive. Slim contracts, with which the tests of tests/client also run, have no schemas. */
import { codec, defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient, validateResponses } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { slimContract } from "@scope/api/slim";
import { assert, assertEquals, assertFalse, assertRejects, assertThrows } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { bundle } from "./support/bundle.ts";

const baseUrl = "https://api.example.com";

/** Schemas of one user by three libraries. */
const users = {
  zod: z.object({ name: z.string().min(1) }),
  arktype: type({ name: "string > 0" }),
  valibot: v.object({ name: v.pipe(v.string(), v.minLength(1)) }),
};

/** The error of a call that is refused. */
async function refused(call: () => Promise<unknown>): Promise<ClientError> {
  const error = await assertRejects(call, ClientError);
  assertEquals(error.code, "invalid-body");
  return error;
}

for (const [library, User] of Object.entries(users)) {
  Deno.test(`a body that a schema of ${library} refuses is refused by a client that validates`, async () => {
    const contract = defineContract({ routes: { me: route.get("/me", { responses: { 200: response.json(User) } }) } });
    let body: unknown = { name: "" };
    const fetch = () => Response.json(body);
    const trusting = createClient(contract, { baseUrl, fetch });
    const validating = createClient(contract, { baseUrl, fetch, validate: validateResponses });

    assertEquals((await trusting.me()).body as unknown, { name: "" });
    const error = await refused(() => validating.me());
    assertEquals(error.issues?.map(({ path, pointer }) => ({ path, pointer })), [{ path: ["name"], pointer: "/name" }]);
    assertEquals([error.status, error.text], [200, '{"name":""}']);
    assert(error.message.startsWith("Cannot call GET /me (me): its body or its headers cannot be decoded: name: "));

    body = { name: "Ada" };
    assertEquals((await validating.me()).body, { name: "Ada" });
  });
}

Deno.test("a schema that returns no result, such as a predicate, refuses what a client validates", async () => {
  const schema = { "~standard": { version: 1, vendor: "test", validate: () => true as never } } as const;
  const contract = defineContract({ routes: { me: route.get("/me", { responses: { 200: response.json(schema) } }) } });
  const fetch = () => Response.json({});
  const error = await refused(() => createClient(contract, { baseUrl, fetch, validate: validateResponses }).me());
  assert(error.message.includes("A schema must return an object"));
});

Deno.test("the result of a client that validates is the output of the schema", async () => {
  const User = z.object({ name: z.string(), role: z.string().default("reader") });
  const contract = defineContract({ routes: { me: route.get("/me", { responses: { 200: response.json(User) } }) } });
  const fetch = () => Response.json({ name: "Ada", secret: "s" });
  const { body } = await createClient(contract, { baseUrl, fetch, validate: validateResponses }).me();
  assertEquals(body, { name: "Ada", role: "reader" });
});

Deno.test("headers, failures and forms of text are validated, and other header fields are not", async () => {
  const contract = defineContract({
    routes: {
      count: route.get("/count", {
        responses: {
          200: response.empty({ headers: z.strictObject({ "x-count": z.string().regex(/^\d+$/) }) }),
          404: response.problem(z.object({ detail: z.string() })),
          409: response.text(z.string().min(3)),
        },
      }),
    },
  });
  let answer = new Response(null, { headers: { "x-count": "12", "x-other": "1" } });
  const client = createClient(contract, { baseUrl, fetch: () => answer, validate: validateResponses });
  const counted = await client.count();
  assertEquals(counted.status === 200 && counted.headers["x-count"], "12");

  answer = new Response(null, { headers: { "x-count": "many" } });
  assertEquals((await refused(() => client.count())).issues?.length, 1);

  answer = Response.json({ detail: 4 }, { status: 404, headers: { "content-type": "application/problem+json" } });
  assertEquals((await refused(() => client.count())).issues?.length, 1);

  answer = new Response("no", { status: 409, headers: { "content-type": "text/plain;charset=UTF-8" } });
  assertEquals((await refused(() => client.count())).issues?.length, 1);
});

Deno.test("items of streams are validated as they are read", async () => {
  const contract = defineContract({
    routes: {
      rows: route.get("/rows", { responses: { 200: response.ndjson(z.object({ id: z.int() })) } }),
      events: route.get("/events", { responses: { 200: response.sse(z.object({ id: z.int() })) } }),
    },
  });
  const bodies: Readonly<Record<string, readonly [string, string]>> = {
    "/rows": ["application/x-ndjson", '{"id":1}\n{"id":"2"}\n'],
    "/events": ["text/event-stream", 'data: {"id":1}\n\ndata: {"id":"2"}\n\n'],
  };
  const fetch = ({ url }: Request) => {
    const [contentType, body] = bodies[new URL(url).pathname]!;
    return new Response(body, { headers: { "content-type": contentType } });
  };
  const client = createClient(contract, { baseUrl, fetch, validate: validateResponses });
  const read: unknown[] = [];
  const inRows = await refused(async () => {
    for await (const row of (await client.rows()).body) read.push(row);
  });
  const inEvents = await refused(async () => {
    for await (const { data } of (await client.events()).body) read.push(data);
  });
  assertEquals(read, [{ id: 1 }, { id: 1 }]);
  assertEquals([inRows.issues?.length, inEvents.issues?.length], [1, 1]);
});

Deno.test("codecs decode once, whether a client validates or not, and their issues are on the error", async () => {
  let decoded = 0;
  const Day = codec(z.object({ at: z.iso.date() }), z.object({ at: z.date() }), {
    decode: ({ at }) => (decoded++, { at: new Date(at) }),
    encode: ({ at }) => ({ at: at.toISOString().slice(0, 10) }),
  });
  const contract = defineContract({ routes: { day: route.get("/day", { responses: { 200: response.json(Day) } }) } });
  let at = "2026-11-23";
  for (const options of [{}, { validate: validateResponses }]) {
    at = "2026-11-23";
    decoded = 0;
    const client = createClient(contract, { baseUrl, fetch: () => Response.json({ at }), ...options });
    assertEquals((await client.day()).body, { at: new Date("2026-11-23") });
    assertEquals(decoded, 1);
    at = "today";
    assertEquals((await refused(() => client.day())).issues?.length, 1);
  }
});

Deno.test("an error has at most 20 issues, however many there are", async () => {
  const contract = defineContract({
    routes: { all: route.get("/all", { responses: { 200: response.json(z.array(z.int())) } }) },
  });
  const fetch = () => Response.json(Array.from({ length: 1_000 }, () => "x"));
  const error = await refused(() => createClient(contract, { baseUrl, fetch, validate: validateResponses }).all());
  assertEquals(error.issues?.length, 20);
  assert(error.message.endsWith("20 of 1000 issues"), error.message);
});

Deno.test("a schema that is asynchronous, or throws, is awaited or refuses", async () => {
  const later = z.string().refine((text) => Promise.resolve(text === "yes"));
  const broken = z.string().refine(() => {
    throw new Error("broken");
  });
  const contract = defineContract({
    routes: {
      later: route.get("/later", { responses: { 200: response.json(later) } }),
      broken: route.get("/broken", { responses: { 200: response.json(broken) } }),
    },
  });
  let body = "yes";
  const client = createClient(contract, { baseUrl, fetch: () => Response.json(body), validate: validateResponses });
  assertEquals((await client.later()).body, "yes");
  assertEquals((await refused(() => client.broken())).issues, undefined);
  body = "no";
  assertEquals((await refused(() => client.later())).issues?.length, 1);
});

Deno.test("requests are not validated by the client, and the server's own answer arrives", async () => {
  const contract = defineContract({
    routes: {
      add: route.post("/", {
        body: request.json(z.object({ name: z.string() })),
        responses: { 204: response.empty() },
      }),
    },
  });
  const sent: unknown[] = [];
  const fetch = async (request: Request) => (sent.push(await request.json()), new Response(null, { status: 204 }));
  const client = createClient(contract, { baseUrl, fetch, validate: validateResponses });
  await client.add({ body: { name: 4 as never } });
  assertEquals(sent, [{ name: 4 }]);
});

Deno.test("createClient() refuses another validation, and one of a contract without schemas", () => {
  const contract = defineContract({ routes: { me: route.get("/me", { responses: { 204: response.empty() } }) } });
  const message =
    'createClient(): "validate" takes validateResponses and needs the whole contract, because a slim one has no schemas';
  assertThrows(() => createClient(contract, { baseUrl, validate: "responses" as never }), TypeError, message);
  assertThrows(() => createClient(slimContract({}), { baseUrl, validate: validateResponses }), TypeError, message);
});

Deno.test("a page that does not validate contains nothing of the validation", async () => {
  const { files } = await bundle(`import { createClient } from "@scope/api/client"; console.log(createClient);`);
  assert(!files.includes("src/client/validate_responses.ts"));
});

/** Schemas of header fields that a server accepts, and what it sends for them. */
const cookieSchemas = {
  "Zod, a text": [z.object({ "set-cookie": z.string() }), "a=1; Path=/"],
  "Zod, a list": [z.object({ "set-cookie": z.array(z.string()) }), ["a=1; Path=/"]],
  "Zod, either": [z.object({ "set-cookie": z.union([z.string(), z.array(z.string())]) }), "a=1; Path=/"],
  "Zod, optional": [z.object({ "set-cookie": z.string().optional() }), "a=1; Path=/"],
  "ArkType, a text": [type({ "set-cookie": "string" }), "a=1; Path=/"],
  "ArkType, a list": [type({ "set-cookie": "string[]" }), ["a=1; Path=/"]],
  "Valibot, a text": [v.object({ "set-cookie": v.string() }), "a=1; Path=/"],
  "Valibot, a list": [v.object({ "set-cookie": v.array(v.string()) }), ["a=1; Path=/"]],
} as const;

for (const [name, [schema, sent]] of Object.entries(cookieSchemas)) {
  Deno.test(`a client that validates accepts set-cookie as its server sent it: ${name}`, async () => {
    const responses = { 204: response.empty({ headers: schema as typeof cookieSchemas["Zod, either"][0] }) };
    const contract = defineContract({ routes: { signIn: route.post("/session", { responses }) } });
    const server = defineServer(contract).implement({
      signIn: ({ response }) => response(204, undefined, { "set-cookie": sent as string }),
    });
    const client = createClient(contract, { baseUrl, fetch: createFetchHandler(server), validate: validateResponses });
    assertEquals((await client.signIn()).headers["set-cookie"], ["a=1; Path=/"]);
  });
}

Deno.test("a client that validates accepts fields that a server sends as lists, and its result has texts", async () => {
  const headers = z.object({ etag: z.string(), "x-tags": z.array(z.string().max(1)), "set-cookie": z.string() });
  const contract = defineContract({
    routes: { one: route.get("/one", { responses: { 204: response.empty({ headers }) } }) },
  });
  const server = defineServer(contract).implement({
    one: ({ response }) => response(204, undefined, { etag: '"1"', "x-tags": ["a", "b"], "set-cookie": "c=1" }),
  });
  const client = createClient(contract, { baseUrl, fetch: createFetchHandler(server), validate: validateResponses });
  assertEquals((await client.one()).headers, { etag: '"1"', "x-tags": "a, b", "set-cookie": ["c=1"] });
});

Deno.test("a client refuses two cookies where its schema declares one", async () => {
  const headers = z.object({ "set-cookie": z.string() });
  const contract = defineContract({
    routes: { one: route.get("/one", { responses: { 204: response.empty({ headers }) } }) },
  });
  const fetch = () => new Response(null, { status: 204, headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]] });
  const error = await refused(() => createClient(contract, { baseUrl, fetch, validate: validateResponses }).one());
  assertEquals(error.issues?.map(({ path }) => path), [["set-cookie"]]);
});

Deno.test("a codec of headers decodes set-cookie as its wire schema declares it", async () => {
  const headers = codec(z.object({ "set-cookie": z.string(), age: z.string() }), z.object({ session: z.string() }), {
    decode: (fields) => ({ session: fields["set-cookie"] }),
    encode: ({ session }) => ({ "set-cookie": session, age: "1" }),
  });
  const contract = defineContract({
    routes: { one: route.get("/one", { responses: { 204: response.empty({ headers }) } }) },
  });
  const server = defineServer(contract).implement({
    one: ({ response }) => response(204, undefined, { session: "a=1" }),
  });
  const client = createClient(contract, { baseUrl, fetch: createFetchHandler(server) });
  assertEquals((await client.one()).headers, { session: "a=1" });
});

Deno.test("the message of an error is one line without control characters, whatever the server sends", async () => {
  const evil = "\x1b]0;title\x07\nsecond line\x9b\u2028\u202e";
  const Refusing = {
    "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: `refused: ${evil}` }] }) },
  } as const;
  const contract = defineContract({
    routes: { one: route.get("/one", { responses: { 200: response.json(Refusing) } }) },
  });
  for (const body of [evil, JSON.stringify(evil)]) {
    const fetch = () => new Response(body, { headers: { "content-type": "application/json" } });
    const client = createClient(contract, { baseUrl, fetch, validate: validateResponses });
    const error = await refused(() => client.one());
    assertFalse(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(error.message), error.message);
  }
});
