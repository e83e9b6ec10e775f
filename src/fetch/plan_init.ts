import { type ResponseHeaders } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { isResponseWithin } from "../wire/media_ranges.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { appendHeaders } from "./append_headers.ts";
import { type ResultPlace } from "./plan_result.ts";

/** The init of a response whose result sets its content type. */
export interface InitWithContentType {
  readonly status: number;
  readonly headers: { readonly "content-type": string };
}

/**
 * Plans the init of responses: the same for all, with the declared content type, or one with the content type that the
 * result sets, if ranges are declared.
 */
export function planInit<Init>(
  { status, declared: { contentType }, name }: ResultPlace,
  toInit: (status: number, contentType: string | undefined) => Init,
): (headers: ResponseHeaders | undefined) => Init | InitWithContentType {
  if (typeof contentType === "object") {
    return (headers) => ({ status, headers: { "content-type": contentTypeOf(headers, contentType, name) } });
  }
  const init = toInit(status, contentType);
  return () => init;
}

function contentTypeOf(headers: ResponseHeaders | undefined, ranges: readonly string[], name: string): string {
  const fields = new Headers(); // two joined fields of the same name are not a media type
  appendHeaders(fields, headers ?? {}, false);
  const stated = fields.get("content-type");
  if (stated !== null && isResponseWithin(mediaTypeEssence(stated), ranges)) return stated;
  const found = stated === null ? "none" : JSON.stringify(stated);
  throw new ResultError(
    `Cannot send ${name}: its header "content-type" must be within ${ranges.join(", ")}, got ${found}`,
  );
}
