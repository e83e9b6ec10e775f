#!/usr/bin/env node
/**
 * The command that writes the OpenAPI document of a contract to its standard output:
 *
 * ```sh
 * deno run -A jsr:@scope/api/openapi/cli ./contract.ts > openapi.json
 * npx scope-api-openapi ./contract.ts > openapi.json # where the npm package is installed
 * ```
 *
 * It imports the module and takes its export `contract`. What the document says of the API is the module's export `info`, or
 * `--title` and `--version`; an export `openApiOptions` gives all options of `openApiDocument`. Nothing but the document is
 * written to the output; what is wrong goes to the standard error, with exit code 1.
 *
 * @module
 */
import process from "node:process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { openApiDocument } from "./openapi.ts";

const usage = `Usage: deno run -A jsr:@scope/api/openapi/cli [options] <module>
       npx scope-api-openapi [options] <module>

Writes the OpenAPI document of the contract that a module exports to the standard output.

  <module>           a path, or a URL
  --export <name>    the export that is the contract (default: contract)
  --title <text>     the title of the API (default: that of the export info)
  --version <text>   the version of the API (default: that of the export info)
  --openapi <3.1>    the version of the OpenAPI Specification, 3.1 or 3.2 (default: 3.1)
  --help             say this

The module may also export openApiOptions: the options of openApiDocument().
`;

process.exitCode = await run(process.argv.slice(2));

/** Does what the arguments say and gives the exit code. */
async function run(args: string[]): Promise<number> {
  try {
    process.stdout.write(await write(args));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

/** What the command writes. */
async function write(args: string[]): Promise<string> {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { export: text, title: text, version: text, openapi: text, help: { type: "boolean" } },
  });
  if (values.help) return usage;
  const [path, ...rest] = positionals;
  if (path === undefined || rest.length > 0) {
    throw new TypeError(`Cannot write the document: name one module\n\n${usage}`);
  }
  const module = await import(toUrl(path));
  const name = values.export ?? "contract";
  if (!(name in module)) {
    throw new TypeError(`Cannot write the document: ${path} has no export ${name}; name another by --export`);
  }
  const { openApiOptions = {}, info } = module;
  const { title, version, openapi } = values;
  const document = openApiDocument(module[name], {
    ...openApiOptions,
    info: checkInfo({ ...openApiOptions.info, ...info, ...(title && { title }), ...(version && { version }) }),
    ...(openapi && { version: openapi }),
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A module by its URL, or by its path from the working directory. */
function toUrl(path: string): string {
  return /^[a-z][a-z\d+.-]+:/i.test(path) ? path : pathToFileURL(resolve(path)).href;
}

function checkInfo(info: { readonly title?: string; readonly version?: string }): { title: string; version: string } {
  const { title, version } = info;
  if (title !== undefined && version !== undefined) return { ...info, title, version };
  const missing = title === undefined ? "title" : "version";
  throw new TypeError(
    `Cannot write the document: it has no ${missing}; export info from the module, or give --${missing}`,
  );
}
