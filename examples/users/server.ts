/**
 * The handlers of the contract, for `deno serve`. The users are stored in the file that the environment variable USERS_DB names, or
 * in users.db in this folder.
 *
 * @module
 */
import { createClient } from "@scope/api/client";
import { fetchAdapter } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { contract } from "./contract.ts";
import { openUsers } from "./storage.ts";

const users = openUsers(Deno.env.get("USERS_DB") ?? `${import.meta.dirname}/users.db`);

const implementation = defineServer(contract, { context: () => ({ users }) }).implement({
  health: ({ response }) => response(200, "ok"),
  users: {
    byId: ({ params, context, response }) => {
      const user = context.users.find(params.id);
      return user ? response(200, user) : response(404, { message: `No user ${params.id}` });
    },
    rename: ({ params, body, context, response }) => {
      const user = context.users.rename(params.id, body.name);
      return user ? response(200, user) : response(404, { message: `No user ${params.id}` });
    },
  },
  profiles: {
    byId: ({ params, response }) => response(200, { id: params.id, runtime: "deno" }),
  },
});

/** The handler, from a `Request` to a `Response`, for a runtime or a test. */
export const handler = fetchAdapter().mount(implementation);

export default {
  fetch: handler,
  onListen(address): void {
    if ("port" in address) console.log(greet(`http://localhost:${address.port}`));
  },
} satisfies Deno.ServeDefaultExport;

function greet(baseUrl: string): string {
  const { health, users, profiles } = createClient(contract, { baseUrl });
  const ada = { params: { id: "1" } };
  return `Serving the users example. Try:

  curl ${health.url()}
  curl ${users.byId.url(ada)}
  curl ${users.byId.url({ params: { id: "nobody" } })}
  curl ${profiles.byId.url(ada)}
  curl -X PATCH -H "content-type: application/json" -d '{"name":"Ada King"}' ${users.rename.url(ada)}

or every endpoint, by the typed client:

  npx -y deno@2.9.6 run --allow-net examples/users/client.ts ${baseUrl}
`;
}
