/** The API by Elysia with Zod. It generates the code of its handlers at run time. */
import { Elysia } from "elysia";
import { findUser, renameUser } from "../../contract/answers.ts";
import { Health, Rename, User, UserParams } from "./schemas.ts";

export const app = new Elysia({ prefix: "/api" })
  .get("/health", () => "ok" as const, { response: Health })
  .get("/users/:id", ({ params }) => findUser(params.id), { params: UserParams, response: User })
  .patch("/users/:id", ({ params, body }) => renameUser(params.id, body.name), {
    params: UserParams,
    body: Rename,
    response: User,
  });
