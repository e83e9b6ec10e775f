/** The server of docs/deploying.md that reports that it is not ready, before it stops. */
import { assert, assertEquals, assertLess } from "@std/assert";
import { readmeFile, readPage } from "../runtimes/consumers/pages.ts";
import type { Started } from "../support/processes.ts";

const page = readPage("docs/deploying.md");
const waits = "wait(10_000)";

/** The application with a shorter wait, and a file that serves it, changed by pairs of a text and its replacement. */
export function stoppingFiles(
  file: "serve_deno.ts" | "serve_node.ts",
  changes: Readonly<Record<string, string>>,
): Readonly<Record<"health_app.ts" | "serve.ts", string>> {
  const app = readmeFile("health_app.ts", page);
  let serve = readmeFile(file, page);
  for (const [before, after] of Object.entries(changes)) {
    assert(serve.includes(before), before);
    serve = serve.replace(before, after);
  }
  assert(app.includes(waits));
  return { "health_app.ts": app.replace(waits, "wait(1500)"), "serve.ts": serve };
}

/** The pattern that the output of `serve.ts` must match. */
export const listening = /listening on (\d+)/;

/** Stops a server, which must report meanwhile that it is not ready, and end its event stream. */
export async function checkStopping(server: Started): Promise<void> {
  const baseUrl = `http://127.0.0.1:${server.found[1]}`;
  const ask = async (path: string): Promise<number> => {
    const response = await fetch(baseUrl + path);
    await response.body?.cancel();
    return response.status;
  };
  assertEquals([await ask("/live"), await ask("/ready")], [204, 204]);
  const ticks = await fetch(`${baseUrl}/ticks`);
  assertEquals(ticks.status, 200);

  const asked = performance.now();
  const ending = server.end("SIGTERM");
  while (await ask("/ready") !== 503) assertLess(performance.now() - asked, 1000);
  assertEquals(await ask("/live"), 204);
  await ticks.text(); // ends, and does not break off
  assertEquals((await ending).code, 0);
}
