/**
 * Bodies that Express or Hono has read before the handler, and bodies that they have not. Prints the status of each, and
 * how many errors the handler reported.
 */
import { once } from "node:events";
import { getRequestListener } from "@hono/node-server";
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import express from "express";
import { Hono } from "hono";
import { cloneRawRequest } from "hono/request";
import { toNodeHandler } from "srvx/node";
import * as z from "zod";

const Note = z.object({ a: z.string() });
const responses = { 200: response.text() };
const contract = defineContract({
  basePath: "/api",
  routes: {
    json: route.post("/json", { body: Note, responses }),
    limited: route.post("/limited", { body: request.json(Note, { maxBytes: 100 }), responses }),
    optional: route.post("/optional", { body: request.json(Note, { optional: true }), responses }),
    text: route.post("/text", { body: request.text({ contentType: "application/json" }), responses }),
    stream: route.post("/stream", { body: request.stream({ contentType: "application/json" }), responses }),
  },
});
let reported = 0;
const done = ({ response }) => response(200, "done");
const handler = createFetchHandler(
  defineServer(contract).implement({
    json: done,
    limited: done,
    optional: done,
    text: done,
    stream: async ({ body, response }) => response(200, await new Response(body).text()),
  }),
  { onError: ({ error }) => void (reported += Number(/^Cannot read the body of POST/.test(error.message))) },
);

/** Sends the body to each route, as a whole and in chunks, and returns the different statuses. */
async function askAll(send) {
  const statuses = new Set();
  for (const path of Object.keys(contract.routes)) {
    for (const isChunked of [false, true]) {
      const text = '{"a":"1"}';
      const body = isChunked ? new Blob([text]).stream() : text;
      const headers = { "content-type": "application/json" };
      statuses.add((await send(`/api/${path}`, { method: "POST", body, duplex: "half", headers })).status);
    }
  }
  return [...statuses];
}

async function askExpress(listener, ...before) {
  const app = express();
  for (const each of before) app.use(each);
  app.all("/api/{*path}", listener);
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const statuses = await askAll((path, init) => fetch(`http://127.0.0.1:${server.address().port}${path}`, init));
  server.closeAllConnections();
  server.close();
  return statuses;
}

async function askHono(register) {
  const app = new Hono();
  app.use(async (c, next) => {
    await c.req.json();
    await next();
  });
  register(app);
  return await askAll((path, init) => app.request(path, init));
}

const results = {
  "srvx": await askExpress(toNodeHandler(handler)),
  "srvx after a parser": await askExpress(toNodeHandler(handler), express.json()),
  "@hono/node-server": await askExpress(getRequestListener(handler)),
  "@hono/node-server after a parser": await askExpress(getRequestListener(handler), express.json()),
  "Hono after its middleware": await askHono((app) => app.all("/api/*", (c) => handler(c.req.raw))),
  "Hono with a copy": await askHono((app) => app.all("/api/*", async (c) => handler(await cloneRawRequest(c.req)))),
};
console.log(JSON.stringify({ results, reported }));
