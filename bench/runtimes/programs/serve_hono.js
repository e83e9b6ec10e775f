// Serves a program on Node by @hono/node-server, on a port that is free, and prints the URL.
import { argv } from "node:process";
import { serve } from "@hono/node-server";

const { default: program } = await import(argv[2]);
serve({ fetch: program.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
