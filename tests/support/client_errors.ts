/** Assertions about calls of a client that fail. */
import { ClientError } from "@scope/api/client";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

/**
 * Asserts that a call rejects with a `ClientError` with this code whose message contains each of these parts, and
 * returns it.
 */
export async function assertClientError(
  call: () => Promise<unknown>,
  code: ClientError["code"],
  ...parts: readonly string[]
): Promise<ClientError> {
  const error = await assertRejects(call, ClientError);
  assertEquals(error.code, code, error.message);
  for (const part of parts) assertStringIncludes(error.message, part);
  return error;
}

/** A `fetch` function that records its requests. */
export interface RecordedCalls {
  readonly fetch: (request: Request) => Promise<Response>;
  /** The requests in order. */
  readonly sent: readonly Request[];
  /** Makes a call, asserts that it sends one request, and returns that request. */
  readonly requestOf: (call: () => Promise<unknown>) => Promise<Request>;
  /** Asserts that a call is refused as invalid input before anything is sent, and returns the error. */
  readonly assertUnsent: (call: () => Promise<unknown>, ...parts: readonly string[]) => Promise<ClientError>;
}

/** Records the requests of a client. @param answer Responds to them: a handler, or a function of the test. */
export function recordCalls(answer: (request: Request) => Response | Promise<Response>): RecordedCalls {
  const sent: Request[] = [];
  return {
    sent,
    async fetch(request): Promise<Response> {
      sent.push(request);
      return await answer(request);
    },
    async requestOf(call): Promise<Request> {
      const before = sent.length;
      await call();
      assertEquals(sent.length, before + 1);
      return sent[before]!;
    },
    async assertUnsent(call, ...parts): Promise<ClientError> {
      const before = sent.length;
      const error = await assertClientError(call, "invalid-input", ...parts);
      assertEquals(sent.length, before, "a request was sent");
      const { route, status, response, text, cause } = error;
      assertEquals([status, response, text], [undefined, undefined, undefined]);
      assert(cause !== undefined && route);
      assertStringIncludes(error.message, `Cannot call ${route.method} ${route.path} (${route.key}): `);
      return error;
    },
  };
}
