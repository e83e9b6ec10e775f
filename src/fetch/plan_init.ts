import { type ResponseHeaders } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { isResponseWithin } from "../wire/media_ranges.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { appendHeaders } from "./append_headers.ts";
import { type ResultPlace } from "./plan_result.ts";

/** What a response is built with whose content type its result states. */
export interface StatedInit {
  readonly status: number;
  readonly headers: { readonly "content-type": string };
}

/**
 * What gives the init of each response: the same for all, made of the declared content type, or the one that a result states, where
 * ranges are declared.
 */
export function planInit<Init>(
  { status, declared: { contentType }, name }: ResultPlace,
  toInit: (status: number, contentType: string | undefined) => Init,
): (headers: ResponseHeaders | undefined) => Init | StatedInit {
  if (typeof contentType === "object") {
    return (headers) => ({ status, headers: { "content-type": statedType(headers, contentType, name) } });
  }
  const init = toInit(status, contentType);
  return () => init;
}

function statedType(headers: ResponseHeaders | undefined, ranges: readonly string[], name: string): string {
  const fields = new Headers(); // what two fields of one name are joined to is not a media type
  appendHeaders(fields, headers ?? {}, false);
  const stated = fields.get("content-type");
  if (stated !== null && isResponseWithin(mediaTypeEssence(stated), ranges)) return stated;
  const state = stated === null ? "missing" : JSON.stringify(stated);
  throw new ResultError(
    `Cannot send ${name}: its header content-type is ${state}; return one within ${ranges.join(", ")}`,
  );
}
