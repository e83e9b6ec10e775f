/** Serves the API, and the files that `vite build` wrote: `node server/main.ts`. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";
import { createNodeHandler } from "@scope/api/node";
import sirv from "sirv";
import { createApi } from "./api.ts";

const api = createNodeHandler(createApi());
const files = sirv("dist", { dev: !existsSync("dist") }); // in development, Vite serves the page

// a route answers, else a file, else the API refuses
const server = createServer((req, res) => api(req, res, () => files(req, res, () => api(req, res))));
server.listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
