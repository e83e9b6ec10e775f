/** Streams by this library on `node:http`. */
import { createServer, type Server } from "node:http";
import { createNodeHandler } from "@scope/api/node";
import { implementation } from "./streams_ours.ts";

export const server: Server = createServer(createNodeHandler(implementation));
