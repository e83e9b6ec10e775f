import { type Marked } from "../mark.ts";
import { type Deprecated } from "./deprecation.ts";
import { type Docs } from "./docs.ts";
import { type Responses } from "./response.ts";
import { type Security } from "./security_scheme.ts";

/** Routes and routers by key. */
export interface RouteTree {
  /** The key is a step of the call tree; it adds no path segment. */
  readonly [key: string]: Marked<"route declaration"> | Marked<"router declaration">;
}

/** Routes with a common path that stand nowhere yet; made by `router`. */
export interface RouterDeclaration<
  Path extends string = string,
  Routes extends RouteTree = RouteTree,
  Shared extends Responses = Responses,
  Secured extends Security | undefined = Security | undefined,
> extends Marked<"router declaration"> {
  /** The path that was declared here. */
  readonly path: Path;
  /** The routes and routers below. */
  readonly routes: Routes;
  /** The responses that every route below inherits, by status. */
  readonly responses: Shared;
  /** The security that every route below inherits. */
  readonly security: Secured;
  /** What is declared of the deprecation of every route below. */
  readonly deprecated: Deprecated | undefined;
  /** What documentation says of every route below. */
  readonly docs: Docs;
}
