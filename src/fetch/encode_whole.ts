import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import { describeValue, type ResponseHeaders } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { appendHeaders } from "./append_headers.ts";
import { planInit } from "./plan_init.ts";
import { type Build, type PlanResult, planResult, planRevalidation } from "./plan_result.ts";
import { respond, type SentBody } from "./respond.ts";

/** What sends a body that is encoded as a whole. */
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

/** What sends a response without content. */
export const planEmpty: PlanResult = /* @__PURE__ */ planWhole((body) => {
  if (body === undefined || body === null) return null;
  throw new ResultError(`An empty response has no body, not ${describeValue(body)}`);
});

/** What all responses of a status are built with. A text needs nothing where the runtime states its content type. */
function toInit(status: number, contentType: string | undefined): ResponseInit {
  return {
    ...(status !== 200 && { status }),
    ...(contentType !== undefined && { headers: { "content-type": contentType } }),
  };
}

/**
 * The content type that the runtime's responses state of text by themselves, in half the time that it takes to state one. Bun's state
 * none in memory, and send another; those of @hono/node-server state another.
 */
function typeOfText(): string | null {
  return new Response("").headers.get("content-type");
}
