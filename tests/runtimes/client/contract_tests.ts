/** Contract tests have the same findings in every runtime, with the same requests. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { contractTests, sample } from "@scope/api/testing";
import { type } from "arktype";
import type { Case } from "../case.ts";

const contract = defineContract({
  routes: {
    rename: route.put("/users/:id", {
      body: request.json(type({ name: "1 <= string <= 20", "tags?": "string[]" })),
      responses: { 200: response.json(type({ name: "string" })), 404: response.problem() },
    }),
    words: route.get("/words", { responses: { 200: response.ndjson(type("string")) } }),
  },
});

const handler = createFetchHandler(
  defineServer(contract).implement({
    rename: ({ body, response }) => response(200, { name: body.name }),
    words: ({ response }) => response(200, ["one", "two"]),
  }),
);

type Handler = (request: Request) => Response | Promise<Response>;

/** The findings for a server, test by test. */
async function find(target: Handler): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, run } of contractTests(contract, { target, runs: 20, seed: 7 })) {
    await run().catch((error) => found.push(`${name} | ${error.message.split("\n", 1)[0]}`));
  }
  return found;
}

/** Responds in place of the server if a request's body contains a text. */
function instead(text: string, answer: () => Response): Handler {
  return async (request) => (await request.clone().text()).includes(text) ? answer() : await handler(request);
}

export const tests: readonly Case[] = [
  { name: "a server that does what its contract says", run: () => find(handler), gives: [] },
  {
    name: "a server that takes an empty name",
    run: () => find(instead('"name":""', () => Response.json({ name: "" }))),
    gives: [
      'rename: invalid requests | rename: invalid-accepted: PUT /users/a {"name":""} was answered 200; the contract refuses it: ' +
      "/name must be non-empty",
    ],
  },
  {
    name: "a promise that rejects, and that nothing handles",
    run: async () =>
      (await find((asked) => {
        if (asked.method === "HEAD") Promise.reject(new Error("gone"));
        return handler(asked);
      })).filter((found) => found.startsWith("words: HEAD")),
    gives: ["words: HEAD | *: no-failure: a promise rejection was not handled: Error: gone"],
  },
  {
    name: "a sample of a seed",
    run: () => Promise.resolve([1, 2, 3].map((seed) => sample(contract.routes.rename, seed))),
    gives: [
      { params: { id: "3kyxj6pq" }, body: { name: "xam" } },
      { params: { id: "3zf2" }, body: { name: "&", tags: ["😀", "7"] } },
      { params: { id: "k" }, body: { name: "9d" } },
    ],
  },
];
