/** The server of docs/deploying.md that reports that it is not ready, before it stops. */
import { assertEquals, assertLess } from "@std/assert";
import { start } from "./processes.ts";

const page = await Deno.readTextFile(new URL("../../docs/deploying.md", import.meta.url));

/** A file of the page, by the comment in its first line. */
function fileOf(name: string): string {
  const block = page.match(/^```ts[^\n]*\n\/\/ (\S+)\n.*?^```$/gms)!.find((block) => block.includes(`\n// ${name}\n`))!;
  return block.replace(/^```.*$/gm, "");
}

Deno.test("docs/deploying.md: a server that stops is not ready first, and then lets its responses end", async () => {
  const folder = await Deno.makeTempDir();
  const app = fileOf("app.ts").replace("wait(10_000)", "wait(1500)");
  const announced = "port: 0, onListen: ({ port }) => console.log(`listening on ${port}`)";
  await Deno.writeTextFile(`${folder}/app.ts`, app);
  await Deno.writeTextFile(`${folder}/serve.ts`, fileOf("serve.ts").replace("port: 8000", announced));
  const config = `${import.meta.dirname}/../../deno.json`;
  const args = [
    "run",
    "--quiet",
    "--no-check",
    "--unstable-no-legacy-abort",
    `--config=${config}`,
    "--allow-net",
    `${folder}/serve.ts`,
  ];
  await using server = await start(Deno.execPath(), args, /listening on (\d+)/);
  const ask = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${server.found[1]}${path}`);
    await response.body?.cancel();
    return response.status;
  };
  assertEquals([await ask("/live"), await ask("/ready")], [204, 204]);
  const ticks = await fetch(`http://127.0.0.1:${server.found[1]}/ticks`);

  const asked = performance.now();
  const ending = server.end("SIGTERM");
  while (await ask("/ready") !== 503) assertLess(performance.now() - asked, 1000);
  assertEquals(await ask("/live"), 204);
  assertEquals(ticks.status, 200);
  await ticks.text(); // ends, and does not break off
  assertEquals((await ending).code, 0);
  await Deno.remove(folder, { recursive: true });
});
