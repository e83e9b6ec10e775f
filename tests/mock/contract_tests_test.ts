import type { Contract } from "@scope/api";
import { mockContract, type MockOptions } from "@scope/api/mock";
import { verify } from "@scope/api/server";
import { memorySockets } from "@scope/api/socket";
import { contractTests } from "@scope/api/testing";
import { contract as auth, session, token } from "../../examples/auth/contract.ts";
import { contract as chat } from "../../examples/chat/contract.ts";
import { bearer, contract as tasks } from "../../examples/tasks/contract.ts";
import { contract as users } from "../../examples/users/contract.ts";
import { chatSchema } from "../support/chat_schema.ts";

/** The examples, with the settings for their mocks and for the tests of these. */
const examples: Readonly<Record<string, readonly [Contract, MockOptions, credentials?: object]>> = {
  users: [users, {}],
  tasks: [
    tasks,
    { security: [verify(bearer, ({ token }) => token === "good" ? { name: "member" } : undefined)] },
    { bearer: "good" },
  ],
  auth: [
    auth,
    {
      security: [
        verify(token, ({ token }) => token === "good" ? { name: "token" } : undefined),
        verify(session, ({ value }) => value === "good" ? { name: "session" } : undefined),
      ],
    },
    { token: "good" },
  ],
  chat: [chat, { schema: chatSchema, sockets: memorySockets() }],
};

for (const [name, [contract, options, credentials]] of Object.entries(examples)) {
  const target = mockContract(contract, options);
  const { schema } = options;
  const tests = contractTests(contract, {
    target,
    ...(credentials && { credentials: credentials as never }),
    ...(schema && { schema }),
    runs: 30,
    ignore: { "deleted-is-gone": true }, // a mock does not store the changes that requests ask for
  });
  for (const { name: group, run } of tests) {
    Deno.test(`contractTests() finds nothing in the mock of examples/${name}: ${group}`, run);
  }
}
