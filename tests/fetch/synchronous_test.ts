import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertInstanceOf } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import { mountRoute } from "../support/mount_route.ts";

const Id = type({ id: "string" });
const responses = { 200: response.json(Id, { headers: type({ "x-id": "string" }) }), 400: response.text() };

Deno.test("createFetchHandler() responds synchronously if every step is synchronous", () => {
  const contract = defineContract({
    routes: {
      get: route.get("/:id", { params: Id, query: Id, headers: Id, responses }),
      throw: route.put("/:id", { responses }),
      fail: route.patch("/:id", { responses }),
      unread: route.post("/:id", { query: Id, body: request.json(), responses }),
    },
  });
  const implementation = defineServer(contract, { context: ({ request }) => ({ url: request.url }) }).implement({
    get: ({ params, response }) => response(200, params, { "x-id": params.id }),
    throw: ({ response }) => {
      throw response(400, "thrown");
    },
    fail: () => {
      throw new Error("broken");
    },
    unread: ({ response }) => response(400, ""),
  });
  const handler = createFetchHandler(implementation, { contextInput: () => ({}), onError: () => undefined });
  const statusOf = (method: string, path: string): unknown => {
    const answer = handler(new Request(`http://localhost${path}`, { method, headers: { id: "1" } }));
    assertInstanceOf(answer, Response);
    return answer.status;
  };
  assertEquals(statusOf("GET", "/1?id=1"), 200);
  assertEquals(statusOf("HEAD", "/1?id=1"), 200);
  assertEquals(statusOf("GET", "/1"), 400);
  assertEquals(statusOf("PUT", "/1"), 400);
  assertEquals(statusOf("PATCH", "/1"), 500);
  assertEquals(statusOf("POST", "/1"), 400); // refused before the body is looked at
  assertEquals(statusOf("POST", "/1?id=1"), 415);
  assertEquals(statusOf("GET", "/"), 404);
  assertEquals(statusOf("DELETE", "/1"), 405);
  assertEquals(statusOf("GET", "/%"), 400);
});

Deno.test("createFetchHandler() responds with a promise if a step is asynchronous", async () => {
  const Later = z.object({ id: z.string().refine(async () => await Promise.resolve(true)) });
  const routes = [
    mountRoute(route.get("/", { query: Later, responses }), ({ response }) => response(400, "")),
    mountRoute(route.get("/", { responses }), async ({ response }) => await Promise.resolve(response(400, ""))),
    mountRoute(
      route.get("/", { responses: { 400: response.json(Later) } }),
      ({ response }) => response(400, { id: "1" }),
    ),
  ];
  for (const handler of routes) {
    const answer = handler(new Request("http://localhost/?id=1"));
    assertInstanceOf(answer, Promise);
    assertEquals((await answer).status, 400);
  }
});
