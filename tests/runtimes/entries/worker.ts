/** What `workerd` runs: the server, and at `/run-client?base=<base URL>` the client's cases. */
import { runClientCases } from "../client_cases.ts";
import { handler } from "../server.ts";

export default {
  async fetch(request: Request, ...further: readonly unknown[]): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/run-client") return await handler(request, ...further);
    return Response.json(await runClientCases(searchParams.get("base") ?? ""));
  },
};
