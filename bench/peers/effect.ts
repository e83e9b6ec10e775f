/**
 * Effect's HttpApi behind its web handler. It uses its own schemas, validates input and output, and strips undeclared
 * fields.
 */
import { Effect, type FileSystem, Layer, type Path, Schema } from "effect";
import { type Etag, type HttpPlatform, HttpRouter, HttpServer } from "effect/http";
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api";
import { findProfile, findUser, listUsers, renameUser } from "../contract/answers.ts";
import { tablePath } from "../contract/scenarios.ts";
import type { Handler, System } from "../systems/system.ts";

export const system: System = {
  title: "Effect HttpApi",
  schemas: "Effect Schema",
  create,
  createTable,
};

const UserParams = { id: Schema.String };
const User = Schema.Struct({ id: Schema.String, name: Schema.String });
const Rename = Schema.Struct({ name: Schema.String.check(Schema.isMinLength(1)) });
const Import = Schema.Struct({
  items: Schema.Array(Schema.Struct({ id: Schema.Number, name: Schema.String, active: Schema.Boolean })),
});

const group = HttpApiGroup.make("all").add(
  HttpApiEndpoint.get("health", "/api/health", {
    success: Schema.Literal("ok").pipe(HttpApiSchema.asText({ contentType: "text/plain" })),
  }),
  HttpApiEndpoint.post("import", "/api/import", { payload: Import, success: Import }),
  HttpApiEndpoint.get("list", "/api/users", {
    query: { tags: Schema.optional(Schema.Array(Schema.String)), page: Schema.optional(Schema.NumberFromString) },
    headers: { "x-user": Schema.String },
    success: Schema.Struct({ user: Schema.String, page: Schema.Number, tags: Schema.Array(Schema.String) }),
  }),
  HttpApiEndpoint.get("find", "/api/users/:id", { params: UserParams, success: User }),
  HttpApiEndpoint.patch("rename", "/api/users/:id", { params: UserParams, payload: Rename, success: User }),
  HttpApiEndpoint.get("profile", "/api/profiles/:id", { params: UserParams, success: User }),
);

function create(): Handler {
  const api = HttpApi.make("contract").add(group);
  const handlers = HttpApiBuilder.group(api, "all", (routes) =>
    routes
      .handle("health", () => Effect.succeed("ok" as const))
      .handle("import", ({ payload }) => Effect.succeed(payload))
      .handle("list", ({ query: { tags, page }, headers }) => {
        const query = { ...(tags && { tags: [...tags] }), ...(page !== undefined && { page }) };
        return Effect.succeed(listUsers(query, headers["x-user"]));
      })
      .handle("find", ({ params }) => Effect.succeed(findUser(params.id)))
      .handle("rename", ({ params, payload }) => Effect.succeed(renameUser(params.id, payload.name)))
      .handle("profile", ({ params }) => Effect.succeed(findProfile(params.id))));
  return serve(HttpApiBuilder.layer(api).pipe(Layer.provide(handlers)));
}

function createTable(size: number): Handler {
  let items = HttpApiGroup.make("items");
  for (let index = 0; index < size; index++) {
    const find = HttpApiEndpoint.get(
      `resource${index}`,
      tablePath(index) as "/:id",
      { params: UserParams, success: User },
    );
    items = items.add(find) as unknown as typeof items;
  }
  const api = HttpApi.make("table").add(items);
  const handlers = HttpApiBuilder.group(api, "items", (routes) => {
    for (let index = 0; index < size; index++) {
      routes.handle(
        `resource${index}` as never,
        (({ params }: { params: { id: string } }) => Effect.succeed(findUser(params.id))) as never,
      );
    }
    return routes;
  });
  return serve(HttpApiBuilder.layer(api).pipe(Layer.provide(handlers)));
}

/** The routes of an API, and the services of a platform that they need. */
type Routes = Layer.Layer<
  never,
  never,
  Etag.Generator | HttpRouter.HttpRouter | FileSystem.FileSystem | HttpPlatform.HttpPlatform | Path.Path
>;

function serve(routes: Routes): Handler {
  const { handler } = HttpRouter.toWebHandler(
    routes.pipe(Layer.provide(HttpServer.layerServices)),
    { disableLogger: true },
  );
  return (request) => handler(request);
}
