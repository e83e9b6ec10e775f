import type * as api from "@scope/api/types";
import type * as all from "./all.types.ts";

/** Values 1.0.0 */
export interface Api extends api.Contract<api.RouterNode<{
  readonly all: api.RouterNode<all.Routes, Record<never, never>>;
}, Record<never, never>>, Record<never, never>, undefined> {}
