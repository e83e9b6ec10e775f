/**
 * The contract of an API with conventions of its own: the header `authorization: Token …`, wrapped bodies, and errors
 * like `{ "errors": { "title": ["…"] } }` with status 422, as in [RealWorld](https://github.com/realworld-apps/realworld).
 *
 * @module
 */
import { defineContract, response, route, router, security } from "@scope/api";
import { type } from "arktype";

const Errors = response.json(type({ errors: { "[string]": "string[]" } }));
const NewUser = type({ user: { username: "string > 0", password: "string >= 8" } });
const User = type({ user: { username: "string", token: "string" } });
const NewArticle = type({ article: { title: "1 <= string <= 100", tagList: "string[] <= 10" } });
const Article = type({ article: { slug: "string", title: "string", tagList: "string[]", author: "string" } });

/** A JWT in `authorization: Token …`. */
export const token = security.bearer("token", { scheme: "Token" });

/** The contract. */
export const contract = defineContract({
  basePath: "/api",
  refusals: { 400: 422, 401: Errors, 404: Errors, 405: 404, 413: 422, 415: 422, 422: Errors, 500: Errors },
  security: [],
  routes: {
    users: router("/users", {
      routes: {
        register: route.post("/", { body: NewUser, responses: { 201: response.json(User), 422: Errors } }),
        login: route.post("/login", { body: NewUser, responses: { 200: response.json(User), 401: Errors } }),
        me: route.get("/me", { security: [token], responses: { 200: response.json(User) } }),
      },
    }),
    articles: router("/articles", {
      routes: {
        create: route.post("/", {
          security: [token],
          body: NewArticle,
          responses: { 201: response.json(Article), 422: Errors },
        }),
        bySlug: route.get("/:slug", { responses: { 200: response.json(Article), 404: Errors } }),
      },
    }),
  },
});
