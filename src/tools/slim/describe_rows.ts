/** Converts a contract to the code of its rows. */
import { isCodec, isStyled } from "../../contract/codec.ts";
import type { Contract } from "../../contract/contract.ts";
import { isRouteNode, type RouteNode, routesOf } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import type { ResponseDeclaration, ResponseKind, Responses } from "../../contract/response.ts";
import { type SchemeKind, schemesOf, type SecurityScheme } from "../../contract/security_scheme.ts";
import { customBodyOf } from "../../representation/whole_body.ts";
import { type MessageFormat, type SocketFacts, socketFactsOf } from "../../representation/socket.ts";
import { isSchema, type Schema } from "../../schema.ts";
import { type Code, type Group, listCode, literalCode, objectCode, propertyName } from "../code/print.ts";

/** What the code calls the things that rows import. */
export interface RowNames {
  /** Returns the name of an export of `@scope/api/slim`. */
  readonly own: (name: string) => string;
  /** Returns the name of a codec or a custom representation. `what` names its place in the contract for messages. */
  readonly coded: (value: unknown, what: string) => string;
}

/** Returns the code of the arguments of `slimContract`. */
export function describeContract({ routes }: Contract, names: RowNames): Group[] {
  return [describeTree(routes, names), ...describeSchemes(routes, names)];
}

function describeTree(tree: object, names: RowNames): Group {
  const rows = Object.entries(tree).map(([key, entry]) =>
    [key, isRouteNode(entry) ? describeRoute(entry, names) : describeTree(entry, names)] as const
  );
  return { ...entriesCode(rows), isTall: true };
}

/** Returns the code of the row of a route. */
export function describeRoute(node: RouteNode, { own, coded }: RowNames): Code {
  const { key, method, path, body, responses, security = [] } = node;
  const names: RowNames = { own, coded: (value, what) => coded(value, `${what} of ${key}`) };
  const slots = (["params", "query", "headers"] as const).map((slot) =>
    [slot, describeSlot(node[slot], names, `the ${slot}`)] as const
  );
  const schemes = security.map(({ name }) => name).filter((name) => name !== "");
  return listCode([
    literalCode(method),
    literalCode(path),
    entriesCode([...slots, ["body", body && describeBody(body, names)]]),
    entriesCode(describeResponses(responses, names)),
    ...(schemes.length > 0 ? [literalCode(schemes)] : []),
  ]);
}

/** Returns the responses by status. Those of a range are spread, before those that replace some of them. */
function describeResponses(responses: Responses, names: RowNames): Entry[] {
  const entries = Object.entries(responses);
  const ranged = entries.filter(([, { range }], index) =>
    range !== undefined && entries.findIndex(([, other]) => other.range === range) === index
  );
  const shared = ranged.map(([, declared]) => declared);
  return [
    ...ranged.toSorted(([, one], [, other]) => Number(other.range === "default") - Number(one.range === "default"))
      .map(([status, declared]): Entry => {
        const call = `${names.own("statuses")}(${JSON.stringify(declared.range)}, `;
        return ["...", [call, describeResponse(declared, names, status), ")"]];
      }),
    ...entries.filter(([, declared]) => !shared.includes(declared))
      .map(([status, declared]): Entry => [status, describeResponse(declared, names, status)]),
  ];
}

function describeBody(body: RequestBody, names: RowNames): Code {
  const { kind, representation, schema, contentType, optional, maxBytes } = body;
  return withDetails(nameRepresentation(requestNames[kind] ?? kind, body, names, "the body"), [
    ["codec", schema && hasCoder(schema) ? describeSlot(schema, names, "the body") : undefined],
    ["contentType", differing(contentType, representation.contentType)],
    ["optional", optional ? "true" : undefined],
    ["maxBytes", maxBytes === undefined ? undefined : String(maxBytes)],
  ]);
}

function describeResponse(response: ResponseDeclaration, names: RowNames, status: string): Code {
  const { kind, representation, schema, contentType, headers } = response;
  const what = `the response ${status}`;
  const isCoded = schema !== undefined && isCodec(schema);
  const facts = socketFactsOf(representation);
  const named = facts
    ? describeSocket(facts, names, what)
    : nameRepresentation(responseNames[kind] ?? kind, response, names, what);
  return withDetails(named, [
    ["codec", isCoded ? names.coded(schema, `the codec of ${what}`) : undefined],
    ["described", schema && !isCoded && readsSchema.has(kind) ? "1" : undefined],
    ["contentType", differing(contentType, representation.contentType)],
    ["headers", describeSchema(headers, names, `the headers of ${what}`)],
  ]);
}

