/** Writes an import without schemas: the types of its routes, and the rows of a slim contract. */
import type { Contract } from "../../contract/contract.ts";
import { isRouteNode, type RouteNode } from "../../contract/node.ts";
import { describeRoute, describeSchemes, type RowNames } from "../slim/describe_rows.ts";
import { type Code, type Item, listCode, objectCode, print, propertyName, proseLines, quote } from "../slim/code.ts";
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
import { Names } from "./names.ts";
import { ownMember } from "../openapi/part.ts";
import {
  type BodyPlan,
  type GroupPlan,
  type ImportPlan,
  rankStatus,
  type RequirementPlan,
  type ResponsePlan,
  type RoutePlan,
  type SchemePlan,
  type SecurityPlan,
  type SocketPlan,
} from "./plan.ts";
import type { ObjectModel } from "./model.ts";
import { contractFile } from "./write_contract.ts";
import { commentOf, docLines, typeCode, unionCode } from "./write_types.ts";

/** What the modules are written with. */
interface Shared extends Modules {
  /** The contract, from which the rows follow. */
  readonly contract: Contract;
}

/** Writes the modules of an import without schemas. */
export function writeSlimFiles(plan: ImportPlan, options: FileOptions): ImportedFile[] {
  const shared: Shared = { ...modulesOf(plan, options), contract: declareContract(plan) };
  return [
    writeContract(shared),
    ...plan.groups.map((group) => writeGroup(group, shared)),
    ...plan.groups.flatMap((group) => writeTypes(group, shared)),
    ...(plan.responses.length > 0 ? [writeResponses(shared)] : []),
  ];
}

/** The entry point that has the rows and their types. */
const entry = "/slim";

function writeContract(shared: Shared): ImportedFile {
  const { plan, contract } = shared;
  const module = new Module(shared);
  const used: string[] = [];
  const schemes = describeSchemes(contract.routes, noting(used));
  const bindings = new Names(["baseUrl", "contract", "rows", "slimRoutes", ...used]);
  const groups = plan.groups.map(({ key }) => ({ key, binding: bindings.takeBinding(key) }));
  const rows = objectCode(groups.map(({ key, binding }) => ({
    code: key === binding ? key : `${propertyName(key)}: ${binding}`,
  })));
  for (const name of used) module.use(name, entry);
  const places = schemes.flatMap((each) => [", ", printRow(each)]);
  const type = module.use("type SlimContractOf", entry).replace("type ", "");
  const call: Code = [`${module.use("slimRoutes", entry)}(rows`, ...places, ")"];
  const code: Code = [`export const contract: ${type}<typeof rows> = `, call]; // its routes are not computed before they are used
  return contractFile(code, groups, module, { ...shared, before: [print(["const rows = ", rows, ";"])] });
}

function writeGroup(group: GroupPlan, shared: Shared): ImportedFile {
  const module = new Module(shared);
  const nodes = ownMember(shared.contract.routes, group.key);
  const rows = group.routes.map((route) => {
    const node = ownMember(nodes, route.key);
    return { route, node: isRouteNode(node) ? node : undefined };
  });
  const used: string[] = [];
  for (const { node } of rows) if (node) describeRoute(node, noting(used));
  const names = new Names([...used, ...identifiersOf(shared.plan)]);
  const aliases: string[] = [];
  const body = rows.flatMap(({ route, node }) => {
    if (node === undefined) return [];
    const name = names.takeBinding(route.key);
    if (name !== route.key) aliases.push(`${name} as ${route.key}`);
    return [writeRoute(route, node, { name, module, shared })];
  });
  const exported = aliases.length === 0 ? [] : [exportCode(aliases)];
  return { path: `${shared.files.get(group.key)}.ts`, text: module.print([...body, ...exported]) };
}

function writeRoute(
  route: RoutePlan,
  node: RouteNode,
  { name, module, shared }: { readonly name: string; readonly module: Module; readonly shared: Shared },
): string {
  const slot = (option: string, model: ObjectModel | undefined): Item[] =>
    model
      ? [{ code: [`${option}: `, typeCode(model, { nameOf: (key) => module.schema(key, undefined, "type ") })] }]
      : [];
  const { security = shared.plan.security } = route;
  const types: Item[] = [
    { code: `method: ${quote(node.method)}` },
    { code: `path: ${quote(node.path)}` },
    ...slot("params", route.params),
    ...slot("query", route.query),
    ...slot("headers", route.headers),
    ...(route.body ? [{ code: ["body: ", bodyType(route.body, module)] as Code }] : []),
    { code: ["responses: ", responsesType(route.responses, module)] },
    ...(security && security.length > 0
      ? [{ code: ["security: ", securityType(security, module, shared)] as Code }]
      : []),
  ];
  const type: Code = { ...objectCode(types), separator: ";" };
  const prefix = name === route.key ? "export const" : "const";
  const declared = print([`${prefix} ${name}: ${useType("SlimRoute", module, entry)}<`, type, "> = "]);
  const row = describeRoute(node, toNames((name) => module.use(name, entry)));
  return [...commentOf(route), `${declared}${printRow(row)};`].join("\n");
}

/** Imports a type of the toolkit. */
function useType(name: string, module: Module, from = ""): string {
  module.use(`type ${name}`, from);
  return name;
}

/** Prints a row as the command of slim contracts does. */
function printRow(code: Code): string {
  return print(code, "", 0, 0, 120);
}

