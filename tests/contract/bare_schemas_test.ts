/** A schema alone in `responses`, which means `response.json(schema)`. */
import { codec, defineContract, response, route, router } from "@scope/api";
import { createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { assertRefused } from "../support/assert_refused.ts";

const Note = z.object({ id: z.string() });
const Failure = toStandardJsonSchema(v.object({ message: v.string() }));
const Missing = type({ why: "string" });
const date = codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const contract = defineContract({
  responses: { 500: Failure },
  routes: {
    notes: router("/notes", {
      responses: { 404: Missing },
      routes: { byId: route.get("/:id", { responses: { 200: Note, 202: date, 410: response.empty() } }) },
    }),
  },
});

const declared = defineContract({
  responses: { 500: response.json(Failure) },
  routes: {
    notes: router("/notes", {
      responses: { 404: response.json(Missing) },
      routes: {
        byId: route.get("/:id", {
          responses: { 200: response.json(Note), 202: response.json(date), 410: response.empty() },
        }),
      },
    }),
  },
});

Deno.test("responses accept a schema of any library, of a route, a router and a contract, as JSON", () => {
  const { responses } = contract.routes.notes.byId;
  const kinds = Object.values(responses).map(({ kind, contentType }) => [kind, contentType]);
  const json = ["json", "application/json"];

  assertEquals(Object.keys(responses), ["200", "202", "404", "410", "500"]);
  assertEquals(kinds, [json, json, json, ["empty", undefined], json]);
  assertEquals(diffContracts(contract, declared), []);
  const options = { info: { title: "", version: "" } };
  assertEquals(openApiDocument(contract, options), openApiDocument(declared, options));
});

Deno.test("a handler returns, and a client receives, what a schema alone declares", async () => {
  const handler = createFetchHandler(
    defineServer(contract).implement({
      notes: {
        byId: ({ params: { id }, response }) => {
          if (id === "late") return response(202, new Date(0));
          if (id === "none") return response(404, { why: "none" });
          return response(200, Object.assign({ id }, { secret: "stripped" }));
        },
      },
    }),
  );
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });

  const found = await client.notes.byId({ params: { id: "1" } });
  assertEquals(found.status === 200 && found.body, { id: "1" });
  const late = await client.notes.byId({ params: { id: "late" } });
  assertEquals(late.status === 202 && late.body.getTime(), 0);
  const missing = await client.notes.byId({ params: { id: "none" } });
  assertEquals(missing.status === 404 && missing.body.why, "none");
});

Deno.test("response.statuses() accepts a schema, which means JSON for each of them", async () => {
  const many = defineContract({
    routes: { read: route.get("/", { responses: { ...response.statuses("4XX", Missing), 200: Note } }) },
  });
  const options = { info: { title: "", version: "" } };
  const written = defineContract({
    routes: {
      read: route.get("/", { responses: { ...response.statuses("4XX", response.json(Missing)), 200: Note } }),
    },
  });
  assertEquals(openApiDocument(many, options), openApiDocument(written, options));
  const handler = createFetchHandler(
    defineServer(many).implement({ read: ({ response }) => response(409, { why: "taken" }) }),
  );
  const found = await createClient(many, { baseUrl: "http://localhost", fetch: handler }).read();
  assertEquals(found.status === 409 && found.body.why, "taken");
  assertRefused(
    () => response.statuses("4XX", "error" as never),
    'response.statuses(): the second argument must be a schema or a declaration, got "error"; write response.json(…)',
  );
});

Deno.test("a schema alone is refused where a response must not have a body", () => {
  assertRefused(() => route.get("/", { responses: { 204: Note } }), "response 204 must not have a body");
});

Deno.test("responses may be built by a program, whose statuses are checked when they are declared", () => {
  const get = (...statuses: readonly number[]) =>
    route.get("/a", { responses: Object.fromEntries(statuses.map((status) => [status, response.empty()])) });

  assertEquals(Object.keys(get(200, 404).responses), ["200", "404"]);
  assertRefused(() => get(99), "99");
});

Deno.test("statuses may be written in quotes, and spread from constant or frozen objects", async () => {
  const shared = { 200: Note, 404: response.empty() } as const;
  const frozen = Object.freeze({ 404: response.empty() });
  const contract = defineContract({
    responses: { ...shared, 500: response.empty() },
    routes: {
      quoted: route.get("/quoted", { responses: { "200": Note } }),
      spread: route.get("/spread", { responses: { ...shared, ...{ 409: response.empty() } } }),
      frozen: route.get("/frozen", { responses: { ...frozen, 200: Note } }),
      router: router("/", {
        responses: { ...shared },
        routes: { frozen: route.get("/r", { responses: { ...frozen } }) },
      }),
    },
  });
  const handler = createFetchHandler(
    defineServer(contract).implement({
      quoted: ({ response }) => response(200, { id: "quoted" }),
      spread: ({ response }) => response(200, { id: "spread" }),
      frozen: ({ response }) => response(404),
      router: { frozen: ({ response }) => response(404) },
    }),
  );
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });

  const spread = await client.spread();
  assertEquals(spread.status === 200 && spread.body.id, "spread");
  const statuses: (200 | 404 | 500)[] = [(await client.quoted()).status, (await client.router.frozen()).status];
  assertEquals(statuses, [200, 404]);
});
