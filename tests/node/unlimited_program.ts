/** A server whose bodies have no limit. Prints its port. */
import { createServer } from "node:http";
import { createNodeHandler } from "@scope/api/node";
import { implementation } from "./api.ts";

const server = createServer(createNodeHandler(implementation, { contextInput: () => ({ user: undefined }) }));
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify(server.address())));
