// Serves a program on Node by srvx, on a port that is free, and prints the URL.
import { argv } from "node:process";
import { serve } from "srvx";

const { default: program } = await import(argv[2]);
const server = serve({ fetch: program.fetch, hostname: "127.0.0.1", port: 0, silent: true });
await server.ready();
console.log(server.url);
