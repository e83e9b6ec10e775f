/** Contracts of rows that have their types, without schemas. */
import { createClient } from "@scope/api/client";
import {
  bearerCredential,
  bytes,
  empty,
  json,
  type SlimRoute,
  slimRoutes,
  statuses,
  type TypedBody,
  type TypedResponse,
  type WithStatuses,
} from "@scope/api/slim";
import type { SecurityScheme } from "@scope/api";
import { assertEquals } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";

interface User {
  readonly name: string;
}

interface Failure {
  readonly code: string;
}

const read: SlimRoute<{
  method: "GET";
  path: "/users/:id";
  query: { fields?: string[] | undefined };
  responses: WithStatuses<"default", TypedResponse<"json", Failure>, { 200: TypedResponse<"json", User> }>;
}> = ["GET", "/users/:id", { query: 1 }, { ...statuses("default", json), 200: json }];

const create: SlimRoute<{
  method: "POST";
  path: "/users";
  body: TypedBody<"json", User>;
  responses: { 201: TypedResponse<"empty", undefined, { location: string }> };
}> = ["POST", "/users", { body: json }, { 201: [empty, { headers: 1 }] }];

const avatar: SlimRoute<{
  method: "GET";
  path: "/avatar";
  responses: WithStatuses<"2XX", TypedResponse<"bytes", Uint8Array<ArrayBuffer>>>;
}> = ["GET", "/avatar", {}, { ...statuses("2XX", [bytes, { contentType: "image/png" }]) }];

const baseUrl = "https://api.example.com";

Deno.test("a client of rows has their types: of its input, and of the body of each status", async () => {
  const sent: Request[] = [];
  const client = createClient(slimRoutes({ users: { read, create } }), {
    baseUrl,
    fetch: (request) => {
      sent.push(request);
      if (request.method === "POST") return new Response(null, { status: 201, headers: { location: "/users/1" } });
      return sent.length > 1 ? Response.json({ code: "gone" }, { status: 410 }) : Response.json({ name: "Ada" });
    },
  });
  const found = await client.users.read({ params: { id: "a/b" }, query: { fields: ["name", "age"] } });
  assertEquals(sent[0]!.url, `${baseUrl}/users/a%2Fb?fields=name&fields=age`);
  if (found.status === 200) assertType<IsExact<typeof found.body, User>>(true);
  else assertType<IsExact<typeof found.body, Failure>>(true);
  assertEquals([found.status, found.body], [200, { name: "Ada" }]);

  const gone = await client.users.read({ params: { id: "1" } });
  assertEquals([gone.status, gone.body], [410, { code: "gone" }]);

  const created = await client.users.create({ body: { name: "Ada" } });
  assertType<IsExact<typeof created.status, 201>>(true);
  assertType<IsExact<typeof created.headers.location, string>>(true);
  assertEquals([created.headers.location, await sent[2]!.json()], ["/users/1", { name: "Ada" }]);
});

Deno.test("a range of statuses has one response with its content type", async () => {
  const png = new Uint8Array([1, 2, 3]);
  const client = createClient(slimRoutes({ avatar }), {
    baseUrl,
    fetch: () => new Response(png, { status: 203, headers: { "content-type": "image/png" } }),
  });
  const result = await client.avatar();
  assertType<IsExact<typeof result.body, Uint8Array<ArrayBuffer>>>(true);
  assertEquals([result.status, result.body], [203, png]);
});

Deno.test("rows with security require their schemes, and clients the credentials", async () => {
  const secured: SlimRoute<{
    method: "GET";
    path: "/me";
    security: [SecurityScheme<"token", { readonly token: string }, string>];
    responses: { 200: TypedResponse<"json", User> };
  }> = ["GET", "/me", {}, { 200: json }, ["token"]];
  const contract = slimRoutes({ secured }, { token: bearerCredential("Bearer") });
  const fetch = (request: Request) => Response.json({ name: request.headers.get("authorization") ?? "" });
  const client = createClient(contract, { baseUrl, fetch, credentials: { token: "t1" } });
  const { body } = await client.secured();
  assertEquals(body, { name: "Bearer t1" });
});
