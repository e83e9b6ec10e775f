/** Starts the server: `deno serve --allow-env=JWT_SECRET examples/articles/main.ts`. */
import { createFetchHandler } from "@scope/api/fetch";
import { implementation } from "./handlers.ts";

export default {
  fetch: createFetchHandler(implementation, { cors: { origins: "*" }, maxBodyBytes: 100_000 }),
} satisfies Deno.ServeDefaultExport;
