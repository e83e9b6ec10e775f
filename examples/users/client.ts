/**
 * Calls every endpoint and says what came of it: `deno run --allow-net examples/users/client.ts`. The server's base
 * URL may follow; it is http://localhost:8000 otherwise.
 *
 * @module
 */
import { ClientError, createClient } from "@scope/api/client";
import { contract } from "./contract.ts";

const client = createClient(contract, { baseUrl: Deno.args[0] ?? "http://localhost:8000" });

const health = await client.health();
console.log("health:", health.body);

const found = await client.users.byId({ params: { id: "1" } });
if (found.status === 200) console.log("user 1:", found.body.name);
else console.log("user 1:", found.body.message);

// A declared 404 is a result like any other.
const missing = await client.users.byId({ params: { id: "nobody" } });
if (missing.status === 404) console.log("user nobody:", missing.status, missing.body.message);

const renamed = await client.users.rename({ params: { id: "2" }, body: { name: "Rear Admiral Hopper" } });
if (renamed.status === 200) console.log("user 2 is now:", renamed.body.name);

const profile = await client.profiles.byId({ params: { id: "1" } });
console.log("profile 1 comes from:", profile.body.runtime);

// What the contract does not declare is thrown: here the server's own answer to a name that the schema refuses.
try {
  await client.users.rename({ params: { id: "1" }, body: { name: "" } });
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  console.log("user 1 keeps its name:", error.code, error.status, error.problem?.issues);
}
