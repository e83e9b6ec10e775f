/** Converts a contract to the code of its rows. */
import { isCodec } from "../../contract/codec.ts";
import type { Contract } from "../../contract/contract.ts";
import { isRouteNode, type RouteNode, routesOf } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import type { ResponseDeclaration, ResponseKind, Responses } from "../../contract/response.ts";
import { type AnySchemeOptions, type SchemeKind, schemesOf } from "../../contract/security_scheme.ts";
import { isStyled } from "../../contract/styled.ts";
import type { StatusRange } from "../../native_response.ts";
import { customBodyOf } from "../../representation/custom.ts";
import type { Schema } from "../../schema.ts";
import type { Call, Code, Entries, Reference } from "./code.ts";

/** The module that exports the codecs and custom representations of a contract. */
export interface CodecsModule {
  /** Its path, for messages. */
  readonly path: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Returns the code of the arguments of `slimContract`. */
export function describeContract({ routes }: Contract, codecs: CodecsModule | undefined): Entries[] {
  const rows = describeTree(routes, codecs);
  const schemes = describeSchemes(routes);
  return schemes.entries.length === 0 ? [rows] : [rows, schemes];
}

function describeTree(tree: object, codecs: CodecsModule | undefined): Entries {
  const entries = Object.entries(tree).map(([key, entry]) =>
    [
      key,
      isRouteNode(entry) ? describeRoute(entry, codecs) : describeTree(entry, codecs),
    ] as const
  );
  return { entries, isTall: true };
}

/** Returns the code of the row of a route. */
export function describeRoute(node: RouteNode, codecs: CodecsModule | undefined): Code {
  const { key, method, path, params, query, headers, body, responses, security = [] } = node;
  const find: Find = (value, what) => findExport(value, `${what} of ${key}`, codecs);
  const slots = toEntries({
    params: describeSlot(params, find, "the params"),
    query: describeSlot(query, find, "the query"),
    headers: describeSlot(headers, find, "the headers"),
    body: body && describeBody(body, find),
  });
  const answers = describeResponses(responses, find);
  const names = security.filter(({ name }) => name !== "").map(({ name }) => JSON.stringify(name));
  return {
    items: [
      JSON.stringify(method),
      JSON.stringify(path),
      slots,
      { entries: answers, isTall: false },
      ...(names.length > 0 ? [{ items: names }] : []),
    ],
  };
}

/** Returns the responses by status. Those of a range are spread, before those that replace some of them. */
function describeResponses(responses: Responses, find: Find): (readonly [key: string, value: Code])[] {
  const entries = Object.entries(responses);
  const shared = new Map<StatusRange, readonly [status: string, declared: ResponseDeclaration]>();
  for (const [status, declared] of entries) {
    if (declared.range !== undefined && !shared.has(declared.range)) shared.set(declared.range, [status, declared]);
  }
  const isShared = (declared: ResponseDeclaration) => declared.range && shared.get(declared.range)?.[1] === declared;
  const ranges = [...shared].toSorted(([one], [other]) => Number(other === "default") - Number(one === "default"));
  return [
    ...ranges.map(([range, [status, declared]]) => {
      const values = [JSON.stringify(range), describeResponse(declared, find, status)];
      return ["...", { called: { from: "library", name: "statuses" }, values }] as const;
    }),
    ...entries.filter(([, declared]) => !isShared(declared))
      .map(([status, declared]) => [status, describeResponse(declared, find, status)] as const),
  ];
}

/** Returns the export of a codec or a representation. `what` names its place in the route for messages. */
type Find = (value: unknown, what: string) => Reference;

function findExport(value: unknown, what: string, codecs: CodecsModule | undefined): Reference {
  if (!codecs) cannotWrite(`${what} must be exported by a module; name the module by --codecs`);
  const [name] = Object.keys(codecs.exports).toSorted().filter((name) => codecs.exports[name] === value);
  return name === undefined
    ? cannotWrite(`${what} must be exported by ${codecs.path}; export it`)
    : { from: "codecs", name };
}

function describeBody(body: RequestBody, find: Find): Code {
  const { representation, schema, contentType, optional, maxBytes } = body;
  const named = describeRepresentation(requestNames[body.kind], body, find, "the body");
  return withDetails(named, {
    codec: schema && hasCoder(schema) ? describeSlot(schema, find, "the body") : undefined,
    contentType: describeContentType(contentType, representation.contentType),
    optional: optional ? "true" : undefined,
    maxBytes: maxBytes === undefined ? undefined : String(maxBytes),
  });
}

function describeResponse(response: ResponseDeclaration, find: Find, status: string): Code {
  const { kind, representation, schema, contentType, headers } = response;
  const what = `the response ${status}`;
  const isCoded = schema !== undefined && isCodec(schema);
  return withDetails(describeRepresentation(responseNames[kind], response, find, what), {
    codec: isCoded ? find(schema, `the codec of ${what}`) : undefined,
    described: schema && !isCoded && readsSchema.has(kind) ? "1" : undefined,
    contentType: describeContentType(contentType, representation.contentType),
    headers: describeSchema(headers, find, `the headers of ${what}`),
  });
}

/** The exports of `@scope/api/slim` for the request representations. */
const requestNames: Readonly<Record<RequestKind, string>> = {
  json: "json",
  text: "requestText",
  bytes: "bytes",
  form: "form",
  formData: "formData",
  stream: "requestStream",
  ndjson: "requestNdjson",
  as: "as",
};

/** The exports of `@scope/api/slim` for the response representations. */
const responseNames: Readonly<Record<ResponseKind, string>> = {
  json: "json",
  text: "responseText",
  bytes: "bytes",
  empty: "empty",
  problem: "problem",
  stream: "responseStream",
  ndjson: "ndjson",
  sse: "sse",
  raw: "raw",
  as: "as",
};

/** The representations that a client decodes differently if they have a schema. */
const readsSchema: ReadonlySet<ResponseKind> = new Set(["problem"]);

function describeRepresentation(
  name: string,
  { representation }: RequestBody | ResponseDeclaration,
  find: Find,
  what: string,
): Reference | Call {
  const reference: Reference = { from: "library", name };
  const { custom } = customBodyOf(representation); // only custom representations have it
  return custom ? { called: reference, values: [find(custom, `the representation of ${what}`)] } : reference;
}

function describeSchema(schema: Schema | undefined, find: Find, what: string): Code | undefined {
  if (!schema) return undefined;
  return hasCoder(schema) ? find(schema, `the codec of ${what}`) : "1";
}

function hasCoder(schema: Schema): boolean {
  return isCodec(schema) || isStyled(schema);
}

/** Returns the schema of a request's slot. If it is styled and no codec itself, a client needs only its styles. */
function describeSlot(schema: Schema | undefined, find: Find, what: string): Code | undefined {
  if (!schema || !isStyled(schema) || isCodec(schema.schema)) return describeSchema(schema, find, what);
  const entries = Object.entries(schema.styles).map(([name, style]) => [name, JSON.stringify(style)] as const);
  return { called: { from: "library", name: "fieldStyles" }, values: [{ entries, isTall: false }] };
}

function describeContentType(contentType: unknown, usual: string | undefined): Code | undefined {
  if (contentType === usual) return undefined;
  return Array.isArray(contentType)
    ? { items: contentType.map((each) => JSON.stringify(each)) }
    : JSON.stringify(contentType);
}

function withDetails(representation: Code, details: Readonly<Record<string, Code | undefined>>): Code {
  const { entries, isTall } = toEntries(details);
  return entries.length === 0 ? representation : { items: [representation, { entries, isTall }] };
}

function toEntries(values: Readonly<Record<string, Code | undefined>>): Entries {
  const entries = Object.entries(values).flatMap(([key, code]) => code === undefined ? [] : [[key, code] as const]);
  return { entries, isTall: false };
}

/** Returns the code that describes how requests carry the credentials of the contract's schemes, by name. */
export function describeSchemes(tree: object): Entries {
  const schemes = schemesOf(routesOf(tree));
  const places = new Map(schemes.map(({ name, kind, options }) => [name, placeCodes[kind](options)]));
  const entries = [...places].toSorted(([one], [other]) => one < other ? -1 : 1);
  return { entries, isTall: true };
}

/** The code that creates the place of a credential, by the kind of its scheme. */
const placeCodes: Readonly<Record<SchemeKind, (options: AnySchemeOptions) => Code>> = {
  bearer: ({ scheme }) => call("bearerCredential", scheme),
  basic: () => ({ from: "library", name: "basicCredential" }),
  apiKey: ({ header }) => call("apiKeyCredential", header),
  cookie: ({ cookie }) => call("cookieCredential", cookie),
  signature: () => "undefined",
  custom: () => "undefined",
};

function call(name: string, text: string | undefined): Call {
  return { called: { from: "library", name }, values: text === undefined ? [] : [JSON.stringify(text)] };
}

function cannotWrite(state: string): never {
  throw new TypeError(`Cannot write the slim contract: ${state}`);
}
