/** `openApiDocument()`. */
import { type Contract, describeNonContract } from "../../contract/contract.ts";
import { checkObject, checkOptions } from "../../contract/declared.ts";
import { type RouteNode, routesOf } from "../../contract/node.ts";
import { describeValue } from "../../messages.ts";
import type { JsonSchemaObject } from "../json_schema/json.ts";
import { isMarked } from "../../mark.ts";
import { type AnyParams, parameterNames, pathIdentity } from "../../path.ts";
import { createComponents, embedSchemas } from "./components.ts";
import { describeContent, type Surroundings } from "./content.ts";
import { describeParameters, formatTemplate } from "./parameters.ts";
import { describeSchemes, describeSecurity } from "./security.ts";
import type { SchemaProvider } from "./slot_schemas.ts";
import type {
  OpenApiDocument,
  OpenApiInfo,
  OpenApiOperation,
  OpenApiPathItem,
  OpenApiRequestBody,
  OpenApiServer,
  OpenApiTag,
} from "./types.ts";
import { addSentence, proseOf } from "./representations.ts";
import { describeResponses } from "./responses.ts";

/** The options of {@linkcode openApiDocument}. */
export interface OpenApiOptions {
  /**
   * The description of the API: at least its `title` and `version`. The summary and description default to the
   * contract's `docs`.
   */
  readonly info: OpenApiInfo;
  /** The version of the OpenAPI Specification. Default: 3.1. Only 3.2 can describe QUERY and the items of streams. */
  readonly version?: "3.1" | "3.2";
  /** The servers of the API. Default: the server of the document. Paths begin with the contract's base path. */
  readonly servers?: readonly OpenApiServer[];
  /** Descriptions of the tags, which group the operations. */
  readonly tags?: readonly OpenApiTag[];
  /**
   * Whether to list the responses that the server sends without a handler, such as 400, unless the contract declares
   * them. Default: `true`.
   */
  readonly refusals?: boolean;
  /**
   * Returns the JSON Schema of a slot whose schema does not convert, or a replacement for a converted one. Default:
   * none.
   */
  readonly schema?: SchemaProvider;
}

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
 * OpenAPI requires. A component has the name of its schema, or the key and slot where it first occurs:
 * `users.byId.200`. Bytes, files and representations without a structure have the format `binary`, with the `maxBytes`
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
 * have to describe QUERY, if two routes have the same operation id, or if an option is unknown.
 */
export function openApiDocument(contract: Contract, options: OpenApiOptions): OpenApiDocument {
  const { info, servers, tags, refusals = true, version } = checkDocumentOptions(contract, options);
  const routes = Object.entries(contract.routes).flatMap(([group, node]) =>
    routesOf({ node }).map((route) => ({ route, group: route.origin?.key.split(".")[0] ?? group }))
  );
  const nodes = routes.map(({ route }) => route);
  checkMethods(routes, version);
  checkOperationIds(routes);
  const components = createComponents();
  const schemas = embedSchemas(nodes, options.schema, components);
  const toProblem = () =>
    components.embed({ schema: problemSchema, name: "Problem", direction: "output", isShared: true });
  const paths = describePaths(routes, { version, schemas, toProblem, hasRefusals: refusals });
  const securitySchemes = describeSchemes(nodes);
  const { summary, description } = contract.docs; // unless `info` has others
  const document: OpenApiDocument = {
    openapi: `${version}.0`,
    info: { ...(summary !== undefined && { summary }), ...(description !== undefined && { description }), ...info },
    ...(servers && { servers }),
    ...(tags && { tags }),
    paths,
    components: { schemas: Object.fromEntries(components.schemas), ...(securitySchemes && { securitySchemes }) },
  };
  return JSON.parse(JSON.stringify(document), (_key, value) => Object.freeze(value));
}

const documentOptions = ["info", "version", "servers", "tags", "refusals", "schema"];

