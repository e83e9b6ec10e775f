/** `openApiDocument()`. */
import type { Contract } from "../../contract/contract.ts";
import { type RouteNode, routesOf } from "../../contract/node.ts";
import { webhooksOf } from "../../contract/router.ts";
import { describeValue } from "../../messages.ts";
import { isJsonSchema, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { type AnyParams, parameterNames, pathIdentity } from "../../path.ts";
import { type Components, createComponents, embedSchemas } from "./components.ts";
import { checkComponentName, polish, readNames } from "./named.ts";
import { addNotesToSides } from "./notes.ts";
import {
  cannotDescribe,
  checkDocumentOptions,
  type CheckedDocumentOptions,
  extensionsOf,
  type OpenApiOptions,
  type RouteDocs,
  suggestName,
} from "./options.ts";
import { describeParameters, formatTemplate } from "./parameters.ts";
import { describeLimit } from "./part.ts";
import { addBodyDocs, addParameterDocs, collectDocs } from "./prose.ts";
import { listReferences } from "../json_schema/references.ts";
import { addSentence, describeContent, proseOf } from "./representations.ts";
import { describeResponses, type Surroundings } from "./responses.ts";
import { checkFlows, describeSchemes, describeSecurity } from "./security.ts";
import type { OpenApiDocument, OpenApiOperation, OpenApiPathItem, OpenApiRequestBody } from "./types.ts";
import type { Docs } from "../../contract/docs.ts";

/**
 * Returns the OpenAPI document of a contract, as frozen JSON. It describes request schemas by their input, response
 * schemas by their output, and codecs by their wire schema.
 *
 * In addition to the declared responses, it lists the problem documents that the server sends without a handler, unless
 * the contract's `refusals` declare another response. Every route lists 500. A route with path parameters or anything to validate lists 400. A route with a body lists 413 and
 * 415. A route lists 401 and 403 if its security can refuse callers with them. 404 for an unknown path and 405 for an
 * unknown method belong to no operation and are not listed.
 *
 * 304 is listed if the 200 of a GET declares `etag`. Routes whose paths differ only in the names of parameters share one
 * path item, with the names of the first. A segment with text between several values has a parameter for each value,
 * such as `{file1}.{file2}` for the style `"*.*"`. Headers named `accept`, `authorization` and `content-type` are omitted, as
 * OpenAPI requires. A component has the name of its schema: that of the option `schemas`, or else its
 * `id`. A repeated one without a name is called after its first place in alphabetical order: `UsersById200`. The objects
 * of a response are closed only if the schema refuses undeclared members in requests, too. Bytes, files and representations without a structure have the format `binary`, with the `maxBytes`
 * of the body as their `maxLength`.
 *
 * @example The document of a contract
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { openApiDocument } from "@scope/api/openapi";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 *
 * const User = type({ id: "string", name: "string" });
 * const contract = defineContract({
 *   routes: { byId: route.get("/users/:id", { responses: { 200: response.json(User) } }) },
 * });
 *
 * const document = openApiDocument(contract, { info: { title: "Users", version: "1.0.0" } });
 *
 * assertEquals(Object.keys(document.paths), ["/users/{id}"]);
 * assertEquals(Object.keys(document.paths["/users/{id}"]?.get?.responses ?? {}), ["200", "400", "500"]);
 * ```
 *
 * @throws {TypeError} If a schema does not convert: the message names the route and the slot. Also if OpenAPI 3.1 would
 * have to describe QUERY, if two routes have the same operation id, if prose is for something that does not exist, if an
 * OAuth flow is invalid, or if an option is unknown.
 */
export function openApiDocument<Described extends Contract>(
  contract: Described,
  options: OpenApiOptions<NoInfer<Described>>,
): OpenApiDocument {
  const checked = checkDocumentOptions(contract, options);
  const { info, version, servers, tags, externalDocs } = checked;
  const docs = collectDocs(contract, checked);
  const routes = listRoutes(contract, docs, checked);
  const nodes = routes.map(({ route }) => route);
  const hooks = webhooksOf(contract).map((route) => ({ route, group: "webhooks", docs: docs.get(route)! }));
  checkMethods(routes, version);
  checkOperationIds([...routes, ...hooks], checked);
  checkFlows(nodes, { version, fail: cannotDescribe });
  const { paths, webhooks, components } = describeRoutes(routes, hooks, { docs, options: checked });
  const securitySchemes = describeSchemes(nodes);
  const { summary, description } = contract.docs; // unless `info` has others
  const document: OpenApiDocument = {
    openapi: `${version}.0`,
    info: { ...(summary !== undefined && { summary }), ...(description !== undefined && { description }), ...info },
    ...(servers && { servers }),
    ...(tags && { tags }),
    ...(externalDocs && { externalDocs }),
    ...extensionsOf(options),
    paths,
    components: { ...components, ...(securitySchemes && { securitySchemes }) },
    ...(hooks.length > 0 && { webhooks }),
  };
  return JSON.parse(JSON.stringify(document), (_key, value) => Object.freeze(value));
}

/** Lists the routes of a contract that the readers of the document may see. */
function listRoutes(contract: Contract, docs: RouteDocs, { audience }: OpenApiOptions): ListedRoute[] {
  return Object.entries(contract.routes)
    .flatMap(([group, node]) =>
      routesOf({ node }).map((route) => ({
        route,
        group: route.origin?.key.split(".")[0] ?? group,
        docs: docs.get(route) ?? {},
      }))
    )
    .filter(({ docs: { audience: own } }) => audience === undefined || own === undefined || audience.includes(own));
}

function describeRoutes(
  routes: readonly ListedRoute[],
  hooks: readonly ListedRoute[],
  { docs, options }: { readonly docs: RouteDocs; readonly options: CheckedDocumentOptions },
): Pick<OpenApiDocument, "paths" | "webhooks" | "components"> {
  const { schemas: named = {}, schema: supply, part: supplyPart, version, refusals: hasRefusals } = options;
  const names = readNames(named, cannotDescribe);
  const components = createComponents(new Set(names.values()));
  const nodes = { routes: routes.map(({ route }) => route), hooks: hooks.map(({ route }) => route) };
  const rules = { names, supplyPart, polish };
  const schemas = embedSchemas(nodes, { supply, rules, docs }, components);
  const toProblem = () =>
    components.embed({ schema: problemSchema, name: "Problem", direction: "output", isShared: true });
  const around: Surroundings = { version, schemas, toProblem, hasRefusals, docs, responses: new Map() };
  const paths = describePaths(routes, around, options);
  const asSender = { ...around, hasRefusals: false }; // the responses of a receiver are its own
  const webhooks = Object.fromEntries(hooks.map((hook): [string, OpenApiPathItem] => {
    const { key, method } = hook.route;
    return [key, { [method.toLowerCase()]: describeOperation(hook, [], asSender, options) }];
  }));
  const annotated = annotateComponents(components, options);
  return {
    paths,
    webhooks,
    components: {
      schemas: { ...annotated, ...listFurther(annotated, [paths, webhooks], options) },
      ...(around.responses.size > 0 && { responses: Object.fromEntries(around.responses) }),
    },
  };
}

/** Adds the notes on components: on both sides of a schema, each where it has the place. */
function annotateComponents(
  { schemas, sources }: Components,
  { notes = {}, audience, schemas: named = {} }: OpenApiOptions,
): Record<string, JsonSchema> {
  const annotated = Object.fromEntries(schemas);
  for (const [name, own] of Object.entries(notes)) {
    const sides = [...schemas].filter(([each]) => each === name || sources.get(each) === name);
    if (sides.length === 0 && audience === undefined && !Object.hasOwn(named, name)) {
      const names = [...schemas.keys()];
      cannotDescribe(`notes.${name}: the document has no component ${name}${suggestName(name, names)}`);
    }
    const noted = addNotesToSides(sides.map(([, schema]) => schema), own, `notes.${name}`);
    sides.forEach(([side], index) => annotated[side] = noted[index]!);
  }
  return annotated;
}

/** Returns the schemas of the option `components` that the document lists besides its own. */
function listFurther(
  own: Readonly<Record<string, JsonSchema>>,
  operations: readonly object[],
  { components: { schemas = {} } = {}, audience }: OpenApiOptions,
): Record<string, JsonSchema> {
  const place = "#/components/schemas/";
  const further = new Map(
    Object.entries(schemas).filter(([name]) => !Object.hasOwn(own, name)).map(([name, each]) => [place + name, each]),
  );
  const known = new Set([...Object.keys(own).map((name) => place + name), ...further.keys()]);
  const found = audience === undefined ? new Set(further.keys()) : listReferences([own, ...operations]);
  const listed = new Map<string, JsonSchema>();
  for (const reference of found) { // which grows
    if (!further.has(reference)) continue;
    const schema = further.get(reference);
    const name = reference.slice(place.length);
    checkComponentName(name, "components.schemas", cannotDescribe);
    if (!isJsonSchema(schema)) {
      cannotDescribe(`components.schemas.${name} must be a JSON Schema, got ${describeValue(schema)}`);
    }
    listed.set(name, schema);
    for (const each of listReferences(schema)) {
      if (audience === undefined && !known.has(each)) {
        const hint = suggestName(each, [...known]);
        cannotDescribe(`components.schemas.${name} refers to ${each}, which the document does not have${hint}`);
      }
      found.add(each);
    }
  }
  return Object.fromEntries(listed);
}

/**
 * Describes the operations by path and method. Routes whose paths differ only in the names of parameters share one path
 * item, with the names of the first.
 */
function describePaths(
  routes: readonly ListedRoute[],
  around: Surroundings,
  options: CheckedDocumentOptions,
): Record<string, OpenApiPathItem> {
  const firsts = new Map<string, { template: string; names: readonly string[] }>(); // by path, without the names of parameters
  const items = new Map<string, OpenApiPathItem>();
  for (const listed of routes) {
    const { path, method, params } = listed.route;
    const identity = pathIdentity(path, params as AnyParams);
    const template = withoutBase(formatTemplate(path, params), options);
    const first = firsts.get(identity) ?? { template, names: parameterNames(path) };
    firsts.set(identity, first);
    const operation = describeOperation(listed, first.names, around, options);
    items.set(first.template, { ...items.get(first.template), [method.toLowerCase()]: operation });
  }
  return Object.fromEntries(items);
}

/** Returns a path below the URLs of servers. */
function withoutBase(template: string, { basePath = "" }: CheckedDocumentOptions): string {
  if (`${template}/`.startsWith(`${basePath}/`)) return template.slice(basePath.length) || "/";
  return cannotDescribe(`"basePath" must begin every path, and ${template} is not below ${basePath}`);
}

/** Throws a `TypeError` for QUERY in OpenAPI 3.1, which does not have this method. */
function checkMethods(routes: readonly ListedRoute[], version: "3.1" | "3.2"): void {
  const unknown = routes.filter(({ route }) => route.method === "QUERY").map(({ route }) => route.key);
  if (version === "3.1" && unknown.length > 0) {
    cannotDescribe(
      `"version" must be "3.2" for routes of the method QUERY (${unknown.join(", ")}), got "3.1"`,
    );
  }
}

function checkOperationIds(routes: readonly ListedRoute[], options: CheckedDocumentOptions): void {
  const keys = new Map<string, string>();
  for (const { route: { key, method, path }, docs } of routes) {
    const id = docs.operationId ?? (options.operationIds === "declared" ? undefined : key);
    if (id === undefined) continue;
    const place = `${key} (${method} ${path})`;
    const earlier = keys.get(id);
    if (earlier !== undefined) {
      const name = JSON.stringify(id);
      cannotDescribe(
        `${earlier} and ${place} have the same operationId ${name}; change one by docs: { operationId }`,
      );
    }
    keys.set(id, place);
  }
}

/** The schema of a problem document (RFC 9457), with the members that this package adds. */
const problemSchema: JsonSchemaObject = {
  title: "Problem",
  description: "An error (RFC 9457).",
  type: "object",
  properties: {
    type: { type: "string", format: "uri-reference", description: "The type of the problem." },
    title: { type: "string", description: "A short summary of the type of problem." },
    status: { type: "integer", description: "The status of the response." },
    detail: { type: "string", description: "An explanation of this occurrence." },
    instance: { type: "string", format: "uri-reference", description: "A URI of this occurrence." },
    code: { type: "string", description: "A code of the problem, for programs.", examples: ["invalid-request"] },
    issues: {
      type: "array",
      description: "The first reasons why the request is invalid. If there are more, detail counts them.",
      items: {
        type: "object",
        properties: {
          location: { type: "string", description: "The part of the request.", examples: ["body"] },
          path: {
            type: "array",
            items: { type: ["string", "integer"] },
            description: "The path to the invalid value.",
          },
          pointer: { type: "string", description: "The path as a JSON Pointer (RFC 6901).", examples: ["/name"] },
          message: { type: "string", description: "The error message." },
        },
        required: ["location", "path", "pointer", "message"],
      },
    },
  },
};

interface ListedRoute {
  readonly route: RouteNode;
  readonly group: string;
  readonly docs: Docs;
}

/** Describes a route. `names` are the parameter names of its path item. */
function describeOperation(
  { route, group, docs }: ListedRoute,
  names: readonly string[],
  around: Surroundings,
  { operationIds }: CheckedDocumentOptions,
): OpenApiOperation {
  const {
    operationId = operationIds === "declared" ? undefined : route.key,
    tags = [group],
    summary,
    description,
    externalDocs,
    servers,
    callbacks,
  } = docs;
  const security = describeSecurity(route.security);
  const parameters = addParameterDocs(describeParameters(route, names, around.schemas), route, { docs, names });
  const requestBody = describeBody(route, docs, around);
  return {
    ...(operationId !== undefined && { operationId }),
    tags,
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(route.deprecated && { deprecated: true }),
    ...(typeof route.deprecated === "object" && route.deprecated.sunset !== undefined && {
      "x-sunset": route.deprecated.sunset, // OpenAPI has no keyword for it
    }),
    ...(externalDocs && { externalDocs }),
    ...extensionsOf(docs),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: describeResponses(route, around),
    ...(callbacks && { callbacks }),
    ...(security && { security }),
    ...(servers && { servers }),
  };
}

function describeBody(route: RouteNode, docs: Docs, around: Surroundings): OpenApiRequestBody | undefined {
  const { body } = route;
  if (body === undefined) return addBodyDocs(undefined, docs.body, route.key);
  const { optional, maxBytes } = body;
  const sentences = [
    around.version === "3.1" ? proseOf(body) : undefined,
    maxBytes === undefined ? undefined : describeLimit(maxBytes),
  ].filter((sentence) => sentence !== undefined);
  const description = sentences.reduce(addSentence, docs.body?.description ?? body.description);
  const described = {
    ...(description !== undefined && { description }),
    required: !optional,
    content: describeContent(body, around.schemas.of(route, "body"), around) ?? {},
    ...(maxBytes !== undefined && { "x-max-bytes": maxBytes }),
  };
  return addBodyDocs(described, docs.body, route.key);
}
