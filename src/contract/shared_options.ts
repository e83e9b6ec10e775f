/** The options that routes, routers and contracts share, and that routes below inherit. */
import { copySecurity } from "./copy_security.ts";
import { copyDeprecated, type Deprecated } from "./deprecation.ts";
import { copyDocs, type Docs } from "./docs.ts";
import { type Responses } from "./response.ts";
import { copyResponses } from "./responses.ts";
import { type Security } from "./security_scheme.ts";

/** The names of these options. */
export const sharedNames: readonly string[] = ["responses", "security", "deprecated", "docs"];

/** What routes below inherit, from one declaration or from all above. */
export interface Inherited {
  readonly responses: Responses;
  readonly security: Security | undefined;
  readonly deprecated: Deprecated | undefined;
  readonly docs: Docs;
}

/** These options, not checked yet. */
interface SharedOptions {
  readonly responses?: unknown;
  readonly security?: unknown;
  readonly deprecated?: Deprecated | undefined;
  readonly docs?: Docs | undefined;
}

/** Returns frozen copies of the shared options. Throws a `TypeError` if one is invalid. */
export function copyShared(options: SharedOptions, where: string): Inherited {
  const { responses = {}, security, deprecated, docs } = options;
  return {
    responses: copyResponses(responses, where),
    security: copySecurity(security, where),
    deprecated: copyDeprecated(deprecated, where),
    docs: copyDocs(docs, where),
  };
}
