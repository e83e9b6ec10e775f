/**
 * Tools for language models at /mcp: routes of the contract, served by the official SDK of the Model Context Protocol. Callers send the
 * token of the API, and each call passes it on, so the API verifies it again.
 *
 * @module
 */
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  originValidationResponse,
  requireBearerAuth,
} from "@modelcontextprotocol/server";
import { type McpTools, mcpTools } from "@scope/api/mcp";
import { contract } from "./contract.ts";
import { isToken } from "./servers.ts";

/** The handler of the API. */
type AnswerCall = (request: Request) => Response | PromiseLike<Response>;

/** The tools of the API. A model always changes the latest version of a task, because it cannot set `if-match`. */
function createTools(answerCall: AnswerCall): McpTools {
  return mcpTools(contract, {
    fetch: answerCall,
    tools: {
      "projects.list": "List the projects that tasks belong to, 20 at a time. `next` is the `after` of the next page.",
      "tasks.list":
        "List tasks, the newest first, 20 at a time. `search`, `tag`, `project` and `done` narrow the list. " +
        "`next` is the `after` of the next page.",
      "tasks.byId": "Show one task by its id.",
      "tasks.create": "Create a task. Only its title is required.",
      "tasks.update":
        'Change a task: its title, notes or tags, or whether it is done. Mark it as done with { "done": true }.',
    },
  });
}

const demandToken = requireBearerAuth({
  verifier: {
    verifyAccessToken: async (token) => {
      if (await isToken(token)) return { token, clientId: "member", scopes: [], expiresAt: Infinity };
      throw new OAuthError(OAuthErrorCode.InvalidToken, "The token is wrong");
    },
  },
});

/** Creates the handler for the requests of MCP clients. */
export function createMcp(answerCall: AnswerCall): (request: Request) => Promise<Response> {
  const tools = createTools(answerCall);
  const mcp = createMcpHandler(({ authInfo }) => {
    const headers = { authorization: `Bearer ${authInfo?.token}`, "if-match": "*" };
    const { server } = new McpServer({ name: "tasks", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({ tools: tools.list }));
    server.setRequestHandler(
      "tools/call",
      ({ params }, { mcpReq: { signal } }) => tools.call(params.name, params.arguments, { headers, signal }),
    );
    return server;
  });
  return async (request) => {
    const authInfo = refuseForeign(request) ?? await demandToken(request);
    return authInfo instanceof Response ? authInfo : await mcp.fetch(request, { authInfo });
  };
}

/** Rejects requests of other sites, as the protocol requires of servers on the user's own machine. */
function refuseForeign(request: Request): Response | undefined {
  return hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
}
