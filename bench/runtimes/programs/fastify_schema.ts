/** The API by Fastify with JSON Schema. It serializes responses by their schemas, without validating them. */
import type { Server } from "node:http";
import { fastify } from "fastify";
import { findUser, renameUser } from "../../contract/answers.ts";

const id = { type: "string" };
const params = { type: "object", properties: { id }, required: ["id"] };
const User = { type: "object", properties: { id, name: { type: "string" } }, required: ["id", "name"] };
const Rename = { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] };

interface Renaming {
  readonly Params: { readonly id: string };
  readonly Body: { readonly name: string };
}

const app = fastify();
app.get("/api/health", () => "ok");
app.get<Pick<Renaming, "Params">>(
  "/api/users/:id",
  { schema: { params, response: { 200: User } } },
  ({ params }) => findUser(params.id),
);
app.patch<Renaming>(
  "/api/users/:id",
  { schema: { params, body: Rename, response: { 200: User } } },
  ({ params, body }) => renameUser(params.id, body.name),
);
await app.ready();

export const server: Server = app.server;
