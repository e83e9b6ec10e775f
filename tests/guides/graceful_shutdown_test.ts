/** What docs/graceful-shutdown.md says of a server that stops; the suite of all runtimes has it on Node and Bun. */
import { start } from "../support/processes.ts";
import { checkStopping, listening, stoppingFiles } from "./stopping.ts";

Deno.test("docs/graceful-shutdown.md: a server that stops is not ready first, and then lets its responses end", async () => {
  const folder = await Deno.makeTempDir();
  const files = stoppingFiles("serve.ts", {
    "port: 8000": "port: 0, onListen: ({ port }) => console.log(`listening on ${port}`)",
  });
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
  const config = `${import.meta.dirname}/../../deno.json`;
  const args = ["run", "--quiet", "--no-check", "--unstable-no-legacy-abort", `--config=${config}`, "--allow-net"];
  await using server = await start(Deno.execPath(), [...args, `${folder}/serve.ts`], listening);
  await checkStopping(server);
  await Deno.remove(folder, { recursive: true });
});
