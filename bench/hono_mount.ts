/**
 * A Hono application with one route of its own and the handler of a contract, as docs/coming-from-hono.md shows it.
 * Prints the responses to some requests, for `tests/guides/hono_mount_test.ts`.
 *
 * @module
 */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";
import { Hono } from "hono";

interface Env {
  readonly NAME: string;
}

const contract = defineContract({
  basePath: "/api",
  routes: { find: route.get("/users/:id", { responses: { 200: response.json(type({ name: "string" })) } }) },
});
const implementation = defineServer(contract, { context: ({ env }: { env: Env }) => ({ name: env.NAME }) }).implement({
  find: ({ context, response }) => response(200, { name: context.name }),
});
const handler = createFetchHandler(implementation, { contextInput: (_request, env: Env) => ({ env }) });

const app = new Hono<{ Bindings: Env }>();
app.get("/api/old", (c) => c.text("still Hono's"));
app.all("/api/*", (c) => handler(c.req.raw, c.env));

for (const path of ["/api/old", "/api/users/a%2Fb", "/api/none", "/other"]) {
  const answer = await app.request(path, {}, { NAME: "Ada" });
  console.log(path, answer.status, answer.status === 200 ? await answer.text() : answer.headers.get("content-type"));
}
