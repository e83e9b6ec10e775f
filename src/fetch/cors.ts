import { whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { addVary } from "../wire/vary.ts";
import { type CorsOptions } from "./check_cors.ts";
import { editHeaders } from "./edit_headers.ts";
import { listExposed, listRequestFields, parseNames, type RequestFields } from "./cors_fields.ts";
import { planOrigins } from "./origins.ts";

/** What is answered, and what is known of its routes. */
export interface CorsTarget<Given> {
  /** Answers a request that is not a preflight. */
  readonly answer: (request: Request, given: Given) => Response | Promise<Response>;
  /** The methods of a URL's path; none where no route has the path. */
  readonly listMethods: (url: string) => readonly string[];
  /** The route of a method and a URL. */
  readonly findRoute: (method: string, url: string) => RouteNode | undefined;
  /** Is told what `origins` throws. */
  readonly report: (error: unknown, request: Request, response: Response) => void;
}

/** Answers preflights, and adds to all other answers what lets pages of the allowed origins read them. */
export function planCors<Given>(options: CorsOptions, target: CorsTarget<Given>): CorsTarget<Given>["answer"] {
  const allowOrigin = planAllowance(options.origins, target);
  const answerPreflight = planPreflight(options, target.findRoute, allowOrigin);
  const addFields = planFields(options, allowOrigin);
  return (request, given) => {
    const methods = isPreflight(request) ? target.listMethods(request.url) : none;
    return methods.length > 0
      ? answerPreflight(request, methods)
      : whenReady(target.answer(request, given), addFields, request);
  };
}

const none: readonly never[] = [];

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has(methodField);
}

const methodField = "access-control-request-method";
const headersField = "access-control-request-headers";

/** Names the origin of a request in the fields of its answer, where it is allowed. */
type AllowOrigin = (headers: Headers, request: Request, response: Response) => boolean;

/** Plans what allows origins. Allowed or not: an answer depends on the origin, and caches must know, unless all are allowed. */
function planAllowance(
  origins: CorsOptions["origins"],
  { report }: Pick<CorsTarget<never>, "report">,
): AllowOrigin {
  const isAllowed = planOrigins(origins);
  return (headers, request, response) => {
    if (origins !== "*") addVary(headers, ["origin"]);
    const origin = request.headers.get("origin");
    if (!isAllowed(origin, (error) => report(error, request, response))) return false;
    headers.set("access-control-allow-origin", origins === "*" ? "*" : origin!); // `null` is never allowed
    return true;
  };
}

/** Plans the answer to a preflight for a path that has these methods. */
function planPreflight(
  { headers: further = [], maxAge = 7200 }: CorsOptions,
  findRoute: CorsTarget<never>["findRoute"],
  allowOrigin: AllowOrigin,
): (request: Request, methods: readonly string[]) => Response {
  const fieldsOf = planRequestFields(further.map((name) => name.toLowerCase()));
  return (request, methods) => {
    const response = new Response(null, { status: 204 });
    const { headers } = response;
    addVary(headers, [methodField, headersField]);
    if (!allowOrigin(headers, request, response)) return response;
    const node = findRoute(request.headers.get(methodField)!, request.url);
    const fields = fieldsOf(node, request.headers.get(headersField));
    headers.set("access-control-allow-methods", allowedMethods(methods).join(", "));
    if (fields.length > 0) headers.set("access-control-allow-headers", fields.join(", "));
    headers.set("access-control-max-age", String(maxAge));
    return response;
  };
}

/** HEAD is answered wherever GET is. */
function allowedMethods(methods: readonly string[]): string[] {
  return [...new Set(methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : method))];
}

/** What gives the names of the fields that a page may set for a route; they are worked out when one is first asked for. */
function planRequestFields(
  further: readonly string[],
): (node: RouteNode | undefined, requested: string | null) => readonly string[] {
  const known = new Map<RouteNode, RequestFields>();
  return (node, requested) => {
    if (node === undefined) return further;
    const { names, isOpen } = known.get(node) ?? listRequestFields(node);
    known.set(node, { names, isOpen });
    return [...new Set([...names, ...further, ...isOpen ? parseNames(requested) : none])];
  };
}

/** Plans what adds CORS fields to an answer. One that cannot be sent anyway, for its body is being read, stays as it is. */
function planFields(
  { exposed = [] }: CorsOptions,
  allowOrigin: AllowOrigin,
): (response: Response, request: Request) => Response {
  const further = exposed.map((name) => name.toLowerCase());
  return (response, request) => {
    const edit = (headers: Headers): void => {
      removeFields(headers);
      const names = [...new Set([...listExposed(headers), ...further])];
      const isReadable = allowOrigin(headers, request, response);
      if (isReadable && names.length > 0) headers.set("access-control-expose-headers", names.join(", "));
    };
    try {
      return editHeaders(response, edit);
    } catch {
      return response;
    }
  };
}

/** Removes what a handler wrote by itself: the adapter alone says who is allowed. Throws for fields that cannot be changed. */
function removeFields(headers: Headers): void {
  headers.delete("access-control-allow-origin");
  for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
}
