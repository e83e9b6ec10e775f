import { assertEquals } from "@std/assert";
import { freePort, startAt } from "../command.ts";
import { exchange, parseAnswer } from "../exchange.ts";
import { emptyFolder, jsrCopy } from "../kit.ts";
import { commandsUnder, importMap, readmeFile, readPage } from "./pages.ts";

const page = readPage("docs/deploying.md");

/** Makes the app respond with the id of its isolate: each core has its own isolate. */
function nameIsolate(app: string): string {
  return `const isolate = crypto.randomUUID();\n${app.replace("`Hello ${params.name}`", "isolate")}`;
}

/** Serves the example of docs/deploying.md on more than one core. */
export function testParallel(): void {
  Deno.test("deno serve --parallel responds on every core with the same handler", async () => {
    const cwd = await emptyFolder("parallel");
    await Deno.writeTextFile(`${cwd}/contract.ts`, readmeFile("contract.ts", page));
    await Deno.writeTextFile(`${cwd}/app.ts`, nameIsolate(readmeFile("app.ts", page)));
    await Deno.writeTextFile(`${cwd}/deno.json`, JSON.stringify({ ...importMap(), links: [await jsrCopy()] }));
    const port = String(freePort());
    const [command = ""] = commandsUnder("Use all CPU cores", page);
    const server = await startAt(`http://127.0.0.1:${port}`, {
      command: Deno.execPath(),
      args: command.replace("8000", port).split(" ").slice(1),
      cwd,
      env: { DENO_JOBS: "2" },
    });
    try {
      assertEquals((await askOften(server.baseUrl)).size, 2);
    } finally {
      await server.stop();
    }
  });
}

/** How long both isolates may take until they respond, in milliseconds. */
const patience = 20_000;

/**
 * Sends each request over its own connection, since the kernel distributes connections, not requests; returns the
 * isolates that responded.
 */
async function askOften(baseUrl: string): Promise<ReadonlySet<string>> {
  const isolates = new Set<string>();
  const head = "GET /hello/Ada HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  for (const start = Date.now(); isolates.size < 2 && Date.now() - start < patience;) {
    isolates.add(JSON.parse(parseAnswer(await exchange(baseUrl, head)).body).greeting);
  }
  return isolates;
}
