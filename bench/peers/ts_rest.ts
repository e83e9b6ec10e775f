// deno-lint-ignore-file require-await -- handlers return promises by their type
/**
 * ts-rest's serverless handler for fetch, which validates responses. The release candidate is the first to accept
 * Standard Schema.
 */
import { type } from "arktype";
import { initContract } from "@ts-rest/core";
import { createFetchHandler, tsr } from "@ts-rest/serverless/fetch";
import { findProfile, findUser, listUsers, renameUser } from "../contract/answers.ts";
import { tablePath } from "../contract/scenarios.ts";
import { Health, Import, ListQuery, Profile, Rename, User, UserList, UserParams } from "../contract/schemas.ts";
import type { BenchClient, ClientTarget, Handler, System } from "../systems/system.ts";

export const system: System = {
  title: "ts-rest",
  create,
  createTable,
  createClient,
};

const c = initContract();

const contract = c.router({
  health: {
    method: "GET",
    path: "/api/health",
    responses: { 200: c.otherResponse({ contentType: "text/plain", body: Health }) },
  },
  import: {
    method: "POST",
    path: "/api/import",
    body: Import,
    responses: { 200: Import },
  },
  list: {
    method: "GET",
    path: "/api/users",
    query: ListQuery,
    headers: { "x-user": type("string") },
    responses: { 200: UserList },
  },
  find: { method: "GET", path: "/api/users/:id", pathParams: UserParams, responses: { 200: User } },
  rename: { method: "PATCH", path: "/api/users/:id", pathParams: UserParams, body: Rename, responses: { 200: User } },
  profile: { method: "GET", path: "/api/profiles/:id", pathParams: UserParams, responses: { 200: Profile } },
});

const options = { responseValidation: true };

function create(): Handler {
  const routes = tsr.router(contract, {
    health: async () => ({ status: 200, body: "ok" as const }),
    import: async ({ body }) => ({ status: 200, body }),
    list: async ({ query, headers }) => ({
      status: 200,
      body: listUsers(query, (headers as { "x-user": string })["x-user"]),
    }),
    find: async ({ params }) => ({ status: 200, body: findUser(params.id) }),
    rename: async ({ params, body }) => ({ status: 200, body: renameUser(params.id, body.name) }),
    profile: async ({ params }) => ({ status: 200, body: findProfile(params.id) }),
  });
  return createFetchHandler(contract, routes, options);
}

function createTable(size: number): Handler {
  const names = Array.from({ length: size }, (_, index) => `resource${index}`);
  const table = c.router(Object.fromEntries(names.map((name, index) => [name, {
    method: "GET",
    path: tablePath(index) as "/:id",
    pathParams: UserParams,
    responses: { 200: User },
  }])));
  const find = async ({ params }: { params: { id: string } }) => ({ status: 200, body: findUser(params.id) });
  const routes = Object.fromEntries(names.map((name) => [name, find]));
  return createFetchHandler(table, routes as never, options);
}

async function createClient(fetch: Handler, { baseUrl, signal }: ClientTarget): Promise<BenchClient> {
  const { initClient } = await import("@ts-rest/core");
  const client = initClient(contract, {
    baseUrl,
    api: async ({ path, method, headers, body }) => {
      const response = await fetch(new Request(path, { method, headers, body: body ?? null, signal: signal ?? null }));
      return { status: response.status, body: await response.json(), headers: response.headers };
    },
  });
  return {
    findUser: async (id) => {
      const result = await client.find({ params: { id } });
      if (result.status !== 200) {
        throw new Error(`Cannot find the user: status ${result.status}`);
      }
      return result.body;
    },
    renameUser: async (id, name) => {
      const result = await client.rename({ params: { id }, body: { name } });
      if (result.status !== 200) {
        throw new Error(`Cannot rename the user: status ${result.status}`);
      }
      return result.body;
    },
  };
}
