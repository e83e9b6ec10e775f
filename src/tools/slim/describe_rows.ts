/** Converts a contract to the code of its rows. */
import { isCodec, isStyled } from "../../contract/codec.ts";
import type { Contract } from "../../contract/contract.ts";
import { isRouteNode, type RouteNode, routesOf } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import type { ResponseDeclaration, ResponseKind, Responses } from "../../contract/response.ts";
import { type AnySchemeOptions, type SchemeKind, schemesOf } from "../../contract/security_scheme.ts";
import type { StatusRange } from "../../native_response.ts";
import { customBodyOf } from "../../representation/whole_body.ts";
import { type MessageFormat, type MessageKind, type SocketFacts, socketFactsOf } from "../../representation/socket.ts";
import { isSchema, type Schema } from "../../schema.ts";
import { type Code, type Group, listCode, objectCode, propertyName } from "./code.ts";

/** The module that exports the codecs and custom representations of a contract. */
export interface CodecsModule {
  /** Its path, for messages. */
  readonly path: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** A name that the rows import. */
export interface Reference {
  readonly from: "library" | "codecs";
  readonly name: string;
}

/** What rows are written with. */
export interface RowSources {
  /** The module of the codecs, if there is one. */
  readonly codecs?: CodecsModule | undefined;
  /** Imports a name, and returns what the code calls it. */
  readonly use: (reference: Reference) => string;
}

/** Returns the code of the arguments of `slimContract`. */
export function describeContract({ routes }: Contract, sources: RowSources): Group[] {
  return [describeTree(routes, sources), ...describeSchemes(routes, sources)];
}

function describeTree(tree: object, sources: RowSources): Group {
  const rows = Object.entries(tree).map(([key, entry]) =>
    [key, isRouteNode(entry) ? describeRoute(entry, sources) : describeTree(entry, sources)] as const
  );
  return { ...entriesCode(rows), isTall: true };
}

/** Returns the code of the row of a route. */
export function describeRoute(node: RouteNode, sources: RowSources): Code {
  const { key, method, path, params, query, headers, body, responses, security = [] } = node;
  const find: Find = {
    own: (name) => sources.use({ from: "library", name }),
    coded: (value, what) =>
      sources.use({ from: "codecs", name: findExport(value, `${what} of ${key}`, sources.codecs) }),
  };
  const names = security.filter(({ name }) => name !== "").map(({ name }) => JSON.stringify(name));
  return listCode([
    JSON.stringify(method),
    JSON.stringify(path),
    presentCode({
      params: describeSlot(params, find, "the params"),
      query: describeSlot(query, find, "the query"),
      headers: describeSlot(headers, find, "the headers"),
      body: body && describeBody(body, find),
    }),
    entriesCode(describeResponses(responses, find)),
    ...(names.length > 0 ? [listCode(names)] : []),
  ]);
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
      const call = `${find.own("statuses")}(${JSON.stringify(range)}, `;
      return ["...", [call, describeResponse(declared, find, status), ")"]] as const;
    }),
    ...entries.filter(([, declared]) => !isShared(declared))
      .map(([status, declared]) => [status, describeResponse(declared, find, status)] as const),
  ];
}

/** Returns what the code calls an import. */
interface Find {
  /** An export of `@scope/api/slim`. */
  readonly own: (name: string) => string;
  /** A codec or a representation. `what` names its place in the route for messages. */
  readonly coded: (value: unknown, what: string) => string;
}

/** Returns the name of the export of a codec or a representation. */
function findExport(value: unknown, what: string, codecs: CodecsModule | undefined): string {
  if (!codecs) cannotWrite(`${what} must be exported by a module; name the module by --codecs`);
  const [name] = Object.keys(codecs.exports).toSorted().filter((name) => codecs.exports[name] === value);
  return name ?? cannotWrite(`${what} must be exported by ${codecs.path}; export it`);
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
  const facts = socketFactsOf(representation);
  const named = facts
    ? describeSocket(facts, find, what)
    : describeRepresentation(responseNames[kind], response, find, what);
  return withDetails(named, {
    codec: isCoded ? find.coded(schema, `the codec of ${what}`) : undefined,
    described: schema && !isCoded && readsSchema.has(kind) ? "1" : undefined,
    contentType: describeContentType(contentType, representation.contentType),
    headers: describeSchema(headers, find, `the headers of ${what}`),
  });
}

/** Returns the call that creates the representation of connections. */
function describeSocket({ fromClient, fromServer, closes, protocols }: SocketFacts, find: Find, what: string): Code {
  const codes = Object.keys(closes);
  const row = presentCode({
    fromClient: describeMessages(fromClient, find, `the client's messages of ${what}`),
    fromServer: describeMessages(fromServer, find, `the server's messages of ${what}`),
    closes: codes.length === 0 ? undefined : listCode(codes),
    protocols: protocols && listCode(protocols.map((each) => JSON.stringify(each))),
  });
  return [`${find.own(responseNames.socket)}(`, ...(row.items.length === 0 ? [] : [row]), ")"];
}

