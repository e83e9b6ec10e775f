import { type RouteNode } from "../contract/node.ts";
import { describeContent, type Surroundings } from "./content.ts";
import { describeParameters } from "./parameters.ts";
import { addSentence } from "./representations.ts";
import { describeResponses } from "./responses.ts";
import { describeSecurity } from "./security.ts";
import { type OpenApiOperation, type OpenApiRequestBody } from "./types.ts";

/** A route, with its place in the tree of routes. */
export interface ListedRoute {
  readonly route: RouteNode;
  /** The first key of the route's dotted key. */
  readonly group: string;
}

/** Describes a route. `names` are the parameter names of its path item. */
export function describeOperation(
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
  const description = maxBytes === undefined ? words : addSentence(words, `At most ${maxBytes} bytes.`);
  return {
    ...(description !== undefined && { description }),
    required: !optional,
    content: describeContent(route.body, around.schemas.of(route, "body"), around) ?? {},
  };
}
