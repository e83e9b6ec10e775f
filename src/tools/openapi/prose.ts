/** The prose of operations: that of the contract, and that of the option `docs`, which wins. */
import type { Contract } from "../../contract/contract.ts";
import { isRouteNode, type RouteNode, routesOf } from "../../contract/node.ts";
import { webhooksOf } from "../../contract/router.ts";
import { stylesOf } from "../../contract/codec.ts";
import { parameterNames } from "../../path.ts";
import { addNotes } from "./notes.ts";
import {
  cannotDescribe,
  checkProseNames,
  checkProseObject,
  extensionsOf,
  type OpenApiOptions,
  type RouteDocs,
  suggestName,
} from "./options.ts";
import { valueNames } from "./parameters.ts";
import { toPart } from "./part.ts";
import type {
  OpenApiContent,
  OpenApiField,
  OpenApiMediaType,
  OpenApiParameter,
  OpenApiRequestBody,
  OpenApiResponse,
} from "./types.ts";
import type { ContentDocs, Docs, FieldDocs, ResponseDocs, SchemaNotes } from "../../contract/docs.ts";

const slotNames = ["params", "query", "headers"] as const;

const docsNames = [
  ...["summary", "description", "tags", "operationId", "audience", "externalDocs", "servers", "callbacks"],
  ...[...slotNames, "body", "responses"],
];
const fieldNames = ["description", "deprecated", "example", "examples", "schema"];
const contentNames = ["description", "example", "examples", "schema"];
const responseNames = [...contentNames, "headers", "links"];

/**
 * Returns the prose of every route and every webhook, with that beside the contract.
 *
 * @throws {TypeError} If a name does not exist.
 */
export function collectDocs(contract: Contract, trees: Pick<OpenApiOptions, "docs" | "webhooks">): RouteDocs {
  const nodes = [...routesOf(contract.routes), ...webhooksOf(contract)];
  const docs = new Map(nodes.map((route) => [route, route.docs]));
  checkNames(contract.docs, docsNames, '"docs" of the contract');
  for (const route of docs.keys()) checkDocs(route.docs, `"docs" of ${route.key}`);
  addTree(contract.routes, trees.docs ?? {}, "docs", docs);
  addTree(contract.webhooks ?? {}, trees.webhooks ?? {}, "webhooks", docs);
  return docs;
}

function addTree(routes: object, tree: unknown, place: string, docs: Map<RouteNode, Docs>): void {
  checkProseObject(tree, place);
  for (const [key, below] of Object.entries(tree)) {
    const where = `${place}.${key}`;
    const node: unknown = Object.hasOwn(routes, key) ? Reflect.get(routes, key) : undefined;
    if (node === undefined) {
      cannotDescribe(
        `${where}: the contract has no ${place === "webhooks" ? "webhook" : "route"} ${key}${listNames(key, routes)}`,
      );
    }
    if (!isRouteNode(node)) {
      addTree(node as object, below, where, docs); // a router
      continue;
    }
    checkDocs(below as Docs, where);
    docs.set(node, mergeDocs(node.docs, below as Docs));
  }
}

function listNames(name: string, known: object): string {
  const names = Object.keys(known);
  return `${suggestName(name, names)} (there ${names.length === 1 ? "is" : "are"} ${names.join(", ") || "none"})`;
}

function checkNames(value: unknown, allowed: readonly string[], place: string): void {
  checkProseObject(value, place);
  checkProseNames(value, allowed, place);
}

/** Throws a `TypeError` for a name that docs cannot have. */
function checkDocs(docs: Docs, place: string): void {
  checkNames(docs, docsNames, place);
  const { body, responses } = docs;
  for (const slot of slotNames) checkFields(docs[slot], `${place}.${slot}`);
  if (body !== undefined) checkNames(body, contentNames, `${place}.body`);
  if (responses !== undefined) checkProseObject(responses, `${place}.responses`);
  for (const [status, each] of Object.entries(responses ?? {})) {
    checkNames(each, responseNames, `${place}.responses.${status}`);
    checkFields(each.headers, `${place}.responses.${status}.headers`);
  }
}

function checkFields(fields: unknown, place: string): void {
  if (fields === undefined) return;
  checkProseObject(fields, place);
  for (const [name, field] of Object.entries(fields)) checkNames(field, fieldNames, `${place}.${name}`);
}

/** Joins prose member by member. The second wins. */
function mergeDocs(one: Docs, other: Docs): Docs {
  const merged: Record<string, unknown> = { ...one, ...other };
  for (const slot of [...slotNames, "responses"] as const) {
    if (one[slot] && other[slot]) merged[slot] = mergeNamed(one[slot], other[slot]);
  }
  if (one.body && other.body) merged["body"] = { ...one.body, ...other.body };
  return merged as Docs; // of members of both
}

function mergeNamed(one: object, other: object): object {
  const merged = Object.entries(other).map(([name, each]) => {
    const before = toPart(Reflect.get(one, name));
    const headers = before["headers"] && each.headers &&
      { headers: mergeNamed(toPart(before["headers"]), each.headers) };
    return [name, { ...before, ...each, ...headers }];
  });
  return { ...one, ...Object.fromEntries(merged) };
}

