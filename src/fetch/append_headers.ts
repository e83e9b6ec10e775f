import { type ResponseHeaders } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { isFieldValue } from "../wire/headers.ts";

/** Adds a handler's headers to those of the declaration, whose content type wins. */
export function appendHeaders(target: Headers, added: ResponseHeaders, hasContent: boolean): void {
  if (added instanceof Headers) throw new ResultError("The headers of a result must be a plain object, got a Headers");
  for (const [name, value] of Object.entries(added)) {
    const field = name.toLowerCase();
    if (value === undefined || (hasContent && field === "content-type")) continue;
    if (field === "content-length") target.delete(field); // for HEAD, where the handler may know the length better
    for (const text of typeof value === "string" ? [value] : value) {
      if (!isFieldValue(text)) {
        throw new ResultError(`The value of the header ${JSON.stringify(name)} is invalid`);
      }
      target.append(name, text);
    }
  }
}
