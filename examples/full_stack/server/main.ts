/** Serves the API, and the files that `vite build` wrote: `node server/main.ts`. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";
import { createNodeHandler } from "@scope/api/node";
import { nodeSockets } from "@scope/api/socket";
import sirv from "sirv";
import { WebSocketServer } from "ws";
import { createApi } from "./api.ts";

const sockets = nodeSockets(new WebSocketServer({ noServer: true }));
const api = createNodeHandler(createApi(), { sockets });
const files = sirv("dist", { dev: !existsSync("dist") }); // in development, Vite serves the page

// a route answers, else a file, else the API refuses
const server = createServer((req, res) => api(req, res, () => files(req, res, () => api(req, res))));
server.on("upgrade", api.upgrade);
server.listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
