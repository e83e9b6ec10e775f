import { defineContract } from "@scope/api";
import {
  type Contract,
  type OpenApiDocument,
  openApiDocument,
  type OpenApiOperation,
  type OpenApiOptions,
  type OpenApiResponse,
} from "@scope/api/openapi";
import { assert } from "@std/assert";

/** The default info of a document, for tests that do not set it. */
export const info = { title: "Test", version: "1.0.0" };

/** The document of routes. */
export function describeRoutes(routes: object, options: Partial<OpenApiOptions> = {}): OpenApiDocument {
  return openApiDocument(defineContract({ routes: routes as never }) as Contract, { info, ...options });
}

/** The operation of the one route of a document, with its responses in their places. */
export function onlyOperation({ paths, components }: OpenApiDocument): OpenApiOperation & ListedResponses {
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as OpenApiOperation[];
  const [operation] = operations;
  assert(operation !== undefined && operations.length === 1);
  const responses = Object.entries(operation.responses).map(([status, each]) =>
    [status, each.$ref === undefined ? each : components?.responses?.[each.$ref.split("/").at(-1)!]] as const
  );
  return { ...operation, responses: Object.fromEntries(responses) as Record<string, OpenApiResponse> };
}

/** Responses without references. */
interface ListedResponses {
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** The operation of one route. */
export function describeRoute(route: object, options?: Partial<OpenApiOptions>): OpenApiOperation & ListedResponses {
  return onlyOperation(describeRoutes({ route }, options));
}
