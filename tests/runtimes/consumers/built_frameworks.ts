/** The lines of docs/frameworks.md in the frameworks that are built first: in production, on Node. */
import { assertEquals } from "@std/assert";
import { type Call, freePort, run, startAt } from "../command.ts";
import { emptyFolder, install, nodePath, tarball } from "../kit.ts";
import { advance, once } from "../once.ts";
import { readmeFile, readPage } from "./pages.ts";

const page = readPage("docs/frameworks.md");

/** A framework and the smallest project that shows the page's lines in it. */
interface Framework {
  readonly packages: readonly string[];
  /** Where the project has the page's `api.ts`. */
  readonly api: string;
  /** The page's file with the route. */
  readonly route: string;
  /** What the framework needs besides these two. */
  readonly files: Readonly<Record<string, string>>;
  /** The further fields of `package.json`. */
  readonly manifest?: object;
  /** The build and the server, as programs of the installed packages. */
  readonly build: readonly string[];
  readonly serve: (port: string) => readonly string[];
  /** The statuses that differ from the handler's own, as the page says. */
  readonly withSlash: number;
  readonly deleteWithoutOrigin: number;
}

const react = ["react@19", "react-dom@19"];

const frameworks: Readonly<Record<string, Framework>> = {
  "Next.js": {
    packages: ["next@16", ...react, "typescript@6", "@types/node@24", "@types/react@19"],
    api: "api.ts",
    route: "app/api/[...path]/route.ts",
    files: {
      // does without what others check: the types of the page's code, and that Next.js can minify it
      "next.config.mjs": `export default {
  typescript: { ignoreBuildErrors: true },
  experimental: { turbopackMinify: false, turbopackScopeHoisting: false, turbopackSourceMaps: false },
};
`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: "esnext",
          moduleResolution: "bundler",
          lib: ["dom", "dom.iterable", "esnext"],
          skipLibCheck: true,
          isolatedModules: true,
          esModuleInterop: true,
          resolveJsonModule: true,
          jsx: "react-jsx",
        },
        include: ["next-env.d.ts", ".next/types/**/*.ts", "**/*.ts"],
        exclude: ["node_modules"],
      }),
    },
    build: ["next", "build"],
    serve: (port) => ["next", "start", "-H", "127.0.0.1", "-p", port],
    withSlash: 308,
    deleteWithoutOrigin: 405,
  },
  SvelteKit: {
    packages: [
      "@sveltejs/kit@3",
      "@sveltejs/adapter-node@6",
      "@sveltejs/vite-plugin-svelte@7",
      "svelte@5",
      "vite@8",
    ],
    api: "src/lib/api.ts",
    route: "src/routes/api/[...path]/+server.ts",
    files: {
      "src/app.html": "<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>",
      "vite.config.js": `import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
export default { plugins: [sveltekit({ adapter: adapter({ precompress: false }) })] };
`,
    },
    manifest: { imports: { "#lib/*": "./src/lib/*" } }, // as `sv create` writes it
    build: ["vite", "build"],
    serve: () => ["node", "build"],
    withSlash: 308,
    deleteWithoutOrigin: 403,
  },
  Astro: {
    packages: ["astro@7", "@astrojs/node@11"],
    api: "src/api.ts",
    route: "src/pages/api/[...path].ts",
    files: {
      "astro.config.mjs": `import node from "@astrojs/node";
export default { adapter: node({ mode: "standalone" }) };
`,
    },
    build: ["astro", "build"],
    serve: () => ["node", "dist/server/entry.mjs"],
    withSlash: 404,
    deleteWithoutOrigin: 403,
  },
  "TanStack Start": {
    packages: [
      "@tanstack/react-start@1",
      "@tanstack/react-router@1",
      ...react,
      "vite@8",
      "@vitejs/plugin-react@6",
      "srvx@^1.0.8",
    ],
    api: "src/api.ts",
    route: "src/routes/api/$.ts",
    files: {
      "vite.config.js": `import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import react from "@vitejs/plugin-react";
export default { plugins: [tanstackStart(), react()] };
`,
      "src/router.tsx": `import { createRouter } from "@tanstack/react-router";
import { routeTree } from "./routeTree.gen";
export const getRouter = () => createRouter({ routeTree });
`,
      "src/routes/__root.tsx": `import { createRootRoute } from "@tanstack/react-router";
export const Route = createRootRoute({});
`,
    },
    build: ["vite", "build"],
    serve: (port) => ["srvx", "serve", "--prod", "--host", "127.0.0.1", "--port", port, "dist/server/server.js"],
    withSlash: 404,
    deleteWithoutOrigin: 405,
  },
};

