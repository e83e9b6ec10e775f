/** The files of a new workspace: a package with the contract, and those of its server and its client. */
import {
  app,
  client,
  type Commands,
  compilerOptions,
  contract,
  denoImports,
  formatReadme,
  json,
  pick,
  platforms,
  type ProjectFile,
  type ProjectOptions,
  type ProjectRuntime,
  serve,
  serverScripts,
  test,
} from "./project.ts";

/** Returns the commands of a workspace. `check` also compiles the declarations of the contract, but on Deno. */
export function workspaceCommands(runtime: ProjectRuntime): Commands {
  const { client, ...commands } = platforms[runtime].commands;
  return { ...commands, client: client.replace("client.ts", "client/client.ts") };
}

const members = ["contract", "server", "client"];

export function workspaceFiles(options: ProjectOptions): readonly ProjectFile[] {
  const { name, runtime } = options;
  const library = `@${name}/contract`;
  const importing = (text: string): string => text.replaceAll('"./contract.ts"', JSON.stringify(library));
  return [
    { path: "contract/contract.ts", text: contract },
    { path: "server/app.ts", text: importing(app(options)) },
    { path: `server/${runtime === "deno" ? "app_test.ts" : "app.test.ts"}`, text: importing(test(options)) },
    ...(runtime === "node" ? [{ path: "server/serve.ts", text: serve }] : []),
    { path: "client/client.ts", text: importing(client) },
    ...(runtime === "deno" ? denoConfiguration(name) : npmConfiguration(name, runtime)),
    { path: ".gitignore", text: "node_modules\ndist\n" },
    { path: "README.md", text: readme(options) },
  ];
}

function npmConfiguration(name: string, runtime: "node" | "bun"): ProjectFile[] {
  const root = {
    name,
    private: true,
    type: "module",
    workspaces: members,
    scripts: { ...serverScripts[runtime]("server/"), check: "tsc -b" },
    devDependencies: pick(`@types/${runtime}`, "typescript"),
    ...(runtime === "node" && { engines: { node: ">=22.18" } }),
  };
  return [
    { path: "package.json", text: json(root) },
    { path: "tsconfig.json", text: json({ files: [], references: members.map((path) => ({ path: `./${path}` })) }) },
    { path: "tsconfig.base.json", text: json({ compilerOptions: buildOptions(runtime) }) },
    ...members.flatMap((member) => packageFiles(name, member)),
  ];
}

/** The options of all packages. Editors read the declarations of the contract, and not its source. */
function buildOptions(runtime: "node" | "bun"): object {
  const { noEmit: _, ...options } = { noEmit: true, ...compilerOptions(runtime) };
  return { ...options, composite: true, emitDeclarationOnly: true, disableSourceOfProjectReferenceRedirect: true };
}

function packageFiles(name: string, member: string): ProjectFile[] {
  const library = `@${name}/contract`;
  const isContract = member === "contract";
  const dependencies = isContract
    ? pick("@scope/api", "zod")
    : { [library]: "*", ...pick("@scope/api"), ...(member === "server" ? pick("swagger-ui-dist") : {}) };
  const manifest = {
    name: `@${name}/${member}`,
    version: "0.1.0",
    private: true,
    type: "module",
    ...(isContract && { exports: { types: "./dist/contract.d.ts", default: "./contract.ts" } }),
    dependencies,
  };
  const config = {
    extends: "../tsconfig.base.json",
    compilerOptions: { outDir: "dist" },
    include: ["*.ts"],
    ...(!isContract && { references: [{ path: "../contract" }] }),
  };
  return [
    { path: `${member}/package.json`, text: json(manifest) },
    { path: `${member}/tsconfig.json`, text: json(config) },
  ];
}

function denoConfiguration(name: string): ProjectFile[] {
  const root = {
    workspace: members.map((path) => `./${path}`),
    imports: denoImports,
    tasks: { ...serverScripts.deno("server/"), types: "deno run -A jsr:@scope/api/types/cli contract/contract.ts" },
  };
  const own = { name: `@${name}/contract`, version: "0.1.0", exports: "./contract.ts" };
  return [
    { path: "deno.json", text: json(root) },
    { path: "contract/deno.json", text: json(own) },
    ...["server", "client"].map((path) => ({ path: `${path}/deno.json`, text: json({}) })),
  ];
}

function readme({ name, runtime }: ProjectOptions): string {
  const { install, dev, test, check, client } = workspaceCommands(runtime);
  const isDeno = runtime === "deno";
  const files = "`contract/` is a package that declares the API, `server/` implements it, and `client/` calls it.";
  const text = formatReadme(name, files, [
    [install, "installs the packages"],
    [dev, "serves http://127.0.0.1:8000/docs, and starts again when a file changes"],
    [test, "runs the tests"],
    [check, isDeno ? "checks the types" : "checks the types, and compiles the declarations of the contract"],
    [isDeno ? "deno task types" : undefined, "writes the types of a large contract as an interface"],
    [client, "calls the server"],
  ]);
  return isDeno ? text : `${text}
Editors read the compiled declarations of the contract, so that they answer at once however large it is. This command
compiles them after each change: \`npx tsc -b --watch\`
`;
}
