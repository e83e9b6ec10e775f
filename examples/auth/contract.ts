/**
 * The contract: who may call each route, and what it returns.
 *
 * @module
 */
import { defineContract, response, route, router, security } from "@scope/api";
import { type } from "arktype";

export const token = security.bearer("token");
export const session = security.cookie("session", { cookie: "__Host-session" });

const User = type({ id: "string", name: "string" });
const SetsCookie = response.empty({ headers: type({ "set-cookie": "string" }) });

export const contract = defineContract({
  basePath: "/api",
  security: [token, session], // every route accepts a token or a session
  responses: {
    401: response.problem({ headers: type({ "www-authenticate": "string" }) }),
    403: response.problem(),
  },
  routes: {
    health: route.get("/health", { security: [], responses: { 200: response.text() } }),
    session: router("/session", {
      routes: {
        start: route.post("/", { responses: { 204: SetsCookie } }),
        end: route.delete("/", { responses: { 204: SetsCookie } }),
      },
    }),
    users: router("/users", {
      routes: {
        me: route.get("/me", { responses: { 200: response.json(User) } }),
        rename: route.patch("/me", { body: type({ name: "string >= 1" }), responses: { 200: response.json(User) } }),
        byId: route.get("/:id", { responses: { 200: response.json(User), 404: response.problem() } }),
      },
    }),
  },
});
