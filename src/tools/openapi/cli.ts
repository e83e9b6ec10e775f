#!/usr/bin/env node
/**
 * Writes the OpenAPI document of a contract to the standard output:
 *
 * ```sh
 * deno run -A jsr:@scope/api/openapi/cli ./contract.ts > openapi.json
 * npx -y -p @scope/api scope-api-openapi ./contract.ts > openapi.json # with Node
 * ```
 *
 * The command imports the module and describes its export `contract`. The title and version of the API come from the
 * module's export `info`, or from `--title` and `--version`. The module may also export `openApiOptions`, the options
 * of `openApiDocument`. With `--openapi 3.0` it writes what `toOpenApi30` returns, and lists the losses on the standard
 * error. Only the document is written to the standard output. Errors go to the standard error, with
 * exit code 1.
 *
 * @module
 */
import { type OpenApiDocument, openApiDocument, toOpenApi30 } from "./mod.ts";
import { importExport, importModule, runCommand, text } from "../commands.ts";

const usage = `Usage: deno run -A jsr:@scope/api/openapi/cli [options] <module>
       npx -y -p @scope/api scope-api-openapi [options] <module>

Writes the OpenAPI document of the contract that a module exports to the standard output.

  <module>           a path, or a URL
  --export <name>    the export that is the contract (default: contract)
  --title <text>     the title of the API (default: from the export info)
  --version <text>   the version of the API (default: from the export info)
  --openapi <3.1>    the version of the OpenAPI Specification, 3.0, 3.1 or 3.2 (default: 3.1); what 3.0 cannot say is
                     listed on the standard error
  --document <path>  a module that exports document: options of openApiDocument(), as an import writes them
  --help             show this help

The module may also export openApiOptions: the options of openApiDocument().
`;

const failure = "Cannot write the document";

await runCommand({
  failure,
  usage,
  operands: ["<module>"],
  options: { export: text, title: text, version: text, openapi: text, document: text },
  run: async ({ export: name = "contract", title, version, openapi, document: beside }, [path]) => {
    const { [name]: contract, openApiOptions = {}, info } = await importExport(path!, name, failure);
    const { document: given = {} } = beside === undefined ? {} : await importDocument(beside);
    const options = { ...given, ...openApiOptions };
    const is30 = openapi === "3.0";
    const document = openApiDocument(contract, {
      ...options,
      info: checkInfo({ ...options.info, ...info, ...(title && { title }), ...(version && { version }) }),
      ...(openapi && { version: is30 ? "3.1" : openapi }),
    });
    return `${JSON.stringify(is30 ? downgrade(document) : document, null, 2)}\n`;
  },
});

// deno-lint-ignore no-explicit-any -- the exports of an unknown module, which openApiDocument() checks
async function importDocument(path: string): Promise<any> {
  const module = await importModule(path);
  if ("document" in module) return module;
  throw new TypeError(`${failure}: ${path} must export document`);
}

/** Returns the document of OpenAPI 3.0, and lists what it does not say. */
function downgrade(document: OpenApiDocument): object {
  const { document: converted, losses } = toOpenApi30(document);
  for (const { pointer, what } of losses) console.error(`Not in OpenAPI 3.0: ${what} of ${pointer}`);
  return converted;
}

function checkInfo(info: { readonly title?: string; readonly version?: string }): { title: string; version: string } {
  const { title, version } = info;
  if (title !== undefined && version !== undefined) return { ...info, title, version };
  const missing = title === undefined ? "title" : "version";
  throw new TypeError(
    `${failure}: its ${missing} is required; export info from the module, or pass --${missing}`,
  );
}
