/** The soak's server on Deno. */
import { obey } from "./control.ts";
import { handler } from "./server.ts";

const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
await obey(server.addr.port, () => server.shutdown());