/** Returns what a client needs of messages. `undefined` for JSON without a codec. */
function describeMessages({ kind, schema, custom }: MessageFormat, find: Find, what: string): Code | undefined {
  const isCoded = isSchema(schema) && isCodec(schema);
  const row = presentCode({
    kind: kinds[kind],
    codec: isCoded ? find.coded(schema, `the codec of ${what}`) : undefined,
    custom: custom && find.coded(custom, `the representation of ${what}`),
  });
  return row.items.length === 0 ? undefined : row;
}

/** The kinds of messages as a row has them: none for JSON. */
const kinds: Readonly<Record<MessageKind, string | undefined>> = {
  json: undefined,
  text: '"text"',
  bytes: '"bytes"',
  as: '"as"',
};

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
  socket: "socket",
  as: "as",
};

/** The representations that a client decodes differently if they have a schema. */
const readsSchema: ReadonlySet<ResponseKind> = new Set(["problem"]);

function describeRepresentation(
  name: string,
  { representation }: RequestBody | ResponseDeclaration,
  find: Find,
  what: string,
): string {
  const own = find.own(name);
  const { custom } = customBodyOf(representation); // only custom representations have it
  return custom ? `${own}(${find.coded(custom, `the representation of ${what}`)})` : own;
}

function describeSchema(schema: Schema | undefined, find: Find, what: string): string | undefined {
  if (!schema) return undefined;
  return hasCoder(schema) ? find.coded(schema, `the codec of ${what}`) : "1";
}

function hasCoder(schema: Schema): boolean {
  return isCodec(schema) || isStyled(schema);
}

/** Returns the schema of a request's slot. If it is styled and no codec itself, a client needs only its styles. */
function describeSlot(schema: Schema | undefined, find: Find, what: string): Code | undefined {
  if (!schema || !isStyled(schema) || isCodec(schema.schema)) return describeSchema(schema, find, what);
  const entries = Object.entries(schema.styles).map(([name, style]) => [name, JSON.stringify(style)] as const);
  return [`${find.own("fieldStyles")}(`, entriesCode(entries), ")"];
}

function describeContentType(contentType: unknown, usual: string | undefined): Code | undefined {
  if (contentType === usual) return undefined;
  return Array.isArray(contentType)
    ? listCode(contentType.map((each) => JSON.stringify(each)))
    : JSON.stringify(contentType);
}

function withDetails(representation: Code, details: Readonly<Record<string, Code | undefined>>): Code {
  const code = presentCode(details);
  return code.items.length === 0 ? representation : listCode([representation, code]);
}

/** Returns the code of an object with the values that are present. */
function presentCode(values: Readonly<Record<string, Code | undefined>>): Group {
  return entriesCode(Object.entries(values).flatMap(([key, code]) => code === undefined ? [] : [[key, code] as const]));
}

/** Returns the code of an object. The key `...` spreads another. */
function entriesCode(entries: readonly (readonly [key: string, value: Code])[]): Group {
  return objectCode(entries.map(([key, value]) => ({ code: [printKey(key), value] })));
}

/** Prints what precedes a value: its key, or the dots of a spread. */
function printKey(key: string): string {
  if (key === "...") return key;
  return `${/^(?:0|[1-9]\d{0,8})$/.test(key) ? key : propertyName(key)}: `;
}

/**
 * Returns the code that describes how requests carry the credentials of the contract's schemes, by name. Nothing if there
 * are none.
 */
export function describeSchemes(tree: object, { use }: RowSources): Group[] {
  const schemes = schemesOf(routesOf(tree));
  const own = (name: string): string => use({ from: "library", name });
  const places = new Map(schemes.map(({ name, kind, options }) => [name, placeCodes[kind](options, own)]));
  const entries = [...places].toSorted(([one], [other]) => one < other ? -1 : 1);
  return entries.length > 0 ? [{ ...entriesCode(entries), isTall: true }] : [];
}

/** The code that creates the place of a credential, by the kind of its scheme. */
const placeCodes: Readonly<Record<SchemeKind, (options: AnySchemeOptions, own: Find["own"]) => string>> = {
  bearer: ({ scheme }, own) => `${own("bearerCredential")}(${scheme === undefined ? "" : JSON.stringify(scheme)})`,
  basic: (_options, own) => own("basicCredential"),
  apiKey: ({ header }, own) => `${own("apiKeyCredential")}(${header === undefined ? "" : JSON.stringify(header)})`,
  cookie: ({ cookie }, own) => `${own("cookieCredential")}(${cookie === undefined ? "" : JSON.stringify(cookie)})`,
  signature: () => "undefined",
  custom: () => "undefined",
};

function cannotWrite(state: string): never {
  throw new TypeError(`Cannot write the slim contract: ${state}`);
}
