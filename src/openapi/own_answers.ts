/** The responses that the server sends without a handler. */
import { type RouteNode } from "../contract/node.ts";
import { isOptional, requirementsOf } from "../contract/security_list.ts";
import { isForgeable, kindRules } from "../contract/security_rules.ts";
import { parameterNames } from "../path.ts";
import { type AdapterProblem, createProblem } from "../wire/problem.ts";
import { type Surroundings } from "./content.ts";
import { describeResponseHeaders } from "./parameters.ts";
import { type OpenApiField } from "./types.ts";

/** A response that the server sends without a handler. */
export interface OwnAnswer {
  readonly description: string;
  /** Its problem document; `undefined` if the response is empty. */
  readonly example?: AdapterProblem;
  /** Its header fields by lowercase name. */
  readonly headers?: Readonly<Record<string, OpenApiField>>;
}

/**
 * Lists the responses that the server sends without a handler, by status. It omits 404 and 405, which belong to no
 * route.
 */
export function listOwnAnswers(route: RouteNode, around: Surroundings): Map<number, OwnAnswer> {
  if (!around.hasRefusals) return new Map();
  const example = refusalExample(route);
  const unauthorized = describeUnauthorized(route);
  const forbidden = describeForbidden(route);
  return new Map<number, OwnAnswer>([
    ...(hasEtag(route, around) ? [[304, notModified] as const] : []),
    ...(example ? [[400, { description: "The request is malformed or invalid.", example }] as const] : []),
    ...(unauthorized ? [[401, unauthorized] as const] : []),
    ...(forbidden ? [[403, forbidden] as const] : []),
    ...(route.body ? [[413, tooLarge] as const, [415, unsupported] as const] : []),
    [500, failed],
  ]);
}

/** Whether the response 200 of a GET route declares an entity tag. */
function hasEtag(route: RouteNode, { schemas }: Surroundings): boolean {
  const fields = route.method === "GET" ? describeResponseHeaders(route, 200, schemas) ?? {} : {};
  return Object.keys(fields).some((name) => name.toLowerCase() === "etag");
}

/**
 * Returns an example of the problem document for an invalid request; `undefined` if the route has nothing to validate.
 */
function refusalExample({ path, params, query, headers, body }: RouteNode): AdapterProblem | undefined {
  const slots = Object.entries({ body: body?.schema, query, headers, params });
  const [location] = slots.find(([, schema]) => schema !== undefined) ?? [];
  if (location !== undefined) {
    const issue = { location, path: ["name"], pointer: "/name", message: "name must be a string (was missing)" };
    return createProblem("invalid-request", { issues: [issue] });
  }
  if (body) return createProblem("invalid-body");
  return parameterNames(path).length > 0 ? createProblem("invalid-path") : undefined;
}

/**
 * Describes the 401 of a route, if it can occur. A route with optional security still refuses invalid credentials, but
 * not of every kind.
 */
function describeUnauthorized({ security = [] }: RouteNode): OwnAnswer | undefined {
  const schemes = requirementsOf(security).map(({ scheme }) => scheme);
  const needsNone = isOptional(security);
  if (!schemes.some(({ kind }) => !needsNone || !kindRules[kind].isLenient)) return undefined;
  return {
    description: needsNone ? "The credential is invalid." : "The credential is missing or invalid.",
    example: createProblem("unauthorized"),
    headers: {
      "www-authenticate": toHeader("A challenge for each scheme that is accepted (RFC 9110, section 11.6.1).", true),
    },
  };
}

/**
 * Describes the 403 of a route that requires scopes, or that accepts credentials which browsers attach to requests from
 * other sites.
 */
function describeForbidden(route: RouteNode): OwnAnswer | undefined {
  const requirements = requirementsOf(route.security ?? []);
  const scoped = requirements.filter(({ scopes }) => scopes.length > 0);
  const isForged = requirements.some(({ scheme }) => isForgeable(scheme, route));
  if (scoped.length === 0 && !isForged) return undefined;
  const hasChallenge = scoped.some(({ scheme: { kind } }) => kindRules[kind].hasScopeChallenge);
  const reasons = [
    ...(scoped.length > 0 ? ["The caller lacks a scope."] : []),
    ...(isForged ? ["A page of another site made the request."] : []),
  ];
  return {
    description: reasons.join(" "),
    example: createProblem(scoped.length > 0 ? "forbidden" : "cross-site"),
    ...(hasChallenge && {
      headers: { "www-authenticate": toHeader("The scopes that are required (RFC 6750, section 3.1).", false) },
    }),
  };
}

function toHeader(description: string, required: boolean): OpenApiField {
  return { description, ...(required && { required }), schema: { type: "string" } };
}

const notModified: OwnAnswer = { description: "The client already has the current content." };

const tooLarge: OwnAnswer = {
  description: "The body is longer than the server allows.",
  example: createProblem("body-too-large"),
};

const unsupported: OwnAnswer = {
  description: "The media type of the body is not supported.",
  example: createProblem("unsupported-media-type"),
};

const failed: OwnAnswer = { description: "The server failed.", example: createProblem("internal-error") };
