/** Writes the modules of an import. */
import {
  callCode,
  type Code,
  escapeTags,
  type Item,
  listCode,
  literalCode,
  membersOf,
  objectCode,
  print,
  propertyName,
  proseLines,
  quote,
} from "../code/print.ts";
import { hasDates } from "./dates.ts";
import {
  exportCode,
  type FileOptions,
  identifiersOf,
  type ImportedFile,
  type IndexedSchema,
  Module,
  type Modules,
  modulesOf,
  schemasIn,
} from "./module.ts";
import { Names, toCamelCase, toWords } from "../code/names.ts";
import { type GroupPlan, groupsOf, type ImportPlan, rankStatus, type RoutePlan } from "./plan.ts";
import { type DeclarationTarget, declareOptions, declareResponse, declareSecurity } from "./declaration.ts";
import { type ReportedPlace, Reporter } from "./report.ts";
import { isConverted, type Model, placeKey } from "./model.ts";
import { documentPlace } from "../openapi/operations.ts";
import { suffix } from "./write_declarations.ts";
import { commentOf, docLines, typeCode } from "./write_types.ts";
import type { SchemaWriter, WriteOptions } from "./writer.ts";

/** The modules of an import, and what their schemas do not check. */
export interface WrittenFiles {
  readonly files: readonly ImportedFile[];
  readonly unchecked: readonly ReportedPlace[];
}

/** Writes the modules of an import: one for each tag, their schemas, and the contract. */
export function writeFiles(plan: ImportPlan, writer: SchemaWriter, options: FileOptions): WrittenFiles {
  const reporter = new Reporter(plan.report.unchecked);
  const shared: ContractModules = { ...modulesOf(plan, options), writer, reporter, helpers: new Set() };
  const groups = groupsOf(plan);
  const routes = groups.map((group) => writeGroup(group, shared));
  const schemas = groups.flatMap((group) => writeSchemas(group, shared));
  const responses = writeResponses(shared);
  const security = writeSecurity(shared);
  const helpers = [writer.helper, writer.dates].flatMap((helper) =>
    helper && shared.helpers.has(helper.file) ? [{ path: `${helper.file}.ts`, text: helper.code }] : []
  );
  return {
    files: [writeContract(shared), ...routes, ...schemas, ...responses, ...security, ...helpers],
    unchecked: reporter.found.unchecked,
  };
}

interface ContractModules extends Modules {
  readonly writer: SchemaWriter;
  readonly reporter: Reporter;
  /** The files of the helpers that modules use. */
  readonly helpers: Set<string>;
}

/** Returns what the schemas of a module are written with. `own` is the group whose schemas they are. */
function writeOptions(module: Module, shared: ContractModules, own?: IndexedSchema): WriteOptions {
  const { schemas, reporter, writer } = shared;
  return {
    nameOf: (key) => module.schema(key, own?.group),
    modelOf: (key) => schemas.get(key)!.model,
    isLater: (key) => own !== undefined && schemas.get(key)!.index >= own.index,
    isTold: (members, discriminator) => isTold(members, discriminator, schemas),
    useDate: (name) => {
      shared.helpers.add(writer.dates!.file);
      return module.useFile(writer.dates!.file, name);
    },
    lose: (model, what) => reporter.add("unchecked", model[placeKey] ?? own?.place ?? documentPlace, what),
  };
}

/** Returns whether objects have a required property with texts of their own. */
function isTold(members: readonly Model[], discriminator: string, schemas: ContractModules["schemas"]): boolean {
  const values = members.map((member): readonly unknown[] => {
    const schema = member.kind === "reference" ? schemas.get(member.key) : undefined;
    if (schema?.isCyclic) return [];
    const target = schema?.model ?? member;
    if (target.kind !== "object" || target.default !== undefined) return [];
    const property = target.properties.find(({ name }) => name === discriminator);
    return property?.isRequired && property.model.kind === "literal" ? property.model.values : [];
  });
  const all = values.flat();
  return members.length > 1 && values.every((each) => each.length > 0) && new Set(all).size === all.length;
}

