import { attempt, type Awaitable } from "../awaitable.ts";
import { markAsWatched } from "../server/http/native_answer.ts";

/** How the body of a response ended. */
export interface BodyEnd {
  /** The number of bytes that were read from it. */
  readonly bytes: number;
  /** The error that ended it, or the reason for which the reader left. `undefined` if it was read to its end. */
  readonly error: unknown;
  /** Whether it was read to its end. */
  readonly isComplete: boolean;
}

/**
 * Returns a response with the same status, headers and content, and calls `onEnd` once: when its body has been read to
 * the end, has failed, or is left by the client. For a response without a body it is called at once. Errors that it
 * throws are ignored.
 *
 * @example An access log, with the bytes of each response
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createFetchHandler, watchBody } from "@scope/api/fetch";
 * import { defineServer } from "@scope/api/server";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({ routes: { hello: route.get("/hello", { responses: { 200: response.text() } }) } });
 * const implementation = defineServer(contract).implement({ hello: ({ response }) => response(200, "Hello") });
 *
 * const log: string[] = [];
 * const handler = createFetchHandler(implementation, {
 *   onResponse: ({ route, response }) =>
 *     watchBody(response, ({ bytes }) => log.push(`${route?.key ?? "-"} ${response.status} ${bytes}`)),
 * });
 *
 * await (await handler(new Request("http://localhost/hello"))).text();
 * assertEquals(log, ["hello 200 5"]);
 * ```
 */
export function watchBody(response: Response, onEnd: (end: BodyEnd) => void): Response {
  const { status, statusText, headers, body } = response; // `body` last: it makes Bun forget the content type
  let isOver = false;
  const end = (ended: BodyEnd): void => {
    isOver = true;
    attempt((): Awaitable<unknown> => onEnd(ended), () => {}); // errors of the callback are ignored
  };
  if (body === null) {
    end({ bytes: 0, error: undefined, isComplete: true });
    return response;
  }
  const reader = body.getReader();
  let bytes = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller): Promise<void> {
      try {
        const { done, value } = await reader.read();
        if (isOver) return; // the client left while the read was pending
        if (done) {
          end({ bytes, error: undefined, isComplete: true });
          return controller.close();
        }
        bytes += value.byteLength;
        controller.enqueue(value);
      } catch (error) {
        if (isOver) return;
        end({ bytes, error, isComplete: false });
        controller.error(error);
      }
    },
    cancel(reason): Promise<void> {
      end({ bytes, error: reason, isComplete: false });
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return markAsWatched(response, new Response(stream, { status, statusText, headers }));
}