/** Adds prose to the parameters of a route. `names` are the parameter names of its path item. */
export function addParameterDocs(
  parameters: readonly OpenApiParameter[],
  route: RouteNode,
  { docs, names }: { readonly docs: Docs; readonly names: readonly string[] },
): OpenApiParameter[] {
  const own = parameterNames(route.path);
  const listed = (name: string): readonly string[] =>
    own.includes(name) ? valueNames(names[own.indexOf(name)] ?? name, stylesOf(route.params)[name], names) : [];
  const described = [...parameters];
  for (const [slot, place] of [["params", "path"], ["query", "query"], ["headers", "header"]] as const) {
    for (const [name, field] of Object.entries(docs[slot] ?? {})) {
      const wanted = place === "path" ? listed(name) : [name];
      const found = described.filter((each) =>
        each.in === place && wanted.some((each2) => isSame(each2, each.name, place))
      );
      if (found.length === 0) {
        const known = Object.fromEntries(parameters.filter((each) => each.in === place).map((each) => [each.name, 0]));
        cannotDescribe(`docs.${route.key}.${slot}.${name}: the route has no such parameter${listNames(name, known)}`);
      }
      for (const each of found) {
        described[described.indexOf(each)] = addFieldDocs(each, field, `docs.${route.key}.${slot}.${name}`);
      }
    }
  }
  return described;
}

function isSame(one: string, other: string, place: OpenApiParameter["in"]): boolean {
  return place === "header" ? one.toLowerCase() === other.toLowerCase() : one === other;
}

function addFieldDocs<Field extends OpenApiField>(field: Field, docs: FieldDocs, place: string): Field {
  const { description, deprecated, schema: notes } = docs;
  const described = {
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    ...extensionsOf(docs),
  };
  const { schema, content } = field;
  const media: OpenApiMediaType = content?.["application/json"] ?? { schema: schema ?? {} };
  const annotated = addMediaDocs({ ...media, ...samplesOf(docs) }, notes, place);
  if (content) return { ...field, ...described, content: { "application/json": annotated } };
  return { ...field, ...described, ...annotated };
}

function samplesOf({ example, examples }: ContentDocs): Pick<OpenApiMediaType, "example" | "examples"> {
  return { ...(example !== undefined && { example }), ...(examples && { examples }) };
}

function addMediaDocs(media: OpenApiMediaType, notes: SchemaNotes | undefined, place: string): OpenApiMediaType {
  if (notes === undefined) return media;
  const member = media.itemSchema === undefined ? "schema" : "itemSchema";
  const schema = media[member];
  if (schema === undefined) return cannotDescribe(`${place}.schema has no place: the content has no schema`);
  return { ...media, [member]: addNotes(schema, notes, `${place}.schema`) };
}

function addContentDocs(
  content: OpenApiContent | undefined,
  docs: ContentDocs,
  place: string,
): OpenApiContent | undefined {
  const samples = samplesOf(docs);
  if (Object.keys(samples).length === 0 && docs.schema === undefined) return content; // notes are in the schema already
  const [first] = Object.values(content ?? {});
  if (content === undefined || first === undefined) return cannotDescribe(`${place} has no place: there is no content`);
  const described = { ...first, ...samples };
  return Object.fromEntries(Object.entries(content).map(([type, each]) => [type, each === first ? described : each]));
}

export function addBodyDocs(
  body: OpenApiRequestBody | undefined,
  docs: ContentDocs | undefined,
  key: string,
): OpenApiRequestBody | undefined {
  if (docs === undefined) return body;
  const place = `docs.${key}.body`;
  if (body === undefined) return cannotDescribe(`${place} has no place: the route has no body`);
  return { ...body, ...extensionsOf(docs), content: addContentDocs(body.content, docs, place) ?? {} };
}

export function addResponseDocs(
  responses: Readonly<Record<string, OpenApiResponse>>,
  docs: Docs["responses"],
  key: string,
): Record<string, OpenApiResponse> {
  const described = { ...responses };
  for (const [status, each] of Object.entries(docs ?? {})) {
    const place = `docs.${key}.responses.${status}`;
    const response = Object.hasOwn(responses, status) ? responses[status] : undefined;
    if (response === undefined) {
      return cannotDescribe(`${place}: the route has no such response${listNames(status, responses)}`);
    }
    described[status] = addOneResponse(response, each, place);
  }
  return described;
}

function addOneResponse(response: OpenApiResponse, docs: ResponseDocs, place: string): OpenApiResponse {
  const { description, headers: fields, links } = docs;
  const content = addContentDocs(response.content, docs, place);
  const headers: Record<string, OpenApiField> = { ...response.headers };
  for (const [name, field] of Object.entries(fields ?? {})) {
    const own = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase());
    if (own === undefined) {
      return cannotDescribe(`${place}.headers.${name}: the response has no such header${listNames(name, headers)}`);
    }
    headers[own] = addFieldDocs(headers[own]!, field, `${place}.headers.${name}`);
  }
  return {
    ...response,
    ...(description !== undefined && { description }),
    ...extensionsOf(docs),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content && { content }),
    ...(links && { links }),
  };
}
