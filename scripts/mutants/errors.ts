/** How the promises of failures break: what the adapter answers by itself, onError, clients that go away, options. */
import { type MutatedFile } from "./mutant.ts";

export const errors: readonly MutatedFile[] = [
  {
    file: "src/fetch/answer_stop.ts",
    tests: [
      "fetch/on_error_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/echo_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/encode_stream_test.ts",
    ],
    mutants: [
      {
        breaks: "an answer never shows what was thrown",
        find: 'const build = (): Response => refuse("internal-error").respond(isHead);',
        replace: "const build = (): Response => new Response(String(error), { status: 500 });",
      },
      {
        breaks: "a client that went is no error",
        find: "if (!(stop instanceof Failure) || request.signal.aborted) return",
        replace: "if (!(stop instanceof Failure)) return",
      },
      {
        breaks: "onError may read the response to no harm",
        find: "isSendable(response) ? response : build()",
        replace: "response",
      },
    ],
  },
  {
    file: "src/fetch/on_error.ts",
    tests: [
      "fetch/on_error_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/echo_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/encode_stream_test.ts",
    ],
    mutants: [
      {
        breaks: "onError may give another response",
        find: "return isHead ? dropBody(given) : given;",
        replace: "return undefined;",
      },
      {
        breaks: "onError's response to HEAD has no body",
        find: "isHead ? dropBody(given) : given",
        replace: "given",
      },
      {
        breaks: "onError that throws changes nothing",
        find: "attempt(() => whenReady(onError(report), choose), () => undefined)",
        replace: "whenReady(onError(report), choose)",
      },
      {
        breaks: "onError that rejects changes nothing",
        find: "attempt(() => whenReady(onError(report), choose), () => undefined)",
        replace: "attempt(() => onError(report), () => undefined, choose)",
      },
      {
        breaks: "onError hears of a failed stream",
        find: "attempt(() => onError(report), () => {});",
        replace: "attempt(() => undefined, () => {});",
      },
      {
        breaks: "a response that onError has read is not sent",
        find: "!isResponse(given) || !isSendable(given)",
        replace: "!isResponse(given)",
      },
      {
        breaks: "a response whose body onError has locked is not sent",
        find: "!response.bodyUsed && !response.body?.locked",
        replace: "!response.bodyUsed",
      },
      {
        breaks: "a hook that rejects leaves no rejection to nobody where a stream failed",
        find: "attempt(() => onError(report), () => {});",
        replace: "try {\n    onError(report);\n  } catch {\n    // nothing\n  }",
      },
    ],
  },
  {
    file: "src/fetch/refusal.ts",
    tests: [
      "fetch/security_test.ts",
      "fetch/on_error_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/echo_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/route_table_test.ts",
      "fetch/max_body_bytes_test.ts",
      "fetch/upload_test.ts",
    ],
    mutants: [
      {
        breaks: "a refusal is a problem document",
        find: '"content-type": problemType, ...headers',
        replace: '"content-type": "application/json", ...headers',
      },
      {
        breaks: "every refused request gets a response of its own",
        find: "return respond(this.#text, this.#init, isHead);",
        replace: "return (this as unknown as { kept?: Response }).kept ??= respond(this.#text, this.#init, isHead);",
      },
      { breaks: "what nobody reads is a 499", find: "status: 499", replace: "status: 500" },
      {
        breaks: "a read that a client's going broke off is no malformed body",
        find: "!isInstance(error, SyntaxError) && request.signal.aborted ? new Disconnect()",
        replace: "false ? new Disconnect()",
      },
      {
        breaks: "malformed JSON is malformed, whoever went",
        find: "!isInstance(error, SyntaxError) && request.signal.aborted",
        replace: "request.signal.aborted",
      },
      {
        breaks: "a client that went starts no handler",
        find: "if (!signal.aborted) return value;",
        replace: "if (!signal.aborted || true) return value;",
      },
      {
        breaks: "a result that is not sent, for the client has gone, is closed",
        find: "if (value instanceof Answered) closeSource(value.result.body);",
        replace: "",
      },
    ],
  },
  {
    file: "src/server/stop.ts",
    tests: [
      "fetch/on_error_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/echo_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/encode_response_test.ts",
      "server/result_test.ts",
      "server/middleware_test.ts",
    ],
    mutants: [
      {
        breaks: "a refused result is of phase encode",
        find: 'isInstance(error, ResultError) ? "encode" : phase',
        replace: "phase",
      },
      {
        breaks: "a revoked proxy that is thrown fails alone",
        find: 'isInstance(error, ResultError) ? "encode" : phase',
        replace: 'error instanceof ResultError ? "encode" : phase',
      },
    ],
  },
  {
    file: "src/fetch/adapter.ts",
    tests: ["fetch/adapter_test.ts", "fetch/max_body_bytes_test.ts", "fetch/on_error_test.ts"],
    mutants: [
      { breaks: "a limit of 0 is a limit", find: "(limit as number) >= 0", replace: "(limit as number) >= 1" },
      {
        breaks: "a limit is a whole number",
        find: "Number.isSafeInteger(limit) &&",
        replace: 'typeof limit === "number" &&',
      },
      {
        breaks: "mount's options win over the adapter's",
        find: "{ ...defaults, ...readOptions(own) }",
        replace: "{ ...readOptions(own), ...defaults }",
      },
      {
        breaks: "an unknown option of an adapter is refused",
        find: "allowed.includes(name) ? refuseOption(name, value)",
        replace: "true ? refuseOption(name, value)",
      },
      {
        breaks: "preserveRequestBody is a boolean",
        find: 'typeof value === "boolean" ? undefined : "is no boolean"',
        replace: "undefined",
      },
      {
        breaks: "without onError an error is written to the console",
        find: "onError = logError",
        replace: "onError = () => {}",
      },
      {
        breaks: "what implement() did not make is refused",
        find: 'if (!isMarked(implementation, "implementation")) {',
        replace: "if (false) {",
      },
    ],
  },
  {
    file: "src/fetch/walk.ts",
    tests: [
      "fetch/walk_test.ts",
      "fetch/decode_request_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/on_error_test.ts",
      "server/context_test.ts",
      "fetch/encode_response_test.ts",
    ],
    mutants: [
      {
        breaks: "a refused request starts nothing",
        find: "if (value instanceof Stop) return stop(value, given);",
        replace: "",
      },
      {
        breaks: "a request that is refused later starts nothing",
        find: "(value) => value instanceof Stop ? stop(value, given) : walk(at + 1, value, given),",
        replace: "(value) => walk(at + 1, value, given),",
      },
      {
        breaks: "a step that rejects fails in its phase",
        find: "(error) => stop(toFailure(steps[at]!.phase, error), given),",
        replace: '(error) => stop(toFailure("stream", error), given),',
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
      "fetch/decode_request_test.ts",
      "fetch/disconnect_test.ts",
      "fetch/on_error_test.ts",
      "server/context_test.ts",
      "fetch/encode_response_test.ts",
    ],
    mutants: [
      {
        breaks: "a failed context starts no handler",
        find: "context instanceof Stop ? context : { ...call, context }",
        replace: "({ ...call, context })",
      },
      {
        breaks: "a failed handler is told",
        find: "end instanceof Stop ? blameBody(end, call) : { result: end, call }",
        replace: "({ result: end, call })",
      },
      {
        breaks: "a context that throws or rejects is of phase context",
        find: '{ phase: "context", take: createContext }',
        replace: '{ phase: "handler", take: createContext }',
      },
      {
        breaks: "what cannot be encoded is of phase encode",
        find: '{ phase: "encode", take: encode }',
        replace: '{ phase: "handler", take: encode }',
      },
    ],
  },
  {
    file: "src/awaitable.ts",
    tests: ["awaitable_test.ts", "fetch/synchronous_test.ts", "fetch/decode_request_test.ts"],
    mutants: [
      {
        breaks: "what an attempt's next step throws is its own",
        find: "  return next ? next(value, given as Given)",
        replace:
          "  if (next) return attempt(() => next(value, given as Given) as Awaitable<Next>, recover as never);\n  return next ? next(value, given as Given)",
      },
      {
        breaks: "what rejects is recovered as what throws",
        find: "(error) => recover(error, given),\n  );",
        replace: "undefined,\n  );",
      },
      {
        breaks: "a thenable is awaited as a promise of this realm",
        find: "return Promise.resolve(value).then((value) => next(value, given)) as Promise<Awaited<Next>>;",
        replace: "return value.then((value) => next(value, given)) as Promise<Awaited<Next>>;",
      },
      {
        breaks: "what is synchronous is answered synchronously",
        find: "return isPromise(value) ? nextLater(value, next, given as Given) : next(value, given as Given);",
        replace: "return nextLater(value as PromiseLike<Value>, next, given as Given);",
      },
      {
        breaks: "any thenable is a promise",
        find: 'typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"',
        replace: "value instanceof Promise",
      },
    ],
  },
];
