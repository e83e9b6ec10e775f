// Serves tools on Node by the official SDK of the Model Context Protocol, on a port that is free, and prints the URL. Two of them are
// those that its conformance suite calls.
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  McpServer,
} from "@modelcontextprotocol/server";
import { defineContract, request, response, route, router } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { mcpTools } from "@scope/api/mcp";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";
import { serve } from "srvx";

const User = type({ id: "string", name: "string >= 1" });
const contract = defineContract({
  routes: {
    users: router("/users", {
      routes: {
        byId: route.get("/:id", { responses: { 200: response.json(User), 404: response.problem() } }),
        list: route.get("/", { responses: { 200: response.json(User.array()) } }),
        create: route.post("/", { body: request.json(User), responses: { 201: response.json(User) } }),
      },
    }),
    test_simple_text: route.get("/text", { responses: { 200: response.text() } }),
    test_error_handling: route.get("/error", { responses: { 200: response.text(), 409: response.text() } }),
  },
});
const handler = createFetchHandler(
  defineServer(contract).implement({
    users: {
      byId: ({ params: { id }, response }) =>
        id === "42" ? response(200, { id, name: "Ada" }) : response(404, { detail: `No user ${id}` }),
      list: ({ response }) => response(200, [{ id: "42", name: "Ada" }]),
      create: ({ body, response }) => response(201, body),
    },
    test_simple_text: ({ response }) => response(200, "This is a simple text response for testing."),
    test_error_handling: ({ response }) => response(409, "This tool intentionally returns an error for testing"),
  }),
);
const tools = mcpTools(contract, {
  fetch: handler,
  tools: {
    "users.byId": "Find a user by id.",
    "users.list": "List users.",
    "users.create": "Create a user.",
    test_simple_text: "Say something.",
    test_error_handling: "Fail.",
  },
});

const mcp = createMcpHandler(() => {
  const { server } = new McpServer({ name: "tools", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: tools.list }));
  server.setRequestHandler(
    "tools/call",
    ({ params }, { mcpReq: { signal } }) => tools.call(params.name, params.arguments, { signal }),
  );
  return server;
});

function answer(request) {
  return hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ?? mcp.fetch(request);
}

const server = serve({ fetch: answer, hostname: "127.0.0.1", port: 0, silent: true });
await server.ready();
console.log(server.url);
