/** Writes the types of an import beside its modules, as interfaces: compilers and editors read them at once. */
import { joinPath } from "../../path.ts";
import { type Code, type Item, listCode, objectCode, print, propertyName, proseLines, quote } from "../slim/code.ts";
import { hasDates } from "./dates.ts";
import { type FileOptions, identifiersOf, type ImportedFile, Module, type Modules, modulesOf } from "./module.ts";
import { Names } from "./names.ts";
import {
  type BodyPlan,
  type GroupPlan,
  groupsOf,
  type ImportPlan,
  rankStatus,
  type RequirementPlan,
  type ResponsePlan,
  type RoutePlan,
  type SchemePlan,
  type SecurityPlan,
  type SocketPlan,
} from "./plan.ts";
import { isConverted, type Model, type ObjectModel, stylesIn } from "./model.ts";
import type { SchemaWriter } from "./writer.ts";
import { commentOf, docLines, typeCode, type TypeOptions, unionCode } from "./write_types.ts";

/** What the types are written with. */
interface Shared extends Modules {
  readonly rules: NonNullable<TypeOptions["rules"]>;
}

/** The end of the names of the modules, before the extension. */
export const suffix = ".types";

/** Writes the types of an import: the interface `Api` of its contract, and what that consists of. */
export function writeDeclarations(plan: ImportPlan, { types }: SchemaWriter, options: FileOptions): ImportedFile[] {
  const modules = modulesOf(plan, options);
  const shared = { ...modules, rules: { ...types, modelOf: (key: string) => modules.schemas.get(key)!.model } };
  const routes = new Names(identifiersOf(plan)).take("Routes");
  return [
    writeApi(routes, shared),
    ...groupsOf(plan).map((group) => writeGroup(group, routes, shared)),
    ...groupsOf(plan).flatMap((group) => writeSchemas(group, shared)),
    ...(plan.responses.length > 0 ? [writeResponses(shared)] : []),
  ];
}

/** The name under which modules import the types of the toolkit. No schema has it, because theirs are in Pascal case. */
const kit = "api";

function printModule(path: string, body: readonly string[], module: Module, { options }: Modules): ImportedFile {
  const isUsed = body.some((text) => text.includes(`${kit}.`));
  const imports = isUsed ? [`import type * as ${kit} from ${quote(`${options.library}/types`)};`] : [];
  return { path: `${path}${suffix}.ts`, text: module.print(body, imports) };
}

function writeApi(routes: string, shared: Shared): ImportedFile {
  const { plan, files, options } = shared;
  const names = new Names([kit, "Api"]);
  const groups = plan.groups.map((group) => ({ ...group, binding: names.takeBinding(group.key) }));
  const tree: Code = {
    ...objectCode(groups.map(({ key, binding, description }) => ({
      comment: proseOf(description),
      code: `readonly ${propertyName(key)}: ${kit}.RouterNode<${binding}.${routes}, Record<never, never>>`,
    }))),
    separator: ";",
  };
  const hooks = plan.webhooks && { key: plan.webhooks.key, binding: names.takeBinding(plan.webhooks.tag) };
  const contract: Code = [
    `export interface Api extends ${kit}.Contract<${kit}.RouterNode<`,
    tree,
    `, Record<never, never>>, Record<never, never>, undefined${
      hooks ? `, ${kit}.Webhooks<${hooks.binding}.${routes}>` : ""
    }> {}`,
  ];
  const imports = [...groups, ...(hooks ? [hooks] : [])].map(({ key, binding }) =>
    `import type * as ${binding} from ${quote(`./${files.get(key)}${suffix}${options.extension}`)};`
  );
  const body = [...proseLines(plan.title, plan.description), print(contract)].join("\n");
  const { path, text } = printModule("contract", [body], new Module(shared, "./", suffix), shared);
  const [head, ...rest] = text.split("\n");
  return { path, text: [head, ...imports, ...rest].join("\n") };
}

function proseOf(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : [text];
}

function writeGroup(group: GroupPlan, name: string, shared: Shared): ImportedFile {
  const module = new Module(shared, "./", suffix);
  const routes = group.routes.flatMap((route) => [
    ...commentOf(route).map((line) => `  ${line}`.trimEnd()),
    `  ${print([`readonly ${propertyName(route.key)}: `, routeType(group, route, { module, shared })], "  ")};`,
  ]);
  const body = [`export interface ${name} {`, ...routes, "}"].join("\n");
  return printModule(shared.files.get(group.key)!, [body], module, shared);
}

/** A module of types while it is written. */
interface Writing {
  readonly module: Module;
  readonly shared: Shared;
}

