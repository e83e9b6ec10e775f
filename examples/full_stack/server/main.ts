/** Serves the API, and the files that `vite build` wrote: `node server/main.ts`. */
import process from "node:process";
import { serve } from "srvx";
import { staticMiddleware } from "srvx/static";
import { createApi } from "./api.ts";

const api = createApi();

serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT ?? 8000),
  middleware: [staticMiddleware({ dir: "dist" })],
  fetch: api,
});
