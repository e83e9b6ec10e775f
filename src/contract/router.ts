import { markAs } from "../mark.ts";
import { checkPath } from "./check_path.ts";
import { checkObject, checkOptions } from "./declared.ts";
import { type Deprecated } from "./deprecation.ts";
import { type Docs } from "./docs.ts";
import { type Responses } from "./response.ts";
import { copyShared, sharedNames } from "./shared_options.ts";
import { resolveRoutes } from "./resolve.ts";
import { type Security } from "./security_scheme.ts";
import { type RouterDeclaration, type RouteTree } from "./router_declaration.ts";

/** The options of {@linkcode router}. */
export interface RouterOptions<
  Routes extends RouteTree,
  Shared extends Responses,
  Secured extends Security | undefined,
> {
  /** The routes and routers below, by key. At least one. */
  readonly routes: Routes;
  /** Responses that every route below inherits. A nearer declaration of the same status wins. Default: none. */
  readonly responses?: Shared;
  /**
   * The security schemes of every route below: a caller needs the credential of one of them. A nearer list replaces
   * this one. Default: inherited.
   */
  readonly security?: Secured;
  /**
   * Whether callers should stop using the routes below, and since when. A nearer declaration replaces it. Default:
   * inherited.
   */
  readonly deprecated?: Deprecated;
  /** Tags for the OpenAPI document, which every route below inherits. Default: none. */
  readonly docs?: Docs;
}

/**
 * Declares routes with a common path and common responses. The same router can be used in several places, and inside
 * other routers.
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
 * @param path The path of all routes below, appended to the paths above. `/` and `""` add nothing.
 * @throws {TypeError} If a path, an option or a route is invalid. The message names it and the fix.
 */
export function router<
  const Path extends string,
  Routes extends RouteTree,
  Shared extends Responses = Record<never, never>,
  Secured extends Security | undefined = undefined,
>(
  path: Path,
  options: RouterOptions<Routes, Shared, Secured>,
): RouterDeclaration<Path, Routes, Shared, Secured> {
  checkPath(path, "router()");
  const where = `router(${JSON.stringify(path)})`;
  checkOptions(options, ["routes", ...sharedNames], where);
  const routes = Object.freeze({ ...checkObject(options.routes, where, '"routes"') }) as Routes;
  const shared = copyShared(options, where);
  resolveRoutes(routes, { key: "", path, ...shared }, where);
  const responses = shared.responses as Shared;
  const security = shared.security as Secured;
  return markAs("router declaration", { ...shared, path, routes, responses, security });
}
