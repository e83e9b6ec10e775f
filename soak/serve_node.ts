/** The soak's server on Node. */
import { createServer } from "node:http";
import { createNodeHandler } from "@scope/api/node";
import { obey } from "./control.ts";
import { implementation, options } from "./server.ts";

const server = createServer(createNodeHandler(implementation, options));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as { port: number };
await obey(port, async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
