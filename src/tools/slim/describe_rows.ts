/** Converts a contract to the code of its rows, in a module that imports `@scope/api/slim` as `slim`. */
import { isCodec, isStyled } from "../../contract/codec.ts";
import { isRouteNode, type RouteNode, routesOf } from "../../contract/node.ts";
import type { RequestBody } from "../../contract/request.ts";
import type { ResponseDeclaration, Responses } from "../../contract/response.ts";
import { schemesOf, type SecurityScheme } from "../../contract/security_scheme.ts";
import { mark } from "../../mark.ts";
import { customBodyOf } from "../../representation/whole_body.ts";
import { type MessageFormat, type SocketFacts, socketFactsOf } from "../../representation/socket.ts";
import { isSchema, type Schema } from "../../schema.ts";
import {
  callCode,
  type Code,
  type Item,
  listCode,
  literalCode,
  membersOf,
  objectCode,
  print,
  quote,
} from "../code/print.ts";

/** Returns the code of a codec or a custom representation. `what` names its place in the contract for messages. */
export type NameCoder = (value: unknown, what: string) => string;

/** Returns the code of the rows of a tree of routes, each on a line of its own. */
export function describeRoutes(tree: object, nameOf: NameCoder): Code {
  const rows = Object.entries(tree).map(([key, entry]) =>
    [key, isRouteNode(entry) ? describeRoute(entry, nameOf) : describeRoutes(entry, nameOf)] as const
  );
  return { ...objectCode(membersOf(Object.fromEntries(rows))), isTall: true };
}

/** Returns the code of the row of a route. */
export function describeRoute(node: RouteNode, nameCoder: NameCoder): Code {
  const { key, method, path, params, query, headers, body, responses, security = [] } = node;
  const nameOf: NameCoder = (value, what) => nameCoder(value, `${what} of ${key}`);
  const schemes = security.map(({ name }) => name).filter((name) => name !== "");
  return listCode([
    quote(method),
    quote(path),
    objectCode(membersOf({
      params: describeSchema(params, nameOf, "the params"),
      query: describeSchema(query, nameOf, "the query"),
      headers: describeSchema(headers, nameOf, "the headers"),
      body: body && describeEntry(body, nameOf, "the body"),
    })),
    objectCode(describeResponses(responses, nameOf)),
    ...(schemes.length > 0 ? [literalCode(schemes)] : []),
  ]);
}

/** Returns the responses by status. Those of a range are spread, before those that replace some of them. */
function describeResponses(responses: Responses, nameOf: NameCoder): Item[] {
  const entries = Object.entries(responses);
  const ranges = new Set(entries.map(([, { range }]) => range).filter((range) => range !== undefined));
  const shared = [...ranges].toSorted((one, other) => Number(other === "default") - Number(one === "default"))
    .map((range) => entries.find(([, declared]) => declared.range === range)!);
  const own = entries.filter(([, declared]) => !shared.some(([, each]) => each === declared));
  const describe = ([status, declared]: (typeof entries)[number]): Code =>
    describeEntry(declared, nameOf, `the response ${status}`);
  return [
    ...shared.map((entry) => ({ code: [`...slim.statuses("${entry[1].range}", `, describe(entry), ")"] })),
    ...own.map((entry) => ({ code: [`${entry[0]}: `, describe(entry)] })),
  ];
}

/** The members that a body and a response do not share. */
type BodyOrResponse = Partial<Pick<RequestBody, "optional" | "maxBytes"> & Pick<ResponseDeclaration, "headers">>;

