/** Hono with its Standard Schema validator. Handwritten code validates the output, because Hono does not. */
import { sValidator } from "@hono/standard-validator";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { findProfile, findUser, listUsers, renameUser } from "../contract/answers.ts";
import {
  Health,
  Import,
  ListHeaders,
  ListQuery,
  Profile,
  Rename,
  User,
  UserList,
  UserParams,
} from "../contract/schemas.ts";
import { tablePath } from "../contract/scenarios.ts";
import type { BenchClient, ClientTarget, Handler, Passing, System } from "../systems/system.ts";

export const system: System = {
  title: "Hono",
  create: () => createApp(checkOutput).fetch,
  createTable: (size) => createTable(size, checkOutput),
  createLayers,
  createClient,
};

/** Processes a value before it is sent. */
export type Output = <Schema extends StandardSchemaV1>(
  schema: Schema,
  value: StandardSchemaV1.InferInput<Schema>,
) => StandardSchemaV1.InferOutput<Schema>;

const checkOutput: Output = (schema, value) => {
  const checked = schema["~standard"].validate(value);
  if (checked instanceof Promise || checked.issues) {
    throw new Error("Cannot send: the schema refuses it");
  }
  return checked.value;
};

// deno-lint-ignore explicit-function-return-type explicit-module-boundary-types -- the type of the routes is inferred
export function createApp(output: Output) {
  return new Hono()
    .basePath("/api")
    .onError((error, c) => error instanceof HTTPException ? error.getResponse() : c.text("Internal Server Error", 500))
    .get("/health", (c) => c.text(output(Health, "ok")))
    .post("/import", sValidator("json", Import), (c) => c.json(output(Import, c.req.valid("json"))))
    .get(
      "/users",
      sValidator("query", ListQuery),
      sValidator("header", ListHeaders),
      (c) => c.json(output(UserList, listUsers(c.req.valid("query"), c.req.valid("header")["x-user"]))),
    )
    .get(
      "/users/:id",
      sValidator("param", UserParams),
      (c) => c.json(output(User, findUser(c.req.valid("param").id))),
    )
    .patch(
      "/users/:id",
      sValidator("param", UserParams),
      sValidator("json", Rename),
      (c) => c.json(output(User, renameUser(c.req.valid("param").id, c.req.valid("json").name))),
    )
    .get(
      "/profiles/:id",
      sValidator("param", UserParams),
      (c) => c.json(output(Profile, findProfile(c.req.valid("param").id))),
    );
}

export function createTable(size: number, output: Output): Handler {
  const app = new Hono();
  for (let index = 0; index < size; index++) {
    app.get(
      tablePath(index),
      sValidator("param", UserParams),
      (c) => c.json(output(User, findUser((c.req.valid("param" as never) as { id: string }).id))),
    );
  }
  return app.fetch;
}

function createLayers(count: number, passing: Passing): Handler {
  const app = new Hono();
  for (let index = 0; index < count; index++) {
    if (passing === "waits") app.use(async (_, next) => await next());
    else app.use((_, next) => next());
  }
  return app.get("/api/health", (c) => c.text(checkOutput(Health, "ok"))).fetch;
}

async function createClient(fetch: Handler, { baseUrl, signal }: ClientTarget): Promise<BenchClient> {
  const { hc } = await import("hono/client");
  const { users } = hc<ReturnType<typeof createApp>>(baseUrl, {
    ...(signal && { init: { signal } }),
    fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise.resolve(fetch(new Request(input, init))),
  }).api;
  return {
    findUser: async (id) => {
      const response = await users[":id"].$get({ param: { id } });
      if (!response.ok) {
        throw new Error(`Cannot find the user: status ${response.status}`);
      }
      return await response.json();
    },
    renameUser: async (id, name) => {
      const response = await users[":id"].$patch({ param: { id }, json: { name } });
      if (!response.ok) {
        throw new Error(`Cannot rename the user: status ${response.status}`);
      }
      return await response.json();
    },
  };
}
