import { isBodiless, type StatusRange } from "../../native_response.ts";
import { handlerResponses, type RouteNode } from "../../contract/node.ts";
import { sentStatus } from "../../contract/refusals.ts";
import type { ResponseDeclaration } from "../../contract/response.ts";
import { alternativesOf, isForgeable, isOptional, kindRules, requirementsOf } from "../../contract/security_scheme.ts";
import { parameterNames } from "../../path.ts";
import { problemType } from "../../wire/media_type.ts";
import { type AdapterProblem, createProblem, statusPhrase } from "../../wire/problem.ts";
import type { EmbeddedSchemas } from "./components.ts";
import type { RouteDocs } from "./options.ts";
import { describeResponseHeaders } from "./parameters.ts";
import { addSentence, describeContent, type DocumentFacts, proseOf } from "./representations.ts";
import { addResponseDocs } from "./prose.ts";
import { describeSocket, socketOf } from "./sockets.ts";
import type { OpenApiContent, OpenApiField, OpenApiReference, OpenApiResponse } from "./types.ts";

/** The parts of a document that the description of a route depends on. */
export interface Surroundings extends DocumentFacts {
  readonly schemas: EmbeddedSchemas;
  /** Whether the responses that the server sends without a handler are listed. */
  readonly hasRefusals: boolean;
  readonly docs: RouteDocs;
  /** The responses that routes refer to, by name. The map grows while routes are described. */
  readonly responses: Map<string, OpenApiResponse>;
}

/**
 * Describes the responses of a route by status: the declared ones, and those that the server sends without a handler.
 */
