/** Breaks the promises about failures: the adapter's own responses, onError, clients that disconnect, and options. */
import { type MutatedFile } from "./mutant.ts";

export const errors: readonly MutatedFile[] = [
  {
    file: "src/fetch/answer_stop.ts",
    tests: [
      "fetch/refuse_test.ts",
      "fetch/on_error_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/no_leaks_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/encode_stream_test.ts",
    ],
    mutants: [
      {
        breaks: "a response never contains what was thrown",
        find: ": refusal.respond(refused.isHead);\n}",
        replace: ": new Response(refusal.problem.code, { status: refusal.problem.status });\n}",
      },
      {
        breaks: "a disconnected client is not an error",
        find: "!(stop instanceof Failure) || stopped.request.signal.aborted",
        replace: "!(stop instanceof Failure)",
      },
      {
        breaks: "onError may read the response",
        find: "if (replacement || isUnreadResponse(response)) return",
        replace: "if (true) return",
      },
      {
        breaks: "refuse is called for every refusal",
        find: "if (shape === undefined) return",
        replace: 'if (shape === undefined || refusal.problem.code === "not-found") return',
      },
      {
        breaks: "refuse runs for a failure too",
        find: "shape?.ask(refusal, failed),",
        replace: "undefined,",
      },
      {
        breaks: "a response of refuse that onError has read is built again",
        find: "isInMemory(response) ? result : undefined",
        replace: "undefined",
      },
      {
        breaks: "a stream of refuse that onError replaces is closed",
        find: "if (replacement && result) closeReplaced(response, replacement);",
        replace: "",
      },
      {
        breaks: "a stream of refuse that onError sends is not closed",
        find: "if (response.body !== replacement.body) dropBody",
        replace: "dropBody",
      },
      {
        breaks: "a native response of refuse that onError has read is not built again",
        find: "isInMemory(response) ? result : undefined",
        replace: "result",
      },
    ],
  },
  {
    file: "src/fetch/on_error.ts",
    tests: [
      "fetch/on_error_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/no_leaks_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/encode_stream_test.ts",
    ],
    mutants: [
      {
        breaks: "onError may return another response",
        find: "return isHead ? dropBody(returned) : returned;",
        replace: "return undefined;",
      },
      {
        breaks: "the response of onError to HEAD is sent without its body",
        find: "isHead ? dropBody(returned) : returned",
        replace: "returned",
      },
      {
        breaks: "errors thrown by onError are ignored",
        find: "attempt(() => whenReady(onError(report), choose), () => undefined)",
        replace: "whenReady(onError(report), choose)",
      },
      {
        breaks: "rejections of onError are ignored",
        find: "attempt(() => whenReady(onError(report), choose), () => undefined)",
        replace: "attempt(() => onError(report), () => undefined, choose)",
      },
      {
        breaks: "onError receives the failure of a stream",
        find: "attempt(() => onError(report), () => {});",
        replace: "attempt(() => undefined, () => {});",
      },
      {
        breaks: "a response that onError has read is not sent",
        find: "!isResponse(returned) || !isUnreadResponse(returned)",
        replace: "!isResponse(returned)",
      },
      {
        breaks: "a response whose body onError has locked is not sent",
        find: "!response.bodyUsed && !response.body?.locked",
        replace: "!response.bodyUsed",
      },
      {
        breaks: "a hook that rejects for a failed stream leaves no unhandled rejection",
        find: "attempt(() => onError(report), () => {});",
        replace: "try {\n    onError(report);\n  } catch {\n    // nothing\n  }",
      },
    ],
  },
  {
    file: "src/fetch/refusal.ts",
    tests: [
      "fetch/security_test.ts",
      "fetch/refuse_test.ts",
      "fetch/on_error_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/no_leaks_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/route_table_test.ts",
      "fetch/max_body_bytes_test.ts",
      "fetch/upload_test.ts",
    ],
    mutants: [
      {
        breaks: "a refusal is a problem document",
        find: '"content-type": problemType, ...fields',
        replace: '"content-type": "application/json", ...fields',
      },
      {
        breaks: "shared problem documents are frozen",
        find: "Object.freeze(problem);",
        replace: "",
      },
      {
        breaks: "every refused request gets its own response",
        find: "return respond(this.#text, this.#init, isHead);",
        replace: "return (this as unknown as { kept?: Response }).kept ??= respond(this.#text, this.#init, isHead);",
      },
      { breaks: "a disconnected client is a 499", find: "status: 499", replace: "status: 500" },
      {
        breaks: "a read that broke off with the client is not a malformed body",
        find: "!isInstance(error, SyntaxError) && request.signal.aborted ? new Disconnect()",
        replace: "false ? new Disconnect()",
      },
      {
        breaks: "malformed JSON is malformed even after a disconnect",
        find: "!isInstance(error, SyntaxError) && request.signal.aborted",
        replace: "request.signal.aborted",
      },
      {
        breaks: "no handler runs if the client has disconnected",
        find: "if (!signal.aborted) return value;",
        replace: "if (!signal.aborted || true) return value;",
      },
      {
        breaks: "a result is closed if the client has disconnected",
        find: "if (value instanceof EarlyResult) closeSource(value.result.body);",
        replace: "",
      },
    ],
  },
  {
    file: "src/fetch/shape_refusal.ts",
    tests: ["fetch/refuse_test.ts"],
    mutants: [
      {
        breaks: "undefined keeps the problem",
        find: "if (returned === undefined) return undefined;",
        replace: "",
      },
      {
        breaks: "a failure of refuse is not reported if the client has disconnected",
        find: "if (request.signal.aborted) return;",
        replace: "",
      },
      {
        breaks: "onError is called if refuse throws",
        find: "(error) => void fail(error, refusal, refused),",
        replace: "() => undefined,",
      },
      {
        breaks: "onError is called if a result of refuse cannot be sent",
        find: "          fail(error, refusal, refused);\n",
        replace: "",
      },
      {
        breaks: "a failure of refuse has the phase encode",
        find: 'phase: "encode"',
        replace: 'phase: "handler"',
      },
      {
        breaks: "a failure of refuse is reported with its route",
        find: "...(route && { route }), ",
        replace: "",
      },
      {
        breaks: "refuse must keep the class of the status",
        find: "classOf(replacement) === classOf(status)",
        replace: "classOf(replacement) >= classOf(status)",
      },
      {
        breaks: "a 401 stays 401",
        find: "status === 401 ? replacement === 401 : classOf",
        replace: "classOf",
      },
      {
        breaks: "a result's status is read once",
        find: "if (mayReplace(status, result.status)) return result;",
        replace: "if (mayReplace(status, result.status)) return returned;",
      },
      {
        breaks: "refuse closes a stream that is not sent",
        find: "closeSource(returned);",
        replace: "",
      },
      {
        breaks: "refuse closes the stream of a result that is not sent",
        find: "closeSource(result.body);",
        replace: "",
      },
      {
        breaks: "refuse keeps allow and challenges",
        find: 'isPrivate ? { ...fields, "cache-control": "no-store" } : fields',
        replace: 'isPrivate ? { "cache-control": "no-store" } : {}',
      },
      {
        breaks: "refusals that may depend on the caller are not stored",
        find: 'isPrivate ? { ...fields, "cache-control": "no-store" } : fields',
        replace: "fields",
      },
      {
        breaks: "the fields of a refusal win",
        find: "headers.set(name, value);",
        replace: "if (!headers.has(name)) headers.set(name, value);",
      },
    ],
  },
  {
    file: "src/server/stop.ts",
    tests: [
      "fetch/on_error_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/no_leaks_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/encode_response_test.ts",
      "server/result_test.ts",
      "server/middleware_test.ts",
    ],
    mutants: [
      {
        breaks: "a refused result has the phase encode",
        find: 'isInstance(error, ResultError) ? "encode" : phase',
        replace: "phase",
      },
      {
        breaks: "a thrown revoked proxy fails only its own request",
        find: 'isInstance(error, ResultError) ? "encode" : phase',
        replace: 'error instanceof ResultError ? "encode" : phase',
      },
    ],
  },
  {
    file: "src/fetch/adapter.ts",
    tests: ["fetch/adapter_test.ts", "fetch/max_body_bytes_test.ts", "fetch/on_error_test.ts"],
    mutants: [
      { breaks: "a limit of 0 is a limit", find: "(value as number) >= 0", replace: "(value as number) >= 1" },
      {
        breaks: "a limit is a whole number",
        find: "Number.isSafeInteger(value) &&",
        replace: 'typeof limit === "number" &&',
      },
      {
        breaks: "mount's options win over the adapter's",
        find: "{ ...defaults, ...readOptions(own, where) }",
        replace: "{ ...readOptions(own, where), ...defaults }",
      },
      {
        breaks: "an unknown option of an adapter is refused",
        find: "const state = allowed.includes(name)",
        replace: "const state = true",
      },
      {
        breaks: "preserveRequestBody is a boolean",
        find: '["a boolean", typeof value === "boolean"]',
        replace: '["a boolean", true]',
      },
      {
        breaks: "without onError an error is written to the console",
        find: "onError = logError",
        replace: "onError = () => {}",
      },
      {
        breaks: "a value that implement() did not return is refused",
        find: 'if (!isMarked(implementation, "implementation")) {',
        replace: "if (false) {",
      },
    ],
  },
  {
    file: "src/fetch/pipeline.ts",
    tests: [
      "fetch/pipeline_test.ts",
      "fetch/decode_request_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/on_error_test.ts",
      "server/context_test.ts",
      "fetch/encode_response_test.ts",
    ],
    mutants: [
      {
        breaks: "a refused request does not start the next step",
        find: "if (value instanceof Stop) return stop(value, argument);",
        replace: "",
      },
      {
        breaks: "a request that is refused asynchronously does not start the next step",
        find: "(value) => value instanceof Stop ? stop(value, argument) : run(at + 1, value, argument),",
        replace: "(value) => run(at + 1, value, argument),",
      },
      {
        breaks: "a step that rejects fails in its phase",
        find: "(error) => stop(toFailure(steps[at]!.phase, error), argument),",
        replace: '(error) => stop(toFailure("stream", error), argument),',
      },
      {
        breaks: "a step that throws fails in its phase",
        find: "value = toFailure(step.phase, error);",
        replace: "throw error;",
      },
    ],
  },
  {
    file: "src/fetch/handler.ts",
    tests: [
      "fetch/refuse_test.ts",
      "fetch/decode_request_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/on_error_test.ts",
      "server/context_test.ts",
      "fetch/encode_response_test.ts",
    ],
    mutants: [
      {
        breaks: "a failed context does not start a handler",
        find: "context instanceof Stop ? context : { ...call, context }",
        replace: "({ ...call, context })",
      },
      {
        breaks: "a failed handler is reported",
        find: "end instanceof Stop ? preferBodyStop(end, call) : { result: end, call }",
        replace: "({ result: end, call })",
      },
      {
        breaks: "a context that throws or rejects has the phase context",
        find: '{ phase: "context", take: createContext }',
        replace: '{ phase: "handler", take: createContext }',
      },
      {
        breaks: "a result that cannot be encoded has the phase encode",
        find: '{ phase: "encode", take: encode }',
        replace: '{ phase: "handler", take: encode }',
      },
      {
        breaks: "a request without a route is refused by the outermost server",
        find: "const outside = planOutside(refuse, settings);",
        replace: "const outside = planOutside(undefined, settings);",
      },
      {
        breaks: "a route is refused by the server that implements it",
        find: "shape: refuse && planShapedRefusal(refuse, { route, encode, onError }),",
        replace: "shape: undefined,",
      },
    ],
  },
  {
    file: "src/awaitable.ts",
    tests: ["awaitable_test.ts", "fetch/synchronous_test.ts", "fetch/decode_request_test.ts"],
    mutants: [
      {
        breaks: "the recovery of an attempt does not catch its next step",
        find: "  return next ? next(value, argument as Argument)",
        replace:
          "  if (next) return attempt(() => next(value, argument as Argument) as Awaitable<Next>, recover as never);\n  return next ? next(value, argument as Argument)",
      },
      {
        breaks: "a rejection is recovered like a throw",
        find: "(error) => recover(error, argument),\n  );",
        replace: "undefined,\n  );",
      },
      {
        breaks: "a thenable is awaited as a promise of this realm",
        find: "return Promise.resolve(value).then((value) => next(value, argument)) as Promise<Awaited<Next>>;",
        replace: "return value.then((value) => next(value, argument)) as Promise<Awaited<Next>>;",
      },
      {
        breaks: "synchronous work is answered synchronously",
        find:
          "return isPromise(value) ? nextLater(value, next, argument as Argument) : next(value, argument as Argument);",
        replace: "return nextLater(value as PromiseLike<Value>, next, argument as Argument);",
      },
      {
        breaks: "any thenable is a promise",
        find: 'typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"',
        replace: "value instanceof Promise",
      },
    ],
  },
];
