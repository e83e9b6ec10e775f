/**
 * The API inside Express 4 and 5, Connect, Fastify and NestJS, on real sockets. Prints what each answers to the same
 * requests as JSON.
 */
import "reflect-metadata";
import { once } from "node:events";
import { createServer, request as call } from "node:http";
import { All, Controller, Module, Req } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { defineContract, request, response, route } from "@scope/api";
import { createNodeHandler } from "@scope/api/node";
import { defineServer } from "@scope/api/server";
import connect from "connect";
import express from "express";
import express4 from "express4";
import { fastify } from "fastify";
import * as z from "zod";

const Note = z.object({ title: z.string() });
const contract = defineContract({
  basePath: "/api",
  routes: {
    me: route.get("/me", { responses: { 200: response.text() } }),
    note: route.post("/notes", { body: Note, responses: { 200: response.text() } }),
    form: route.post("/forms", { body: request.form(Note), responses: { 200: response.text() } }),
    text: route.post("/texts", { body: request.text(), responses: { 200: response.text() } }),
    secret: route.get("/admin/:id", { responses: { 200: response.text() } }),
    unmoved: route.put("/me", { body: Note, responses: { 200: response.text() } }),
  },
});
const implementation = defineServer(contract, { context: ({ user }) => ({ user }) }).partial({
  me: ({ context, response }) => response(200, `you are ${context.user}`),
  note: ({ body, response }) => response(200, body.title),
  form: ({ body, response }) => response(200, body.title),
  text: ({ body, response }) => response(200, body),
  secret: ({ response }) => response(200, "secret"),
});
const errors = [];
const api = createNodeHandler(implementation, {
  contextInput: ({ req }) => ({ user: req.user }),
  onError: ({ error }) => void errors.push(error.message.split(":")[0]),
});

function setUser(req, res, next) {
  req.user = "Ada";
  res.setHeader("set-cookie", "session=1");
  next();
}

function refuse(_req, res) {
  res.statusCode = 401;
  res.end("refused");
}

function answerOld(req, res) {
  res.end(`old ${req.method} ${req.originalUrl}`);
}

/** Sends a request with its path as it is, and returns the status with the beginning of the text. */
async function ask(port, method, path, type, body) {
  const headers = type ? { "content-type": type } : {};
  const asked = call({ port, host: "127.0.0.1", method, path, headers, agent: false }).end(body);
  const [answer] = await once(asked, "response");
  let text = "";
  for await (const chunk of answer) text += chunk;
  const [, code] = text.match(/"code":"([\w-]+)"/) ?? [];
  return `${answer.statusCode} ${code ?? text.slice(0, 40)}`;
}

async function askAll(server) {
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address();
  const json = "application/json";
  const answers = {
    "a route": await ask(port, "GET", "/api/me"),
    "JSON": await ask(port, "POST", "/api/notes", json, '{"title":"a"}'),
    "invalid JSON": await ask(port, "POST", "/api/notes", json, '{"title":1}'),
    "a form": await ask(port, "POST", "/api/forms", "application/x-www-form-urlencoded", "title=b"),
    "a text": await ask(port, "POST", "/api/texts", "text/plain", "c"),
    "another path": await ask(port, "GET", "/api/old"),
    "another method": await ask(port, "DELETE", "/api/me"),
    "a route that has not moved": await ask(port, "PUT", "/api/me", json, '{"title":"a"}'),
    "a refused path": await ask(port, "GET", "/api/admin/1"),
    "a refused path with a dot segment": await ask(port, "GET", "/api/x/../admin/1"),
    "a refused path with an escape": await ask(port, "GET", "/api/%61dmin/1"),
  };
  server.closeAllConnections();
  server.close();
  return answers;
}

/** Express or Connect: middleware, the API below its path, and what was there before. */
function chain(app, ...parsers) {
  for (const parser of parsers) app.use(parser);
  app.use(setUser);
  app.use("/api/admin", refuse);
  app.use("/api", api);
  app.use(answerOld);
  return app;
}

const found = {
  "Express 5": await askAll(createServer(chain(express()))),
  "Express 5 after its parsers": await askAll(
    createServer(chain(express(), express.json(), express.urlencoded({ extended: false }), express.text())),
  ),
  "Express 4": await askAll(createServer(chain(express4()))),
  "Express 4 after its parsers": await askAll(
    createServer(chain(express4(), express4.json(), express4.urlencoded({ extended: true }), express4.text())),
  ),
  "Express 5 with a router": await askAll(
    createServer(express().use(setUser).use("/api", express.Router().use("/admin", refuse).use(api)).use(answerOld)),
  ),
  "Connect": await askAll(createServer(chain(connect()))),
};

const app = fastify();
app.addHook("onRequest", (request, reply, done) => {
  request.raw.user = "Ada";
  if (request.url.startsWith("/api/admin")) reply.code(401).send("refused");
  else done();
});
app.register((scope, _options, done) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, next) => next(null));
  scope.all("/api/*", (request, reply) => {
    if (!api.has(request.raw)) return reply.callNotFound();
    reply.hijack();
    api(request.raw, reply.raw);
  });
  done();
});
app.setNotFoundHandler((request, reply) => reply.send(`old ${request.method} ${request.url}`));
await app.listen({ port: 0, host: "127.0.0.1" });
found["Fastify"] = await askAll(app.server);

/** A controller, as a TypeScript program declares it with decorators. */
class OldController {
  answer(req) {
    return `old ${req.method} ${req.originalUrl}`;
  }
}
Controller()(OldController);
All("*path")(OldController.prototype, "answer", Object.getOwnPropertyDescriptor(OldController.prototype, "answer"));
Req()(OldController.prototype, "answer", 0);
class AppModule {}
Module({ controllers: [OldController] })(AppModule);

for (const [name, isBefore] of [["NestJS", true], ["NestJS after its parsers", false]]) {
  const nest = await NestFactory.create(AppModule, { logger: false });
  if (!isBefore) nest.useBodyParser("json").useBodyParser("urlencoded", { extended: true });
  nest.use(setUser);
  nest.use("/api/admin", refuse);
  nest.use(api);
  await nest.listen(0, "127.0.0.1");
  found[name] = await askAll(nest.getHttpServer());
}

console.log(JSON.stringify({ found, errors }));
