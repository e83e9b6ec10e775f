import { defineContract } from "@scope/api";
import {
  type Contract,
  type OpenApiDocument,
  openApiDocument,
  type OpenApiOperation,
  type OpenApiOptions,
} from "@scope/api/openapi";
import { assert } from "@std/assert";

/** The default info of a document, for tests that do not set it. */
export const info = { title: "Test", version: "1.0.0" };

/** The document of routes. */
export function describeRoutes(routes: object, options: Partial<OpenApiOptions> = {}): OpenApiDocument {
  return openApiDocument(defineContract({ routes: routes as never }) as Contract, { info, ...options });
}

/** The operation of the one route of a document. */
export function onlyOperation({ paths }: OpenApiDocument): OpenApiOperation {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  assert(operations.length === 1);
  return operations[0] as OpenApiOperation;
}

/** The operation of one route. */
export function describeRoute(route: object, options?: Partial<OpenApiOptions>): OpenApiOperation {
  return onlyOperation(describeRoutes({ route }, options));
}
