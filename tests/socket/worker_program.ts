/** The API of sockets as a Worker. */
import { createFetchHandler } from "@scope/api/fetch";
import { workersSockets } from "@scope/api/socket";
import { createApi } from "./api.ts";

const { implementation, onError, onClose } = createApi(() => sockets.size);
const sockets = workersSockets({ onClose });
const handler = createFetchHandler(implementation, { sockets, onError });

export default { fetch: (request: Request) => handler(request) };
