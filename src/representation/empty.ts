/** No content. */
import { discardBody } from "../wire/read_bytes.ts";
import type { Incoming, ResponseRepresentation } from "./representation.ts";

/** A response without content. */
export const empty: ResponseRepresentation<"empty"> = /* @__PURE__ */ Object.freeze({
  kind: "empty",
  contentType: undefined,
  describes: "nothing",
  receive: ({ response }: Incoming) => discardBody(response),
});
