/**
 * Tools served by the official SDK and called by its client, over a socket, in both eras of the protocol. Its validator makes code of
 * schemas, so these tests do not run where that is forbidden.
 */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { assertEquals, assertRejects } from "@std/assert";
import { tools } from "./fixture.ts";

const mcp = createMcpHandler(({ requestInfo }) => {
  const authorization = requestInfo?.headers.get("authorization") ?? undefined;
  const { server } = new McpServer({ name: "fixture", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: tools.list }));
  server.setRequestHandler(
    "tools/call",
    ({ params }, { mcpReq: { signal } }) =>
      tools.call(params.name, params.arguments, { headers: { authorization }, signal }),
  );
  return server;
});

/** Runs with a client of a server on a free port. */
async function withClient(
  versionNegotiation: ClientOptions["versionNegotiation"],
  run: (client: Client) => Promise<void>,
): Promise<void> {
  const listener = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => mcp.fetch(request));
  const client = new Client({ name: "test", version: "1.0.0" }, { ...(versionNegotiation && { versionNegotiation }) });
  const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp`);
  try {
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: "Bearer right" } } }),
    );
    await run(client);
  } finally {
    await client.close();
    await listener.shutdown();
  }
}

const eras = {
  "2025-11-25": undefined,
  "2026-07-28": { mode: { pin: "2026-07-28" } },
} as const;

for (const [version, negotiation] of Object.entries(eras)) {
  Deno.test(`a client of the official SDK lists and calls tools in version ${version} of the protocol`, () =>
    withClient(negotiation, async (client) => {
      assertEquals(client.getNegotiatedProtocolVersion(), version);
      const listed = await client.listTools();
      assertEquals(listed.tools, tools.list);

      // the client validates structured content by the output schemas that were listed
      const arguments_: Readonly<Record<string, Record<string, unknown>>> = {
        users_list: { query: { page: 3 } },
        users_me: {},
        users_byId: { params: { id: "42" } },
        users_create: { body: { id: "1", name: "Grace" } },
        users_replace: { params: { id: "42" }, body: { id: "42", name: "Grace" } },
        users_remove: { params: { id: "42" } },
        tree: { body: { name: "a", children: [{ name: "b", children: [] }] } },
        move: { body: { at: "2026-01-31T12:00:00.000Z" } },
        secret: {},
        either: { body: "Ada" },
        exists: {},
      };
      for (const [name, given] of Object.entries(arguments_)) {
        const result = await client.callTool({ name, arguments: given });
        const own = await tools.call(name, given, { headers: { authorization: "Bearer right" } });
        assertEquals([result.content, result.structuredContent, result.isError], [
          own.content,
          own.structuredContent,
          undefined,
        ], name);
      }
    }));

  Deno.test(`mistakes are results for a client of the official SDK in version ${version}, and the session continues`, () =>
    withClient(negotiation, async (client) => {
      await client.listTools();
      for (
        const [name, given] of [["users_byId", { params: { id: "7" } }], ["users_create", {}], ["lost", {}]] as const
      ) {
        assertEquals((await client.callTool({ name, arguments: given })).isError, true);
      }
      assertEquals((await client.callTool({ name: "users_me" })).isError, undefined);
    }));
}

Deno.test("a cancelled call of a client of the official SDK does not change the server", () =>
  withClient(undefined, async (client) => {
    const controller = new AbortController();
    const call = client.callTool({ name: "users_me" }, { signal: controller.signal });
    controller.abort("enough");
    await assertRejects(() => call);
    assertEquals((await client.callTool({ name: "users_me" })).structuredContent, { id: "me", name: "Me" });
  }));

// proves further | Tools have the names, schemas, results and annotations of MCP | MCP
Deno.test("every schema compiles on its own with the validator of the official SDK", () => {
  const validator = new AjvJsonSchemaValidator();
  for (const { inputSchema, outputSchema = {} } of tools.list) {
    validator.getValidator(outputSchema);
    assertEquals(validator.getValidator(inputSchema)({ headers: {} }).valid, false);
  }
  const rename = tools.list.find(({ name }) => name === "users_rename");
  const given = { params: { id: "42" }, body: { name: "Ada" } };
  assertEquals(validator.getValidator(rename?.inputSchema ?? {})(given).valid, true);
});
