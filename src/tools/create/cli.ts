#!/usr/bin/env node
/**
 * Creates a project: a contract, its server, a client, tests and a Dockerfile.
 *
 * ```sh
 * npx -y -p @scope/api scope-api-create my-api # with Node
 * deno run -A jsr:@scope/api/create my-api # with Deno
 * bunx -p @scope/api scope-api-create my-api # with Bun
 * ```
 *
 * The project is for the runtime that runs the command, unless `--runtime` names another. It writes into a new or an
 * empty folder, whose name is that of the project. Errors go to the standard error, with exit code 1.
 *
 * @module
 */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { flag, runCommand, text } from "../commands.ts";
import { failAt } from "../../options.ts";
import { platforms, projectFiles, type ProjectRuntime, runtimes } from "./project.ts";
import { workspaceCommands, workspaceFiles } from "./workspace.ts";

const usage = `Usage: npx -y -p @scope/api scope-api-create [options] <folder>
       deno run -A jsr:@scope/api/create [options] <folder>

Creates a project in a new or an empty folder: a contract, its server, a client, tests and a Dockerfile.

  <folder>             the folder, whose name is that of the project
  --runtime <name>     node, deno or bun (default: the one that runs the command)
  --workspace          packages of their own for the contract, the server and the client
  --help               show this help
`;

const failure = "Cannot create the project";

await runCommand({
  failure,
  usage,
  operands: ["<folder>"],
  options: { runtime: text, workspace: flag },
  run: ({ runtime, workspace = false }, [path]) => create(path!, runtime ?? currentRuntime(), workspace),
});

async function create(path: string, runtime: string, isWorkspace: boolean): Promise<string> {
  if (!isRuntime(runtime)) failAt(failure, `--runtime must be ${runtimes.join(", ")}, got ${JSON.stringify(runtime)}`);
  const folder = resolve(path);
  const name = basename(folder);
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name)) {
    failAt(
      failure,
      `the name of the folder must have only a-z, 0-9, dots, hyphens and underscores, got ${JSON.stringify(name)}`,
    );
  }
  if ((await openFolder(folder, path)).length > 0) failAt(failure, `${path} is not empty; name another folder`);
  for (const file of (isWorkspace ? workspaceFiles : projectFiles)({ name, runtime })) {
    await mkdir(dirname(join(folder, file.path)), { recursive: true });
    await writeFile(join(folder, file.path), file.text);
  }
  const { install, dev, test, check } = isWorkspace ? workspaceCommands(runtime) : platforms[runtime].commands;
  const commands = [`cd ${quote(path)}`, install, ...(isWorkspace ? [check] : []), test, dev].filter((command) =>
    command !== undefined
  );
  return `Created ${path}. Next:\n\n${commands.map((command) => `  ${command}\n`).join("")}`;
}

async function openFolder(folder: string, path: string): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true });
    return await readdir(folder);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (!["EEXIST", "ENOTDIR", "ENOENT"].includes(code!)) throw error;
    failAt(failure, `there is a file or a broken link at ${path}, or above it; name another folder`);
  }
}

/** Quotes a path for a shell, if it must be. */
function quote(path: string): string {
  if (/^[\w./\\:+@-]+$/.test(path)) return path;
  return process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

function currentRuntime(): ProjectRuntime {
  const { deno, bun } = process.versions as Readonly<Record<string, string | undefined>>;
  return bun !== undefined ? "bun" : deno !== undefined ? "deno" : "node";
}

function isRuntime(name: string): name is ProjectRuntime {
  return (runtimes as readonly string[]).includes(name);
}
