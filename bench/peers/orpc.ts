/** oRPC, contract first, behind its OpenAPI handler. It sends text as JSON. */
import { type ContractRouterClient, oc } from "@orpc/contract";
import { OpenAPIHandler } from "@orpc/openapi/fetch";
import { implement, type Router } from "@orpc/server";
import { type } from "arktype";
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
import type { BenchClient, ClientTarget, Handler, System } from "../systems/system.ts";

export const system: System = {
  title: "oRPC",
  create,
  createTable,
  createClient,
};

const contract = {
  health: oc.route({ method: "GET", path: "/api/health" }).output(Health),
  import: oc.route({ method: "POST", path: "/api/import" }).input(Import)
    .output(Import),
  list: oc.route({ method: "GET", path: "/api/users", inputStructure: "detailed" })
    .input(type({ query: ListQuery, headers: ListHeaders })).output(UserList),
  find: oc.route({ method: "GET", path: "/api/users/{id}" }).input(UserParams)
    .output(User),
  rename: oc.route({ method: "PATCH", path: "/api/users/{id}", inputStructure: "detailed" })
    .input(type({ params: UserParams, body: Rename })).output(User),
  profile: oc.route({ method: "GET", path: "/api/profiles/{id}" }).input(UserParams).output(Profile),
};

function create(): Handler {
  const os = implement(contract);
  return serve({
    health: os.health.handler(() => "ok" as const),
    import: os.import.handler(({ input }) => input),
    list: os.list.handler(({ input }) => listUsers(input.query, input.headers["x-user"])),
    find: os.find.handler(({ input }) => findUser(input.id)),
    rename: os.rename.handler(({ input }) => renameUser(input.params.id, input.body.name)),
    profile: os.profile.handler(({ input }) => findProfile(input.id)),
  });
}

function createTable(size: number): Handler {
  const entries = Array.from({ length: size }, (_, index) => {
    const path = tablePath(index).replace(":id", "{id}") as "/{id}";
    const find = implement(oc.route({ method: "GET", path }).input(UserParams).output(User));
    return [`resource${index}`, find.handler(({ input }) => findUser(input.id))] as const;
  });
  return serve(Object.fromEntries(entries));
}

// deno-lint-ignore no-explicit-any -- any router, whatever its contract
function serve(router: Router<any, Record<never, never>>): Handler {
  const handler = new OpenAPIHandler(router);
  return async (request) => {
    const { response } = await handler.handle(request, { context: {} });
    return response ?? new Response("Not Found", { status: 404 });
  };
}

async function createClient(fetch: Handler, { baseUrl, signal }: ClientTarget): Promise<BenchClient> {
  const [{ createORPCClient }, { OpenAPILink }] = await Promise.all([
    import("@orpc/client"),
    import("@orpc/openapi-client/fetch"),
  ]);
  const link = new OpenAPILink(contract, {
    url: baseUrl as `http://${string}`,
    fetch: (request) => Promise.resolve(fetch(request)),
  });
  const client: ContractRouterClient<typeof contract> = createORPCClient(link);
  const options = signal && { signal };
  return {
    findUser: (id) => client.find({ id }, options),
    renameUser: (id, name) => client.rename({ params: { id }, body: { name } }, options),
  };
}
