import { type Contract } from "../contract/contract.ts";
import { checkObject, checkOptions } from "../contract/declared.ts";
import { type RouteNode, type RouterNode } from "../contract/node.ts";
import { describeNonContract } from "../contract/slim_contract.ts";
import { isMarked } from "../mark.ts";
import { parameterNames } from "../path.ts";
import { cannotDescribe, refuseMethods, refuseOperationIds } from "./check_document.ts";
import { createComponents } from "./components.ts";
import { type Surroundings } from "./content.ts";
import { describeOperation, type ListedRoute } from "./operation.ts";
import { formatTemplate } from "./parameters.ts";
import { problemSchema } from "./problem_schema.ts";
import { planSchemas } from "./schemas.ts";
import { describeSchemes } from "./security.ts";
import { type SupplySchema } from "./slot_schemas.ts";
import {
  type OpenApiDocument,
  type OpenApiInfo,
  type OpenApiPathItem,
  type OpenApiServer,
  type OpenApiTag,
} from "./types.ts";

/** The options of {@linkcode openApiDocument}. */
export interface OpenApiOptions {
  /** What the API is: at least its `title` and `version`. The contract's own `docs` give its summary and description. */
  readonly info: OpenApiInfo;
  /** The version of the OpenAPI Specification. Default: 3.1. Only 3.2 knows QUERY and the schemas of a stream's items. */
  readonly version?: "3.1" | "3.2";
  /** Where it is served. Default: where the document is. Paths begin with the contract's base path. */
  readonly servers?: readonly OpenApiServer[];
  /** What is said of the groups of operations. */
  readonly tags?: readonly OpenApiTag[];
  /** Whether to list what the server answers by itself where the contract declares nothing of it. Default: `true`. */
  readonly refusals?: boolean;
  /** Gives the JSON Schema of a place where the declared one does not convert, or where another is wanted. */
  readonly schema?: SupplySchema;
}

/**
 * Describes a contract as an OpenAPI document: plain frozen data that JSON carries. Request schemas are described by their
 * input, response schemas by their output, codecs by their wire schema.
 *
 * Listed beside what is declared are the problem documents that the server answers with by itself: 400 where a route has
 * path parameters or anything to validate, 401 and 403 where its security refuses callers, 413 and 415 where it has a body, 500
 * everywhere. 404 for an unknown path and 405
 * for an unknown method are no operation's answers and not listed.
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
 * @throws {TypeError} For a schema that does not convert (the dotted key and the slot are named), for QUERY in OpenAPI 3.1, for
 * an operation id that two routes have, and for an unknown option.
 */
export function openApiDocument(contract: Contract, options: OpenApiOptions): OpenApiDocument {
  const { info, servers, tags, refusals = true, version } = checkDocumentOptions(contract, options);
  const routes = listRoutes(contract.routes);
  const nodes = routes.map(({ route }) => route);
  refuseMethods(routes, version);
  refuseOperationIds(routes);
  const components = createComponents();
  const schemas = planSchemas(nodes, options.schema, components);
  const toProblem = () =>
    components.embed({ schema: problemSchema, name: "Problem", direction: "output", isShared: true });
  const paths = describePaths(routes, { version, schemas, toProblem, hasRefusals: refusals });
  const securitySchemes = describeSchemes(nodes);
  return freezeJson({
    openapi: `${version}.0`,
    info: { ...inheritInfo(contract), ...info },
    ...(servers && { servers }),
    ...(tags && { tags }),
    paths,
    components: { schemas: Object.fromEntries(components.schemas), ...(securitySchemes && { securitySchemes }) },
  });
}

const documentOptions = ["info", "version", "servers", "tags", "refusals", "schema"];

function checkDocumentOptions(
  contract: Contract,
  options: OpenApiOptions,
): OpenApiOptions & { readonly version: "3.1" | "3.2" } {
  if (!isMarked(contract, "contract")) cannotDescribe(describeNonContract(contract, "the contract"));
  checkOptions(options, documentOptions, "an OpenAPI document");
  const { info, version = "3.1", refusals, schema } = options;
  const { title, version: edition } = checkObject(info, "info of an OpenAPI document");
  if (typeof title !== "string" || typeof edition !== "string") {
    cannotDescribe('info lacks its title or version; write { title: "…", version: "1.0.0" }');
  }
  if (version !== "3.1" && version !== "3.2") {
    cannotDescribe(`version ${JSON.stringify(version)} is no OpenAPI version known here; write "3.1" or "3.2"`);
  }
  if (refusals !== undefined && typeof refusals !== "boolean") cannotDescribe("option refusals must be a boolean");
  if (schema !== undefined && typeof schema !== "function") cannotDescribe("option schema is no function");
  return { ...options, version };
}

/** What a contract's own docs say of the whole. */
function inheritInfo({ docs: { summary, description } }: Contract): Partial<OpenApiInfo> {
  return { ...(summary !== undefined && { summary }), ...(description !== undefined && { description }) };
}

/** All routes in the order of their declaration. */
function listRoutes(tree: object, group?: string): ListedRoute[] {
  return Object.entries<unknown>({ ...tree }).flatMap(([key, node]) =>
    isMarked(node, "route")
      ? [{ route: node as RouteNode, group: group ?? key }]
      : listRoutes(node as RouterNode, group ?? key)
  );
}

/** The operations by path and method. Routes whose paths differ in their parameters' names alone share the first one's item. */
function describePaths(routes: readonly ListedRoute[], around: Surroundings): Record<string, OpenApiPathItem> {
  const firstPaths = new Map<string, string>(); // by shape
  const items = new Map<string, OpenApiPathItem>();
  for (const listed of routes) {
    const { path, method } = listed.route;
    const shape = path.replaceAll(/\/:[^/]+/g, "/:");
    const first = firstPaths.get(shape) ?? path;
    firstPaths.set(shape, first);
    const template = formatTemplate(first);
    const operation = describeOperation(listed, parameterNames(first), around);
    items.set(template, { ...items.get(template), [method.toLowerCase()]: operation });
  }
  return Object.fromEntries(items);
}

/** A frozen copy of what JSON keeps, all the way down. */
function freezeJson(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (_key, value) => Object.freeze(value));
}
