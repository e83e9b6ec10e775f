/** The runtimes, and how the suite is served and called on each. */
import { freePort, run, type Server, startAt, startPrinting } from "./command.ts";
import { once } from "./once.ts";
import {
  bundleSuite,
  bunFolder,
  chromiumPath,
  copySuite,
  emptyFolder,
  jsrCopy,
  nodePath,
  npmFolder,
  packageName,
  tarball,
} from "./kit.ts";

/** One runtime. */
export interface Host {
  /** Its name in the table. A word after it says which bridge it serves by. */
  readonly name: string;
  /** Starts the server there. A page has none. */
  readonly serve?: () => Promise<Server>;
  /** Runs the client's cases there against a server, and gives what each gave. */
  readonly call?: (baseUrl: string) => Promise<Record<string, unknown>>;
}

export const hosts: readonly Host[] = [
  deno(),
  ...[20, 22, 24].map((major) => node(major)),
  node(20, "hono"),
  node(24, "hono"),
  bun(),
  workerd(),
  { name: "chromium", call: callFromPage },
];

/** Deno, in a folder that imports the package as JSR has it. */
function deno(): Host {
  const folder = once(async () => {
    const made = await emptyFolder("deno");
    await copySuite(made);
    await Deno.writeTextFile(
      `${made}/deno.json`,
      JSON.stringify({
        imports: { [packageName]: `jsr:${packageName}@^0.1.0`, arktype: "npm:arktype@^2.2.9" },
        links: [await jsrCopy()],
      }),
    );
    return made;
  });
  const command = Deno.execPath();
  return {
    name: "deno",
    serve: async () => {
      const args = ["serve", "--host=127.0.0.1", "--port=0", "server.ts"];
      return await startPrinting({ command, args, cwd: await folder() });
    },
    call: async (baseUrl) => {
      const args = ["run", "--quiet", "--allow-net=127.0.0.1", "entries/client_main.ts", baseUrl];
      return JSON.parse(await run({ command, args, cwd: await folder() }));
    },
  };
}

/** Node, by srvx unless another bridge is named. */
function node(major: number, bridge = "srvx"): Host {
  return {
    name: bridge === "srvx" ? `node ${major}` : `node ${major} ${bridge}`,
    serve: async () => {
      const folder = await nodeFolder();
      const args = [`${folder}/serve_${bridge}.js`];
      return await startPrinting({ command: await nodePath(major), args, cwd: folder });
    },
    ...(bridge === "srvx" && {
      call: async (baseUrl) => {
        const folder = await nodeFolder();
        const args = [`${folder}/client_main.js`, baseUrl];
        return JSON.parse(await run({ command: await nodePath(major), args, cwd: folder }));
      },
    }),
  };
}

/** The suite as JavaScript, which every Node runs. */
const nodeFolder = once(async () => {
  const folder = await npmFolder();
  await bundleSuite("server.ts", "server.js", true);
  await bundleSuite("entries/client_main.ts", "client_main.js", true);
  for (const bridge of ["srvx", "hono"]) {
    await Deno.copyFile(`${folder}/entries/serve_${bridge}.js`, `${folder}/serve_${bridge}.js`);
  }
  return folder;
});

/** Bun, with what its own package manager installed. */
function bun(): Host {
  const folder = once(async () => {
    const made = await emptyFolder("bun-app");
    await copySuite(made);
    await run({ command: `${await bunFolder()}/bun`, args: ["add", await tarball(), "arktype"], cwd: made });
    return made;
  });
  return {
    name: "bun",
    serve: async () =>
      await startPrinting({ command: `${await bunFolder()}/bun`, args: ["entries/serve_bun.js"], cwd: await folder() }),
    call: async (baseUrl) => {
      const args = ["entries/client_main.ts", baseUrl];
      return JSON.parse(await run({ command: `${await bunFolder()}/bun`, args, cwd: await folder() }));
    },
  };
}

/** Cloudflare's runtime. Its client runs inside of it, in a request of its own. */
function workerd(): Host {
  const serve = async (): Promise<Server> => {
    const folder = await npmFolder();
    const port = freePort();
    const config = `worker_${port}.capnp`;
    await workerBundle();
    const text = await Deno.readTextFile(`${folder}/entries/worker.capnp`);
    await Deno.writeTextFile(`${folder}/${config}`, text.replace("127.0.0.1:0", `127.0.0.1:${port}`));
    const command = `${folder}/node_modules/.bin/workerd`;
    return await startAt(`http://127.0.0.1:${port}`, { command, args: ["serve", config], cwd: folder });
  };
  return {
    name: "workerd",
    serve,
    call: async (baseUrl) => {
      const server = await serve();
      try {
        return await (await fetch(`${server.baseUrl}/run-client?base=${encodeURIComponent(baseUrl)}`)).json();
      } finally {
        await server.stop();
      }
    },
  };
}

const workerBundle = once(() => bundleSuite("entries/worker.ts", "worker.js", false));

/** A page in Chromium. */
async function callFromPage(baseUrl: string): Promise<Record<string, unknown>> {
  const folder = await npmFolder();
  const bundle = await bundleSuite("entries/page.ts", "page.js", false);
  await Deno.copyFile(`${folder}/entries/chromium.js`, `${folder}/chromium.js`);
  const args = ["chromium.js", await chromiumPath(), baseUrl, bundle];
  return JSON.parse(await run({ command: "node", args, cwd: folder }));
}
