/** `@scope/api/node` over sockets, on the machine's own Node. `deno task test:runtimes` runs the same on others. */
import { checkAlone } from "./alone_check.ts";
import { checks } from "./checks.ts";
import { bundleForNode, type Servers, startServers, takeReports } from "./node_program.ts";

const folder = await Deno.makeTempDir();
let servers: Servers;

Deno.test.beforeAll(async () => {
  servers = await startServers("node", await bundleForNode("program.ts", folder));
});

Deno.test.afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

for (const [name, check] of Object.entries(checks)) {
  Deno.test(`createNodeHandler(): ${name}`, async () => {
    await takeReports(servers);
    await check(servers);
  });
}

Deno.test("createNodeHandler() serves HTTP/2 and HTTPS, creates nothing native unless asked, and waits for slow readers", async () => {
  await checkAlone("node", await bundleForNode("alone.ts", folder));
});
