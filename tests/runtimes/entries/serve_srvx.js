// Serves on Node by srvx, on a port that is free, and prints the URL.
import { serve } from "srvx";
import { handler } from "./server.js";

const server = serve({ fetch: handler, hostname: "127.0.0.1", port: 0, silent: true });
await server.ready();
console.log(server.url);
