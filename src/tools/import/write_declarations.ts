/** Writes the types of an import beside its modules, as interfaces: compilers and editors read them at once. */
import { joinPath } from "../../path.ts";
import { type Code, membersOf, print, propertyName, proseLines, quote } from "../code/print.ts";
import { hasDates } from "./dates.ts";
import { type FileOptions, identifiersOf, type ImportedFile, Module, type Modules, modulesOf } from "./module.ts";
import { Names } from "../code/names.ts";
import {
  type BodyPlan,
  type GroupPlan,
  groupsOf,
  hasSchema,
  type ImportPlan,
  type ResponsePlan,
  type RoutePlan,
  type SecurityPlan,
  type SocketPlan,
} from "./plan.ts";
import { isConverted, type Model, type ObjectModel, stylesIn } from "./model.ts";
import type { SchemaWriter } from "./writer.ts";
import {
  receivedType,
  responsesType,
  securityTypes,
  typesCode,
  type TypeWriter,
  valueType,
  writeSharedTypes,
} from "./write_route_types.ts";
import { commentOf, type TypeOptions, unionCode } from "./write_types.ts";

interface DeclarationModules extends Modules {
  readonly rules: NonNullable<TypeOptions["rules"]>;
}

/** The end of the names of the modules, before the extension. */
export const suffix = ".types";

/** Writes the types of an import: the interface `Api` of its contract, and what that consists of. */
export function writeDeclarations(plan: ImportPlan, { types }: SchemaWriter, options: FileOptions): ImportedFile[] {
  const modules = modulesOf(plan, options);
  const modelOf = (key: string) => modules.schemas.get(key)!.model;
  const shared: DeclarationModules = { ...modules, rules: { ...types, modelOf } };
  const routes = new Names(identifiersOf(plan)).take("Routes");
  const groups = groupsOf(plan);
  return [
    writeApi(routes, shared),
    ...groups.map((group) => writeGroup(group, routes, shared)),
    ...writeSharedTypes(groups, shared, {
      suffix,
      rules: shared.rules,
      writerOf: (module) => createWriter(module, shared),
    }),
  ];
}

/** The name under which modules import the types of the toolkit. No schema has it, because theirs are in Pascal case. */
const kit = "api";

function createWriter(module: Module, shared: DeclarationModules): TypeWriter {
  const from = quote(`${shared.options.library}/types`);
  return {
    module,
    shared,
    use: (name) => {
      module.addImport(`import type * as ${kit} from ${from};`);
      return `${kit}.${name}`;
    },
    options: { rules: shared.rules, nameOf: (key) => module.schema(key, undefined, "type ") },
    response: responseType,
  };
}

function writeApi(routes: string, shared: DeclarationModules): ImportedFile {
  const { plan } = shared;
  const module = new Module(shared, "./", suffix);
  const { use } = createWriter(module, shared);
  const names = new Names([kit, "Api"]);
  const contract = `export interface Api extends ${use("Contract")}<${use("RouterNode")}<`;
  const bind = (key: string, name: string): string => {
    const binding = names.takeBinding(name);
    module.useGroup(key, binding, "type ");
    return `${binding}.${routes}`;
  };
  const tree = typesCode(plan.groups.map(({ key, description }) => ({
    comment: description === undefined ? undefined : [description],
    code: `readonly ${propertyName(key)}: ${use("RouterNode")}<${bind(key, key)}, Record<never, never>>`,
  })));
  const hooks = plan.webhooks ? `, ${use("Webhooks")}<${bind(plan.webhooks.key, plan.webhooks.tag)}>` : "";
  const end = `, Record<never, never>>, Record<never, never>, undefined${hooks}> {}`;
  return module.print("contract", [
    [...proseLines(plan.title, plan.description), print([contract, tree, end])].join("\n"),
  ]);
}

function writeGroup(group: GroupPlan, name: string, shared: DeclarationModules): ImportedFile {
  const module = new Module(shared, "./", suffix);
  const writer = createWriter(module, shared);
  const routes = group.routes.flatMap((route) => [
    ...commentOf(route).map((line) => `  ${line}`.trimEnd()),
    `  ${print([`readonly ${propertyName(route.key)}: `, routeType(group, route, writer)], "  ")};`,
  ]);
  const body = [`export interface ${name} {`, ...routes, "}"].join("\n");
  return module.print(shared.files.get(group.key)!, [body]);
}

function routeType({ key }: GroupPlan, route: RoutePlan, writer: TypeWriter): Code {
  const { plan } = writer.shared;
  const isSent = key === plan.webhooks?.key; // a webhook inherits nothing
  const { params, query, headers, body, responses, security = isSent ? undefined : plan.security } = route;
  const path = joinPath(isSent ? "" : plan.basePath, route.path);
  const members = membersOf({
    key: quote(isSent ? route.key : `${key}.${route.key}`),
    method: quote(route.method.toUpperCase()),
    path: quote(route.hasTrailingSlash ? `${path}/` : path),
    params: params && slotType(params, writer),
    query: query && slotType(query, writer),
    headers: headers && slotType(headers, writer),
    body: body && bodyType(body, writer),
    responses: responsesType(responses, writer),
    security: security && securityType(security, writer),
  });
  return [`${writer.use("DeclaredRoute")}<`, typesCode(members), ">"];
}

