import { whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { isAmbient } from "../contract/security_list.ts";
import { addVary } from "../wire/vary.ts";
import { type CorsOptions, refuseAllOrigins } from "./check_cors.ts";
import { editHeaders } from "./edit_headers.ts";
import { isExposed, listRequestFields, parseNames, type RequestFields } from "./cors_fields.ts";
import { type AllowsOrigin } from "./origins.ts";

/** What is answered, and what is known of its routes. */
export interface CorsTarget<Given> {
  /** Answers a request that is not a preflight. */
  readonly answer: (request: Request, given: Given) => Response | Promise<Response>;
  /** The methods of a URL's path; none where no route has the path. */
  readonly listMethods: (url: string) => readonly string[];
  /** The route of a method and a URL. */
  readonly findRoute: (method: string, url: string) => RouteNode | undefined;
  /** Whether an origin is allowed. */
  readonly allowsOrigin: AllowsOrigin;
  /** The routes. */
  readonly nodes: readonly RouteNode[];
  /** Is told what `origins` throws. */
  readonly report: (error: unknown, request: Request, response: Response) => void;
}

/** Answers preflights, and adds to all other answers what lets pages of the allowed origins read them. */
export function planCors<Given>(options: CorsOptions, target: CorsTarget<Given>): CorsTarget<Given>["answer"] {
  const ambient = target.nodes.find(({ security = [] }) => isAmbient(security));
  if (ambient) refuseAllOrigins(options, ambient);
  const allowOrigin = planAllowance(options, { ...target, takesAmbient: ambient !== undefined });
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

/** The fields that allow the origin of a request; `undefined` where it is not allowed. */
type AllowOrigin = (request: Request, response: Response) => Readonly<Record<string, string>> | undefined;

/** What allowing follows from. */
interface AllowancePlan extends Pick<CorsTarget<never>, "allowsOrigin" | "report"> {
  /** Whether any route takes a credential that browsers attach by themselves. */
  readonly takesAmbient: boolean;
}

function planAllowance(
  { origins }: CorsOptions,
  { allowsOrigin, report, takesAmbient }: AllowancePlan,
): AllowOrigin {
  const credentials: Readonly<Record<string, string>> = takesAmbient
    ? { "access-control-allow-credentials": "true" }
    : {};
  return (request, response) => {
    const origin = request.headers.get("origin");
    if (!allowsOrigin(origin, (error) => report(error, request, response))) return undefined;
    return { "access-control-allow-origin": origins === "*" ? "*" : origin!, ...credentials }; // `null` is never allowed
  };
}

/** The fields that answers depend on. Whether or not an origin is allowed, caches must know, unless all are. */
function varyingFields({ origins }: CorsOptions): readonly string[] {
  return origins === "*" ? none : ["origin"];
}

/** Plans the answer to a preflight for a path that has these methods. */
function planPreflight(
  options: CorsOptions,
  findRoute: CorsTarget<never>["findRoute"],
  allowOrigin: AllowOrigin,
): (request: Request, methods: readonly string[]) => Response {
  const { headers = [], maxAge = 7200 } = options;
  const fieldsOf = planRequestFields(headers.map((name) => name.toLowerCase()));
  const vary = [...varyingFields(options), methodField, headersField].join(", ");
  return (request, methods) => {
    const response = new Response(null, { status: 204, headers: { vary } });
    const allowance = allowOrigin(request, response);
    if (!allowance) return response;
    const node = findRoute(request.headers.get(methodField)!, request.url);
    const fields = fieldsOf(node, request.headers.get(headersField));
    setFields(response.headers, {
      ...allowance,
      "access-control-allow-methods": allowedMethods(methods).join(", "),
      ...(fields.length > 0 && { "access-control-allow-headers": fields.join(", ") }),
      "access-control-max-age": String(maxAge),
    });
    return response;
  };
}

function setFields(headers: Headers, fields: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(fields)) headers.set(name, value);
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

/** Plans what adds CORS fields to an answer. */
function planFields(
  options: CorsOptions,
  allowOrigin: AllowOrigin,
): (response: Response, request: Request) => Response {
  const further = (options.exposed ?? []).map((name) => name.toLowerCase());
  const vary = varyingFields(options);
  return (response, request) => {
    const allowance = allowOrigin(request, response);
    const edit = (headers: Headers): void => {
      const names = listNames(headers);
      for (const name of names) if (name.startsWith("access-control-")) headers.delete(name); // a handler allows nobody
      addVary(headers, vary);
      if (allowance) setFields(headers, { ...allowance, ...exposeFields([...names.filter(isExposed), ...further]) });
    };
    return editHeaders(response, edit);
  };
}

function exposeFields(names: readonly string[]): Readonly<Record<string, string>> {
  return names.length === 0 ? {} : { "access-control-expose-headers": [...new Set(names)].join(", ") };
}

/** The names of fields. `keys()` takes three times as long. */
function listNames(headers: Headers): string[] {
  const names: string[] = [];
  headers.forEach((_, name) => names.push(name));
  return names;
}
