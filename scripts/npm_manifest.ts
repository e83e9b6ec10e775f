/** The `package.json` of the npm package. */
import config from "../deno.json" with { type: "json" };
import { commands as programs } from "./entry_points.ts";

/** The oldest supported version of each runtime and of the compiler. `tests/runtimes/` runs on them. */
export const floors = { node: "20.3", deno: "2.2", bun: "1.4", typescript: "5.7" } as const;

/** The URL of the repository. The scope and this URL are placeholders, each written once: in `deno.json` and here. */
export const repository = "https://github.com/scope/api";

/** The commands, by the names under which npm installs them. */
export const commands: Readonly<Record<string, string>> = Object.fromEntries(
  programs.map(({ name, file }) => [toCommand(name), `./${file}`]),
);

/** Returns the name under which npm installs a command. */
export function toCommand(name: string): string {
  return `${config.name.slice(1).replace("/", "-")}-${name}`;
}

const doors = Object.entries(config.exports);

/**
 * The manifest. Like the package, it has zero dependencies. Only the types of `./tanstack-query` need TanStack Query,
 * from its first version whose keys have the type of the error.
 */
export const manifest = {
  name: config.name,
  version: config.version,
  description: "A contract-first HTTP toolkit: one contract, shared by a server and its typed clients",
  keywords: ["http", "contract", "typed", "client", "server", "fetch", "standard-schema", "openapi"],
  license: config.license,
  repository: { type: "git", url: `git+${repository}.git` },
  homepage: `${repository}#readme`,
  bugs: { url: `${repository}/issues` },
  type: "module",
  engines: Object.fromEntries(Object.entries(floors).map(([name, version]) => [name, `>=${version}`])),
  sideEffects: doors.map(([, file]) => toBuilt(file, ".js")).filter((file) => file.endsWith("/cli.js")),
  exports: {
    ...Object.fromEntries(doors.map(([door, file]) => [door, {
      types: toBuilt(file, ".d.ts"),
      default: toBuilt(file, ".js"),
    }])),
    "./package.json": "./package.json",
  },
  bin: Object.fromEntries(Object.entries(commands).map(([name, file]) => [name, toBuilt(file, ".js")])),
  peerDependencies: { "@tanstack/query-core": ">=5.62" },
  peerDependenciesMeta: { "@tanstack/query-core": { optional: true } },
  files: ["esm/", "src/", "CHANGELOG.md"],
} as const;

/** Returns the path of an entry point's built file. */
function toBuilt(file: string, extension: string): string {
  return file.replace("./", "./esm/").replace(/\.ts$/, extension);
}