/** Returns the type of the schema of parameters, of headers or of a form. What a response has is received as text. */
function slotType(model: ObjectModel, writer: TypeWriter, isReceived = false): Code {
  const output = valueType(model, writer, { isSlot: true, isReceived });
  const hasInput = isConverted(model) || model.properties.some((property) => property.model.default !== undefined);
  const input = hasInput ? [valueType(model, writer, { isSlot: true, isInput: true }), ", "] : [];
  const schema = [`${writer.use("Schema")}<`, ...input, output, ">"];
  const styles = stylesIn(model);
  if (!styles) return schema;
  const items = Object.entries(styles).map(([name, style]) => ({
    code: `readonly ${propertyName(name)}: ${quote(style)}`,
  }));
  return [`${writer.use("Styled")}<`, schema, ", ", typesCode(items), ">"];
}

function bodyType({ kind, contentType, isOptional, model }: BodyPlan, writer: TypeWriter): Code {
  const { use, shared } = writer;
  const [received, sent] = bodyTypes();
  const absent = isOptional ? " | undefined" : "";
  const isCodec = hasDates(model, shared.schemas) || isStyled(model);
  const isRanged = isRange(contentType);
  const isPlain = !isRanged && !isCodec && received === sent;
  return [
    `${use(isRanged ? "DeclaredRangedBody" : "DeclaredBody")}<${quote(kind)}, `,
    received,
    absent,
    ...(isPlain ? [] : [", ", sent, absent]),
    isRanged ? `, string${absent}` : "",
    isCodec ? ", true" : "",
    ">",
  ];

  function bodyTypes(): readonly [received: Code, sent: Code] {
    if (kind === "text") return ["string", "string"];
    if (kind === "bytes") return ["Uint8Array<ArrayBuffer>", use("BytesInput")];
    const isForm = kind === "form" || kind === "formData";
    const form = { isSlot: isForm && model.kind === "object", hasFiles: kind === "formData" };
    const received = valueType(model, writer, form);
    if (kind === "json") return [received, received];
    if (kind === "ndjson") {
      return [[`${use("ReceivedItems")}<`, received, ">"], [`${use("ItemsInput")}<`, received, ">"]];
    }
    const fields = kind === "form" ? "FormFields" : isStyled(model) ? "StyledFormDataFields" : "FormDataFields";
    return [received, [`${use(fields)}<`, valueType(model, writer, { ...form, isInput: true }), ">"]];
  }
}

function isStyled(model: Model): boolean {
  return model.kind === "object" && stylesIn(model) !== undefined;
}

/** Returns whether a body may be of several media types. */
function isRange(contentType: string | undefined): boolean {
  return contentType?.endsWith("/*") === true;
}

function responseType(plan: ResponsePlan, writer: TypeWriter): Code {
  const { kind, contentType, model, headers, socket } = plan;
  const { use, shared: { schemas } } = writer;
  if (socket) return socketType(socket, writer);
  const isCodec = hasSchema(kind) && hasDates(model, schemas);
  const received = receivedType(plan, writer);
  const fields: Code = headers
    ? slotType(headers, writer, true)
    : isRange(contentType)
    ? use("HeadersWithContentType")
    : "undefined";
  const more: readonly (readonly [code: Code, isNeeded: boolean])[] = [
    [sentType(plan, received, writer), ["bytes", "sse", "ndjson"].includes(kind)],
    [fields, fields !== "undefined"],
    ["true", isCodec],
  ];
  const last = more.findLastIndex(([, isNeeded]) => isNeeded);
  const written = more.slice(0, last + 1).flatMap(([code]): Code[] => [", ", code]);
  return [`${use("DeclaredResponse")}<${quote(kind)}, `, received, ...written, ">"];
}

function sentType({ kind, model }: ResponsePlan, received: Code, writer: TypeWriter): Code {
  if (kind === "bytes") return "Uint8Array";
  if (kind === "sse") return [`${writer.use("SentEvents")}<`, valueType(model, writer), ">"];
  return kind === "ndjson" ? [`${writer.use("ItemSource")}<`, valueType(model, writer), ">"] : received;
}

function socketType({ fromClient, fromServer, closes }: SocketPlan, writer: TypeWriter): Code {
  const codes = Object.keys(closes);
  const isCodec = [fromClient, fromServer].some(({ model }) => hasDates(model, writer.shared.schemas));
  return [
    `${writer.use("DeclaredSocket")}<`,
    receivedType(fromClient, writer),
    ", ",
    receivedType(fromServer, writer),
    ...(codes.length > 0 || isCodec ? [", ", codes.length > 0 ? unionCode(codes) : "never"] : []),
    ...(isCodec ? [", true"] : []),
    ">",
  ];
}

function securityType(security: SecurityPlan, writer: TypeWriter): Code {
  if (security.length === 0) return "never[]";
  const entries = securityTypes(security, writer, "readonly ", (type, { options }, { scopes }): Code => {
    if (scopes.length > 0) return `${writer.use("ScopedScheme")}<${type}>`;
    const known = (options["scopes"] ?? []) as readonly string[]; // which the plan of schemes writes
    const named = known.length === 0 ? "never" : unionCode(known.map(quote));
    return [`${writer.use("SecurityScheme")}<${type}, `, named, ">"];
  });
  return ["Array<", unionCode(entries), ">"];
}