/** Builds each framework with the page's lines, and serves the handler in it. */
export function testBuiltFrameworks(): void {
  for (const [name, framework] of Object.entries(frameworks)) {
    Deno.test(
      `docs/frameworks.md: ${name} is built and serves the handler`,
      advance(async () => {
        const cwd = await writeProject(name, framework);
        await run(await program(cwd, framework.build));
        const port = String(freePort());
        const { baseUrl, stop } = await startAt(
          `http://127.0.0.1:${port}`,
          await program(cwd, framework.serve(port), { PORT: port, HOST: "127.0.0.1" }),
        );
        try {
          await checkServer(baseUrl, framework);
        } finally {
          await stop();
        }
      }),
    );
  }
}

async function checkServer(baseUrl: string, { withSlash, deleteWithoutOrigin }: Framework): Promise<void> {
  const ask = async (method: string, path: string, body?: object): Promise<[number, string]> => {
    const json = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(`${baseUrl}/api/${path}`, { method, redirect: "manual", ...json });
    return [answer.status, await answer.text()];
  };
  const statusOf = async (...asked: Parameters<typeof ask>): Promise<number> => (await ask(...asked))[0];

  assertEquals(await ask("GET", "users/42"), [200, '{"name":"Ada"}']);
  assertEquals(await ask("HEAD", "users/42"), [200, ""]);
  assertEquals(await ask("PATCH", "users/42", { name: "Bo" }), [200, '{"name":"Bo"}']);
  assertEquals(await ask("GET", "users/42"), [200, '{"name":"Bo"}']);
  assertEquals(await statusOf("PATCH", "users/42", { name: "" }), 400);
  assertEquals(await statusOf("GET", "users/a%2Fb"), 404);
  const [status, problem] = await ask("GET", "none");
  assertEquals([status, JSON.parse(problem).code], [404, "not-found"]); // the handler's, not the framework's page
  assertEquals(await statusOf("OPTIONS", "users/42"), 405);
  assertEquals(await statusOf("DELETE", "users/42", {}), 405);
  assertEquals(await statusOf("DELETE", "users/42"), deleteWithoutOrigin);
  assertEquals(await statusOf("GET", "users/42/"), withSlash);
}

/** One folder with the packages of all: what they share is installed once. */
const installed: () => Promise<string> = once(async () => {
  const cwd = await emptyFolder("built frameworks");
  await Deno.writeTextFile(`${cwd}/package.json`, JSON.stringify({ private: true }));
  const packages = new Set(Object.values(frameworks).flatMap(({ packages }) => packages));
  await install(cwd, [await tarball(), "zod@4", ...packages]);
  return cwd;
});

async function writeProject(name: string, { api, route, files, manifest }: Framework): Promise<string> {
  const cwd = `${await installed()}/${name}`;
  const all = {
    ...files,
    [api]: readmeFile("api.ts", page),
    [route]: readmeFile(route, page),
    "package.json": JSON.stringify({ private: true, type: "module", ...manifest }),
  };
  for (const [path, text] of Object.entries(all)) {
    const file = `${cwd}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  return cwd;
}

/** A program of the installed packages on Node 24. Nothing is reported to the authors of the frameworks. */
async function program(cwd: string, [command = "", ...args]: readonly string[], env = {}): Promise<Call> {
  const node = (await nodePath("24")).replace(/\/[^/]*$/, "");
  const path = `${node}:${cwd}/node_modules/.bin:${cwd}/../node_modules/.bin:${Deno.env.get("PATH")}`;
  return {
    command,
    args,
    cwd,
    env: { NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", PATH: path, ...env },
  };
}
