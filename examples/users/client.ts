/**
 * Calls every endpoint and prints the results: `deno run --allow-net examples/users/client.ts`. The optional argument is the base
 * URL of the server. Default: http://localhost:8000.
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

// A declared 404 is a result, not an exception.
const missing = await client.users.byId({ params: { id: "nobody" } });
if (missing.status === 404) console.log("user nobody:", missing.status, missing.body.message);

const renamed = await client.users.rename({ params: { id: "2" }, body: { name: "Rear Admiral Hopper" } });
if (renamed.status === 200) console.log("user 2 is now:", renamed.body.name);

const profile = await client.profiles.byId({ params: { id: "1" } });
console.log("profile 1 comes from:", profile.body.runtime);

// An undeclared response throws: here the server's 400 for an invalid name.
try {
  await client.users.rename({ params: { id: "1" }, body: { name: "" } });
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  console.log("user 1 keeps its name:", error.code, error.status, error.problem?.issues);
}