/** Returns a body or a response: its representation, with what differs from the usual. */
function describeEntry(declared: RequestBody | ResponseDeclaration, nameOf: NameCoder, what: string): Code {
  const { kind, representation, schema, contentType } = declared;
  const { optional, maxBytes, headers }: BodyOrResponse = declared;
  const facts = socketFactsOf(representation);
  const { custom } = customBodyOf(representation); // only custom representations have it
  const format = facts
    ? describeSocket(facts, nameOf, what)
    : custom
    ? `slim.as(${nameOf(custom, `the representation of ${what}`)})`
    : `slim.${exportNames[declared[mark]][kind] ?? kind}`;
  const details = membersOf({
    schema: !facts && (hasCoder(schema) || described.has(kind)) ? describeSchema(schema, nameOf, what) : undefined,
    contentType: contentType === representation.contentType ? undefined : literalCode(contentType),
    headers: describeSchema(headers, nameOf, `the headers of ${what}`),
    optional: optional ? "true" : undefined,
    maxBytes: maxBytes === undefined ? undefined : String(maxBytes),
  });
  return details.length === 0 ? format : listCode([format, objectCode(details)]);
}

/** The exports for the representations that have another name than their kind. */
const exportNames: Readonly<Record<"request" | "response", Readonly<Record<string, string>>>> = {
  request: { text: "requestText", stream: "requestStream", ndjson: "requestNdjson" },
  response: { text: "responseText", stream: "responseStream" },
};

/** The representations that a client decodes differently if they have a schema. */
const described: ReadonlySet<string> = new Set(["problem"]);

function hasCoder(schema: Schema | undefined): boolean {
  return schema !== undefined && (isCodec(schema) || isStyled(schema));
}

/** Returns what a client needs of a schema: the codec, or the styles of its fields, or only that there is one. */
function describeSchema(schema: Schema | undefined, nameOf: NameCoder, what: string): Code | undefined {
  if (!schema) return undefined;
  if (!hasCoder(schema)) return "1";
  if (!isStyled(schema) || isCodec(schema.schema)) return nameOf(schema, `the codec of ${what}`);
  return callCode("slim.fieldStyles", literalCode(schema.styles));
}

function describeSocket(facts: SocketFacts, nameOf: NameCoder, what: string): Code {
  const closes = Object.keys(facts.closes).map((code) => [code, ""]); // clients do not describe them
  return callCode(
    "slim.socket",
    objectCode(membersOf({
      fromClient: describeMessages(facts.fromClient, nameOf, `the client's messages of ${what}`),
      fromServer: describeMessages(facts.fromServer, nameOf, `the server's messages of ${what}`),
      closes: literalCode(Object.fromEntries(closes)),
      protocols: facts.protocols && literalCode(facts.protocols),
    })),
  );
}

function describeMessages({ kind, schema, custom }: MessageFormat, nameOf: NameCoder, what: string): Code {
  return objectCode(membersOf({
    kind: quote(kind),
    schema: isSchema(schema) && isCodec(schema) ? nameOf(schema, `the codec of ${what}`) : undefined,
    custom: custom && nameOf(custom, `the representation of ${what}`),
  }));
}

/**
 * Returns the code that describes how requests carry the credentials of the contract's schemes, by name. Nothing if there
 * are none.
 */
export function describeRowSchemes(tree: object): Code[] {
  const schemes = schemesOf(routesOf(tree)).toSorted((one, other) => one.name < other.name ? -1 : 1);
  const places = schemes.map((scheme) => [scheme.name, describePlace(scheme)]);
  return places.length === 0 ? [] : [objectCode(membersOf(Object.fromEntries(places)))];
}

/** Prints the code of rows, in lines as long as those that `deno fmt` writes in this package. */
export function printRows(code: Code): string {
  return print(code, "", 0, 0, 120);
}

/** Returns the code of the place of a credential. `undefined` for what clients cannot send. */
function describePlace({ kind, credential, options }: SecurityScheme): Code {
  if (!credential) return "undefined";
  const made = `slim.${kind}Credential`;
  const option = options.scheme ?? options.header ?? options.cookie; // each kind has one of them at most
  return named.has(kind) ? callCode(made, ...(option === undefined ? [] : [quote(option)])) : made;
}

/** The kinds of schemes whose credentials have the name of a header, a cookie or an authentication scheme. */
const named: ReadonlySet<string> = new Set(["bearer", "apiKey", "cookie"]);
