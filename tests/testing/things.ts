/** An API of things, and a server of it that does all that its contract says. */
import { codec, defineContract, response, route, router, security } from "@scope/api";
import { fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { type } from "arktype";
import * as z from "zod";

export const token = security.bearer("token");

const Name = type("1 <= string <= 20");
const Thing = type({ "+": "delete", id: "string", name: "string", "size?": "number.integer" });
const NewThing = type({ name: Name, "size?": "0 <= number.integer <= 100" });
const Meeting = codec(
  z.object({ at: z.iso.datetime() }),
  z.object({ at: z.date() }),
  { decode: ({ at }) => ({ at: new Date(at) }), encode: ({ at }) => ({ at: at.toISOString() }) },
);
const located = type({ location: "string" });
const NotFound = response.json(type({ message: "string" }));

export const contract = defineContract({
  basePath: "/api",
  security: [token],
  responses: { 401: response.problem() },
  routes: {
    health: route.get("/health", { security: [], responses: { 200: response.text() } }),
    events: route.get("/events", { responses: { 200: response.sse(type({ count: "number" })) } }),
    meet: route.post("/meetings", { body: Meeting, responses: { 200: response.json(Meeting) } }),
    things: router("/things", {
      routes: {
        list: route.get("/", {
          query: type({ "limit?": "string.integer.parse", "tag?": "string[]" }),
          responses: { 200: response.json(Thing.array()) },
        }),
        create: route.post("/", {
          body: NewThing,
          responses: { 201: response.json(Thing, { headers: located }) },
        }),
        byId: route.get("/:id", { responses: { 200: response.json(Thing), 404: NotFound } }),
        replace: route.put("/:id", { body: NewThing, responses: { 200: response.json(Thing), 404: NotFound } }),
        rename: route.patch("/:id", {
          body: type({ name: Name }),
          responses: { 200: response.json(Thing), 404: NotFound },
        }),
        remove: route.delete("/:id", { responses: { 204: response.empty(), 404: NotFound } }),
      },
    }),
  },
});

/** A thing, as it is stored. */
export interface StoredThing {
  readonly id: string;
  readonly name: string;
  readonly size?: number;
}

/** The things of a server. */
export type Things = Map<string, StoredThing>;

/** Things in which one is there. */
export function createThings(): Things {
  return new Map([["1", { id: "1", name: "one" }]]);
}

const server = defineServer(contract, {
  security: [verify(token, ({ token }) => token === "test" ? { name: "tester" } : undefined)],
});

/** A server of things. */
export function createHandler(things: Things = createThings()): FetchHandler {
  const missing = (id: string): { message: string } => ({ message: `There is no thing ${id}` });
  let last = things.size;
  const implementation = server.implement({
    health: ({ response }) => response(200, "ok"),
    events: ({ response }) => response(200, [{ data: { count: 1 } }, { data: { count: 2 } }]),
    meet: ({ body, response }) => response(200, body),
    things: {
      list: ({ query, response }) => response(200, [...things.values()].slice(0, query.limit)),
      create: ({ body, response }) => {
        const id = `${++last}`;
        things.set(id, { ...body, id });
        return response(201, { ...body, id }, { location: `/api/things/${id}` });
      },
      byId: ({ params: { id }, response }) => {
        const thing = things.get(id);
        return thing ? response(200, thing) : response(404, missing(id));
      },
      replace: ({ params: { id }, body, response }) => {
        if (!things.has(id)) return response(404, missing(id));
        things.set(id, { ...body, id });
        return response(200, { ...body, id });
      },
      rename: ({ params: { id }, body, response }) => {
        const thing = things.get(id);
        if (!thing) return response(404, missing(id));
        things.set(id, { ...thing, name: body.name });
        return response(200, { ...thing, name: body.name });
      },
      remove: ({ params: { id }, response }) => things.delete(id) ? response(204) : response(404, missing(id)),
    },
  });
  return fetchAdapter({ onError: () => {} }).mount(implementation);
}
