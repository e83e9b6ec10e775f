/** The API by Hono with its Zod validator. Handwritten code validates the output, because Hono does not. */
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { findUser, renameUser } from "../../contract/answers.ts";
import { Health, Rename, User, UserParams } from "./schemas.ts";

export default new Hono()
  .basePath("/api")
  .get("/health", (c) => c.text(Health.parse("ok")))
  .get("/users/:id", zValidator("param", UserParams), (c) => c.json(User.parse(findUser(c.req.valid("param").id))))
  .patch(
    "/users/:id",
    zValidator("param", UserParams),
    zValidator("json", Rename),
    (c) => c.json(User.parse(renameUser(c.req.valid("param").id, c.req.valid("json").name))),
  );