function writeGroup(group: GroupPlan, shared: ContractModules): ImportedFile {
  const module = new Module(shared);
  const isSent = group === shared.plan.webhooks;
  const names = new Names([
    ...identifiersOf(shared.plan),
    ...shared.plan.schemes.map(({ identifier }) => identifier),
    ...bindings,
    ...(shared.writer.dates?.names ?? []),
  ]);
  const aliases: string[] = [];
  const entries: Item[] = [];
  const routes = group.routes.map((route) => {
    const name = names.takeBinding(isSent ? toCamelCase(toWords(route.key)) : route.key);
    if (!isSent && name !== route.key) aliases.push(`${name} as ${route.key}`);
    entries.push({ code: name === route.key ? name : `${propertyName(route.key)}: ${name}` });
    const start = !isSent && name === route.key ? "export const" : "const";
    return writeRoute(route, `${start} ${name}`, module, shared);
  });
  const exported = isSent
    ? [`/** The webhooks. */\n${print([`export const hooks = ${module.use("webhooks")}(`, objectCode(entries), ")"])};`]
    : aliases.length === 0
    ? []
    : [exportCode(aliases)];
  return module.print(shared.files.get(group.key)!, withHelpers([...routes, ...exported], module, shared));
}

/** Names that modules of routes import. */
const bindings = ("z v type scope route request response security styled webhooks hooks fromText toSchema toText")
  .split(" ");

/** Imports what the code of a module with schemas uses. Returns the code. */
function withHelpers(body: readonly string[], module: Module, { writer, helpers }: ContractModules): readonly string[] {
  const { file, names } = writer.helper;
  const plain = body.map(withoutProse);
  const used = names.filter((name) => plain.some((text) => text.includes(`${name}(`)));
  for (const name of used) module.useFile(file, name);
  if (used.length > 0) helpers.add(file);
  const library = { zod: /\bz\./, valibot: /\bv\./, arktype: /\btype[.(]/ }[writer.name];
  if (plain.some((text) => library.test(text))) module.addImport(writer.imports);
  return body;
}

/** Returns code without its comments, texts and regular expressions, which contain prose of the document. */
function withoutProse(code: string): string {
  return code.replaceAll(
    /\/\*\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/u/g,
    '""',
  );
}

/** Writes the declaration of a route. `start` is the beginning of the statement: `export const users`. */
function writeRoute(route: RoutePlan, start: string, module: Module, shared: ContractModules): string {
  const options = declareOptions(route, createTarget(module, shared));
  const call: Code = [`${start} = ${module.use("route")}.${route.method}(${quote(route.path)}, `, options, ")"];
  return [...commentOf(route), `${print(call)};`].join("\n");
}

/** Returns what writes calls of the toolkit's functions in a module. */
function createTarget(module: Module, shared: ContractModules): DeclarationTarget<Code> {
  const { writer, schemas } = shared;
  const options = writeOptions(module, shared);
  return {
    schema: (model, place) => {
      const own = { ...options, hasFiles: place === "files" };
      const slot = place !== "value" && model.kind === "object" ? model : undefined;
      const written = slot ? writer.slot(slot, own) : writer.write(model, own);
      const schema = writer.declare?.(written) ?? written;
      if (!slot) return hasDates(model, schemas) ? callCode(own.useDate("dated"), schema) : schema;
      return place === "sent" && isConverted(model) ? callCode("toText", schema) : schema; // which are sent as text
    },
    declare: (side, kind, args) => invoke(`${module.use(side)}.${kind}`, args),
    call: (name, args) => {
      module.use(name.split(".")[0]!);
      return callCode(name, ...args);
    },
    literal: literalCode,
    object: (members) => objectCode(membersOf(members)),
    list: listCode,
    numbered: (texts) => objectCode(Object.entries(texts).map(([key, text]) => ({ code: `${key}: ${quote(text)}` }))), // a type by number
    responses: (entries) =>
      objectCode(entries.map(([status, code]) => ({
        code: rankStatus(status) === 2
          ? [`${status}: `, code]
          : [`...${module.use("response")}.statuses(${quote(status)}, `, code, ")"],
      }))),
    shared: (identifier) => module.useFile("responses", identifier),
    scheme: (identifier, scopes) => {
      const name = module.useFile("security", identifier);
      return scopes.length === 0 ? name : callCode(`${name}.scoped`, ...scopes.map(quote));
    },
    noSecurity: () => `${module.use("security")}.none`,
    prose: () => undefined, // it is in comments
  };
}

/** Returns a call whose only argument, or the last one, stays beside the brackets. */
function invoke(name: string, args: readonly Code[]): Code {
  if (args.length === 1) return [`${name}(`, args[0]!, ")"];
  return { open: `${name}(`, items: args.map((code) => ({ code })), close: ")" };
}

function writeSchemas({ key }: GroupPlan, shared: ContractModules): ImportedFile[] {
  const own = schemasIn(key, shared);
  if (own.length === 0) return [];
  const module = new Module(shared, "../");
  const names = new Names([...shared.schemas.values()].map(({ identifier }) => identifier));
  const cycles = shared.writer.cycle ? joinCycles(own) : own.map((each) => [each]);
  const body = cycles.flatMap((members) =>
    shared.writer.cycle && members[0]!.isCyclic
      ? writeCycle(members, names.take("cycle"), module, shared)
      : members.map((schema) => writeSchema(schema, module, shared))
  );
  return [module.print(`schemas/${shared.files.get(key)}`, withHelpers(body, module, shared))];
}

/** Joins cyclic schemas that follow each other. */
function joinCycles(own: readonly IndexedSchema[]): IndexedSchema[][] {
  const joined: IndexedSchema[][] = [];
  for (const schema of own) {
    const last = joined.at(-1);
    if (schema.isCyclic && last?.[0]?.isCyclic) last.push(schema);
    else joined.push([schema]);
  }
  return joined;
}

function writeCycle(
  members: readonly IndexedSchema[],
  name: string,
  module: Module,
  shared: ContractModules,
): string[] {
  const { writer } = shared;
  const keys = new Set(members.map(({ key }) => key));
  const options = { ...writeOptions(module, shared, members[0]), isLater: (key: string) => keys.has(key) };
  const declared = `${print([`const ${name} = `, writer.cycle!(members, options)])};`;
  const exported = members.map(({ identifier, model }) =>
    [
      ...docLines(model),
      `export const ${identifier} = ${name}.${identifier};`,
      `export type ${identifier} = ${writer.typeOf(identifier)};`,
    ].join("\n")
  );
  return [declared, ...exported];
}

function writeSchema(schema: IndexedSchema, module: Module, shared: ContractModules): string {
  const { writer } = shared;
  const { identifier, model, isCyclic } = schema;
  const options = writeOptions(module, shared, schema);
  const comment = docLines(model);
  const code = writer.write(model, { ...options, identifier });
  if (!isCyclic) {
    const declared = print([`export const ${identifier} = `, code]);
    return [...comment, `${declared};`, `export type ${identifier} = ${writer.typeOf(identifier)};`].join("\n");
  }
  const type = print([`export type ${identifier} = `, typeCode(model, { nameOf: options.nameOf })]);
  const { jsonIdentifier } = schema;
  const json = jsonIdentifier
    ? [`${print([`type ${jsonIdentifier} = `, jsonTypeCode(schema, options, shared)])};`]
    : [];
  const declared = print([`export const ${identifier}: ${writer.annotate(identifier, jsonIdentifier)} = `, code]);
  return [...comment, `${type};`, ...json, `${declared};`].join("\n");
}

/** Returns the type in JSON of a schema that refers to itself, with text for dates. */
function jsonTypeCode({ model, group }: IndexedSchema, { nameOf }: WriteOptions, { schemas }: ContractModules): Code {
  const jsonNameOf = (key: string) => {
    const { hasDates, jsonIdentifier, group: other } = schemas.get(key)!;
    if (!hasDates) return nameOf(key);
    return jsonIdentifier && other === group ? jsonIdentifier : `z.input<typeof ${nameOf(key)}>`;
  };
  return typeCode(model, { nameOf: jsonNameOf, isJson: true });
}

function writeResponses(shared: ContractModules): ImportedFile[] {
  const { responses } = shared.plan;
  if (responses.length === 0) return [];
  const module = new Module(shared);
  const body = responses.map(({ identifier, response }) => {
    const declared = print([`export const ${identifier} = `, declareResponse(response, createTarget(module, shared))]);
    return [...proseLines(response.description), `${declared};`].join("\n");
  });
  return [module.print("responses", withHelpers(body, module, shared))];
}

function writeSecurity(shared: ContractModules): ImportedFile[] {
  const { schemes } = shared.plan;
  if (schemes.length === 0) return [];
  const module = new Module(shared);
  const body = schemes.map(({ identifier, name, kind, options, description }) => {
    const details = Object.keys(options).length > 0 ? [", ", literalCode(options)] : [];
    const call = [`export const ${identifier} = ${module.use("security")}.${kind}(${quote(name)}`, ...details, ")"];
    return [...proseLines(description), `${print(call)};`].join("\n");
  });
  return [module.print("security", body)];
}

function writeContract(shared: ContractModules): ImportedFile {
  const { plan, files } = shared;
  const module = new Module(shared);
  const schemes = plan.schemes.map(({ identifier }) => identifier);
  const names = new Names([...bindings, "baseUrl", "contract", "defineContract", "router", ...schemes]);
  const groups = plan.groups.map((group) => ({ ...group, binding: names.takeBinding(group.key) }));
  const routes = objectCode(groups.map(({ key, tag, binding, description }) => ({
    comment: description === undefined ? undefined : [escapeTags(description)],
    code: [
      `${propertyName(key)}: ${module.use("router")}("/", `,
      objectCode(membersOf({ docs: objectCode(membersOf({ tags: listCode([quote(tag)]) })), routes: binding })),
      ")",
    ],
  })));
  const options = objectCode(membersOf({
    basePath: plan.basePath === "" ? undefined : quote(plan.basePath),
    security: plan.security && declareSecurity(plan.security, createTarget(module, shared)),
    routes,
    webhooks: plan.webhooks && module.useFile(files.get(plan.webhooks.key)!, "hooks"),
  }));
  module.useFile(`contract${suffix}`, "type Api");
  const code = [`export const contract: Api = ${module.use("defineContract")}(`, options, ")"];
  return contractFile(code, groups, module, shared);
}

/** Returns the module of a contract, which imports the modules of its groups under their bindings. */
export function contractFile(
  code: Code,
  groups: readonly { readonly key: string; readonly binding: string }[],
  module: Module,
  { plan, before = [] }: Modules & {
    /** What stands before the contract. */
    readonly before?: readonly string[];
  },
): ImportedFile {
  for (const { key, binding } of groups) module.useGroup(key, binding);
  const declared = [...proseLines(plan.title, plan.description), `${print(code)};`].join("\n");
  const server = plan.baseUrl === undefined
    ? []
    : [`/** The server of the document, for clients. */\nexport const baseUrl = ${quote(plan.baseUrl)};`];
  return module.print("contract", [...before, declared, ...server]);
}
