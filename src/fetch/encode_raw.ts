import { isResponse } from "../native_response.ts";
import { describeResult, type ResponseHeaders } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { appendHeaders } from "./append_headers.ts";
import { revalidateFields } from "./conditional.ts";
import { closeOnFailure, type EncodeResult, planResult, type ResultPlace } from "./plan_result.ts";
import { dropBody } from "./respond.ts";

/** Plans how to send a native response unchanged. For 101 it must be the very object that the runtime created. */
export function planRaw(place: ResultPlace): EncodeResult {
  const { status, name, mayRevalidate } = place;
  return closeOnFailure(planResult(place, (body, headers, { request, isHead }) => {
    const state = refuseRaw(body, status);
    if (state !== undefined) throw new ResultError(`Cannot send the body of ${name}: ${state}`);
    const native = body as Response;
    if (status === 101) return native;
    const response = headers === undefined ? native : addHeaders(native, headers);
    const notModified = mayRevalidate ? revalidateFields(response.headers, request) : undefined;
    if (!notModified) return isHead ? dropBody(response) : response;
    dropBody(response);
    return notModified;
  }));
}

function refuseRaw(body: unknown, status: number): string | undefined {
  if (!isResponse(body)) return `it must be a native Response, got ${describeResult(body)}`;
  if (body.status !== status) return `its status must be ${status}, got ${body.status}`;
  return body.bodyUsed ? "it was read already; return an unread Response" : undefined;
}

/** A copy with more headers, because the headers of a fetched response are immutable. */
function addHeaders(native: Response, headers: ResponseHeaders): Response {
  const { status, statusText } = native;
  const fields = new Headers(native.headers);
  appendHeaders(fields, headers, fields.has("content-type"));
  return new Response(native.body, { status, statusText, headers: fields });
}
