/** Native responses. */
import { type Incoming, type ResponseRepresentation, trackResults } from "./representation.ts";

/** The native `Response`, whose body the caller reads. */
export const raw: ResponseRepresentation<"raw"> = /* @__PURE__ */ Object.freeze({
  kind: "raw",
  contentType: undefined,
  describes: "nothing",
  isNative: true,
  readLater: trackResults,
  receive: ({ response }: Incoming) => response,
});
