// Serves on Node by @hono/node-server, on a port that is free, and prints the URL.
import { serve } from "@hono/node-server";
import { handler } from "./server.js";

serve({ fetch: handler, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
