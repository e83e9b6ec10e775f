import { type Awaitable, whenReady } from "../awaitable.ts";
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
    const build = (content: SentBody, { init, headers, isHead }: Head): Response => {
      const response = respond(content, isOfText && typeof content === "string" ? undefined : init, isHead);
      if (headers !== undefined) appendHeaders(response.headers, headers, contentType !== undefined);
      return response;
    };
    const send: Build = (body, headers, { isHead }) => {
      const init = initOf(headers);
      return whenReady(encode(body), build, { init, headers, isHead });
    };
    return planResult(place, planRevalidation(place, send));
  };
}

/** What a response has beside its content. */
interface Head {
  readonly init: ResponseInit;
  readonly headers: ResponseHeaders | undefined;
  readonly isHead: boolean;
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
