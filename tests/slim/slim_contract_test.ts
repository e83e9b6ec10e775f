import { codec, defineContract, representation, request, response, route, router, security } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import {
  apiKeyCredential,
  as,
  bytes,
  empty,
  json,
  problem,
  requestText,
  responseText,
  slimContract,
} from "@scope/api/slim";
import { assertEquals, assertRejects } from "@std/assert";
import { type } from "arktype";
import type { RouteCall } from "../../src/contract/call.ts";

const Limit = codec(type({ "x-limit": "string" }), type({ "x-limit": "number" }), {
  decode: (fields) => ({ "x-limit": Number(fields["x-limit"]) }),
  encode: (fields) => ({ "x-limit": String(fields["x-limit"]) }),
});
const csv = representation<string>({
  contentType: "text/csv",
  encode: (value) => value,
  decode: (content) => new TextDecoder().decode(content),
});

const whole = defineContract({
  security: [],
  routes: {
    notes: router("/notes", {
      routes: {
        write: route.put("/:id", {
          security: [security.apiKey("key", { header: "x-key" })],
          body: request.text({ optional: true, maxBytes: 5 }),
          responses: {
            200: response.text({ contentType: "text/markdown" }),
            202: response.bytes({ contentType: ["image/png", "image/jpeg"] }),
            204: response.empty({ headers: Limit }),
            409: response.problem(type({ title: "number" })),
            410: response.problem(),
            422: response.as(csv),
          },
        }),
        own: route.get("/own", { responses: { 200: response.json() } }),
      },
    }),
  },
});

const slim = slimContract<typeof whole>({
  notes: {
    write: ["PUT", "/notes/:id", { body: [requestText, { optional: true, maxBytes: 5 }] }, {
      200: [responseText, { contentType: "text/markdown" }],
      202: [bytes, { contentType: ["image/png", "image/jpeg"] }],
      204: [empty, { headers: Limit }],
      409: [problem, { schema: 1 }],
      410: problem,
      422: as(csv),
    }, ["key"]],
    own: ["GET", "/notes/own", {}, { 200: json }],
  },
}, { key: apiKeyCredential("x-key") });

/** The result of a call whose response is this, and the request that it sent. */
async function call(contract: typeof whole | typeof slim, answer: Response, body?: string): Promise<unknown[]> {
  const sent: Request[] = [];
  const client = createClient(contract, {
    baseUrl: "https://api.example.com",
    credentials: { key: "secret" },
    fetch: (request) => (sent.push(request), answer.clone()),
  });
  const outcome = await client.notes.write({ params: { id: "a" }, body }).then(
    ({ status, body, headers }) => [status, body, headers instanceof Headers ? [...headers] : headers],
    (error) => [error.code, error.message],
  );
  const requests = sent.map(({ method, url, headers }) => [method, url, [...headers]]);
  return [outcome, requests, await Promise.all(sent.map((request) => request.text()))];
}

const answers: Readonly<Record<string, () => Response>> = {
  "a declared content type": () => new Response("hi", { headers: { "content-type": "text/markdown" } }),
  "the usual content type, which is not declared": () => new Response("hi"),
  "one of several content types": () =>
    new Response(new Uint8Array([1]), { status: 202, headers: { "content-type": "image/jpeg" } }),
  "a content type that is none of several": () =>
    new Response(new Uint8Array([1]), { status: 202, headers: { "content-type": "image/gif" } }),
  "headers for a codec": () => new Response(null, { status: 204, headers: { "x-limit": "3" } }),
  "headers that a codec refuses": () => new Response(null, { status: 204 }),
  "a problem that a schema describes": () =>
    Response.json({ title: 1 }, { status: 409, headers: { "content-type": "application/problem+json" } }),
  "a problem without a schema": () =>
    Response.json({ title: 1, detail: "d" }, { status: 410, headers: { "content-type": "application/problem+json" } }),
  "a representation of the user's": () => new Response("a,b", { status: 422, headers: { "content-type": "text/csv" } }),
  "an undeclared status": () => new Response("hi", { status: 500 }),
};

for (const [name, answer] of Object.entries(answers)) {
  Deno.test(`a client of a slim contract handles ${name} like one of the whole contract`, async () => {
    for (const body of ["text", undefined, "a long text"]) {
      assertEquals(await call(slim, answer(), body), await call(whole, answer(), body));
    }
  });
}

Deno.test("a client of a slim contract sends credentials, refuses long bodies and decodes with codecs", async () => {
  const [outcome, [request] = []] = await call(
    slim,
    new Response(null, { status: 204, headers: { "x-limit": "3" } }),
  ) as [
    unknown[],
    [string, string, [string, string][]][],
  ];
  assertEquals(outcome, [204, undefined, { "x-limit": 3 }]);
  assertEquals(new Map(request![2]).get("x-key"), "secret");

  const [refused] = await call(slim, new Response(), "a long text") as [unknown[]];
  assertEquals(refused[0], "invalid-input");
});

Deno.test("a client of a slim contract refuses a call that would reach another route, and names that route", async () => {
  const contract = defineContract({
    routes: {
      notes: router("/notes", {
        routes: {
          byId: route.get("/:id", { responses: { 200: response.json() } }),
          own: route.get("/own", { responses: { 200: response.json() } }),
        },
      }),
    },
  });
  const client = createClient(
    slimContract<typeof contract>({
      notes: { byId: ["GET", "/notes/:id", {}, { 200: json }], own: ["GET", "/notes/own", {}, { 200: json }] },
    }),
    { baseUrl: "https://api.example.com", fetch: () => Response.json(1) },
  );

  const error = await assertRejects(() => client.notes.byId({ params: { id: "own" } }), ClientError);
  assertEquals(
    error.message,
    "Cannot call GET /notes/:id (notes.byId): these params match the route notes.own; call that instead",
  );
});

Deno.test("a slim contract has calls, and neither routes nor anything in the place of a schema", () => {
  const contract = defineContract({
    routes: { list: route.get("/", { query: type({ q: "string" }), responses: { 200: response.json() } }) },
  });
  const slim = slimContract<typeof contract>({ list: ["GET", "/", { query: 1 }, { 200: json }] });

  assertEquals(Object.keys(slim), ["calls"]);
  const { key, method, path, slots, coders, body, security } = slim.calls.list as RouteCall;
  assertEquals({ key, method, path, slots, coders, body, security }, {
    key: "list",
    method: "GET",
    path: "/",
    slots: ["query"],
    coders: { query: {} },
    body: undefined,
    security: [],
  });
});
