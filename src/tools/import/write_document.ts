/** Writes the module with the options of the document, which stands beside the contract. */
import { literalCode, membersOf, objectCode, print, propertyName, quote } from "../code/print.ts";
import type { FileOptions, ImportedFile } from "./module.ts";
import { Names } from "../code/names.ts";
import { toObject } from "../openapi/part.ts";
import { groupsOf, type ImportedDocument, type ImportPlan, type PlannedSchema } from "./plan.ts";

/** Writes `document.ts`. Only servers and scripts import it, so that no page pays for prose. */
export function writeDocument(
  plan: ImportPlan,
  { info, notes = {}, docs = {}, ...others }: ImportedDocument,
  files: ReadonlyMap<string, string>,
  { library, extension }: FileOptions,
): ImportedFile {
  const groups = groupsOf(plan).filter(({ key }) => plan.schemas.some(({ group }) => group === key));
  const names = new Names(["document", "contract", "OpenApiOptions"]);
  const bindings = new Map(
    groups.map(({ key, tag }) => [key, names.takeBinding(key === plan.webhooks?.key ? tag : key)]),
  );
  const identifiers = new Set(plan.schemas.map(({ identifier }) => identifier));
  const renamed = plan.schemas.filter(({ component, identifier }) => component !== identifier);
  const rename = (isIdentifier: boolean) =>
    renamed.filter(({ component }) => identifiers.has(component) === isIdentifier)
      .map(({ component, identifier, group }) => ({
        code: `${propertyName(component)}: ${bindings.get(group)}.${identifier}`,
      }));
  const aliases = listAliases(plan).map(([{ identifier }]) => ({ code: `${propertyName(identifier)}: undefined` }));
  const spread = groups.map(({ key }) => ({ code: `...${bindings.get(key)}` }));
  const schemas = objectCode([...rename(false), ...spread, ...rename(true), ...aliases]);
  const code = objectCode(membersOf({
    info: literalCode(info),
    ...toObject(Object.entries(others).map(([name, value]) => [name, literalCode(value)])),
    schemas: groups.length > 0 ? schemas : undefined,
    notes: Object.keys(notes).length > 0 ? literalCode(notes) : undefined,
    docs: literalCode(docs),
  }));
  const imports = [
    `import type { OpenApiOptions } from ${quote(`${library}/openapi`)};`,
    `import type { contract } from ${quote(`./contract${extension}`)};`,
    ...groups.map(({ key }) =>
      `import * as ${bindings.get(key)} from ${quote(`./schemas/${files.get(key)}${extension}`)};`
    ),
  ];
  const comment = "/** The options of `openApiDocument()` that say what the contract does not. */";
  const declared = print(["export const document: OpenApiOptions<typeof contract> = ", code]);
  return { path: "document.ts", text: `${imports.join("\n")}\n\n${comment}\n${declared};\n` };
}

/** Lists the schemas that are another one in the written code, so that documents have one name for both, with the other. */
export function listAliases(
  { schemas }: Pick<ImportPlan, "schemas">,
): readonly (readonly [alias: PlannedSchema, target: PlannedSchema])[] {
  const byKey = new Map(schemas.map((schema) => [schema.key, schema]));
  const followed = (schema: PlannedSchema, hops = 0): PlannedSchema => {
    const target = schema.model.kind === "reference" ? byKey.get(schema.model.key) : undefined;
    return target === undefined || hops > schemas.length ? schema : followed(target, hops + 1);
  };
  return schemas.filter(({ model }) => model.kind === "reference").map((schema) => [schema, followed(schema)] as const);
}
