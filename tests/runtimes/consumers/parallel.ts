import { assertEquals, assertGreater } from "@std/assert";
import { freePort, startAt } from "../command.ts";
import { emptyFolder, jsrCopy } from "../kit.ts";
import { readmeFile, readmeImports } from "./readme.ts";

/** Names its isolate in what it says, since each core has one of its own. */
function nameIsolate(app: string): string {
  return `const isolate = crypto.randomUUID();\n${app.replace("`Hello ${params.name}`", "isolate")}`;
}

/** Serves README's example on more than one core. */
export function testParallel(): void {
  Deno.test("deno serve --parallel answers on every core by the same handler", async () => {
    const cwd = await emptyFolder("parallel");
    await Deno.writeTextFile(`${cwd}/app.ts`, nameIsolate(readmeFile("app.ts")));
    await Deno.writeTextFile(`${cwd}/deno.json`, JSON.stringify({ ...readmeImports(), links: [await jsrCopy()] }));
    const port = String(freePort());
    const args = ["serve", "--parallel", "--host", "127.0.0.1", "--port", port, "app.ts"];
    const server = await startAt(`http://127.0.0.1:${port}/hello/Ada`, {
      command: Deno.execPath(),
      args,
      cwd,
      env: { DENO_JOBS: "2" },
    });
    try {
      const isolates = await askOften(port);
      assertGreater(isolates.size, 1);
      assertEquals(isolates.size, 2);
    } finally {
      await server.stop();
    }
  });
}

/** Asks over connections of their own, for the kernel hands out connections, not requests; gives the isolates that answered. */
async function askOften(port: string): Promise<ReadonlySet<string>> {
  const isolates = new Set<string>();
  for (let asked = 0; asked < 200 && isolates.size < 2; asked++) {
    const response = await fetch(`http://127.0.0.1:${port}/hello/Ada`, { headers: { connection: "close" } });
    isolates.add((await response.json()).greeting);
  }
  return isolates;
}
