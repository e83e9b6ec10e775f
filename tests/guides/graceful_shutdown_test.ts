/** The server of docs/deploying.md on Deno; the suite of all runtimes tests it on Node and Bun. */
import { start } from "../support/processes.ts";
import { checkStopping, listening, stoppingFiles } from "./stopping.ts";

Deno.test("docs/deploying.md: on SIGTERM the server is not ready first, and then completes its responses", async () => {
  const folder = await Deno.makeTempDir();
  const files = stoppingFiles("serve_deno.ts", {
    "port: 8000": "port: 0, onListen: ({ port }) => console.log(`listening on ${port}`)",
  });
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
  const config = `${import.meta.dirname}/../../deno.json`;
  const args = ["run", "--quiet", "--no-check", "--unstable-no-legacy-abort", `--config=${config}`, "--allow-net"];
  await using server = await start(Deno.execPath(), [...args, `${folder}/serve.ts`], listening);
  await checkStopping(server);
  await Deno.remove(folder, { recursive: true });
});