/** Notes the names that rows import. */
function noting(names: string[]): RowNames {
  return toNames((name) => {
    names.push(name);
    return name;
  });
}

/** Returns what rows are written with. Without schemas they have no codecs. */
function toNames(own: RowNames["own"]): RowNames {
  return {
    own,
    coded(_value, what): never {
      throw new TypeError(`Cannot write the rows: ${what} has no module`);
    },
  };
}

function bodyType({ kind, isOptional, model }: BodyPlan, module: Module): Code {
  const sent = typeCode(model, { nameOf: (key) => module.schema(key, undefined, "type ") });
  const value: Code = kind === "text"
    ? "string"
    : kind === "bytes"
    ? "Uint8Array | ArrayBuffer | Blob"
    : kind === "ndjson"
    ? [`${useType("ItemsInput", module)}<`, sent, ">"]
    : sent;
  return [
    `${useType("TypedBody", module, entry)}<${quote(kind)}, `,
    value,
    isOptional ? " | undefined" : "",
    ">",
  ];
}

function responsesType(responses: RoutePlan["responses"], module: Module): Code {
  const ofStatus = responses.filter(([status]) => rankStatus(status) === 2).map(([status, declared]): Item => ({
    code: [`${status}: `, responseType(declared, module)],
  }));
  const own: Code = { ...objectCode(ofStatus), separator: ";" };
  const ranges = responses.filter(([status]) => rankStatus(status) < 2)
    .toSorted(([one], [other]) => rankStatus(other) - rankStatus(one));
  return ranges.reduce<Code>((inner, [range, declared]) => [
    `${useType("WithStatuses", module, entry)}<${quote(range)}, `,
    responseType(declared, module),
    ", ",
    inner,
    ">",
  ], own);
}

function responseType(declared: ResponsePlan | string, module: Module): Code {
  if (typeof declared === "string") {
    module.useFile("responses", `type ${declared}`);
    return declared;
  }
  const { kind, model, headers, socket } = declared;
  const options = { nameOf: (key: string) => module.schema(key, undefined, "type ") };
  const fields = headers ? [", ", typeCode(headers, { ...options, isReceived: true })] : [];
  return [`${useType("TypedResponse", module, entry)}<${quote(kind)}, `, valueType(), ...fields, ">"];

  function valueType(): Code {
    if (socket) return socketType(socket);
    if (kind === "text") return "string";
    if (kind === "bytes") return "Uint8Array<ArrayBuffer>";
    if (kind === "empty") return "undefined";
    const value = typeCode(model, options);
    if (kind === "sse") return [`${useType("EventReader", module)}<`, value, ">"];
    return kind === "ndjson" ? [`${useType("ItemReader", module)}<`, value, ">"] : value;
  }

  function socketType({ fromClient, fromServer, closes }: SocketPlan): Code {
    const [client, server] = [fromClient, fromServer].map(({ kind, model }): Code =>
      kind === "text" ? "string" : kind === "bytes" ? "Uint8Array<ArrayBuffer>" : typeCode(model, options)
    );
    const codes = Object.keys(closes);
    const named = codes.length > 0 ? [", ", unionCode(codes)] : [];
    return [`${useType("SocketResponse", module)}<`, client!, ", ", server!, ...named, ">"];
  }
}

/** The types of the credentials of each kind of scheme. */
const credentialTypes: Readonly<Record<SchemePlan["kind"], string | undefined>> = {
  bearer: "BearerCredential",
  basic: "BasicCredential",
  apiKey: "ApiKeyCredential",
  cookie: "CookieCredential",
  custom: undefined,
};

function securityType(security: SecurityPlan, module: Module, { plan }: Shared): Code {
  const schemeType = (requirement: RequirementPlan): Code => {
    const { name, kind } = plan.schemes.find(({ identifier }) => identifier === requirement.identifier)!;
    const credential = credentialTypes[kind];
    const type = credential === undefined ? "Record<never, never>" : useType(credential, module);
    return `${useType("SecurityScheme", module)}<${quote(name)}, ${type}>`;
  };
  const items = security.map((needed): Item => {
    const [first, ...others] = needed.map(schemeType);
    if (first === undefined) return { code: useType("NoSecurity", module) };
    if (others.length === 0) return { code: first };
    return { code: [`${useType("CombinedSchemes", module)}<`, listCode([first, ...others]), ">"] };
  });
  return { open: "[", items, close: "]" };
}

function writeTypes({ key }: GroupPlan, shared: Shared): ImportedFile[] {
  const own = [...shared.schemas.values()].filter(({ group }) => group === key);
  if (own.length === 0) return [];
  const module = new Module(shared);
  const body = own.map(({ identifier, model, group }) => {
    const type = typeCode(model, { nameOf: (each) => module.schema(each, group, "type ") });
    return [...docLines(model), `${print([`export type ${identifier} = `, type])};`].join("\n");
  });
  return [{ path: `schemas/${shared.files.get(key)}.ts`, text: module.print(body) }];
}

function writeResponses(shared: Shared): ImportedFile {
  const module = new Module(shared);
  const body = shared.plan.responses.map(({ identifier, response }) => {
    const declared = print([`export type ${identifier} = `, responseType(response, module)]);
    return [...proseLines(response.description), `${declared};`].join("\n");
  });
  return { path: "responses.ts", text: module.print(body) };
}
