/** The examples do what their contracts say: nothing is found of them. That of tasks has its tests beside it. */
import { type SchemaProvider } from "@scope/api/openapi";
import { type ContractTest, contractTests } from "@scope/api/testing";
import { toJsonSchema } from "@valibot/to-json-schema";
import { contract as auth } from "../../examples/auth/contract.ts";
import { contract as chat } from "../../examples/chat/contract.ts";
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
  "examples/chat": () => Promise.resolve(contractTests(chat, { target: () => createChat(), schema: toSchema })),
  "a server of all representations": () => Promise.resolve(contractTests(bodies, { target: () => createBodies() })),
  "a server of things": () =>
    Promise.resolve(contractTests(things, { target: () => createThings(), credentials: { token: "test" } })),
};

const text = { type: "string" };

/** The events of the chat, whose schema is written by hand. */
const roomEvent = {
  oneOf: [
    {
      type: "object",
      properties: { type: { const: "people" }, names: { type: "array", items: text } },
      required: ["type", "names"],
    },
    {
      type: "object",
      properties: { type: { const: "message" }, author: text, text, at: { type: "string", format: "date-time" } },
      required: ["type", "author", "text", "at"],
    },
  ],
};

/** Valibot's schemas do not convert by themselves. */
const toSchema: SchemaProvider = ({ query, headers, body, responses }, slot) => {
  if (slot === 200) return roomEvent;
  const slots = { query, headers, body: body?.schema, "426.headers": responses[426]?.headers } as const;
  const schema = slots[slot as keyof typeof slots];
  return schema &&
    { ...toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], { typeMode: "input", errorMode: "ignore" }) };
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
