/** examples/tasks at /mcp, by the client of the official SDK. */
import { Client, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { Task } from "../../examples/tasks/schemas.ts";
import { startTasks, token } from "./tasks.ts";

/** A client that shows a token. */
async function connect(baseUrl: string, shown: string | undefined, version?: string): Promise<Client> {
  const negotiation = version === undefined ? {} : { versionNegotiation: { mode: { pin: version } } };
  const client = new Client({ name: "test", version: "1.0.0" }, negotiation);
  const headers = shown === undefined ? {} : { authorization: `Bearer ${shown}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }));
  return client;
}

Deno.test("examples/tasks serves tools to the client of the official SDK", async (test) => {
  const folder = await Deno.makeTempDir();
  try {
    await using example = await startTasks(`${folder}/tasks.db`);
    const { baseUrl } = example;
    await using client = { value: await connect(baseUrl, token), [Symbol.asyncDispose]: () => client.value.close() };
    const call = (name: string, given: Record<string, unknown> = {}): ReturnType<Client["callTool"]> =>
      client.value.callTool({ name, arguments: given });

    await test.step("the tools are those that the example names, and no others", async () => {
      const { tools } = await client.value.listTools();
      assertEquals(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]), [
        ["projects_list", true],
        ["tasks_list", true],
        ["tasks_byId", true],
        ["tasks_create", false],
        ["tasks_update", false],
      ]);
      const update = tools.find(({ name }) => name === "tasks_update");
      assertEquals(Object.keys(update?.inputSchema.properties ?? {}), ["params", "body"]);
    });

    await test.step("a model creates a task, finds it and marks it as done", async () => {
      const created = await call("tasks_create", { body: { title: "Water the plants", tags: ["home"] } });
      const task = created.structuredContent as Task;
      assertEquals([created.isError, task.title], [undefined, "Water the plants"]);
      const found = await call("tasks_list", { query: { tag: ["home"], done: "false" } });
      assertEquals(found.structuredContent, { items: [task], next: null });
      const params = { id: task.id };
      const done = await call("tasks_update", { params, body: { done: true } });
      const { changed } = done.structuredContent as Task;
      assertEquals(done.structuredContent, { ...task, done: true, version: 2, changed });
      assertEquals((await call("tasks_byId", { params })).structuredContent, done.structuredContent);
    });

    await test.step("a mistake of a model is returned to it as an error", async () => {
      const invalid = await call("tasks_create", { body: { title: "" } });
      assertEquals(invalid.isError, true);
      const [content] = invalid.content;
      assert(content?.type === "text");
      assertEquals(JSON.parse(content.text).issues[0].pointer, "/title");
      const lost = await call("tasks_byId", { params: { id: 999 } });
      assertStringIncludes(JSON.stringify(lost.content), "There is no task 999");
      assertEquals((await call("tasks_remove", { params: { id: 1 } })).isError, true);
    });

    await test.step("the version of 2026 of the protocol is served too", async () => {
      const modern = await connect(baseUrl, token, "2026-07-28");
      assertEquals((await modern.callTool({ name: "projects_list" })).structuredContent, {
        items: [{ id: 1, name: "Inbox" }],
        next: null,
      });
      await modern.close();
    });

    await test.step("a client without the token, or with a wrong one, is refused before it is served", async () => {
      for (const shown of [undefined, "wrong"]) {
        const error = await assertRejects(() => connect(baseUrl, shown), SdkHttpError);
        assertEquals(error.status, 401);
      }
      const answer = await fetch(`${baseUrl}/mcp`, { method: "POST", body: "{}" });
      assertStringIncludes(answer.headers.get("www-authenticate") ?? "", "Bearer ");
      assertEquals([answer.status, typeof await answer.text()], [401, "string"]);
    });

    await test.step("pages of other sites are refused", async () => {
      const headers = { authorization: `Bearer ${token}`, origin: "https://evil.example" };
      const answer = await fetch(`${baseUrl}/mcp`, { method: "POST", body: "{}", headers });
      await answer.body?.cancel();
      assertEquals(answer.status, 403);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
