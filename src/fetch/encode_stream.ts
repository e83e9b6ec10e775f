import { type Awaitable, whenReady } from "../awaitable.ts";
import { closeSource, openProducer, type Producer } from "../producer.ts";
import { type FormatItem } from "../representation/item_stream.ts";
import { type Checked, type Schema } from "../schema.ts";
import { describeResult } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { pullStream } from "../wire/pull_stream.ts";
import { appendHeaders } from "./append_headers.ts";
import { outputOf, toSendingCheck } from "./check_result.ts";
import { planInit } from "./plan_init.ts";
import { type Build, closeOnFailure, type PlanResult, planResult, planRevalidation } from "./plan_result.ts";
import { respond } from "./respond.ts";

const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * Plans how to send the items of a producer one by one. The head of the response is complete before the producer is
 * opened.
 */
export function planItems(format: FormatItem): PlanResult {
  return (place) => {
    const { status, declared: { schema }, name, reportFailure } = place;
    const encode = planItem(format, schema, `an item of the body of ${name}`);
    const initOf = planInit(place, (status, contentType) => ({ status, headers: { "content-type": contentType! } })); // every stream has one
    const send: Build = (body, headers, exchange) => {
      const init = initOf(headers);
      const fields = new Headers(init.headers);
      if (headers !== undefined) appendHeaders(fields, headers, true);
      const { signal } = exchange.request;
      signal.throwIfAborted();
      const explain = (cause: unknown): unknown => {
        if (!signal.aborted) reportFailure(cause, exchange, response); // a client's disconnect is not an error
        return cause;
      };
      const stream = pullStream(open(body, name), { encode, signal, explain });
      const response = respond(stream, headers === undefined ? init : { status, headers: fields }, exchange.isHead);
      return response;
    };
    return closeOnFailure(planResult(place, planRevalidation(place, send, closeSource)));
  };
}

function open(body: unknown, name: string): Producer {
  const producer = ArrayBuffer.isView(body) ? undefined : openProducer(body);
  if (producer) return producer;
  throw new ResultError(
    `Cannot send the body of ${name}: it must be an iterable or a ReadableStream, got ${describeResult(body)}`,
  );
}

/** Plans how to encode an item as bytes. */
function planItem(
  format: FormatItem,
  schema: Schema | undefined,
  what: string,
): (item: unknown) => Awaitable<Uint8Array<ArrayBuffer>> {
  const toSent = schema ? planSent(schema, what) : (value: unknown) => value;
  return (item) => {
    const formatted = format(item, toSent);
    return formatted instanceof Uint8Array ? formatted : whenReady(formatted, toBytes); // looking for a `then` takes a tenth of the time of a chunk
  };
}

/** Plans how to validate a value of the producer. Returns the value to send. */
function planSent(schema: Schema, what: string): (value: unknown) => unknown {
  const check = toSendingCheck(schema);
  const toOutput = (checked: Checked): unknown => outputOf(checked, what);
  return (value) => whenReady(check(value), toOutput);
}

function toBytes(formatted: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof formatted === "string" ? encoder.encode(formatted) : formatted;
}
