/** The API by Elysia with its own schemas, of which it generates code at run time. */
import { Elysia, t } from "elysia";
import { findUser, renameUser } from "../../contract/answers.ts";

const params = t.Object({ id: t.String() });
const User = t.Object({ id: t.String(), name: t.String() });
const Rename = t.Object({ name: t.String({ minLength: 1 }) });

export const app = new Elysia({ prefix: "/api" })
  .get("/health", () => "ok" as const, { response: t.Literal("ok") })
  .get("/users/:id", ({ params }) => findUser(params.id), { params, response: User })
  .patch("/users/:id", ({ params, body }) => renameUser(params.id, body.name), {
    params,
    body: Rename,
    response: User,
  });
