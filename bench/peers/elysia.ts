/** Elysia with Standard Schema for input and output. It generates the code of its handlers at run time. */
import { Elysia } from "elysia";
import { findProfile, findUser, listUsers, renameUser } from "../contract/answers.ts";
import { tablePath } from "../contract/scenarios.ts";
import {
  Health,
  Import,
  ListHeaders,
  ListQuery,
  Profile,
  Rename,
  User,
  UserList,
  UserParams,
} from "../contract/schemas.ts";
import type { Handler, System } from "../systems/system.ts";

export const system: System = {
  title: "Elysia",
  create,
  createTable,
};

function create(): Handler {
  return new Elysia({ prefix: "/api" })
    .get("/health", () => "ok" as const, { response: Health })
    .post("/import", ({ body }) => body, { body: Import, response: Import })
    .get(
      "/users",
      ({ query, headers }) => listUsers(query, headers["x-user"]),
      { query: ListQuery, headers: ListHeaders, response: UserList },
    )
    .get("/users/:id", ({ params }) => findUser(params.id), { params: UserParams, response: User })
    .patch(
      "/users/:id",
      ({ params, body }) => renameUser(params.id, body.name),
      { params: UserParams, body: Rename, response: User },
    )
    .get("/profiles/:id", ({ params }) => findProfile(params.id), { params: UserParams, response: Profile })
    .fetch;
}

function createTable(size: number): Handler {
  const app = new Elysia();
  for (let index = 0; index < size; index++) {
    app.get(
      tablePath(index),
      ({ params }) => findUser((params as { id: string }).id),
      { params: UserParams, response: User },
    );
  }
  return app.fetch;
}
