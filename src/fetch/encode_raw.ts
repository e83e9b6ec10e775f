import { isResponse } from "../native_response.ts";
import { describe, type ResponseHeaders } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { appendHeaders } from "./append_headers.ts";
import { dropBody, type Respond, respondToHead } from "./respond.ts";

/** What sends a native response as it is: 101 must be the very object that the runtime made. */
export function encodeRaw(
  status: number,
  what: string,
): (body: unknown, headers: ResponseHeaders | undefined, respond: Respond) => Response {
  return (body, headers, respond) => {
    const state = refuseRaw(body, status);
    if (state !== undefined) throw new ResultError(`Cannot send ${what}: ${state}`);
    const native = body as Response;
    if (status === 101) return native;
    const response = headers === undefined ? native : addHeaders(native, headers);
    return respond === respondToHead ? dropBody(response) : response;
  };
}

function refuseRaw(body: unknown, status: number): string | undefined {
  if (!isResponse(body)) return `it is ${describe(body)}; give a native Response`;
  if (body.status !== status) return `its own status is ${body.status}; give a Response of the declared one`;
  return body.bodyUsed ? "it has been read; give a Response that nobody has read" : undefined;
}

/** A copy with further fields: those of a response that was fetched cannot be changed. */
function addHeaders(native: Response, headers: ResponseHeaders): Response {
  const { status, statusText } = native;
  const fields = new Headers(native.headers);
  appendHeaders(fields, headers, fields.has("content-type"));
  return new Response(native.body, { status, statusText, headers: fields });
}
