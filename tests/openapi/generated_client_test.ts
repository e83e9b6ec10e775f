/** A client that others' tools generate from the document: it type-checks, and calls the running example. */
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import openapiTypes, { astToString } from "openapi-typescript";
import { contract } from "../../examples/users/contract.ts";
import { info } from "./describe_routes.ts";

const root = new URL("../../", import.meta.url);

/** A program on a generated client. It receives the base URL and prints the results of its calls as JSON. */
const program = `
import createClient from "openapi-fetch";

const client = createClient<paths>({ baseUrl: Deno.args[0]! });

const health = await client.GET("/api/health", { parseAs: "text" });
const text: string | undefined = health.data;

const found = await client.GET("/api/users/{id}", { params: { path: { id: "1" } } });
const user: { id: string; name: string } | undefined = found.data;

const renamed = await client.PATCH("/api/users/{id}", { params: { path: { id: "2" } }, body: { name: "Grace" } });
const name: string | undefined = renamed.data?.name;

const missing = await client.GET("/api/users/{id}", { params: { path: { id: "nobody" } } });
const message = missing.error && "message" in missing.error ? missing.error.message : undefined;

const refused = await client.PATCH("/api/users/{id}", { params: { path: { id: "1" } }, body: { name: "" } });
const pointer: string | undefined = refused.error && "issues" in refused.error
  ? refused.error.issues?.[0]?.pointer
  : undefined;

// @ts-expect-error: there is no such path
await client.GET("/api/nowhere");
// @ts-expect-error: the name is text
await client.PATCH("/api/users/{id}", { params: { path: { id: "1" } }, body: { name: 1 } });
// @ts-expect-error: the path has a parameter
await client.GET("/api/users/{id}", {}).catch(() => {});

console.log(JSON.stringify({ text, user, name, message, pointer }));
`;

/** Type-checks a program, runs it, and returns its output. */
async function runProgram(text: string, ...rest: readonly string[]): Promise<string> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, text);
    const args = ["run", "--check", "--quiet", "--config=deno.json", "--allow-net=localhost,127.0.0.1", path, ...rest];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
    assertEquals(new TextDecoder().decode(stderr), "");
    return new TextDecoder().decode(stdout);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("a client generated from openApiDocument() type-checks and calls the running example", async () => {
  Deno.env.set("USERS_DB", ":memory:");
  const { handler } = await import("../../examples/users/server.ts");
  const document = JSON.stringify(openApiDocument(contract, { info }));
  const types = astToString(await openapiTypes(JSON.parse(document)));
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);

  const printed = await runProgram(`${types}\n${program}`, `http://127.0.0.1:${server.addr.port}`);

  assertEquals(JSON.parse(printed), {
    text: "ok",
    user: { id: "1", name: "Ada Lovelace" },
    name: "Grace",
    message: "No user nobody",
    pointer: "/name",
  });
});
