/** The API by Fastify with Zod, as fastify-type-provider-zod documents it. It validates the JSON of responses. */
import type { Server } from "node:http";
import { fastify } from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { findUser, renameUser } from "../../contract/answers.ts";
import { Health, Rename, User, UserParams } from "./schemas.ts";

const app = fastify().withTypeProvider<ZodTypeProvider>();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.get("/api/health", () => Health.parse("ok"));
app.get(
  "/api/users/:id",
  { schema: { params: UserParams, response: { 200: User } } },
  ({ params }) => findUser(params.id),
);
app.patch(
  "/api/users/:id",
  { schema: { params: UserParams, body: Rename, response: { 200: User } } },
  ({ params, body }) => renameUser(params.id, body.name),
);
await app.ready();

export const server: Server = app.server;
