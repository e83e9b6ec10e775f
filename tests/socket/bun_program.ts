/** The API of sockets on Bun's server. Prints its port. */
import { createFetchHandler } from "@scope/api/fetch";
import { bunSockets } from "@scope/api/socket";
import { createApi } from "./api.ts";

/** The part of Bun that this program uses. */
declare const Bun: { serve(options: object): { readonly port: number } };

const { implementation, onError, onClose } = createApi(() => sockets.size);
const sockets = bunSockets({ idleTimeout: 8_000, onClose });
const handler = createFetchHandler(implementation, { sockets, onError });
const { port } = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handler, websocket: sockets.websocket });
console.log(`ports ${port}`);
