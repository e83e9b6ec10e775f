/** A document, and a server written by hand that does what it says. */

const json = (schema: object) => ({ description: "As described", content: { "application/json": { schema } } });
const thing = { $ref: "#/components/schemas/Thing" };
const failure = json({ $ref: "#/components/schemas/Failure" });
const id = { name: "id", in: "path", required: true, schema: { type: "string", minLength: 1 } };

/** The document of the server. */
export const document = {
  openapi: "3.0.3",
  info: { title: "Things", version: "1.2.0" },
  servers: [{ url: "https://things.example.com/v1" }],
  paths: {
    "/things": {
      get: {
        operationId: "listThings",
        summary: "List the things",
        parameters: [{ name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 } }],
        responses: { 200: json({ type: "array", items: thing }), 400: failure },
      },
      post: {
        operationId: "addThing",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/NewThing" } } },
        },
        responses: { 201: json(thing), 400: failure },
      },
    },
    "/things/{id}": {
      parameters: [id],
      get: { operationId: "readThing", responses: { 200: json(thing), 404: failure } },
      delete: { operationId: "removeThing", responses: { 204: { description: "It is gone" }, 404: failure } },
    },
    "/me": {
      get: {
        operationId: "me",
        security: [{ token: [] }],
        responses: { 200: json({ $ref: "#/components/schemas/Me" }), 401: failure },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
    schemas: {
      Thing: {
        type: "object",
        required: ["id", "name"],
        properties: { id: { type: "string" }, name: { type: "string", minLength: 1, maxLength: 20 } },
      },
      NewThing: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string", minLength: 1, maxLength: 20 } },
      },
      Me: { type: "object", additionalProperties: false, required: ["name"], properties: { name: { type: "string" } } },
      Failure: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
    },
  },
};

/** The credential that the server accepts. */
export const token = "correct-horse-battery";

/** Any function like `fetch`. */
export type Serve = (request: Request) => Response | Promise<Response>;

/** Creates the server. It knows nothing of this package. */
export function createThings(): Serve {
  const things = new Map([["1", { id: "1", name: "one" }]]);
  let last = 1;
  const fail = (status: number, message: string): Response => Response.json({ message }, { status });
  return async (request) => {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/v1/, "");
    const method = request.method === "HEAD" ? "GET" : request.method;
    const own = /^\/things\/([^/]+)$/.exec(path)?.[1];
    if (path === "/me" && method === "GET") {
      if (request.headers.get("authorization") !== `Bearer ${token}`) return fail(401, "Sign in first");
      return Response.json({ name: "Ada" });
    }
    if (path === "/things" && method === "GET") {
      const limit = url.searchParams.get("limit") ?? "100";
      if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) return fail(400, "The limit is invalid");
      return Response.json([...things.values()].slice(0, Number(limit)));
    }
    if (path === "/things" && method === "POST") {
      const body = await request.json().catch(() => undefined);
      const name = body?.name;
      if (typeof name !== "string" || name === "" || [...name].length > 20) return fail(400, "The name is invalid");
      const thing = { id: String(++last), name };
      things.set(thing.id, thing);
      return Response.json(thing, { status: 201 });
    }
    if (own === undefined) return fail(404, "There is no such page");
    const thing = things.get(decode(own));
    if (!thing) return fail(404, "There is no such thing");
    if (method === "GET") return Response.json(thing);
    if (method !== "DELETE") return fail(405, "There is no such method");
    things.delete(thing.id);
    return new Response(null, { status: 204 });
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
