/** The options that routes, routers and contracts share: what is declared for the routes below. */
import { copySecurity } from "./copy_security.ts";
import { copyDeprecated, type Deprecated } from "./deprecation.ts";
import { copyDocs, type Docs, inheritDocs } from "./docs.ts";
import { type Responses } from "./response.ts";
import { copyResponses } from "./responses.ts";
import { type Security } from "./security_scheme.ts";

/** The names of these options. */
export const sharedNames: readonly string[] = ["responses", "security", "deprecated", "docs"];

/** What is inherited, as it is declared in one place, or in all places above. */
export interface Inherited {
  readonly responses: Responses;
  readonly security: Security | undefined;
  readonly deprecated: Deprecated | undefined;
  readonly docs: Docs;
}

/** Frozen copies of the shared options, or a `TypeError` that says why one is invalid. */
export function copyShared(options: { readonly [Name in keyof Inherited]?: unknown }, where: string): Inherited {
  return {
    responses: copyResponses(options.responses, where),
    security: copySecurity(options.security, where),
    deprecated: copyDeprecated(options.deprecated as Deprecated | undefined, where),
    docs: copyDocs(options.docs as Docs | undefined, where),
  };
}

/** What holds below a declaration: its own, which wins, and what is inherited from above. */
export function inherit(above: Inherited, own: Inherited): Inherited {
  return {
    responses: Object.freeze({ ...above.responses, ...own.responses }),
    security: own.security ?? above.security,
    deprecated: own.deprecated ?? above.deprecated,
    docs: inheritDocs(above.docs, own.docs),
  };
}
