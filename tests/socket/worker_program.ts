/** The API of sockets as a Worker. */
import { createFetchHandler } from "@scope/api/fetch";
import { workersSockets } from "@scope/api/socket";
import { createApi } from "./api.ts";

const sockets = workersSockets();
const { implementation, onError } = createApi(() => sockets.size);
const handler = createFetchHandler(implementation, { sockets, onError });

export default { fetch: (request: Request) => handler(request) };
