/** Tests the server against its contract. */
import { contractTests } from "@scope/api/testing";
import { contract } from "./contract.ts";

Deno.env.set("TASKS_DB", ":memory:");
Deno.env.set("TASKS_TOKEN", "test");
const { handler } = await import("./server.ts");

for (const { name, run } of contractTests(contract, { target: handler, credentials: { bearer: "test" } })) {
  Deno.test(name, run);
}
