/** The API by this library, used as its guides show. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { findUser, renameUser } from "../../contract/answers.ts";
import { Health, Rename, User, UserParams } from "./schemas.ts";

const contract = defineContract({
  basePath: "/api",
  routes: {
    health: route.get("/health", { responses: { 200: response.text(Health) } }),
    find: route.get("/users/:id", { params: UserParams, responses: { 200: response.json(User) } }),
    rename: route.patch("/users/:id", { params: UserParams, body: Rename, responses: { 200: response.json(User) } }),
  },
});

export const implementation = defineServer(contract).implement({
  health: ({ response }) => response(200, "ok"),
  find: ({ params, response }) => response(200, findUser(params.id)),
  rename: ({ params, body, response }) => response(200, renameUser(params.id, body.name)),
});

const handler = createFetchHandler(implementation);
export default { fetch: (request: Request): Response | Promise<Response> => handler(request) };
