/** Imports documents with every library, and without one. */
import type { Contract } from "@scope/api";
import { importContract, type ImportedContract, type ImportReport, writeContract } from "@scope/api/import";
import { assert, assertEquals } from "@std/assert";
import { routesOf } from "../../src/contract/node.ts";
import type { Json } from "../../src/tools/json_schema/json.ts";
import type { Schema } from "../../src/schema.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

/** The libraries, and the schemas of `importContract()`. */
export const writers = ["importContract()", "zod", "valibot", "arktype"] as const;

export type Writer = (typeof writers)[number];

export interface Loaded {
  readonly contract: Contract;
  readonly report: ImportReport;
  readonly document: ImportedContract["document"];
}

/** Returns a function that imports a document: directly, or by writing modules and loading them. */
export function createLoader(folder: string): (document: object, writer: Writer) => Promise<Loaded> {
  let count = 0;
  return async (document, writer) => {
    if (writer === "importContract()") return importContract(document);
    const { files, report } = writeContract(document, { schemas: writer });
    const own = `${folder}/${count++}`;
    for (const { path, text } of files) {
      const file = `${own}/${path}`;
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
    const [{ contract }, { document: options }] = await Promise.all(
      ["contract", "document"].map((name) => import(`file://${own}/${name}.ts`)),
    );
    return { contract, report, document: options };
  };
}

/** A document whose one operation takes and returns JSON of a schema. */
export function documentOfValue(schema: object, schemas: object = {}, openapi = "3.1.0"): object {
  const content = { "application/json": { schema } };
  const post = {
    operationId: "send",
    tags: ["All"],
    requestBody: { required: true, content },
    responses: { 200: { description: "", content } },
  };
  return {
    openapi,
    info: { title: "Values", version: "1.0.0" },
    paths: { "/values": { post } },
    components: { schemas },
  };
}

/** What the schemas of the written contract make of values: each is kept whole, or each is refused. */
export interface Decisions {
  readonly kept?: readonly Json[];
  readonly refused?: readonly Json[];
}

/** The outcome of a schema. */
interface Outcome {
  readonly issues?: unknown;
  readonly value?: unknown;
}

/**
 * Checks that every writer decides the same about the values of an operation's request and response. Returns the report
 * of `importContract()`.
 */
export async function assertDecisions(document: object, { kept = [], refused = [] }: Decisions): Promise<ImportReport> {
  const reports: ImportReport[] = [];
  await inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    for (const writer of writers) {
      const { contract, report } = await load(document, writer);
      reports.push(report);
      for (const { body, responses } of routesOf(contract.routes)) {
        const slots = [body, responses[200]] as readonly { readonly schema: Schema }[];
        for (const { schema } of slots) {
          for (const value of kept) {
            const { issues, value: output } = await schema["~standard"].validate(value) as Outcome;
            assertEquals({ issues, output }, { issues: undefined, output: value }, writer);
          }
          for (const value of refused) {
            const { issues } = await schema["~standard"].validate(value);
            assert(issues !== undefined, `${writer} accepts ${JSON.stringify(value)}`);
          }
        }
      }
    }
  }, at);
  return reports[0]!;
}

const at = new URL(".", import.meta.url).pathname; // the libraries are found from here