export function describeResponses(
  route: RouteNode,
  around: Surroundings,
): Record<string, OpenApiResponse | OpenApiReference> {
  const answers = listOwnAnswers(route, around);
  const statuses = new Set([...Object.keys(route.responses).map(Number), ...answers.keys()]);
  const ranges = listRanges(route, [...statuses].filter((status) => !answers.has(status)));
  const listed = [...statuses].map((status): [name: string, response: OpenApiResponse] => {
    const facts = {
      status,
      declared: route.responses[status],
      own: answers.get(status),
      range: ranges.get(status),
      isReturned: Object.hasOwn(handlerResponses(route), status),
    };
    return [ranges.get(status) ?? String(status), describeResponse(route, facts, around)];
  });
  const { responses: docs = {} } = around.docs.get(route) ?? {};
  const described = addResponseDocs(Object.fromEntries(listed), docs, route.key);
  const shared = [...answers].filter(([status]) =>
    route.responses[status] === undefined && !Object.hasOwn(docs, String(status))
  );
  const references = shared.map(([status, { name }]) => {
    around.responses.set(name, described[status]!);
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return { ...described, ...Object.fromEntries(references) };
}

interface ResponseFacts {
  readonly status: number;
  readonly declared: ResponseDeclaration | undefined;
  readonly own: OwnAnswer | undefined;
  readonly range: StatusRange | undefined;
  readonly isReturned: boolean;
}

function describeResponse(route: RouteNode, facts: ResponseFacts, around: Surroundings): OpenApiResponse {
  const { status, declared, own } = facts;
  const headers = joinHeaders(describeResponseHeaders(route, status, around.schemas), facts);
  const listed = declared && !isBodiless(status)
    ? describeContent(declared, around.schemas.of(route, status), around)
    : undefined;
  const content = own?.example === undefined ? listed : addProblem(listed, own.example, around);
  const socket = socketOf(declared);
  return {
    description: describe(facts, around),
    ...(headers && { headers }),
    ...(content && { content }),
    ...(socket && { "x-websocket": describeSocket(socket, (slot) => around.schemas.of(route, slot)) }),
  };
}

/**
 * Returns the ranges under which statuses are listed: those of declarations for whole ranges, each with one
 * declaration.
 */
function listRanges({ responses }: RouteNode, statuses: readonly number[]): Map<number, StatusRange> {
  const first = new Map<StatusRange, ResponseDeclaration>();
  return new Map(statuses.flatMap((status) => {
    const declared = responses[status];
    if (declared?.range === undefined) return [];
    if (!first.has(declared.range)) first.set(declared.range, declared);
    return first.get(declared.range) === declared ? [[status, declared.range] as const] : [];
  }));
}

/** How the statuses of a range are described, unless their declaration says it. */
const rangePhrases: Readonly<Record<StatusRange, string>> = {
  "2XX": "Success",
  "3XX": "Redirection",
  "4XX": "Client Error",
  "5XX": "Server Error",
  default: "Error",
};

/**
 * Returns the header fields of a status: the declared ones and the server's own. The server's own are optional if a
 * handler can return the status.
 */
function joinHeaders(
  declared: Record<string, OpenApiField> | undefined,
  { own, isReturned }: ResponseFacts,
): Record<string, OpenApiField> | undefined {
  if (own?.headers === undefined) return declared;
  const names = Object.keys(declared ?? {}).map((name) => name.toLowerCase());
  const others = Object.entries(own.headers).filter(([name]) => !names.includes(name))
    .map(([name, { required, ...field }]) => [name, isReturned ? field : { ...(required && { required }), ...field }]);
  return { ...declared, ...Object.fromEntries(others) };
}

function describe({ status, declared, own, range, isReturned }: ResponseFacts, { version }: Surroundings): string {
  if (range !== undefined) return declared?.description ?? rangePhrases[range];
  const words = declared?.description ?? (declared && isReturned ? undefined : own?.description) ??
    statusPhrase(status);
  const stream = declared && version === "3.1" ? proseOf(declared) : undefined;
  return stream === undefined ? words : addSentence(words, stream);
}

/**
 * Adds the server's problem document to the content of a status: as another media type, or as an alternative schema.
 */
function addProblem(
  content: OpenApiContent | undefined,
  example: OwnProblem,
  { toProblem }: Surroundings,
): OpenApiContent {
  const problem = toProblem();
  const declared = content?.[problemType];
  const isSame = declared === undefined || JSON.stringify(declared.schema) === JSON.stringify(problem);
  const listed = isSame ? { schema: problem, example } : { schema: { anyOf: [declared.schema ?? {}, problem] } };
  return { ...content, [problemType]: listed };
}

/** A problem document of the server, or of the code of connections. */
type OwnProblem = Omit<AdapterProblem, "code"> & { readonly code: string };

/** A response that the server sends without a handler. */
interface OwnAnswer {
  /** The name of its component: the code of its problem, and what else tells it from others. */
  readonly name: string;
  readonly description: string;
  /** Its problem document; `undefined` if the response is empty. */
  readonly example?: OwnProblem;
  readonly headers?: Readonly<Record<string, OpenApiField>>;
}

/**
 * Lists the responses that the server sends without a handler, by status. It omits 404 and 405, which belong to no
 * route.
 */
function listOwnAnswers(route: RouteNode, around: Surroundings): Map<number, OwnAnswer> {
  const sent = new Map<number, OwnAnswer>();
  for (const [status, own] of around.hasRefusals ? listUsualAnswers(route, around) : []) {
    if (own === undefined) continue;
    const declared = sentStatus(route.refusals, status);
    if (declared === undefined) sent.set(status, own);
    else sent.set(declared, joinAnswers(sent.get(declared), own));
  }
  return sent;
}

/** Joins the responses that a declared refusal replaces. The declaration describes their body. */
function joinAnswers(one: OwnAnswer | undefined, { name, description, headers }: OwnAnswer): OwnAnswer {
  const joined = (one?.headers || headers) && { headers: { ...one?.headers, ...headers } };
  return { name, description: one ? addSentence(one.description, description) : description, ...joined };
}

/** Lists those responses as they are unless the contract declares them; `undefined` if the route does not send one. */
function listUsualAnswers(
  route: RouteNode,
  around: Surroundings,
): readonly (readonly [status: number, OwnAnswer | undefined])[] {
  const isSocket = socketOf(route.responses[101]) !== undefined;
  const example = refusalExample(route);
  const invalid = example && toOwnAnswer("The request is malformed or invalid.", example);
  return [
    [304, hasEtag(route, around) ? notModified : undefined],
    [400, invalid ?? (isSocket ? invalidUpgrade : undefined)],
    [401, describeUnauthorized(route)],
    [403, describeForbidden(route)],
    [413, route.body && tooLarge],
    [415, route.body && unsupported],
    [426, isSocket ? upgradeRequired : undefined],
    [500, failed],
    [503, isSocket ? shuttingDown : undefined],
  ];
}

/** Tests whether the response 200 of a GET route declares an entity tag. */
function hasEtag(route: RouteNode, { schemas }: Surroundings): boolean {
  const fields = route.method === "GET" ? describeResponseHeaders(route, 200, schemas) ?? {} : {};
  return Object.keys(fields).some((name) => name.toLowerCase() === "etag");
}

/** Returns the problem document for an invalid request; `undefined` if the route has nothing to validate. */
function refusalExample({ path, params, query, headers, body }: RouteNode): AdapterProblem | undefined {
  if ([body?.schema, query, headers, params].some((schema) => schema !== undefined)) return invalidRequest;
  if (body) return createProblem("invalid-body");
  return parameterNames(path).length > 0 ? createProblem("invalid-path") : undefined;
}

/** Returns a response whose component is named by the code of its problem: `InvalidRequest`. */
function toOwnAnswer(description: string, example: OwnProblem): OwnAnswer {
  const words = example.code.split("-").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return { name: words.join(""), description, example };
}

/**
 * Describes the 401 of a route, if it can occur. A route with optional security still refuses invalid credentials, but
 * not of every kind.
 */
function describeUnauthorized({ security = [] }: RouteNode): OwnAnswer | undefined {
  const schemes = requirementsOf(security).map(({ scheme }) => scheme);
  const needsNone = isOptional(security);
  if (!schemes.some(({ kind }) => !needsNone || !kindRules[kind].isLenient)) return undefined;
  const own = toOwnAnswer("The credential is missing or invalid.", createProblem("unauthorized"));
  return {
    ...own,
    ...(needsNone && { name: "InvalidCredential", description: "The credential is invalid." }),
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
  const isSocket = socketOf(route.responses[101]) !== undefined; // which pages of other sites must not open
  const isForged = isSocket || alternativesOf(route.security ?? []).some((needed) => isForgeable(needed, route));
  if (scoped.length === 0 && !isForged) return undefined;
  const hasChallenge = scoped.some(({ scheme: { kind } }) => kindRules[kind].hasScopeChallenge);
  const reasons = [
    ...(scoped.length > 0 ? ["The caller lacks a scope."] : []),
    ...(isForged ? ["A page of another site made the request."] : []),
  ];
  const own = toOwnAnswer(reasons.join(" "), createProblem(scoped.length > 0 ? "forbidden" : "cross-site"));
  const others = [
    ...(scoped.length > 0 && isForged ? ["OrCrossSite"] : []),
    ...(scoped.length > 0 && !hasChallenge ? ["WithoutChallenge"] : []),
  ];
  return {
    ...own,
    name: own.name + others.join(""),
    ...(hasChallenge && {
      headers: { "www-authenticate": toHeader("The scopes that are required (RFC 6750, section 3.1).", false) },
    }),
  };
}

function toHeader(description: string, required: boolean): OpenApiField {
  return { description, ...(required && { required }), schema: { type: "string" } };
}

const notModified: OwnAnswer = {
  name: "NotModified",
  description: "The client already has the current content.",
};

const invalidRequest = createProblem("invalid-request", {
  issues: [{ location: "body", path: ["name"], pointer: "/name", message: "name must be a string (was missing)" }],
});

const tooLarge = toOwnAnswer("The body is longer than the server allows.", createProblem("body-too-large"));

const unsupported = toOwnAnswer(
  "The media type of the body is not supported.",
  createProblem("unsupported-media-type"),
);

const invalidUpgrade = ofConnections(400, "invalid-upgrade", "The handshake of the WebSocket is malformed.");

const upgradeRequired: OwnAnswer = {
  ...ofConnections(
    426,
    "upgrade-required",
    "The request would have opened a WebSocket, but is not a handshake of RFC 6455.",
  ),
  headers: { "upgrade": toHeader("The protocol: `websocket`.", true) },
};

const shuttingDown: OwnAnswer = {
  ...ofConnections(503, "shutting-down", "The server is shutting down."),
  headers: { "retry-after": toHeader("When to try again, in seconds.", true) },
};

const failed = toOwnAnswer("The server failed.", createProblem("internal-error"));

/** Returns a response that the code of connections sends (`src/socket/`). */
function ofConnections(status: number, code: string, description: string): OwnAnswer {
  return toOwnAnswer(description, { type: "about:blank", title: statusPhrase(status), status, code });
}
