/** The examples fulfill their contracts: contract tests find nothing. The example of tasks has its own tests. */
import { memorySockets } from "@scope/api/socket";
import { type ContractTest, contractTests } from "@scope/api/testing";
import { contract as auth } from "../../examples/auth/contract.ts";
import { contract as chat, openApiOptions } from "../../examples/chat/docs.ts";
import { MemoryRoom } from "../../examples/chat/memory_room.ts";
import { createHandler as createChat } from "../../examples/chat/server.ts";
import { contract as users } from "../../examples/users/contract.ts";
import { contract as bodies, createHandler as createBodies } from "./bodies.ts";
import { contract as things, createHandler as createThings } from "./things.ts";

const authToken = "0123456789abcdef".repeat(4);

/** The tests of each example; its server is imported by the first of them, since it reads the environment. */
const examples: Readonly<Record<string, () => Promise<ContractTest[]>>> = {
  async "examples/users"(): Promise<ContractTest[]> {
    Deno.env.set("USERS_DB", ":memory:");
    const { handler } = await import("../../examples/users/server.ts");
    const known = { params: { id: ["1"] } };
    return contractTests(users, { target: handler, values: { "users.byId": known, "users.rename": known } });
  },
  async "examples/auth"(): Promise<ContractTest[]> {
    Deno.env.set("AUTH_TOKEN", authToken);
    const { handler } = await import("../../examples/auth/server.ts");
    const values = { "users.byId": { params: { id: ["1", "2"] } } };
    return contractTests(auth, { target: handler, credentials: { token: authToken }, values });
  },
  "examples/chat"(): Promise<ContractTest[]> {
    const target = () => createChat(new MemoryRoom(), memorySockets());
    return Promise.resolve(contractTests(chat, { target, schema: openApiOptions.schema }));
  },
  "a server of all representations": () => Promise.resolve(contractTests(bodies, { target: () => createBodies() })),
  "a server of things": () =>
    Promise.resolve(contractTests(things, { target: () => createThings(), credentials: { token: "test" } })),
};

for (const [name, createTests] of Object.entries(examples)) {
  Deno.test(`contractTests() finds nothing of ${name}`, async (t) => {
    const { log } = console;
    const tests = await createTests();
    for (const { name, run } of tests) {
      await t.step(name, async () => {
        console.log = () => {};
        await run().finally(() => console.log = log);
      });
    }
  });
}
