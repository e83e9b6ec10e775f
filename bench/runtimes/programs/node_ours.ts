/** The API by this library on `node:http`, used as its guides show. */
import { createServer, type Server } from "node:http";
import { createNodeHandler } from "@scope/api/node";
import { implementation } from "./ours.ts";

export const server: Server = createServer(createNodeHandler(implementation));
