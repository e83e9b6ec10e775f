import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { listen, mountRoute } from "../support/mount_route.ts";

const get = (): Request => new Request("http://localhost/");

/** The document that is sent for the result of a handler whose declared problems do not have a schema. */
async function send(result: object): Promise<unknown> {
  const { heard, onError } = listen();
  const declared = route.get("/", {
    responses: { 200: response.problem(), 404: response.problem(), 499: response.problem() },
  });
  const answer = await mountRoute(declared, (() => result) as never, { onError })(get());
  assertEquals(answer.headers.get("content-type"), "application/problem+json");
  const document = await answer.json();
  return heard.length === 0 ? document : heard[0]!.phase;
}

const notFound = { type: "about:blank", title: "Not Found", status: 404 };

// proves problems | The title of a problem of type `about:blank` is the phrase of its status | 4.2.1
Deno.test("a problem without a schema gets type, title and status from its status", async () => {
  assertEquals(await send({ status: 404 }), notFound);
  assertEquals(await send({ status: 404, body: undefined }), notFound);
  assertEquals(await send({ status: 404, body: {} }), notFound);
  assertEquals(await send({ status: 404, body: { detail: "No such task", task: 7 } }), {
    ...notFound,
    detail: "No such task",
    task: 7,
  });
  assertEquals(await send({ status: 200 }), { type: "about:blank", title: "OK", status: 200 });
  assertEquals(await send({ status: 499 }), { type: "about:blank", title: "Status 499", status: 499 });
});

Deno.test("a problem without a schema has the handler's members, except undefined ones", async () => {
  const given = { type: "https://a.example/gone", title: "Away", status: 410, code: "gone" };
  assertEquals(await send({ status: 404, body: given }), given);
  assertEquals(await send({ status: 404, body: { title: "Away", status: undefined, type: undefined } }), {
    ...notFound,
    title: "Away",
  });
  assertEquals(await send({ status: 404, body: JSON.parse('{"__proto__":1}') }), {
    ...notFound,
    ...JSON.parse('{"__proto__":1}'),
  });
});

Deno.test("a problem with toJSON supplies all members", async () => {
  class Own {
    toJSON(): object {
      return { title: "Own" };
    }
  }
  assertEquals(await send({ status: 404, body: new Own() }), { title: "Own" });
});

Deno.test("a problem without a schema is still an object", async () => {
  const bodies = [null, "No such task", 404, [], new Date(0), { toJSON: () => null }];
  for (const body of bodies) assertEquals(await send({ status: 404, body }), "encode");
});

Deno.test("a problem with a schema has only the members of its schema", async () => {
  const declared = route.get("/", { responses: { 422: response.problem(type({ field: "string" })) } });
  const handler = mountRoute(declared, ({ response }) => response(422, { field: "name" }));
  assertEquals(await (await handler(get())).json(), { field: "name" });

  const { heard, onError } = listen();
  const forgetful = mountRoute(declared, (() => ({ status: 422 })) as never, { onError });
  assertEquals([(await forgetful(get())).status, heard[0]?.phase], [500, "encode"]);
});

Deno.test("a problem from middleware, or a thrown one, may omit members, and its client receives all of them", async () => {
  const responses = { 403: response.problem(), 404: response.problem() };
  const contract = defineContract({
    responses,
    routes: {
      guarded: route.get("/guarded", { responses: { 200: response.empty() } }),
      thrown: route.get("/thrown", { responses: { 200: response.empty() } }),
    },
  });
  const server = defineServer(contract).use(async ({ next, route, response }) =>
    route.key === "guarded" ? response(403) : await next()
  );
  const implementation = server.implement({
    guarded: ({ response }) => response(200),
    thrown: ({ response }) => {
      throw response(404, { detail: "No such task" });
    },
  });
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: createFetchHandler(implementation) });

  assertEquals((await client.guarded()).body, { type: "about:blank", title: "Forbidden", status: 403 });
  assertEquals((await client.thrown()).body, { ...notFound, detail: "No such task" });
});

Deno.test("a partial problem has the same fields for HEAD, and the length of the complete one", async () => {
  const handler = mountRoute(
    route.get("/", { responses: { 404: response.problem() } }),
    ({ response }) => response(404),
  );
  const answer = await handler(new Request("http://localhost/", { method: "HEAD" }));
  assertEquals(answer.headers.get("content-length"), String(JSON.stringify(notFound).length));
  assertEquals(await answer.text(), "");
});
