/** Many routes behind a mounted handler, each answering with its own `METHOD path` and its parameters. */
import { defineContract, type Method, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";

/** A route as text: `GET /users/:id`. */
export type RouteText = `${Method} ${string}`;

/** What a matched route answers with. */
export interface Matched {
  /** The route's own text, without a base path. */
  readonly route: string;
  /** The raw parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/** Mounts routes that tell that they were matched. */
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

/** What a handler makes of a request without a body: what was matched, or the status of its refusal. */
export async function askFor(handler: FetchHandler, method: string, path: string): Promise<Matched | number> {
  const answer = await handler(new Request(`http://localhost${path}`, { method }));
  return answer.status === 200 ? await answer.json() : answer.status;
}

/** The text of the route that a GET is answered by, or the status of its refusal. */
export async function routeOf(handler: FetchHandler, path: string, method = "GET"): Promise<string | number> {
  const matched = await askFor(handler, method, path);
  return typeof matched === "number" ? matched : matched.route;
}
