/**
 * The boundary, as data. What authentication answers with is declared once, for all routes.
 *
 * @module
 */
import { defineContract, response, route, router } from "@scope/api";
import { type } from "arktype";

const User = type({ id: "string", name: "string" });
const Message = type({ message: "string" });
const NotFound = response.json(Message);
const SetsCookie = response.empty({ headers: type({ "set-cookie": "string" }) });

/** What the middleware of authenticate.ts answers with: a contract that declares these for all routes can use it. */
export const refusals = {
  // RFC 9110 wants the field on every 401, and so does the type checker
  401: response.json(Message, { headers: type({ "www-authenticate": "string" }) }),
  403: response.json(Message),
};

export const contract = defineContract({
  basePath: "/api",
  responses: refusals,
  routes: {
    health: route.get("/health", { responses: { 200: response.text() } }),
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
        byId: route.get("/:id", { responses: { 200: response.json(User), 404: NotFound } }),
      },
    }),
  },
});
