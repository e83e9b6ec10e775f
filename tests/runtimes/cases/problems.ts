import { type Case, problem, show } from "../case.ts";

export const problems: readonly Case[] = [
  {
    name: "a path that no route has is 404",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/elsewhere`), "content-type"),
    gives: problem(404, "Not Found", "not-found", { "content-type": "application/problem+json" }),
  },
  {
    name: "a handler that throws is 500 and tells nothing",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/fails`), "content-type"),
    gives: problem(500, "Internal Server Error", "internal-error", { "content-type": "application/problem+json" }),
  },
];