function routeType({ key }: GroupPlan, route: RoutePlan, writing: Writing): Code {
  const { plan } = writing.shared;
  const isSent = key === plan.webhooks?.key; // a webhook inherits nothing
  const { params, query, headers, body, responses, security = isSent ? undefined : plan.security } = route;
  const path = joinPath(isSent ? "" : plan.basePath, route.path);
  const slot = (option: string, model: ObjectModel | undefined): Item[] =>
    model ? [{ code: [`${option}: `, slotType(model, writing)] }] : [];
  const members: Item[] = [
    { code: `key: ${quote(isSent ? route.key : `${key}.${route.key}`)}` },
    { code: `method: ${quote(route.method.toUpperCase())}` },
    { code: `path: ${quote(route.hasTrailingSlash ? `${path}/` : path)}` },
    ...slot("params", params),
    ...slot("query", query),
    ...slot("headers", headers),
    ...(body ? [{ code: ["body: ", bodyType(body, writing)] as Code }] : []),
    { code: ["responses: ", responsesType(responses, writing)] },
    ...(security ? [{ code: ["security: ", securityType(security, plan)] as Code }] : []),
  ];
  return [`${kit}.DeclaredRoute<`, { ...objectCode(members), separator: ";" }, ">"];
}

/** Returns the options for the types of one side: of what a schema accepts, or of what it returns. */
function typeOptions({ module, shared }: Writing, options: Omit<TypeOptions, "nameOf"> = {}): TypeOptions {
  return { ...options, rules: shared.rules, nameOf: (key) => module.schema(key, undefined, "type ") };
}

/** Returns the type of the schema of parameters, of headers or of a form. What a response has is received as text. */
function slotType(model: ObjectModel, writing: Writing, isReceived = false): Code {
  const [output, input] = [false, ...(hasInput(model) ? [true] : [])].map((isInput) =>
    typeCode(model, typeOptions(writing, { isInput, isSlot: true, isReceived: isReceived && !isInput }))
  );
  const schema = [`${kit}.Schema<`, ...(input === undefined ? [] : [input, ", "]), output!, ">"];
  const styles = stylesIn(model);
  if (!styles) return schema;
  const items = Object.entries(styles).map(([name, style]) => ({
    code: `readonly ${propertyName(name)}: ${quote(style)}`,
  }));
  return [`${kit}.Styled<`, schema, ", ", { ...objectCode(items), separator: ";" }, ">"];
}

/** Returns whether what the schema of a slot accepts is another type than what it returns. */
function hasInput(model: ObjectModel): boolean {
  return isConverted(model) || model.properties.some((property) => property.model.default !== undefined);
}

function bodyType({ kind, contentType, isOptional, model }: BodyPlan, writing: Writing): Code {
  const [received, sent] = bodyTypes();
  const absent = isOptional ? " | undefined" : "";
  const isCodec = hasDates(model, writing.shared.schemas) || isStyled(model);
  const isRanged = isRange(contentType);
  const isPlain = !isRanged && !isCodec && received === sent;
  return [
    `${kit}.${isRanged ? "DeclaredRangedBody" : "DeclaredBody"}<${quote(kind)}, `,
    received,
    absent,
    ...(isPlain ? [] : [", ", sent, absent]),
    isRanged ? `, string${absent}` : "",
    isCodec ? ", true" : "",
    ">",
  ];

  function bodyTypes(): readonly [received: Code, sent: Code] {
    if (kind === "text") return ["string", "string"];
    if (kind === "bytes") return ["Uint8Array<ArrayBuffer>", `${kit}.BytesInput`];
    const isForm = kind === "form" || kind === "formData";
    const form = { isSlot: isForm && model.kind === "object", hasFiles: kind === "formData" };
    const received = typeCode(model, typeOptions(writing, form));
    if (kind === "json") return [received, received];
    if (kind === "ndjson") return [[`${kit}.ReceivedItems<`, received, ">"], [`${kit}.ItemsInput<`, received, ">"]];
    const fields = kind === "form" ? "FormFields" : isStyled(model) ? "StyledFormDataFields" : "FormDataFields";
    return [received, [`${kit}.${fields}<`, typeCode(model, typeOptions(writing, { ...form, isInput: true })), ">"]];
  }
}

function isStyled(model: Model): boolean {
  return model.kind === "object" && stylesIn(model) !== undefined;
}

/** Returns whether a body may be of several media types. */
function isRange(contentType: string | undefined): boolean {
  return contentType?.endsWith("/*") === true;
}

function responsesType(responses: RoutePlan["responses"], writing: Writing): Code {
  const ofStatus = responses.filter(([status]) => rankStatus(status) === 2).map(([status, declared]): Item => ({
    code: [`${status}: `, responseType(declared, writing)],
  }));
  const own: Code = { ...objectCode(ofStatus), separator: ";" };
  const ranges = responses.filter(([status]) => rankStatus(status) < 2)
    .toSorted(([one], [other]) => rankStatus(other) - rankStatus(one));
  return ranges.reduce<Code>((inner, [range, declared]) => [
    `${kit}.WithStatuses<${quote(range)}, `,
    responseType(declared, writing),
    ", ",
    inner,
    ">",
  ], own);
}

