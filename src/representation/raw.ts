/** A native `Response` as it is. */
import { type Incoming, type ResponseRepresentation } from "./representation.ts";
import { trackResults } from "./track_results.ts";

/** The native `Response`, whose content belongs to the caller. */
export const raw: ResponseRepresentation<"raw"> = /* @__PURE__ */ Object.freeze({
  kind: "raw",
  contentType: undefined,
  describes: "nothing",
  isNative: true,
  readLater: trackResults,
  receive: ({ response }: Incoming) => response,
});
