import { isBodiless } from "../bodiless.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { type AdapterProblem, problemType } from "../wire/problem.ts";
import { statusPhrase } from "../wire/status_phrase.ts";
import { describeContent, type Surroundings } from "./content.ts";
import { listOwnAnswers, type OwnAnswer } from "./own_answers.ts";
import { describeResponseHeaders } from "./parameters.ts";
import { addSentence, proseOf } from "./representations.ts";
import { type OpenApiContent, type OpenApiField, type OpenApiResponse } from "./types.ts";

/**
 * Describes the responses of a route by status: the declared ones, and those that the server sends without a handler.
 */
export function describeResponses(route: RouteNode, around: Surroundings): Record<string, OpenApiResponse> {
  const answers = listOwnAnswers(route, around);
  const statuses = new Set([...Object.keys(route.responses).map(Number), ...answers.keys()]);
  return Object.fromEntries([...statuses].map((status) => {
    const declared = route.responses[status];
    const own = answers.get(status);
    const headers = joinHeaders(describeResponseHeaders(route, status, around.schemas), own, declared !== undefined);
    const listed = describeDeclared(route, status, around);
    const content = own?.example === undefined ? listed : addProblem(listed, own.example, around);
    const description = describe({ status, declared, own }, around);
    return [String(status), { description, ...(headers && { headers }), ...(content && { content }) }];
  }));
}

/**
 * Returns the header fields of a status: the declared ones and the server's own. The server's own are optional if the
 * status is declared.
 */
function joinHeaders(
  declared: Record<string, OpenApiField> | undefined,
  own: OwnAnswer | undefined,
  isDeclared: boolean,
): Record<string, OpenApiField> | undefined {
  if (own?.headers === undefined) return declared;
  const names = Object.keys(declared ?? {}).map((name) => name.toLowerCase());
  const others = Object.entries(own.headers).filter(([name]) => !names.includes(name))
    .map(([name, { required, ...field }]) => [name, isDeclared ? field : { ...(required && { required }), ...field }]);
  return { ...declared, ...Object.fromEntries(others) };
}

function describe(
  { status, declared, own }: ResponseFacts,
  { version }: Surroundings,
): string {
  if (declared === undefined) return own?.description ?? statusPhrase(status);
  const words = declared.description ?? statusPhrase(status);
  const stream = version === "3.1" ? proseOf(declared) : undefined;
  return stream === undefined ? words : addSentence(words, stream);
}

/** Everything that describes a status. */
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

/**
 * Adds the server's problem document to the content of a status: as another media type, or as an alternative schema.
 */
function addProblem(
  content: OpenApiContent | undefined,
  example: AdapterProblem,
  { toProblem }: Surroundings,
): OpenApiContent {
  const problem = toProblem();
  const declared = content?.[problemType];
  const isSame = declared === undefined || JSON.stringify(declared.schema) === JSON.stringify(problem);
  const listed = isSame ? { schema: problem, example } : { schema: { anyOf: [declared.schema ?? {}, problem] } };
  return { ...content, [problemType]: listed };
}
