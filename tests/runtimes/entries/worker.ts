/** The worker that `workerd` runs: the server, and at `/run-client?base=<base URL>` the client's cases. */
import { runClientCases } from "../client_cases.ts";
import { handler } from "../server.ts";

export default {
  async fetch(request: Request, ...further: readonly unknown[]): Promise<Response> {
    const [, base] = request.url.split("/run-client?base="); // not by `new URL`, which a Host that is none makes throw
    if (base === undefined) return await handler(request, ...further);
    return Response.json(await runClientCases(decodeURIComponent(base)));
  },
};
