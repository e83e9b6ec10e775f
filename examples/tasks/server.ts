/**
 * Serves the API, the page and the docs: `deno task start`.
 *
 * @module
 */
import { createClient } from "@scope/api/client";
import { fetchAdapter } from "@scope/api/fetch";
import { contract } from "./contract.ts";
import { showDocs } from "./docs.ts";
import { showFile } from "./files.ts";
import { createMcp } from "./mcp.ts";
import { keepAlive } from "@scope/api/server";
import { projects } from "./handlers/projects.ts";
import { tasks } from "./handlers/tasks.ts";
import { server, token } from "./servers.ts";

const implementation = server.implement({
  health: ({ response }) => response(200, "ok"),
  projects,
  tasks,
  changes: ({ headers, signal, context, response }) =>
    response(200, keepAlive(context.storage.changes.follow(signal, headers["last-event-id"]))),
});

const answerCall = fetchAdapter({ maxBodyBytes: 100_000 }).mount(implementation); // attachments declare their own limit

const answerMcp = createMcp(answerCall);

/** The handler, from a `Request` to a `Response`, for a runtime or a test. */
export async function handler(request: Request): Promise<Response> {
  const pathname = URL.parse(request.url)?.pathname ?? ""; // empty for a malformed Host, which the adapter answers with 400
  if (pathname === "/mcp") return await answerMcp(request);
  return await showFile(pathname) ?? await showDocs(request) ?? await answerCall(request);
}

export default {
  fetch: handler,
  onListen(address): void {
    if ("port" in address) console.log(greet(`http://localhost:${address.port}`));
  },
} satisfies Deno.ServeDefaultExport;

function greet(baseUrl: string): string {
  const client = createClient(contract, { baseUrl });
  const curl = `curl -H "authorization: Bearer ${token}"`;
  return `Serving the tasks example. Open

  ${baseUrl}/#token=${token} (in two windows: each sees what the other does)
  ${baseUrl}/docs (Authorize takes the token ${token})
  ${baseUrl}/mcp in a client of the Model Context Protocol, with the header authorization: Bearer ${token}

or try, with this or any other file:

  curl ${client.health.url()}
  ${curl} -d '{"title":"Try it","tags":["demo"]}' -H "content-type: application/json" ${client.tasks.create.url()}
  ${curl} "${client.tasks.list.url({ query: { tag: ["demo"], search: "try" } })}"
  ${curl} -F file=@README.md ${client.tasks.attachments.upload.url({ params: { id: 1 } })}
  ${curl} -N -H "last-event-id: 0" ${client.changes.url()}

or the command line, by the typed client:

  export TASKS_URL=${baseUrl} TASKS_TOKEN=${token}
  npx -y deno@2.9.6 task tasks help
`;
}
