/** The runtimes, and how the suite is served and called on each. */
import config from "../../deno.json" with { type: "json" };
import { floors } from "../../scripts/npm_manifest.ts";
import { type Call, run, type Server, startPrinting } from "./command.ts";
import { once } from "./once.ts";
import {
  bundleSuite,
  bunFolder,
  chromiumPath,
  copySuite,
  currentBun,
  denoFolder,
  dependencies,
  emptyFolder,
  install,
  jsrCopy,
  nodePath,
  npmFolder,
  oldest,
  packageName,
  tarball,
} from "./kit.ts";

/** One runtime. */
export interface Host {
  /** Its name in the table. A word after it says which bridge it serves by. */
  readonly name: string;
  /** Starts the server there. A page has none. */
  readonly serve?: () => Promise<Server>;
  /** Runs the client's cases there against a server, and returns their results. */
  readonly call?: (baseUrl: string) => Promise<Record<string, unknown>>;
  /** Runs the calls of `entries/proxied_main.ts` there, and returns their results. */
  readonly callProxied?: CallProxied;
}

/**
 * Calls the server at a URL through a proxy, in one of the ways that the runtime has; `env` is passed to its process.
 */
export type CallProxied = (
  baseUrl: string,
  proxy: string,
  way: string,
  env: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** Every runtime in a current version, and the oldest supported version of those that have versions. */
export const hosts: readonly Host[] = [
  deno(),
  olderDeno(`deno ${floors.deno}`, oldest.deno),
  node(`node ${floors.node}`, oldest.node),
  ...["20", "22", "24"].map((version) => node(`node ${version}`, version)),
  ...["20", "24"].map((version) => node(`node ${version} hono`, version, "hono")),
  node(`node ${floors.node} http`, oldest.node, "http"),
  ...["20", "22", "24"].map((version) => node(`node ${version} http`, version, "http")),
  bun("bun", currentBun),
  bun(`bun ${floors.bun}`, oldest.bun),
  workerd(),
  { name: "chromium", call: callFromPage },
];

/**
 * Hosts between older and newer versions that are tested in the same way. Their cases run if the environment asks for
 * every version. Node 20 serves by @hono/node-server in every run.
 */
export const between: readonly string[] = ["node 20", "node 20 http", "node 22", "node 22 http"];

/** This Deno, in a folder that imports the package as JSR has it. */
function deno(): Host {
  const prepare = async (): Promise<Program> => {
    const imports = { [packageName]: `jsr:${packageName}@^0.1.0` };
    return { command: Deno.execPath(), cwd: await denoApp("deno", { imports, links: [await jsrCopy()] }) };
  };
  return callDeno("deno", once(prepare));
}

/** An older Deno, which has no `links` yet: an import map leads to the files. */
function olderDeno(name: string, version: string): Host {
  const prepare = async (): Promise<Program> => {
    const copy = await jsrCopy();
    const doors = Object.entries(config.exports);
    const imports = Object.fromEntries(doors.map(([door, file]) => [packageName + door.slice(1), `${copy}/${file}`]));
    const cwd = await denoApp(name, { imports, nodeModulesDir: "manual" });
    await install(cwd, dependencies);
    const env = { DENO_DIR: `${cwd}/cache` }; // a version may not understand the cache of another one
    return { command: `${await denoFolder(version)}/deno`, cwd, env };
  };
  return callDeno(name, once(prepare));
}

/** A program, its folder and its variables. */
type Program = Omit<Call, "args">;

/** The contents of a `deno.json`. */
interface DenoSettings {
  readonly imports: Readonly<Record<string, string>>;
  readonly links?: readonly string[];
  readonly nodeModulesDir?: "manual";
}

/** A folder with the suite and a `deno.json`. */
async function denoApp(name: string, settings: DenoSettings): Promise<string> {
  const folder = await emptyFolder(`${name} app`);
  await copySuite(folder);
  const { arktype, cborg, "@tanstack/query-core": queries } = config.imports;
  const imports = { ...settings.imports, arktype, cborg, "@tanstack/query-core": queries };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ ...settings, imports }));
  return folder;
}

