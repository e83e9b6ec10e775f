import { type Marked } from "../mark.ts";
import { type Deprecated } from "./deprecation.ts";
import { type Docs } from "./docs.ts";
import { type Responses } from "./response.ts";
import { type Security } from "./security_scheme.ts";

/** Routes and routers by key. */
export interface RouteTree {
  /** A route or a router. The key is a step of the client's call tree, and adds nothing to the path. */
  readonly [key: string]: Marked<"route declaration"> | Marked<"router declaration">;
}

/** A declared router, before it has a place in a contract. `router()` returns it. */
export interface RouterDeclaration<
  Path extends string = string,
  Routes extends RouteTree = RouteTree,
  Shared extends Responses = Responses,
  Secured extends Security | undefined = Security | undefined,
> extends Marked<"router declaration"> {
  /** The path that the paths of its routes start with, such as `/users/:id`. */
  readonly path: Path;
  /** The routes and routers below. */
  readonly routes: Routes;
  /** The responses that every route below inherits, by status code. */
  readonly responses: Shared;
  /** The security that every route below inherits. */
  readonly security: Secured;
  /** The deprecation that every route below inherits. */
  readonly deprecated: Deprecated | undefined;
  /** The prose for the OpenAPI document that every route below inherits. */
  readonly docs: Docs;
}
