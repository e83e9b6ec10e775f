import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { parameterNames } from "../path.ts";
import { problemType } from "../wire/problem.ts";
import { describeContent, type Surroundings } from "./content.ts";
import { describeResponseHeaders } from "./parameters.ts";
import { statusPhrase } from "./phrases.ts";
import { type JsonSchema, type OpenApiContent, type OpenApiMediaType, type OpenApiResponse } from "./types.ts";

/** The responses of a route by status: what it declares, and what the server answers by itself. */
export function describeResponses(route: RouteNode, around: Surroundings): Record<string, OpenApiResponse> {
  const own = listProblems(route);
  const statuses = new Set([...Object.keys(route.responses).map(Number), ...own.keys()]);
  const ordered = [...statuses].sort((one, other) => one - other);
  return Object.fromEntries(ordered.map((status) => {
    const declared = route.responses[status];
    const problem = own.get(status);
    const headers = describeResponseHeaders(route, status, around.schemas);
    const listed = describeDeclared(route, status, around);
    const content = problem === undefined ? listed : addProblem(listed, around);
    const description = describe({ status, declared, problem }, around);
    return [String(status), { description, ...(headers && { headers }), ...(content && { content }) }];
  }));
}

/**
 * What the server answers by itself, and when. 404 and 405 are no operation's: where they are the answer, no route is.
 */
function listProblems({ path, query, headers, body }: RouteNode): Map<number, string> {
  const refuses = parameterNames(path).length > 0 || query || headers || body;
  return new Map([
    ...(refuses ? [[400, "The request is malformed, or a schema refuses it."] as const] : []),
    ...(body
      ? [
        [413, "The body is longer than the server allows."] as const,
        [415, "The body is not of a media type that is declared here."] as const,
      ]
      : []),
    [500, "The server failed."],
  ]);
}

/** How a document of OpenAPI 3.1 says that the schema is of an item: only its prose can. */
const streams: Readonly<Record<string, string>> = {
  ndjson: "A stream: the schema is that of each line.",
  sse: "A stream: the schema is that of each event.",
};

function describe(
  { status, declared, problem }: {
    status: number;
    declared: ResponseDeclaration | undefined;
    problem?: string | undefined;
  },
  { version }: Surroundings,
): string {
  if (declared === undefined) return problem ?? statusPhrase(status);
  const words = declared.description ?? statusPhrase(status);
  const stream = version === "3.1" ? streams[declared.kind] : undefined;
  return stream === undefined ? words : `${words.replace(/[^.!?]$/, "$&.")} ${stream}`;
}

function describeDeclared(route: RouteNode, status: number, around: Surroundings): OpenApiContent | undefined {
  const declared = route.responses[status];
  if (declared === undefined || isBodiless(status)) return undefined;
  const { kind, contentType } = declared;
  return describeContent({ kind, contentType, schema: around.schemas.of(route, status) }, around);
}

/** Whether a status has no content whatever was declared. */
function isBodiless(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}

/** The content of a status that the server may answer by itself too: one representation more, or one more schema of it. */
function addProblem(content: OpenApiContent | undefined, { problem }: Surroundings): OpenApiContent {
  const declared = content?.[problemType];
  return { ...content, [problemType]: declared ? eitherOf(declared, problem) : { schema: problem } };
}

function eitherOf(declared: OpenApiMediaType, problem: JsonSchema): OpenApiMediaType {
  const isSame = JSON.stringify(declared.schema) === JSON.stringify(problem);
  return isSame ? declared : { schema: { anyOf: [declared.schema ?? {}, problem] } };
}
