/** Many routes behind a mounted handler. Each responds with its own `METHOD path` and its parameters. */
import { defineContract, type Method, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";

/** A route as text: `GET /users/:id`. */
export type RouteText = `${Method} ${string}`;

/** The response of a matched route. */
export interface Matched {
  /** The route as text, without a base path. */
  readonly route: string;
  /** The raw parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/** Mounts routes that report that they were matched. */
export function mountRoutes(texts: readonly RouteText[], basePath = ""): FetchHandler {
  const responses = { 200: response.json<unknown>() };
  const routes = Object.fromEntries(texts.map((text) => {
    const [method, path] = splitText(text);
    return [text, (route[method] as typeof route.get)(path, { responses })];
  }));
  const handlers = Object.fromEntries(
    texts.map((text) => [text, ({ params = {} }) => ({ status: 200, body: { route: text, params } })]),
  );
  return createFetchHandler(defineServer(defineContract({ basePath, routes })).implement(handlers as never));
}

function splitText(text: RouteText): [method: Lowercase<Method>, path: string] {
  const space = text.indexOf(" ");
  return [text.slice(0, space).toLowerCase() as Lowercase<Method>, text.slice(space + 1)];
}

/** Returns the matched route for a request without a body, or the status of its refusal. */
export async function askFor(handler: FetchHandler, method: string, path: string): Promise<Matched | number> {
  const answer = await handler(new Request(`http://localhost${path}`, { method }));
  return answer.status === 200 ? await answer.json() : answer.status;
}

/** Returns the text of the route that handles a GET, or the status of its refusal. */
export async function routeOf(handler: FetchHandler, path: string, method = "GET"): Promise<string | number> {
  const matched = await askFor(handler, method, path);
  return typeof matched === "number" ? matched : matched.route;
}
