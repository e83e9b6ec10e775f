import { type Case } from "../case.ts";

export const context: readonly Case[] = [
  {
    name: "what the runtime gives beside the request reaches contextInput",
    run: async (baseUrl) => await (await fetch(`${baseUrl}/api/further`)).json(),
    gives: [],
    differences: [
      {
        on: ["deno"],
        gives: ["remoteAddr", "completed"],
        why: "Deno gives `info`, with `remoteAddr` and `completed`.",
      },
      { on: ["bun"], gives: ["requestIP"], why: "Bun gives its `server`, with `requestIP(request)`." },
      {
        on: ["workerd"],
        gives: ["waitUntil"],
        why: "Workers give `env` with the bindings, and `ctx` with `waitUntil`.",
      },
      {
        on: ["node 20 hono", "node 24 hono"],
        gives: ["incoming", "outgoing"],
        why:
          "@hono/node-server gives Node's own `incoming` and `outgoing`; srvx puts `ip` and `runtime` on the request.",
      },
    ],
  },
];
