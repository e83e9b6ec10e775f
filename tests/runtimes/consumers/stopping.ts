import { start } from "../../support/processes.ts";
import { checkStopping, listening, stoppingFiles } from "../../guides/stopping.ts";
import { bunFolder, currentBun, folderWith, nodePath } from "../kit.ts";

/** A runtime on which the server of docs/deploying.md stops. */
interface Place {
  readonly file: "serve_deno.ts" | "serve_node.ts";
  /** The differences on this platform, and the change that lets it use a free port. */
  readonly changes: Readonly<Record<string, string>>;
  readonly command: () => Promise<string>;
}

const places: Readonly<Record<string, Place>> = {
  "Node 24": {
    file: "serve_node.ts",
    changes: {
      "listen(8000,": "listen(0,",
      "process.once":
        'server.once("listening", () => console.log(`listening on ${server.address().port}`));\nprocess.once',
    },
    command: () => nodePath("24"),
  },
  Bun: {
    file: "serve_deno.ts",
    changes: {
      'Deno.serve({ hostname: "127.0.0.1", port: 8000 }, handler);':
        'Bun.serve({ fetch: handler, hostname: "127.0.0.1", port: 0 });\nconsole.log(`listening on ${server.port}`);',
      "Deno.addSignalListener": "process.once",
      "server.shutdown()": "server.stop()",
    },
    command: async () => `${await bunFolder(currentBun)}/bun`,
  },
};

/** Stops the server of docs/deploying.md on runtimes other than Deno. */
export function testStopping(): void {
  for (const [name, { file, changes, command }] of Object.entries(places)) {
    Deno.test(`docs/deploying.md on ${name}: on SIGTERM the server is not ready first, and then completes its responses`, async () => {
      const folder = await folderWith(`stopping ${name}`, ["zod@4"]);
      const files = Object.entries(stoppingFiles(file, changes));
      for (const [name, text] of files) await Deno.writeTextFile(`${folder}/${name}`, text);
      await using server = await start(await command(), [`${folder}/serve.ts`], listening);
      await checkStopping(server);
    });
  }
}
