/** The soak's server on Node, by srvx, which is installed where the bundle of this module is. */
import { obey } from "./control.ts";
import { handler } from "./server.ts";

interface Srvx {
  serve(options: object): { ready(): Promise<unknown>; readonly url?: string; close(force?: boolean): Promise<void> };
}

const bridge = "srvx"; // not a literal below: the bundle leaves it out, and Deno does not look for it
const { serve } = await import(bridge) as Srvx;
const server = serve({ fetch: handler, hostname: "127.0.0.1", port: 0, silent: true, gracefulShutdown: false });
await server.ready();
await obey(Number(new URL(server.url!).port), () => server.close(true));
