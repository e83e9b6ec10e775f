/** Serves the built site: `deno task site:preview`. */
import { serveDir } from "@std/http/file-server";

const folder = new URL("../site/", import.meta.url).pathname;

Deno.serve({ hostname: "127.0.0.1", port: 8000 }, (request) => serveDir(request, { fsRoot: folder, quiet: true }));
