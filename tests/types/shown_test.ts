import { assertEquals } from "@std/assert";
import { checkProgram, showTypes } from "./program.ts";

const program = `
import { defineContract, response, route, router } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";

const User = type({ id: "string", name: "string" });
const contract = defineContract({
  responses: { 401: response.text() },
  routes: {
    users: router("/users", {
      routes: {
        byId: route.get("/:id", { params: type({ id: "string" }), responses: { 200: response.json(User) } }),
        list: route.get("/", { query: type({ "q?": "string" }), responses: { 200: response.ndjson(User) } }),
      },
    }),
  },
});
const server = defineServer(contract, { context: ({ ip }: { ip: string }) => ({ ip, user: ip as string | undefined }) });
const members = server.use(({ context: made, next, response }) =>
  made.user === undefined ? response(401, "who?") : next({ user: made.user })
);
const implementation = members.implement({
  users: {
    byId: ({ params, context, response: build }) => build(200, { id: params.id, name: context.user }),
    list: ({ query, response }) => response(200, []),
  },
});
const handler = createFetchHandler(implementation, { contextInput: (_request, info: { ip: string }) => info });
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const result = await client.users.byId({ params: { id: "1" } });
const listed = await client.users.list();
const items = unwrap(listed);
const user = unwrap(result);
const url = client.users.byId.url;
`;

Deno.test("an editor shows what was declared, and no machinery", () => {
  assertEquals(checkProgram(program).errors, []);
  const types = showTypes(program);
  const shown = {
    made: "{ ip: string; user: string | undefined; }",
    params: "{ id: string; }",
    context: "{ ip: string; user: string; }",
    query: "{ q?: string; }",
    implementation: "Implementation<{ ip: string; }>",
    handler: "FetchHandler<[info: { ip: string; }]>",
    result: "Received<200, { id: string; name: string; }, Headers> | Received<401, string, Headers>",
    items: "ItemReader<{ id: string; name: string; }>",
    user: "{ id: string; name: string; }",
    url: "(input: { readonly params: { id: string; }; }) => string",
  };
  assertEquals(Object.fromEntries(Object.keys(shown).map((name) => [name, types.get(name)])), shown);
});