function callDeno(name: string, prepare: () => Promise<Program>): Host {
  return {
    name,
    serve: async () => {
      const args = ["serve", "--host=127.0.0.1", "--port=0", "--allow-net=127.0.0.1", "server.ts"];
      return await startPrinting({ ...await prepare(), args });
    },
    call: async (baseUrl) => {
      const allowed = ["--allow-net=127.0.0.1", "--allow-env=NODE_ENV"]; // which TanStack Query reads
      const args = ["run", "--quiet", ...allowed, "entries/client_main.ts", baseUrl];
      return JSON.parse(await run({ ...await prepare(), args }));
    },
    callProxied: async (baseUrl, proxy, way, env) => {
      const args = ["run", "--quiet", "--allow-net=127.0.0.1", "entries/proxied_main.ts", baseUrl, proxy, way];
      const program = await prepare();
      return JSON.parse(await run({ ...program, args, env: { ...program.env, ...env } }));
    },
  };
}

/** Node, with srvx unless another bridge is named, or its own server by `http`. */
function node(name: string, version: string, bridge = "srvx"): Host {
  return {
    name,
    serve: async () => {
      const folder = await nodeFolder();
      const args = [`${folder}/serve_${bridge}.js`];
      return await startPrinting({ command: await nodePath(version), args, cwd: folder });
    },
    ...(bridge === "srvx" && {
      call: async (baseUrl) => {
        const folder = await nodeFolder();
        const args = [`${folder}/client_main.js`, baseUrl];
        return JSON.parse(await run({ command: await nodePath(version), args, cwd: folder }));
      },
      callProxied: async (baseUrl, proxy, way, env) => {
        const folder = await nodeFolder();
        const args = [`${folder}/proxied_main.js`, baseUrl, proxy, way];
        return JSON.parse(await run({ command: await nodePath(version), args, cwd: folder, env }));
      },
    }),
  };
}

/** The suite as JavaScript, which every Node runs. */
const nodeFolder = once(async () => {
  const folder = await npmFolder();
  await bundleSuite("server.ts", "server.js", true);
  await bundleSuite("node_server.ts", "node_server.js", true);
  await bundleSuite("entries/client_main.ts", "client_main.js", true);
  await bundleSuite("entries/proxied_main.ts", "proxied_main.js", true);
  for (const bridge of ["srvx", "hono", "http"]) {
    await Deno.copyFile(`${folder}/entries/serve_${bridge}.js`, `${folder}/serve_${bridge}.js`);
  }
  return folder;
});

/** A version of Bun, with the packages that its own package manager installed. */
function bun(name: string, version: string): Host {
  const prepare = once(async (): Promise<Program> => {
    const cwd = await emptyFolder(`${name} app`);
    await copySuite(cwd);
    const command = `${await bunFolder(version)}/bun`;
    await run({ command, args: ["add", await tarball(), ...dependencies], cwd });
    return { command, cwd };
  });
  return {
    name,
    serve: async () => await startPrinting({ ...await prepare(), args: ["entries/serve_bun.js"] }),
    call: async (baseUrl) => JSON.parse(await run({ ...await prepare(), args: ["entries/client_main.ts", baseUrl] })),
    callProxied: async (baseUrl, proxy, way, env) => {
      const args = ["entries/proxied_main.ts", baseUrl, proxy, way];
      return JSON.parse(await run({ ...await prepare(), args, env }));
    },
  };
}

/** Cloudflare's runtime. Its client runs inside of it, in its own request. */
function workerd(): Host {
  const serve = async (): Promise<Server> => {
    const folder = await npmFolder();
    await workerBundle();
    const command = `${folder}/node_modules/.bin/workerd`;
    return await startPrinting({ command, args: ["serve", "worker.capnp", "--control-fd=1"], cwd: folder });
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

const workerBundle = once(async () => {
  const folder = await npmFolder();
  await Deno.copyFile(`${folder}/entries/worker.capnp`, `${folder}/worker.capnp`); // next to the files that it embeds
  await bundleSuite("entries/worker.ts", "worker.js", false);
});

/** A page in Chromium. */
async function callFromPage(baseUrl: string): Promise<Record<string, unknown>> {
  const folder = await npmFolder();
  const bundle = await bundleSuite("entries/page.ts", "page.js", false);
  await Deno.copyFile(`${folder}/entries/chromium.js`, `${folder}/chromium.js`);
  const args = ["chromium.js", await chromiumPath(), baseUrl, bundle];
  return JSON.parse(await run({ command: "node", args, cwd: folder }));
}
