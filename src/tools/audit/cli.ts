#!/usr/bin/env node
/**
 * Audits a server: where it differs from its OpenAPI document.
 *
 * ```sh
 * deno run -A jsr:@scope/api/audit/cli openapi.json http://127.0.0.1:3000
 * npx -y -p @scope/api scope-api-audit openapi.json http://127.0.0.1:3000 # with Node
 * ```
 *
 * The exit code is 0 if the server agrees with the document, 1 if it differs, and 2 if the audit could not run.
 *
 * @module
 */
import { stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { checkBelow, flag, isUrl, parseDocument, readText, runCommand, text, type Values } from "../commands.ts";
import { type OpenApiSource, readOpenApi } from "../import/import_contract.ts";
import { auditServer } from "./audit_server.ts";
import { type AuditFormat, formatAudit } from "./format_audit.ts";
import type { AuditReport } from "./report.ts";
import { type AuditOptions, failAudit } from "./settings.ts";

const usage = `Usage: deno run -A jsr:@scope/api/audit/cli [options] <document> <url>
       npx -y -p @scope/api scope-api-audit [options] <document> <url>

Calls the operations of an OpenAPI document (3.0, 3.1, 3.2 or Swagger 2.0; JSON or YAML), and reports where the answers
of the server differ from it. Sends only GET and HEAD, unless --write is passed.

  <document>           a path
  <url>                the server, such as http://127.0.0.1:3000; its path replaces that of the document's servers:
                       http://127.0.0.1:3000/v2, or http://127.0.0.1:3000/ for none; without a path, theirs is kept
  --credential <name=env:VARIABLE>
                       the credential of a security scheme, from the environment: a token, an API key, the value of a
                       cookie, or username:password (repeatable)
  --header <name: value>
                       a header field of every request; its value may be env:VARIABLE (repeatable)
  --value <name=value> a value that the server accepts for parameters and members of bodies of a name, such as an id
                       (repeatable)
  --write              also send the other methods that the document declares; use a server whose data may change
  --only <name>        an operation id, a tag or a path to audit, without the others (repeatable)
  --rate <number>      the most requests in a second (default: no limit, but one at a time)
  --max-requests <number>
                       the most requests (default: 5000)
  --max-seconds <number>
                       the most seconds (default: 600)
  --timeout <milliseconds>
                       the longest time of a response (default: 5000)
  --seed <number>      the seed of the random requests (default: 0)
  --html <file>        write the report as one HTML file
  --markdown <file>    write the report as Markdown
  --json <file>        write the report as JSON
  --root <folder>      the folder whose files the document may refer to (default: that of the document)
  --help               show this help

The exit code is 0 if the server agrees, 1 if it differs, and 2 if the audit could not run. A file - is the standard
output, which then has no other report.
`;

const failure = "Cannot audit";

const codes: Readonly<Record<AuditReport["outcome"], number>> = { agrees: 0, drift: 1, "not run": 2 };

const list = { type: "string", multiple: true } as const;

const taken = {
  credential: list,
  header: list,
  value: list,
  write: flag,
  only: list,
  rate: text,
  "max-requests": text,
  "max-seconds": text,
  timeout: text,
  seed: text,
  html: text,
  markdown: text,
  json: text,
  root: text,
};

await runCommand({
  failure,
  failureCode: 2,
  usage,
  operands: ["<document>", "<url>"],
  options: taken,
  run: async (options, [path, url]) => {
    const { html, markdown, json, root } = options;
    const files = Object.entries({ html, markdown, json }).filter((entry): entry is [AuditFormat, string] =>
      entry[1] !== undefined
    );
    await checkFiles(files);
    const report = await auditServer(await loadDocument(path!, root), url!, readOptions(options));
    const printed = files.filter(([, file]) => file === "-").map(([format]) => formatAudit(report, format));
    for (const [format, file] of files) if (file !== "-") await writeFile(file, formatAudit(report, format));
    const output = printed.length > 0 ? printed.join("") : formatAudit(report, "text");
    return { output, code: codes[report.outcome] };
  },
});

function readOptions(given: Values<typeof taken>): AuditOptions {
  const { credential = [], header = [], value = [], write = false, only } = given;
  const values = new Map<string, string[]>();
  for (const [name, each] of value.map((pair) => splitPair(pair, "=", "--value id=42"))) {
    values.set(name, [...values.get(name) ?? [], each]);
  }
  const numbers = Object.entries({
    rate: given.rate,
    maxRequests: given["max-requests"],
    maxSeconds: given["max-seconds"],
    timeout: given.timeout,
    seed: given.seed,
  }).flatMap(([name, text]) => text === undefined ? [] : [[name, readNumber(name, text)] as const]);
  return {
    credentials: Object.fromEntries(credential.map(readCredential)),
    headers: Object.fromEntries(header.map(readHeader)),
    values: Object.fromEntries(values),
    write,
    ...(only && { only }),
    ...Object.fromEntries(numbers),
  };
}

/** Reads `name=env:VARIABLE`. A credential in the arguments would be in the history of the shell, and in logs of CI. */
function readCredential(pair: string): [name: string, value: string] {
  const example = "--credential token=env:API_TOKEN";
  const at = pair.indexOf("=");
  const name = pair.slice(0, at);
  const source = pair.slice(at + 1);
  if (at <= 0) failAudit(`--credential must have the form name=env:VARIABLE: ${example}`);
  if (!source.startsWith("env:")) {
    failAudit(`--credential ${name} must name an environment variable, not be the credential: ${example}`);
  }
  return [name, readVariable(source.slice("env:".length), `--credential ${name}`)];
}

function readHeader(pair: string): [name: string, value: string] {
  const [name, value] = splitPair(pair, ":", "--header 'x-tenant: acme'");
  return [name, value.startsWith("env:") ? readVariable(value.slice("env:".length), `--header ${name}`) : value];
}

function readVariable(name: string, option: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") failAudit(`the environment variable ${name} of ${option} is not set`);
  return value;
}

function splitPair(pair: string, separator: string, example: string): [name: string, value: string] {
  const at = pair.indexOf(separator);
  if (at <= 0) failAudit(`${example.split(" ", 1)[0]} must have a name and a value: ${example}`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

function readNumber(name: string, text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return failAudit(`--${option} must be a number, got ${JSON.stringify(text)}`);
}

/** Reads the document and the files that it refers to. URLs in it are not fetched. */
async function loadDocument(path: string, root: string | undefined): Promise<OpenApiSource> {
  if (isUrl(path)) failAudit("the document must be a file; download it first");
  const url = pathToFileURL(resolve(path)).href;
  try {
    return await readOpenApi(url, async (each) => {
      if (!each.startsWith("file:")) failAudit(`the document refers to ${each}, which is not a file; download it`);
      const file = fileURLToPath(each);
      if (each !== url) await checkBelow(file, root ?? dirname(fileURLToPath(url)), failure);
      return await parseDocument(await readText(file, failure), file, failure);
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failAudit(message.replace(/^(?:Cannot audit|Cannot import): /, ""));
  }
}

/** Refuses places that cannot be written, before anything is sent. */
async function checkFiles(files: readonly (readonly [AuditFormat, string])[]): Promise<void> {
  for (const [format, file] of files.filter(([, each]) => each !== "-")) {
    const isFolder = (path: string): Promise<boolean> => stat(path).then((found) => found.isDirectory(), () => false);
    if (file.trim() === "" || await isFolder(file)) failAudit(`--${format} must name a file`);
    if (!await isFolder(dirname(resolve(file)))) {
      failAudit(`the folder of --${format} does not exist: ${dirname(resolve(file))}`);
    }
  }
}
