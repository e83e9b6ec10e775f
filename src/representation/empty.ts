/** No content. */
import { discardBody } from "../wire/discard_body.ts";
import { type Incoming, type ResponseRepresentation } from "./representation.ts";

/** A response without content. */
export const empty: ResponseRepresentation<"empty"> = /* @__PURE__ */ Object.freeze({
  kind: "empty",
  contentType: undefined,
  describes: "nothing",
  receive: ({ response }: Incoming) => discardBody(response),
});
