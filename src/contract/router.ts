import { markAs, type Marked } from "../mark.ts";
import { checkPath } from "./check_path.ts";
import { checkObject, checkOptions } from "./declared.ts";
import { copyDocs, type Docs } from "./docs.ts";
import { type RouteDeclaration } from "./route.ts";
import { type Responses } from "./response.ts";
import { copySharedResponses } from "./responses.ts";
import { resolveRoutes } from "./resolve.ts";

/** Routes and routers by key. */
export interface RouteTree {
  /** The key is a step of the call tree; it adds no path segment. */
  readonly [key: string]: Marked<"route declaration"> | Marked<"router declaration">;
}

/** Routes with a common path that stand nowhere yet; made by {@linkcode router}. */
export interface RouterDeclaration<
  Path extends string = string,
  Routes extends RouteTree = RouteTree,
  Shared extends Responses = Responses,
> extends Marked<"router declaration"> {
  /** The path that was declared here. */
  readonly path: Path;
  /** The routes and routers below. */
  readonly routes: Routes;
  /** The responses that every route below inherits, by status. */
  readonly responses: Shared;
  /** What documentation says of every route below. */
  readonly docs: Docs;
}

/** A declaration that may stand in a {@linkcode RouteTree}. */
export type Declaration = RouteDeclaration | RouterDeclaration;

/** The options of {@linkcode router}. */
export interface RouterOptions<Routes extends RouteTree, Shared extends Responses> {
  /** The routes and routers below, by key; at least one. */
  readonly routes: Routes;
  /** Responses that every route below inherits; a nearer declaration of a status wins. Default: none. */
  readonly responses?: Shared;
  /** What documentation says of every route below: its tags, security and deprecation. */
  readonly docs?: Docs;
}

/**
 * Declares routes with a common path and common responses. A router may stand in several places, and in other routers.
 *
 * @example Two routes below one path
 * ```ts
 * import { response, route, router } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 *
 * const users = router("/users", {
 *   routes: {
 *     list: route.get("/", { responses: { 200: response.json<string[]>() } }),
 *     byId: route.get("/:id", { responses: { 200: response.json<string>() } }),
 *   },
 *   responses: { 401: response.empty() },
 * });
 *
 * assertEquals(Object.keys(users.routes), ["list", "byId"]);
 * ```
 *
 * @param path The path of all routes below, after the paths above. `/` or `""` adds nothing.
 * @throws {TypeError} For a path, an option or routes that can't be: see the list in the README.
 */
export function router<
  const Path extends string,
  Routes extends RouteTree,
  Shared extends Responses = Record<never, never>,
>(
  path: Path,
  options: RouterOptions<Routes, Shared>,
): RouterDeclaration<Path, Routes, Shared> {
  checkPath(path, "router()");
  const where = `router() ${JSON.stringify(path)}`;
  checkOptions(options, ["routes", "responses", "docs"], where);
  const routes = Object.freeze({ ...checkObject(options.routes, `routes of ${where}`) }) as Routes;
  const responses = copySharedResponses(options.responses, where) as Shared;
  const docs = copyDocs(options.docs, where);
  resolveRoutes(routes, { key: "", path, responses, docs }, where);
  return markAs("router declaration", { path, routes, responses, docs });
}
