/** A server that sends refusals in its own format, below `/shaped/`. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";

const Refused = response.json(type({ error: "string" }));

const contract = defineContract({
  basePath: "/shaped",
  responses: { 400: Refused },
  refusals: { 400: Refused, 404: Refused, 413: Refused, 500: Refused },
  routes: {
    note: route.post("/note", {
      body: request.json(type({ title: "string > 0" })),
      responses: { 204: response.empty() },
    }),
    upload: route.post("/upload", { body: request.stream(), responses: { 200: response.text() } }),
    fails: route.get("/fails", { responses: { 200: response.text() } }),
    behind: route.get("/behind/:how", { responses: { 200: response.text() } }),
  },
});

const server = defineServer(contract, {
  context: ({ request }) => ({ how: new URL(request.url).pathname.split("/").at(-1) }),
  refuse: async ({ problem: { code }, route, status, response }) => {
    await Promise.resolve();
    return status && response(status, { error: `${code} of ${route?.key ?? "no route"}` });
  },
});

const behind = server.use(async ({ context, next }) => {
  if (context.how === "fails") throw new Error("the secret of a middleware");
  return context.how === "answers" ? { status: 400, body: { error: "its own" } } : await next();
}).implement(contract.routes.behind, ({ response }) => response(200, "the handler"));

/** What every adapter mounts. */
export const shaped = server.implement({
  note: () => ({ status: 204 }),
  upload: async ({ body, response }) => response(200, await new Response(body).text()),
  fails: () => {
    throw new Error("the secret of a handler");
  },
  behind,
});

/** The options of every adapter. */
export const shapedOptions = { maxBodyBytes: 1000, onError: (): void => {} };

/** Responds to every path below `/shaped/`. */
export const shapedHandler: FetchHandler<readonly unknown[]> = createFetchHandler(shaped, {
  ...shapedOptions,
  contextInput: (request: Request, ..._further: readonly unknown[]) => ({ request }),
});
