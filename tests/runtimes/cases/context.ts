import type { Case } from "../case.ts";

export const context: readonly Case[] = [
  {
    name: "contextInput receives the arguments of the runtime",
    run: async (baseUrl) => await (await fetch(`${baseUrl}/api/further`)).json(),
    gives: [],
    differences: [
      {
        on: ["deno"],
        gives: ["remoteAddr", "completed"],
        why: "Deno passes `info`, with `remoteAddr` and `completed`.",
      },
      { on: ["bun"], gives: ["requestIP"], why: "Bun passes its `server`, with `requestIP(request)`." },
      {
        on: ["workerd"],
        gives: ["waitUntil"],
        why: "Workers pass `env` with the bindings, and `ctx` with `waitUntil`.",
      },
      {
        on: ["node 20 hono", "node 24 hono"],
        gives: ["incoming", "outgoing"],
        why: "@hono/node-server passes Node's `incoming` and `outgoing`; srvx sets `ip` and `runtime` on the request.",
      },
    ],
  },
];
