/**
 * tRPC's fetch adapter. It has procedures instead of methods and paths, so the same requests are sent in its own
 * protocol.
 */
import { initTRPC } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { type } from "arktype";
import { findProfile, findUser, listUsers, renameUser } from "../contract/answers.ts";
import { type RequestData, scenarios } from "../contract/scenarios.ts";
import { Health, Import, ListHeaders, Profile, Rename, User, UserList, UserParams } from "../contract/schemas.ts";
import type { BenchClient, Handler, Protocol, System } from "../systems/system.ts";

const json = { "content-type": "application/json" };

const protocol: Protocol = {
  requests: {
    text: query("health"),
    parameter: query("find", { id: "42" }),
    patch: mutation("rename", { id: "42", name: "Grace" }),
    query: {
      ...query("list", { tags: ["a", "b"], page: 2 }),
      headers: { "x-user": "ada" },
    },
    large: { ...scenarios.large.request, path: "/api/import" },
    notFound: query("nothing"),
    wrongMethod: {
      ...query("find", { id: "42" }),
      method: "POST",
      headers: json,
      body: "{}",
    },
    invalid: mutation("rename", { id: "42", name: "" }),
    strips: query("profile", { id: "42" }),
    output: query("profile", { id: "broken" }),
  },
  tableRequest: (index) => query(`resource${index}`, { id: "42" }),
  unwrap: (body) => (body as { result?: { data: unknown } }).result?.data,
};

function query(name: string, input?: unknown): RequestData {
  const search = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  return { path: `/api/${name}${search}` };
}

function mutation(name: string, input: unknown): RequestData {
  return { method: "POST", path: `/api/${name}`, headers: json, body: JSON.stringify(input) };
}

export const system: System = {
  title: "tRPC",
  create: () => serve(router),
  createTable,
  createClient,
  protocol,
};

const t = initTRPC.context<{ readonly headers: Headers }>().create({ isDev: false });

const router = t.router({
  health: t.procedure.output(Health).query(() => "ok" as const),
  import: t.procedure.input(Import).output(Import).mutation(({ input }) => input),
  list: t.procedure.input(type({ "tags?": "string[]", "page?": "number" }))
    .output(UserList)
    .query(({ input, ctx }) => {
      const headers = ListHeaders.assert({ "x-user": ctx.headers.get("x-user") });
      return listUsers(input, headers["x-user"]);
    }),
  find: t.procedure.input(UserParams).output(User).query(({ input }) => findUser(input.id)),
  rename: t.procedure.input(UserParams.and(Rename)).output(User)
    .mutation(({ input }) => renameUser(input.id, input.name)),
  profile: t.procedure.input(UserParams).output(Profile).query(({ input }) => findProfile(input.id)),
});

function createTable(size: number): Handler {
  const find = t.procedure.input(UserParams).output(User).query(({ input }) => findUser(input.id));
  const names = Array.from({ length: size }, (_, index) => `resource${index}`);
  return serve(t.router(Object.fromEntries(names.map((name) => [name, find]))) as unknown as typeof router);
}

function serve(served: typeof router): Handler {
  return (req) =>
    fetchRequestHandler({ endpoint: "/api", req, router: served, createContext: () => ({ headers: req.headers }) });
}

async function createClient(fetch: Handler): Promise<BenchClient> {
  const { createTRPCClient, httpLink } = await import("@trpc/client");
  const client = createTRPCClient<typeof router>({
    links: [
      httpLink({
        url: "http://localhost/api",
        fetch: (input, init) => Promise.resolve(fetch(new Request(input, init as RequestInit))),
      }),
    ],
  });
  return {
    findUser: (id) => client.find.query({ id }),
    renameUser: (id, name) => client.rename.mutate({ id, name }),
  };
}