function responseType(declared: ResponsePlan | string, writing: Writing): Code {
  if (typeof declared === "string") {
    writing.module.useFile("responses", `type ${declared}`);
    return declared;
  }
  const { kind, contentType, model, headers, socket } = declared;
  if (socket) return socketType(socket, writing);
  const isCodec = !["text", "bytes", "empty"].includes(kind) && hasDates(model, writing.shared.schemas);
  const [received, sent] = responseTypes();
  const fields: Code = headers
    ? slotType(headers, writing, true)
    : isRange(contentType)
    ? `${kit}.HeadersWithContentType`
    : "undefined";
  const more: readonly (readonly [code: Code, isNeeded: boolean])[] = [
    [sent, sent !== received],
    [fields, fields !== "undefined"],
    ["true", isCodec],
  ];
  const last = more.findLastIndex(([, isNeeded]) => isNeeded);
  const written = more.slice(0, last + 1).flatMap(([code]): Code[] => [", ", code]);
  return [`${kit}.DeclaredResponse<${quote(kind)}, `, received, ...written, ">"];

  function responseTypes(): readonly [received: Code, sent: Code] {
    if (kind === "text") return ["string", "string"];
    if (kind === "bytes") return ["Uint8Array<ArrayBuffer>", "Uint8Array"];
    if (kind === "empty") return ["undefined", "undefined"];
    const value = typeCode(model, typeOptions(writing));
    if (kind === "sse") return [[`${kit}.EventReader<`, value, ">"], [`${kit}.SentEvents<`, value, ">"]];
    if (kind === "ndjson") return [[`${kit}.ItemReader<`, value, ">"], [`${kit}.ItemSource<`, value, ">"]];
    return [value, value];
  }
}

/** Returns the type of a response by `response.socket()`. */
function socketType({ fromClient, fromServer, closes }: SocketPlan, writing: Writing): Code {
  const messages = [fromClient, fromServer];
  const [client, server] = messages.map(({ kind, model }): Code =>
    kind === "text" ? "string" : kind === "bytes" ? "Uint8Array<ArrayBuffer>" : typeCode(model, typeOptions(writing))
  );
  const codes = Object.keys(closes);
  const isCodec = messages.some(({ model }) => hasDates(model, writing.shared.schemas));
  return [
    `${kit}.DeclaredSocket<`,
    client!,
    ", ",
    server!,
    ...(codes.length > 0 || isCodec ? [", ", codes.length > 0 ? unionCode(codes) : "never"] : []),
    ...(isCodec ? [", true"] : []),
    ">",
  ];
}

/** The types of the credentials of each kind of scheme. */
const credentialTypes: Readonly<Record<SchemePlan["kind"], string>> = {
  bearer: `${kit}.BearerCredential`,
  basic: `${kit}.BasicCredential`,
  apiKey: `${kit}.ApiKeyCredential`,
  cookie: `${kit}.CookieCredential`,
  custom: "Record<never, never>",
};

function securityType(security: SecurityPlan, plan: ImportPlan): Code {
  const schemeType = ({ identifier, scopes }: RequirementPlan): Code => {
    const { name, kind, options } = plan.schemes.find((each) => each.identifier === identifier)!;
    const type = `${quote(name)}, ${credentialTypes[kind]}`;
    if (scopes.length > 0) return `${kit}.ScopedScheme<${type}>`;
    const known = (options["scopes"] ?? []) as readonly string[]; // which the plan of schemes writes
    return [`${kit}.SecurityScheme<${type}, `, known.length === 0 ? "never" : unionCode(known.map(quote)), ">"];
  };
  if (security.length === 0) return "never[]";
  const entries = security.map((needed): Code => {
    const [first, ...others] = needed.map(schemeType);
    if (first === undefined) return `${kit}.NoSecurity`;
    return others.length === 0 ? first : [`${kit}.CombinedSchemes<readonly `, listCode([first, ...others]), ">"];
  });
  return ["Array<", unionCode(entries), ">"];
}

function writeSchemas({ key }: GroupPlan, shared: Shared): ImportedFile[] {
  const own = [...shared.schemas.values()].filter(({ group }) => group === key);
  if (own.length === 0) return [];
  const module = new Module(shared, "./", suffix);
  const body = own.map(({ identifier, model, group }) => {
    const nameOf = (each: string) => module.schema(each, group, "type ");
    const type = typeCode(model, { nameOf, rules: shared.rules });
    return [...docLines(model), `${print([`export type ${identifier} = `, type])};`].join("\n");
  });
  return [printModule(`schemas/${shared.files.get(key)}`, body, module, shared)];
}

function writeResponses(shared: Shared): ImportedFile {
  const module = new Module(shared, "./", suffix);
  const body = shared.plan.responses.map(({ identifier, response }) => {
    const declared = print([`export type ${identifier} = `, responseType(response, { module, shared })]);
    return [...proseLines(response.description), `${declared};`].join("\n");
  });
  return printModule("responses", body, module, shared);
}
