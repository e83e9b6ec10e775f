/** feTS. It uses TypeBox schemas, and validates requests but not responses. */
import { createRouter, Response as JsonResponse, Type } from "fets";
import { findProfile, findUser, listUsers, renameUser } from "../contract/answers.ts";
import { tablePath } from "../contract/scenarios.ts";
import type { Handler, System } from "../systems/system.ts";

export const system: System = {
  title: "feTS",
  schemas: "TypeBox",
  create,
  createTable,
};

const UserParams = Type.Object({ id: Type.String() });
const User = Type.Object({ id: Type.String(), name: Type.String() });
const Rename = Type.Object({ name: Type.String({ minLength: 1 }) });
const ListQuery = Type.Object({
  tags: Type.Optional(Type.Array(Type.String())),
  page: Type.Optional(Type.Integer()),
});
const ListHeaders = Type.Object({ "x-user": Type.String() });
const UserList = Type.Object({ user: Type.String(), page: Type.Number(), tags: Type.Array(Type.String()) });
const Import = Type.Object({
  items: Type.Array(Type.Object({ id: Type.Number(), name: Type.String(), active: Type.Boolean() })),
});

function create(): Handler {
  const router = createRouter({
    base: "/api",
    landingPage: false,
    swaggerUI: { endpoint: false },
    openAPI: { endpoint: false },
  })
    .route({ method: "GET", path: "/health", handler: () => new Response("ok") as never })
    .route({
      method: "POST",
      path: "/import",
      schemas: { request: { json: Import }, responses: { 200: Import } },
      handler: async (request) => JsonResponse.json(await request.json()),
    })
    .route({
      method: "GET",
      path: "/users",
      schemas: { request: { query: ListQuery, headers: ListHeaders }, responses: { 200: UserList } },
      handler: (request) => JsonResponse.json(listUsers(request.query, request.headers.get("x-user") ?? "")),
    })
    .route({
      method: "GET",
      path: "/users/:id",
      schemas: { request: { params: UserParams }, responses: { 200: User } },
      handler: (request) => JsonResponse.json(findUser(request.params.id)),
    })
    .route({
      method: "PATCH",
      path: "/users/:id",
      schemas: { request: { params: UserParams, json: Rename }, responses: { 200: User } },
      handler: async (request) => JsonResponse.json(renameUser(request.params.id, (await request.json()).name)),
    })
    .route({
      method: "GET",
      path: "/profiles/:id",
      schemas: { request: { params: UserParams }, responses: { 200: User } },
      handler: (request) => JsonResponse.json(findProfile(request.params.id)),
    });
  return async (request) => await router.fetch(request) ?? new Response("Not Found", { status: 404 });
}

function createTable(size: number): Handler {
  const router = createRouter({ landingPage: false, swaggerUI: { endpoint: false }, openAPI: { endpoint: false } });
  for (let index = 0; index < size; index++) {
    router.route({
      method: "GET",
      path: tablePath(index) as "/:id",
      schemas: { request: { params: UserParams }, responses: { 200: User } },
      handler: (request) => JsonResponse.json(findUser(request.params.id)),
    });
  }
  return async (request) => await router.fetch(request) ?? new Response("Not Found", { status: 404 });
}
