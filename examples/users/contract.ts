/**
 * The contract that the server implements and the client calls. Browsers can import it too.
 *
 * @module
 */
import { defineContract, request, response, route, router } from "@scope/api";
import { type } from "arktype";

const User = type({ id: "string", name: "string" });
const UserParams = type({ id: "string" });
const NotFound = response.json(type({ message: "string" }));

export const contract = defineContract({
  basePath: "/api",
  routes: {
    health: route.get("/health", { responses: { 200: response.text(type("'ok'")) } }),
    users: router("/users", {
      routes: {
        byId: route.get("/:id", { params: UserParams, responses: { 200: response.json(User), 404: NotFound } }),
        rename: route.patch("/:id", {
          params: UserParams,
          body: request.json(type({ name: "string >= 1" })),
          responses: { 200: response.json(User), 404: NotFound },
        }),
      },
    }),
    profiles: router("/profiles", {
      routes: {
        // without a schema for params, the handler receives strings: { id: string }
        byId: route.get("/:id", { responses: { 200: response.json(type({ id: "string", runtime: "'deno'" })) } }),
      },
    }),
  },
});
