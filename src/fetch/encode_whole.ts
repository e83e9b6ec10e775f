import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import { describeResult, type ResponseHeaders } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { appendHeaders } from "./append_headers.ts";
import { planInit } from "./plan_init.ts";
import { type Build, type PlanResult, planResult, planRevalidation } from "./plan_result.ts";
import { respond, type SentBody } from "./respond.ts";

/** Plans how to send a body that is encoded as a whole. */
export function planWhole(encode: (value: unknown) => Awaitable<SentBody>): PlanResult {
  return (place) => {
    const { status, declared: { contentType } } = place;
    const isOfText = status === 200 && contentType === typeOfText();
    const initOf = planInit(place, toInit);
    const build = (content: SentBody, headers: ResponseHeaders | undefined, isHead: boolean): Response => {
      const init = isOfText && typeof content === "string" ? undefined : initOf(headers);
      const response = respond(content, init, isHead);
      if (headers !== undefined) appendHeaders(response.headers, headers, contentType !== undefined);
      return response;
    };
    const send: Build = (body, headers, { isHead }) => {
      const content = encode(body);
      if (!isPromise(content)) return build(content, headers, isHead);
      return whenReady(content, (content) => build(content, headers, isHead));
    };
    return planResult(place, planRevalidation(place, send));
  };
}

/** Plans how to send a response without content. */
export const planEmpty: PlanResult = /* @__PURE__ */ planWhole((body) => {
  if (body === undefined || body === null) return null;
  throw new ResultError(`An empty response must not have a body, got ${describeResult(body)}`);
});

/** The init of all responses with a status. A text needs no header if the runtime adds its content type. */
function toInit(status: number, contentType: string | undefined): ResponseInit {
  return {
    ...(status !== 200 && { status }),
    ...(contentType !== undefined && { headers: { "content-type": contentType } }),
  };
}

/**
 * The content type that the runtime adds to a text by default, which takes half the time of setting it. Bun's in-memory
 * responses have none and it sends another, and those of @hono/node-server have another.
 */
function typeOfText(): string | null {
  return new Response("").headers.get("content-type");
}
