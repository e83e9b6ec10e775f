/** This library, used as its guides show. */
import { defineContract, response, route, router } from "@scope/api";
import { fetchAdapter } from "@scope/api/fetch";
import { defineServer, type HandlersOf } from "@scope/api/server";
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
import type { BenchClient, ClientTarget, Handler, Passing, System } from "./system.ts";

export const system: System = {
  title: "@scope/api",
  create,
  createTable,
  createLayers,
  createClient,
};

export const contract = defineContract({
  basePath: "/api",
  routes: {
    health: route.get("/health", { responses: { 200: response.text(Health) } }),
    import: route.post("/import", {
      body: Import,
      responses: { 200: response.json(Import) },
    }),
    users: router("/users", {
      routes: {
        list: route.get("/", { query: ListQuery, headers: ListHeaders, responses: { 200: response.json(UserList) } }),
        find: route.get("/:id", { params: UserParams, responses: { 200: response.json(User) } }),
        rename: route.patch("/:id", { params: UserParams, body: Rename, responses: { 200: response.json(User) } }),
      },
    }),
    profile: route.get("/profiles/:id", { params: UserParams, responses: { 200: response.json(Profile) } }),
  },
});

function create(): Handler {
  const implementation = defineServer(contract).implement({
    health: ({ response }) => response(200, "ok"),
    import: ({ body, response }) => response(200, body),
    users: {
      list: ({ query, headers, response }) => response(200, listUsers(query, headers["x-user"])),
      find: ({ params, response }) => response(200, findUser(params.id)),
      rename: ({ params, body, response }) => response(200, renameUser(params.id, body.name)),
    },
    profile: ({ params, response }) => response(200, findProfile(params.id)),
  });
  return fetchAdapter({ onError: () => undefined }).mount(implementation);
}

function createTable(size: number): Handler {
  const names = Array.from({ length: size }, (_, index) => `resource${index}`);
  const table = defineContract({
    routes: Object.fromEntries(
      names.map((name, index) => [
        name,
        route.get(tablePath(index) as "/:id", { params: UserParams, responses: { 200: response.json(User) } }),
      ]),
    ),
  });
  const server = defineServer(table);
  const find: HandlersOf<typeof server>[string] = (
    { params, response },
  ) => response(200, findUser(params.id));
  return fetchAdapter().mount(server.implement(Object.fromEntries(names.map((name) => [name, find]))));
}

function createLayers(count: number, passing: Passing): Handler {
  const layered = Array.from({ length: count }).reduce<ReturnType<typeof defineServer<typeof texts>>>(
    (server) => passing === "waits" ? server.use(async ({ next }) => await next()) : server.use(({ next }) => next()),
    defineServer(texts),
  );
  return fetchAdapter().mount(layered.implement({ health: ({ response }) => response(200, "ok") }));
}

const texts = defineContract({
  routes: { health: route.get("/api/health", { responses: { 200: response.text(Health) } }) },
});

async function createClient(fetch: Handler, { baseUrl, signal }: ClientTarget): Promise<BenchClient> {
  const { createClient, unwrap } = await import("@scope/api/client");
  const { users } = createClient(contract, { baseUrl, fetch: (request) => fetch(request) });
  const options = signal && { signal };
  return {
    findUser: async (id) => unwrap(await users.find({ params: { id } }, options)),
    renameUser: async (id, name) => unwrap(await users.rename({ params: { id }, body: { name } }, options)),
  };
}