function checkDocumentOptions(
  contract: Contract,
  options: OpenApiOptions,
): OpenApiOptions & { readonly version: "3.1" | "3.2" } {
  if (!isMarked(contract, "contract")) cannotDescribe(describeNonContract(contract));
  checkOptions(options, documentOptions, "openApiDocument()");
  const { info, version = "3.1", refusals, schema } = options;
  const { title, version: edition } = checkObject(info, "openApiDocument()", '"info"');
  if (typeof title !== "string" || typeof edition !== "string") {
    cannotDescribe('"info" must have a title and a version, like { title: "…", version: "1.0.0" }');
  }
  if (version !== "3.1" && version !== "3.2") {
    cannotDescribe(`"version" must be "3.1" or "3.2", got ${describeValue(version)}`);
  }
  if (refusals !== undefined && typeof refusals !== "boolean") {
    cannotDescribe(`"refusals" must be a boolean, got ${describeValue(refusals)}`);
  }
  if (schema !== undefined && typeof schema !== "function") {
    cannotDescribe(`"schema" must be a function, got ${describeValue(schema)}`);
  }
  return { ...options, version };
}

/**
 * Describes the operations by path and method. Routes whose paths differ only in the names of parameters share one path
 * item, with the names of the first.
 */
function describePaths(routes: readonly ListedRoute[], around: Surroundings): Record<string, OpenApiPathItem> {
  const firsts = new Map<string, { template: string; names: readonly string[] }>(); // by path, without the names of parameters
  const items = new Map<string, OpenApiPathItem>();
  for (const listed of routes) {
    const { path, method, params } = listed.route;
    const identity = pathIdentity(path, params as AnyParams);
    const first = firsts.get(identity) ?? { template: formatTemplate(path, params), names: parameterNames(path) };
    firsts.set(identity, first);
    const operation = describeOperation(listed, first.names, around);
    items.set(first.template, { ...items.get(first.template), [method.toLowerCase()]: operation });
  }
  return Object.fromEntries(items);
}

/** Throws the `TypeError` for a contract that cannot be described: what is wrong, and what to do instead. */
function cannotDescribe(state: string): never {
  throw new TypeError(`openApiDocument(): ${state}`);
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

/** Throws a `TypeError` if two routes have the same operation id. */
function checkOperationIds(routes: readonly ListedRoute[]): void {
  const keys = new Map<string, string>();
  for (const { route: { key, docs, method, path } } of routes) {
    const id = docs.operationId ?? key;
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

/** A route, with its place in the tree of routes. */
interface ListedRoute {
  readonly route: RouteNode;
  /** The first key of the route in the contract that declares it. */
  readonly group: string;
}

/** Describes a route. `names` are the parameter names of its path item. */
function describeOperation(
  { route, group }: ListedRoute,
  names: readonly string[],
  around: Surroundings,
): OpenApiOperation {
  const { operationId = route.key, tags = [group], summary, description } = route.docs;
  const security = describeSecurity(route.security);
  const parameters = describeParameters(route, names, around.schemas);
  const requestBody = describeBody(route, around);
  return {
    operationId,
    tags,
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(route.deprecated && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: describeResponses(route, around),
    ...(security && { security }),
  };
}

function describeBody(route: RouteNode, around: Surroundings): OpenApiRequestBody | undefined {
  if (route.body === undefined) return undefined;
  const { description: words, optional, maxBytes } = route.body;
  const sentences = [
    around.version === "3.1" ? proseOf(route.body) : undefined,
    maxBytes === undefined ? undefined : `At most ${maxBytes} bytes.`,
  ].filter((sentence) => sentence !== undefined);
  const description = sentences.reduce(addSentence, words);
  return {
    ...(description !== undefined && { description }),
    required: !optional,
    content: describeContent(route.body, around.schemas.of(route, "body"), around) ?? {},
  };
}

/** Returns the most bytes that the description of a body ends with, as `describeBody` writes them. */
export function readLimit(description: unknown): number | undefined {
  const [, limit] = typeof description === "string" ? /(?:^| )At most (\d+) bytes\.$/.exec(description) ?? [] : [];
  return limit === undefined ? undefined : Number(limit);
}
