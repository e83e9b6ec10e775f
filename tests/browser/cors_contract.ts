/** The routes that the pages of `cors.ts` call across origins: every method, every body and custom headers. */
import { defineContract, request, response, route, security } from "@scope/api";
import { type } from "arktype";

const answer = { 200: response.text({ headers: type({ etag: "string", "x-total": "string" }) }) };
const tenant = type({ "x-tenant": "string" });

export const session = security.cookie("session", { cookie: "session" });
export const token = security.bearer("token");
export const key = security.apiKey("key", { header: "x-api-key" });

export const contract = defineContract({
  security: [],
  routes: {
    get: route.get("/notes/:id", { headers: tenant, query: type({ "q?": "string" }), responses: answer }),
    json: route.post("/notes", { body: request.json(type({ text: "string" })), responses: answer }),
    put: route.put("/notes/:id", { headers: tenant, body: request.text(), responses: answer }),
    patch: route.patch("/notes/:id", {
      body: request.bytes({ contentType: "application/octet-stream" }),
      responses: answer,
    }),
    remove: route.delete("/notes/:id", { responses: answer }),
    query: route.query("/notes", { body: request.json(type("string[]")), responses: answer }),
    form: route.post("/form", { body: request.form(type({ a: "string" })), responses: answer }),
    formData: route.post("/form-data", { body: request.formData(type({ a: "string" })), responses: answer }),
    stream: route.get("/stream", { responses: { 200: response.ndjson(type("number")) } }),
    native: route.get("/native", { responses: { 200: response.raw() } }),
    fail: route.get("/fail", { responses: { 500: response.problem() } }),
  },
});

/** Routes that take credentials. Browsers attach the cookie automatically. */
export const secured = defineContract({
  security: [token, key, session],
  routes: {
    enter: route.post("/enter", { security: [], responses: { 204: response.empty() } }),
    show: route.get("/mine", { responses: { 200: response.text() } }),
    change: route.put("/mine", { body: request.text(), responses: { 200: response.text() } }),
    post: route.post("/mine", { body: request.text(), responses: { 200: response.text() } }),
  },
});
