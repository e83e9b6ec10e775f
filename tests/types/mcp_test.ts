import { defineContract, request, response, route, router } from "@scope/api";
import { type McpTool, type McpToolResult, mcpTools, type McpToolsOptions } from "@scope/api/mcp";
import {
  type CallToolResult,
  createMcpHandler,
  type ListToolsResult,
  McpServer,
  type Tool,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { assertEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const User = type({ name: "string" });
const contract = defineContract({
  routes: {
    users: router("/users", {
      routes: {
        byId: route.get("/:id", { responses: { 200: response.json(User), 404: response.problem() } }),
        create: route.post("/", { body: User, responses: { 201: response.json(User) } }),
        avatar: route.put("/avatar", { body: request.bytes(), responses: { 204: response.empty() } }),
        photo: route.put("/photo", { body: request.formData(), responses: { 204: response.empty() } }),
      },
    }),
    events: route.get("/events", { responses: { 200: response.sse(User), 404: response.problem() } }),
    lines: route.get("/lines", { responses: { 200: response.ndjson(User) } }),
    file: route.get("/file", { responses: { 200: response.bytes() } }),
    download: route.get("/download", { responses: { 200: response.stream() } }),
    raw: route.get("/raw", { responses: { 200: response.json(User), 404: response.raw() } }),
    room: route.get("/room", { responses: { 101: response.socket({ fromClient: User, fromServer: User }) } }),
  },
});
const fetch = (): Response => Response.json({ name: "Ada" });

Deno.test("the keys of tools are those of routes, with an error message for those that cannot be tools", () => {
  type Tools = McpToolsOptions<typeof contract.routes>["tools"];
  assertType<
    IsExact<Tools, {
      readonly "users.byId"?: string;
      readonly "users.create"?: string;
      readonly "users.avatar"?: "A tool cannot send bytes";
      readonly "users.photo"?: "A tool cannot send form data, which may have files";
      readonly events?: "A tool cannot receive a stream of events";
      readonly lines?: "A tool cannot receive a stream of items";
      readonly file?: "A tool cannot receive bytes";
      readonly download?: "A tool cannot receive a stream of bytes";
      readonly raw?: "A tool cannot receive a raw response";
      readonly room?: "A tool cannot receive a connection";
    }>
  >(true);
  // @ts-expect-error no such route
  assertThrows(() => mcpTools(contract, { fetch, tools: { "users.list": "List users." } }), TypeError);
  // @ts-expect-error a stream
  assertThrows(() => mcpTools(contract, { fetch, tools: { events: "Follow." } }), TypeError);
  // @ts-expect-error no description
  assertThrows(() => mcpTools(contract, { fetch, tools: { "users.byId": undefined } }), TypeError);
  // @ts-expect-error no fetch
  assertThrows(() => mcpTools(contract, { tools: {} }), TypeError);
});

Deno.test("the tools of a contract with unknown route types have any key", () => {
  assertType<IsExact<McpToolsOptions<typeof contract.routes>["tools"]["users.byId"], string | undefined>>(true);
  const tools: Record<string, string> = { "users.byId": "Find a user by id." };
  assertEquals(mcpTools(contract, { fetch, tools }).list.length, 1);
});

Deno.test("tools and their results have the types of the official SDK", async () => {
  const tools = mcpTools(contract, { fetch, tools: { "users.byId": "Find a user by id." } });
  const list: Tool[] = tools.list;
  const listed: ListToolsResult = { tools: tools.list };
  const annotations: ToolAnnotations | undefined = tools.list[0]?.annotations;
  const result: CallToolResult = await tools.call("users_byId", { params: { id: "42" } });
  assertType<IsExact<typeof tools.list, McpTool[]>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof tools.call>>, McpToolResult>>(true);
  assertEquals([list, listed.tools, annotations], [tools.list, tools.list, { readOnlyHint: true }]);
  assertEquals(result.structuredContent, { name: "Ada" });
});

Deno.test("a server of the official SDK accepts the list and the call unchanged", async () => {
  const tools = mcpTools(contract, { fetch, tools: { "users.byId": "Find a user by id." } });
  const handler = createMcpHandler(() => {
    const { server } = new McpServer({ name: "users", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({ tools: tools.list }));
    server.setRequestHandler(
      "tools/call",
      ({ params }, { mcpReq: { signal } }) => tools.call(params.name, params.arguments, { signal }),
    );
    return server;
  });
  await handler.close();
});
