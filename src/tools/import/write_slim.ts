/** Writes an import without schemas: the types of its routes, and the rows of a slim contract. */
import type { Contract } from "../../contract/contract.ts";
import { isRouteNode, type RouteNode } from "../../contract/node.ts";
import { describeRoute, describeRowSchemes, printRows } from "../slim/describe_rows.ts";
import { callCode, type Code, membersOf, objectCode, print, propertyName, quote } from "../code/print.ts";
import { declareContract } from "./declare.ts";
import {
  exportCode,
  type FileOptions,
  identifiersOf,
  type ImportedFile,
  Module,
  type Modules,
  modulesOf,
} from "./module.ts";
import { Names } from "../code/names.ts";
import { ownMember } from "../openapi/part.ts";
import type { BodyPlan, GroupPlan, ImportPlan, ResponsePlan, RoutePlan, SecurityPlan } from "./plan.ts";
import { contractFile } from "./write_contract.ts";
import {
  receivedType,
  responsesType,
  securityTypes,
  typesCode,
  type TypeWriter,
  valueType,
  writeSharedTypes,
} from "./write_route_types.ts";
import { commentOf, unionCode } from "./write_types.ts";

interface SlimModules extends Modules {
  /** The contract, from which the rows follow. */
  readonly contract: Contract;
}

export function writeSlimFiles(plan: ImportPlan, options: FileOptions): ImportedFile[] {
  const shared: SlimModules = { ...modulesOf(plan, options), contract: declareContract(plan) };
  const writerOf = (module: Module) => createWriter(useSlim(module, shared, "type "), shared);
  return [
    writeContract(shared),
    ...plan.groups.map((group) => writeGroup(group, shared)),
    ...writeSharedTypes(plan.groups, shared, { suffix: "", writerOf }),
  ];
}

/** The name under which modules import the entry point that has the rows and their types. */
const slim = "slim";

/** The types of the toolkit that this entry point has. The main one has the others. */
const slimTypes = ["SlimRoute", "TypedBody", "TypedResponse", "WithStatuses"];

/** Imports the entry point in a module. A `kind` of `type ` imports only its types. */
function useSlim(module: Module, { options }: SlimModules, kind: "" | "type " = ""): Module {
  module.addImport(`import ${kind}* as ${slim} from ${quote(`${options.library}/slim`)};`);
  return module;
}

function createWriter(module: Module, shared: SlimModules): TypeWriter {
  return {
    module,
    shared,
    use: (name) => slimTypes.includes(name) ? `${slim}.${name}` : module.useType(name),
    options: { nameOf: (key) => module.schema(key, undefined, "type ") },
    response: responseType,
  };
}

function writeContract(shared: SlimModules): ImportedFile {
  const { plan, contract } = shared;
  const module = useSlim(new Module(shared), shared);
  const bindings = new Names(["baseUrl", "contract", "rows", slim]);
  const groups = plan.groups.map(({ key }) => ({ key, binding: bindings.takeBinding(key) }));
  const rows = objectCode(groups.map(({ key, binding }) => ({
    code: key === binding ? key : `${propertyName(key)}: ${binding}`,
  })));
  const code: Code = [
    `export const contract: ${slim}.SlimContractOf<typeof rows> = `, // its routes are not computed before they are used
    callCode(`${slim}.slimRoutes`, "rows", ...describeRowSchemes(contract.routes)),
  ];
  return contractFile(code, groups, module, { ...shared, before: [print(["const rows = ", rows, ";"])] });
}

function writeGroup(group: GroupPlan, shared: SlimModules): ImportedFile {
  const module = useSlim(new Module(shared), shared);
  const nodes = ownMember(shared.contract.routes, group.key);
  const rows = group.routes.flatMap((route) => {
    const node = ownMember(nodes, route.key);
    return isRouteNode(node) ? [{ route, node }] : [];
  });
  const names = new Names([slim, ...identifiersOf(shared.plan)]);
  const aliases: string[] = [];
  const body = rows.map(({ route, node }) => {
    const name = names.takeBinding(route.key);
    if (name !== route.key) aliases.push(`${name} as ${route.key}`);
    return writeRoute(route, node, name, createWriter(module, shared));
  });
  const exported = aliases.length === 0 ? [] : [exportCode(aliases)];
  return module.print(shared.files.get(group.key)!, [...body, ...exported]);
}

function writeRoute(route: RoutePlan, node: RouteNode, name: string, writer: TypeWriter): string {
  const { shared } = writer;
  const { params, query, headers, body, responses, security = shared.plan.security ?? [] } = route;
  const types = membersOf({
    method: quote(node.method),
    path: quote(node.path),
    params: params && valueType(params, writer),
    query: query && valueType(query, writer),
    headers: headers && valueType(headers, writer),
    body: body && bodyType(body, writer),
    responses: responsesType(responses, writer),
    security: security.length > 0 ? securityType(security, writer) : undefined,
  });
  const prefix = name === route.key ? "export const" : "const";
  const declared = print([`${prefix} ${name}: ${writer.use("SlimRoute")}<`, typesCode(types), "> = "]);
  const row = describeRoute(node, refuseCoder);
  return [...commentOf(route), `${declared}${printRows(row)};`].join("\n");
}

/** Refuses a codec, which no import without schemas has. */
function refuseCoder(_value: unknown, what: string): never {
  throw new TypeError(`Cannot write the rows: ${what} has no module`);
}

function bodyType({ kind, isOptional, model }: BodyPlan, writer: TypeWriter): Code {
  const sent = valueType(model, writer);
  const value: Code = kind === "text"
    ? "string"
    : kind === "bytes"
    ? "Uint8Array | ArrayBuffer | Blob"
    : kind === "ndjson"
    ? [`${writer.use("ItemsInput")}<`, sent, ">"]
    : sent;
  return [`${writer.use("TypedBody")}<${quote(kind)}, `, value, isOptional ? " | undefined" : "", ">"];
}

function responseType(plan: ResponsePlan, writer: TypeWriter): Code {
  const { kind, headers, socket } = plan;
  const fields = headers ? [", ", valueType(headers, writer, { isReceived: true })] : [];
  const type = `${writer.use("TypedResponse")}<${quote(kind)}, `;
  if (!socket) return [type, receivedType(plan, writer), ...fields, ">"];
  const { fromClient, fromServer, closes } = socket;
  const codes = Object.keys(closes);
  const named = codes.length > 0 ? [", ", unionCode(codes)] : [];
  const [client, server] = [fromClient, fromServer].map((each) => receivedType(each, writer));
  return [type, `${writer.use("SocketResponse")}<`, client!, ", ", server!, ...named, ">", ...fields, ">"];
}

function securityType(security: SecurityPlan, writer: TypeWriter): Code {
  const entries = securityTypes(security, writer, "", (type) => `${writer.use("SecurityScheme")}<${type}>`);
  return { open: "[", items: entries.map((code) => ({ code })), close: "]" };
}
