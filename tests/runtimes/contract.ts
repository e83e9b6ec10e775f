/** The contract that every runtime serves and calls. */
import { codec, defineContract, representation, request, response, route, router, security } from "@scope/api";
import { type } from "arktype";
import * as cborg from "cborg";

const Value = type({ value: "string" });
const Note = type({ title: "string > 0", "+": "delete" });
const Line = type({ line: "number" });
const Meeting = codec(
  type({ at: "string.date.iso" }),
  type({ at: "Date" }),
  { decode: ({ at }) => ({ at: new Date(at) }), encode: ({ at }) => ({ at: at.toISOString() }) },
);

const cbor = representation<unknown>({
  contentType: "application/cbor",
  encode: async (value) => await Promise.resolve(cborg.encode(value)),
  decode: (bytes) => cborg.decode(bytes),
  structure: "json",
});

export const token = security.bearer("token");
export const session = security.cookie("session", { cookie: "session" });
export const key = security.apiKey("key", { header: "x-key" });

export const contract = defineContract({
  basePath: "/api",
  security: [],
  routes: {
    literal: route.get("/echo/literal", { responses: { 200: response.text() } }),
    echo: route.get("/echo/:value", { responses: { 200: response.json(Value) } }),
    pair: route.get("/pair/:one/:two", { responses: { 200: response.json<{ one: string; two: string }>() } }),
    query: route.get("/query", {
      query: type({ "tag?": "string[]", "word?": "string", "+": "delete" }),
      responses: { 200: response.json<{ tag?: string[]; word?: string }>() },
    }),
    headers: route.get("/headers", {
      headers: type({ "x-value": "string", "+": "delete" }),
      responses: { 200: response.json(type({ "x-value": "string" })) },
    }),
    cookie: route.get("/cookie", {
      headers: type({ "cookie?": "string", "+": "delete" }),
      responses: { 200: response.text(type("string"), { headers: type({ "set-cookie?": "string[]" }) }) },
    }),
    method: router("/method", {
      routes: {
        put: route.put("/", { body: request.text(), responses: { 200: response.text() } }),
        delete: route.delete("/", { responses: { 204: response.empty() } }),
        options: route.options("/", { responses: { 204: response.empty({ headers: type({ allow: "string" }) }) } }),
        query: route.query("/", { body: request.json(Note), responses: { 200: response.json(Note) } }),
      },
    }),
    note: route.post("/note", {
      body: request.json(Note),
      responses: { 201: response.json(Note, { headers: type({ location: "string" }) }), 409: response.json(Value) },
    }),
    meeting: route.post("/meeting", { body: request.json(Meeting), responses: { 200: response.json(Meeting) } }),
    text: route.post("/text", { body: request.text(), responses: { 200: response.text() } }),
    bytes: route.post("/bytes", { body: request.bytes(), responses: { 200: response.bytes() } }),
    cbor: route.post("/cbor", { body: request.as(cbor, Note), responses: { 200: response.as(cbor, Note) } }),
    image: route.post("/image", {
      body: request.bytes({ contentType: "image/*" }),
      responses: { 200: response.bytes({ contentType: ["image/png", "image/gif"] }) },
    }),
    optional: route.post("/optional", {
      body: request.json(Note, { optional: true }),
      responses: { 200: response.text() },
    }),
    form: route.post("/form", {
      body: request.form(type({ name: "string", "tag?": "string[]", "+": "delete" })),
      responses: { 200: response.json<{ name: string; tag?: string[] }>() },
    }),
    formData: route.post("/form-data", { body: request.formData(), responses: { 200: response.json<string[][]>() } }),
    file: route.post("/file", {
      body: request.formData(type({ page: "File" })),
      responses: { 200: response.json<string[]>() },
    }),
    upload: route.post("/upload", { body: request.stream(), responses: { 200: response.json<number>() } }),
    unread: route.post("/unread", { body: request.stream(), responses: { 200: response.text() } }),
    duplex: route.post("/duplex", { body: request.stream(), responses: { 200: response.stream() } }),
    rows: route.post("/rows", { body: request.ndjson(Line), responses: { 200: response.ndjson(Line) } }),
    download: route.get("/download", { responses: { 200: response.stream() } }),
    lines: route.get("/lines/:kind/:id", { responses: { 200: response.ndjson(Line) } }),
    behind: route.get("/behind/:how/:id", { responses: { 200: response.ndjson(Line), 202: response.text() } }),
    events: route.get("/events", { responses: { 200: response.sse(Line) } }),
    problem: route.get("/problem", { responses: { 200: response.text(), 403: response.problem() } }),
    moved: route.get("/moved", { responses: { 302: response.empty({ headers: type({ location: "string" }) }) } }),
    raw: route.get("/raw", { responses: { 202: response.raw() } }),
    tagged: route.get("/tagged/:as", {
      deprecated: { since: "2026-06-01", sunset: "2027-01-01", link: "/api/health" },
      responses: { 200: response.raw(), 404: response.problem() },
    }),
    taggedLines: route.get("/tagged-lines", { responses: { 200: response.ndjson(Line) } }),
    fetched: route.get("/fetched", { responses: { 200: response.raw() } }),
    document: route.get("/document", { responses: { 200: response.json() } }),
    further: route.get("/further", { responses: { 200: response.json<string[]>() } }),
    heard: route.get("/heard/:key", { responses: { 200: response.json<string[]>() } }),
    memory: route.get("/memory", { responses: { 200: response.json<number>() } }),
    fails: route.get("/fails", { responses: { 200: response.text() } }),
    secured: route.post("/secured", {
      security: [token, session, key],
      body: request.json(Note),
      responses: { 200: response.text() },
    }),
    waits: router("/waits/:id", {
      routes: {
        forAbort: route.get("/", { responses: { 200: response.text() } }),
        state: route.get("/state", { responses: { 200: response.text() } }),
        ends: route.get("/ends", { responses: { 200: response.text() } }),
      },
    }),
  },
});
