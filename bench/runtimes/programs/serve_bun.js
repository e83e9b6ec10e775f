// Serves a program on Bun, on a port that is free, and prints the URL.
import { argv } from "node:process";

const { default: program } = await import(argv[2]);
const server = Bun.serve({ fetch: program.fetch, hostname: "127.0.0.1", port: 0 });
console.log(`http://127.0.0.1:${server.port}`);
