import { assertEquals } from "@std/assert";
import { run } from "../command.ts";
import { bunFolder, currentBun, folderWith, nodePath, oldest } from "../kit.ts";
import { advance } from "../once.ts";

/** Passes requests on with `proxy()` on Node and Bun. Its own tests run on Deno. */
export function testPassOn(): void {
  const programs = {
    [`Node ${oldest.node}`]: () => nodePath(oldest.node),
    "Node 24": () => nodePath("24"),
    Bun: bunPath,
  };
  for (const [name, program] of Object.entries(programs)) {
    Deno.test(
      `${name} passes requests on with proxy()`,
      advance(async () => {
        const cwd = await folderWith(`pass on ${name}`, []);
        await Deno.copyFile(new URL("../entries/pass_on.js", import.meta.url), `${cwd}/pass_on.js`);
        assertEquals(JSON.parse(await run({ command: await program(), args: ["pass_on.js"], cwd })), [
          [200, "zipped", null, null, "a=1,b=2"],
          [302, "GET /moved  none none none", null, null, "a=1,b=2"],
          [200, "POST /a?b=c sent none 2 none", null, null, "a=1,b=2"],
          502,
        ]);
      }),
    );
  }
}

async function bunPath(): Promise<string> {
  return `${await bunFolder(currentBun)}/bun`;
}
