import { isBodiless } from "../contract/bodiless.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { parameterNames } from "../path.ts";
import { type AdapterProblem, createProblem, problemType } from "../wire/problem.ts";
import { statusPhrase } from "../wire/status_phrase.ts";
import { describeContent, type Surroundings } from "./content.ts";
import { describeResponseHeaders } from "./parameters.ts";
import { addSentence, proseOf } from "./representations.ts";
import { type OpenApiContent, type OpenApiResponse } from "./types.ts";

/** The responses of a route by status: what it declares, and what the server answers by itself. */
export function describeResponses(route: RouteNode, around: Surroundings): Record<string, OpenApiResponse> {
  const answers = listOwnAnswers(route, around);
  const statuses = new Set([...Object.keys(route.responses).map(Number), ...answers.keys()]);
  return Object.fromEntries([...statuses].map((status) => {
    const declared = route.responses[status];
    const own = answers.get(status);
    const headers = describeResponseHeaders(route, status, around.schemas);
    const listed = describeDeclared(route, status, around);
    const content = own?.example === undefined ? listed : addProblem(listed, own.example, around);
    const description = describe({ status, declared, own }, around);
    return [String(status), { description, ...(headers && { headers }), ...(content && { content }) }];
  }));
}

/** An answer that the server makes by itself. */
interface OwnAnswer {
  readonly description: string;
  /** Its problem document; `undefined` where it has no content. */
  readonly example?: AdapterProblem;
}

/**
 * What the server answers by itself, and when. 404 and 405 are no operation's: where they are the answer, no route is.
 */
function listOwnAnswers(route: RouteNode, { schemas }: Surroundings): Map<number, OwnAnswer> {
  const example = refusalExample(route);
  const fields = route.method === "GET" ? describeResponseHeaders(route, 200, schemas) ?? {} : {};
  return new Map<number, OwnAnswer>([
    ...(Object.keys(fields).some((name) => name.toLowerCase() === "etag") ? [[304, notModified] as const] : []),
    ...(example ? [[400, { description: "The request is malformed, or a schema refuses it.", example }] as const] : []),
    ...(route.body ? [[413, tooLarge] as const, [415, unsupported] as const] : []),
    [500, failed],
  ]);
}

/** How a request of a route is refused, if it can be. */
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

const notModified: OwnAnswer = { description: "The client has the content already." };

const tooLarge: OwnAnswer = {
  description: "The body is longer than the server allows.",
  example: createProblem("body-too-large"),
};

const unsupported: OwnAnswer = {
  description: "The body is not of the media type that is declared here.",
  example: createProblem("unsupported-media-type"),
};

const failed: OwnAnswer = { description: "The server failed.", example: createProblem("internal-error") };

function describe(
  { status, declared, own }: ResponseFacts,
  { version }: Surroundings,
): string {
  if (declared === undefined) return own?.description ?? statusPhrase(status);
  const words = declared.description ?? statusPhrase(status);
  const stream = version === "3.1" ? proseOf(declared) : undefined;
  return stream === undefined ? words : addSentence(words, stream);
}

/** What may be said of a status. */
interface ResponseFacts {
  readonly status: number;
  readonly declared: ResponseDeclaration | undefined;
  readonly own: OwnAnswer | undefined;
}

function describeDeclared(route: RouteNode, status: number, around: Surroundings): OpenApiContent | undefined {
  const declared = route.responses[status];
  if (declared === undefined || isBodiless(status)) return undefined;
  return describeContent(declared, around.schemas.of(route, status), around);
}

/** The content of a status that the server may answer by itself too: one representation more, or one more schema of it. */
function addProblem(
  content: OpenApiContent | undefined,
  example: AdapterProblem,
  { problem }: Surroundings,
): OpenApiContent {
  const declared = content?.[problemType];
  const isSame = declared === undefined || JSON.stringify(declared.schema) === JSON.stringify(problem);
  const listed = isSame ? { schema: problem, example } : { schema: { anyOf: [declared.schema ?? {}, problem] } };
  return { ...content, [problemType]: listed };
}