/** Returns the call that creates the representation of connections. */
function describeSocket(
  { fromClient, fromServer, closes, protocols }: SocketFacts,
  names: RowNames,
  what: string,
): Code {
  const codes = Object.keys(closes);
  const row = entriesCode([
    ["fromClient", describeMessages(fromClient, names, `the client's messages of ${what}`)],
    ["fromServer", describeMessages(fromServer, names, `the server's messages of ${what}`)],
    ["closes", codes.length === 0 ? undefined : listCode(codes)],
    ["protocols", protocols && literalCode(protocols)],
  ]);
  return [`${names.own("socket")}(`, ...(row.items.length === 0 ? [] : [row]), ")"];
}

/** Returns what a client needs of messages. `undefined` for JSON without a codec. */
function describeMessages({ kind, schema, custom }: MessageFormat, names: RowNames, what: string): Code | undefined {
  const row = entriesCode([
    ["kind", differing(kind, "json")],
    ["codec", isSchema(schema) && isCodec(schema) ? names.coded(schema, `the codec of ${what}`) : undefined],
    ["custom", custom && names.coded(custom, `the representation of ${what}`)],
  ]);
  return row.items.length === 0 ? undefined : row;
}

/** The exports of `@scope/api/slim` for the representations that have another name than their kind. */
const requestNames: Partial<Record<RequestKind, string>> = {
  text: "requestText",
  stream: "requestStream",
  ndjson: "requestNdjson",
};
const responseNames: Partial<Record<ResponseKind, string>> = { text: "responseText", stream: "responseStream" };

/** The representations that a client decodes differently if they have a schema. */
const readsSchema: ReadonlySet<ResponseKind> = new Set(["problem"]);

function nameRepresentation(
  name: string,
  { representation }: RequestBody | ResponseDeclaration,
  names: RowNames,
  what: string,
): string {
  const own = names.own(name);
  const { custom } = customBodyOf(representation); // only custom representations have it
  return custom ? `${own}(${names.coded(custom, `the representation of ${what}`)})` : own;
}

function describeSchema(schema: Schema | undefined, names: RowNames, what: string): string | undefined {
  if (!schema) return undefined;
  return hasCoder(schema) ? names.coded(schema, `the codec of ${what}`) : "1";
}

function hasCoder(schema: Schema): boolean {
  return isCodec(schema) || isStyled(schema);
}

/** Returns the schema of a request's slot. If it is styled and no codec itself, a client needs only its styles. */
function describeSlot(schema: Schema | undefined, names: RowNames, what: string): Code | undefined {
  if (!schema || !isStyled(schema) || isCodec(schema.schema)) return describeSchema(schema, names, what);
  const styles = Object.entries(schema.styles).map(([name, style]): Entry => [name, literalCode(style)]);
  return [`${names.own("fieldStyles")}(`, entriesCode(styles), ")"];
}

/** Returns the code of a value. `undefined` if there is none, or it is the usual one. */
function differing(value: unknown, usual: unknown): Code | undefined {
  return value === undefined || value === usual ? undefined : literalCode(value);
}

function withDetails(representation: Code, details: readonly Entry[]): Code {
  const code = entriesCode(details);
  return code.items.length === 0 ? representation : listCode([representation, code]);
}

/** A property and the code of its value. It is left out without a value. The key `...` spreads another object. */
type Entry = readonly [key: string, value: Code | undefined];

/** Returns the code of an object. */
function entriesCode(entries: readonly Entry[]): Group {
  return objectCode(entries.flatMap(([key, value]) => value === undefined ? [] : [{ code: [printKey(key), value] }]));
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
export function describeSchemes(tree: object, { own }: RowNames): Group[] {
  const places = new Map(schemesOf(routesOf(tree)).map((scheme) => [scheme.name, describePlace(scheme, own)]));
  const entries = [...places].toSorted(([one], [other]) => one < other ? -1 : 1);
  return entries.length > 0 ? [{ ...entriesCode(entries), isTall: true }] : [];
}

/** The option that says where a credential is, by the kind of its scheme. */
const placeOptions: Partial<Record<SchemeKind, "scheme" | "header" | "cookie">> = {
  bearer: "scheme",
  apiKey: "header",
  cookie: "cookie",
};

/** Returns the code of the place of a credential. `undefined` for what clients cannot send. */
function describePlace({ kind, credential, options }: SecurityScheme, own: RowNames["own"]): string {
  if (!credential) return "undefined";
  const name = own(`${kind}Credential`);
  const { [kind]: option } = placeOptions;
  if (!option) return name;
  return `${name}(${options[option] === undefined ? "" : JSON.stringify(options[option])})`;
}
