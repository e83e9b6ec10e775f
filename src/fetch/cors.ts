import { whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { isAmbient } from "../contract/security_list.ts";
import { addVary } from "../wire/vary.ts";
import { type CorsOptions, refuseAllOrigins } from "./check_cors.ts";
import { editHeaders } from "./edit_headers.ts";
import { isExposed, listRequestFields, parseNames, type RequestFields } from "./cors_fields.ts";
import { type AllowsOrigin } from "./origins.ts";

/** The handler that CORS wraps, with what it needs to know of the routes. */
export interface CorsTarget<Argument> {
  /** Answers a request that is not a preflight. */
  readonly answer: (request: Request, argument: Argument) => Response | Promise<Response>;
  /** The methods of a URL's path. Empty if no route has the path. */
  readonly listMethods: (url: string) => readonly string[];
  /** Finds the route of a method and a URL. */
  readonly findRoute: (method: string, url: string) => RouteNode | undefined;
  /** Whether an origin is allowed. */
  readonly allowsOrigin: AllowsOrigin;
  readonly nodes: readonly RouteNode[];
  /** Reports an error that `origins` throws. */
  readonly report: (error: unknown, request: Request, response: Response) => void;
}

/**
 * Wraps a handler: answers preflights, and adds to all other responses the headers that let pages of allowed origins
 * read them.
 */
export function planCors<Argument>(options: CorsOptions, target: CorsTarget<Argument>): CorsTarget<Argument>["answer"] {
  const ambient = target.nodes.find(({ security = [] }) => isAmbient(security));
  if (ambient) refuseAllOrigins(options, ambient);
  const allowOrigin = planAllowance(options, { ...target, takesAmbient: ambient !== undefined });
  const answerPreflight = planPreflight(options, target.findRoute, allowOrigin);
  const addFields = planFields(options, allowOrigin);
  return (request, argument) => {
    const methods = isPreflight(request) ? target.listMethods(request.url) : none;
    return methods.length > 0
      ? answerPreflight(request, methods)
      : whenReady(target.answer(request, argument), addFields, request);
  };
}

const none: readonly never[] = [];

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has(methodField);
}

const methodField = "access-control-request-method";
const headersField = "access-control-request-headers";

/** The headers that allow the origin of a request. `undefined` if it is not allowed. */
type AllowOrigin = (request: Request, response: Response) => Readonly<Record<string, string>> | undefined;

/** The inputs for deciding whether an origin is allowed. */
interface AllowancePlan extends Pick<CorsTarget<never>, "allowsOrigin" | "report"> {
  /** Whether any route accepts a credential that browsers attach automatically. */
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

/**
 * The request headers that responses depend on, for `vary`. Caches need them even if the origin is not allowed, unless
 * all origins are.
 */
function varyingFields({ origins }: CorsOptions): readonly string[] {
  return origins === "*" ? none : ["origin"];
}

/** Plans the response to a preflight for a path with these methods. */
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

/** Adds HEAD, which every GET route answers. */
function allowedMethods(methods: readonly string[]): string[] {
  return [...new Set(methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : method))];
}

/** Plans which headers a page may send to a route. They are computed at the first request for them. */
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

/** Plans how to add CORS headers to a response. */
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
      for (const name of names) if (name.startsWith("access-control-")) headers.delete(name); // a handler cannot allow origins
      addVary(headers, vary);
      if (allowance) setFields(headers, { ...allowance, ...exposeFields([...names.filter(isExposed), ...further]) });
    };
    return editHeaders(response, edit);
  };
}

function exposeFields(names: readonly string[]): Readonly<Record<string, string>> {
  return names.length === 0 ? {} : { "access-control-expose-headers": [...new Set(names)].join(", ") };
}

/** The names of headers. `keys()` takes three times as long. */
function listNames(headers: Headers): string[] {
  const names: string[] = [];
  headers.forEach((_, name) => names.push(name));
  return names;
}
