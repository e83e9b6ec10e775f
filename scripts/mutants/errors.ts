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
        breaks: "onError may give another response",
        find: 'return method === "HEAD" ? dropBody(replacement) : replacement;',
        replace: "return undefined;",
      },
      {
        breaks: "onError's response to HEAD has no body",
        find: 'method === "HEAD" ? dropBody(replacement) : replacement',
        replace: "replacement",
      },
      {
        breaks: "onError that throws changes nothing",
        find: "} catch {\n    return choose(undefined);",
        replace: "} catch (error) {\n    throw error;",
      },
      {
        breaks: "onError that rejects changes nothing",
        find: "Promise.resolve(replacement).then(choose, () => choose(undefined))",
        replace: "Promise.resolve(replacement).then(choose)",
      },
      {
        breaks: "a client that went is no error",
        find: "if (!(stop instanceof Failure) || request.signal.aborted) return",
        replace: "if (!(stop instanceof Failure)) return",
      },
      {
        breaks: "onError hears of a failed stream",
        find: "const ended = onError(report);",
        replace: "const ended = undefined;",
      },
      {
        breaks: "onError may read the response to no harm",
        find: "isUnread(report.response) ? report.response : build()",
        replace: "report.response",
      },
      {
        breaks: "a response that onError has read is not sent",
        find: "!isResponse(replacement) || !isUnread(replacement)",
        replace: "!isResponse(replacement)",
      },
      {
        breaks: "a response whose body onError has locked is not sent",
        find: "!response.bodyUsed && !response.body?.locked",
        replace: "!response.bodyUsed",
      },
      {
        breaks: "a hook that rejects leaves no rejection to nobody where a stream failed",
        find: "Promise.resolve(ended).then(ignore, ignore)",
        replace: "Promise.resolve(ended).then(ignore)",
      },
    ],
  },
  {
    file: "src/fetch/refusal.ts",
    tests: [
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
        find: "return request.signal.aborted ? new Disconnect() : value;",
        replace: "return value;",
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
        find: 'error instanceof ResultError ? "encode" : phase',
        replace: "phase",
      },
      {
        breaks: "a revoked proxy that is thrown fails alone",
        find: "return new Failure(phase, error); // a revoked",
        replace: "throw error; // a revoked",
      },
      {
        breaks: "an object that cannot be looked at is no result",
        find:
          "    try {\n      if (isValue(thrown)) return thrown;\n    } catch {\n      // an object that can't even be looked at, such as a revoked Proxy, is no value\n    }",
        replace: "    if (isValue(thrown)) return thrown;",
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
        find: "{ ...defaults, ...checkOptions(own) }",
        replace: "{ ...checkOptions(own), ...defaults }",
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
        breaks: "a refused request starts nothing",
        find: "if (slots instanceof Stop) return stop(slots, call);",
        replace: "",
      },
      {
        breaks: "a failed context starts no handler",
        find: "if (context instanceof Stop) return stop(context, call);",
        replace: "",
      },
      {
        breaks: "a failed handler is told",
        find: "if (result instanceof Stop) return stop(result, call);",
        replace: "",
      },
      {
        breaks: "a context that rejects is of phase context",
        find: 'later("context", context,',
        replace: 'later("handler", context,',
      },
      {
        breaks: "what cannot be encoded is answered with 500",
        find: 'return stop(toFailure("encode", error), call);',
        replace: "throw error;",
      },
    ],
  },
  {
    file: "src/awaitable.ts",
    tests: ["fetch/synchronous_test.ts", "fetch/decode_request_test.ts"],
    mutants: [
      {
        breaks: "what is synchronous is answered synchronously",
        find: "return isPromise(value) ? Promise.resolve(value).then(step) as Ready<Next> : step(value);",
        replace: "return Promise.resolve(value).then(step) as Ready<Next>;",
      },
      {
        breaks: "any thenable is a promise",
        find:
          '(typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function")',
        replace: "false",
      },
    ],
  },
];
