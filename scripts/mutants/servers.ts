/** Breaks the promises about servers: middleware, context, the input of handlers, and partial implementations. */
import { type MutatedFile } from "./mutant.ts";

export const servers: readonly MutatedFile[] = [
  {
    file: "src/server/middleware.ts",
    tests: [
      "server/middleware_test.ts",
      "server/sources_test.ts",
      "fetch/disconnect_socket_test.ts",
      "fetch/on_error_middleware_test.ts",
      "fetch/synchronous_test.ts",
    ],
    mutants: [
      {
        breaks: "next() after a result starts nothing",
        find: "if (hasAnswered) return start(refuseLate);",
        replace: "",
      },
      {
        breaks: "a middleware that threw has answered",
        find: "hasAnswered = true;\n      return rethrowUnlessResult(thrown);",
        replace: "return rethrowUnlessResult(thrown);",
      },
      {
        breaks: "streams are closed if a middleware fails",
        find: "sources.end();\n        throw error;",
        replace: "throw error;",
      },
      {
        breaks: "middleware runs in the order of declaration",
        find: "middleware.reduceRight(wrap,",
        replace: "middleware.reduce(wrap,",
      },
      {
        breaks: "next() may be called once",
        find: "if (inside) return start(refuseAgain);",
        replace: "if (inside) return inside;",
      },
      {
        breaks: "values from next() override earlier ones",
        find: "{ ...context, ...added }",
        replace: "{ ...added, ...context }",
      },
      {
        breaks: "earlier values are kept next to those of next()",
        find: "{ ...context, ...added }",
        replace: "{ ...added }",
      },
      {
        breaks: "a middleware's result is checked",
        find: "return attempt(() => returned, recoverAnswer, answer);",
        replace: "return returned as Result;",
      },
      {
        breaks: "a next() that is not awaited leaves no unhandled rejection",
        find: "promise.catch(() => {});",
        replace: "",
      },
      { breaks: "a thrown result is a result", find: "if (isResult(thrown)) return thrown;", replace: "" },
      {
        breaks: "next() does not start a handler if the client has disconnected",
        find: "if (hasReturned) call.request.signal.throwIfAborted();",
        replace: "",
      },
      {
        breaks: "next() accepts only objects",
        find: "throw new TypeError(`next(): the argument must be an object, got ${describeValue(added)}`);",
        replace: "return context;",
      },
      {
        breaks: "a middleware's signal is the request's",
        find: "get signal(): AbortSignal {\n    return this.#call.request.signal;",
        replace: "get signal(): AbortSignal {\n    return new AbortController().signal;",
      },
    ],
  },
  {
    file: "src/server/sources.ts",
    tests: ["server/sources_test.ts"],
    mutants: [
      {
        breaks: "routes with native responses are watched",
        find: "!representation.readLater",
        replace: "(!representation.readLater || representation.isNative)",
      },
      {
        breaks: "a stream is closed if its status has no body",
        find: "this.#carriesSource(status) && isSource(body)",
        replace: "isSource(body)",
      },
      {
        breaks: "a stream that arrives too late is closed",
        find: "if (this.#isOver) close(passed);",
        replace: "",
      },
      {
        breaks: "a pending result is awaited",
        find: "this.#pending === 0 && !this.#passed.some(isUnread)",
        replace: "!this.#passed.some(isUnread)",
      },
      {
        breaks: "a stream is not closed if it is sent",
        find: 'if (passed) passed.state = "sent";',
        replace: "",
      },
      {
        breaks: "a stream derived from another is not cut off",
        find: "if (isSent) return withBody(sent, withEnd(sent.body, end));",
        replace: "",
      },
      {
        breaks: "a native response's content may move to another",
        find: "contentOf(view) === contentOf(body)",
        replace: "false",
      },
      {
        breaks: "middleware closes an iterable that it reads",
        find: 'passed.state = "read";',
        replace: "",
      },
      {
        breaks: "an iterable that was closed is not read",
        find: 'if (passed.state === "closed") return iterateNothing();',
        replace: "",
      },
      {
        breaks: "unsent streams are closed when the sent one ends",
        find: "if (step.done) end();",
        replace: "",
      },
      {
        breaks: "unsent streams are closed when the sent one is cancelled",
        find: "end();\n      return producer.return?.(reason);",
        replace: "return producer.return?.(reason);",
      },
      {
        breaks: "unsent streams are closed when the sent one fails",
        find: "end();\n        throw error;",
        replace: "throw error;",
      },
      {
        breaks: "unsent streams are closed if the response has no content",
        find: "if (!producer) {\n    end();",
        replace: "if (!producer) {",
      },
      {
        breaks: "arrays reach middleware unchanged",
        find: "Array.isArray(body) || ",
        replace: "",
      },
    ],
  },
  {
    file: "src/server/server.ts",
    tests: [
      "server/middleware_test.ts",
      "server/server_test.ts",
      "server/fragment_test.ts",
      "server/guard_test.ts",
      "server/server_at_test.ts",
    ],
    mutants: [
      {
        breaks: "use() appends",
        find: "[...middleware, { run, shared }]",
        replace: "[{ run, shared }, ...middleware]",
      },
      {
        breaks: "middleware builds the responses that its routes share",
        find: "const shared = sharedOf(node);",
        replace: "const shared = {};",
      },
      {
        breaks: "guards are kept in their order",
        find: "[...guards, { run, shared }]",
        replace: "[{ run, shared }, ...guards]",
      },
      { breaks: "guard() keeps the guards before", find: "[...guards, { run, shared }]", replace: "[{ run, shared }]" },
      {
        breaks: "at() locates a node",
        find: "if (found !== undefined) return createServer({",
        replace: "return createServer({",
      },
      {
        breaks: "the server of a route shares the route's own responses",
        find: 'isMarked(node, "route") ? (node as RouteNode).responses : ',
        replace: "",
      },
      {
        breaks: "use() keeps the earlier middleware",
        find: "[...middleware, { run, shared }]",
        replace: "[{ run, shared }]",
      },
      {
        breaks: "use() refuses a value that is not a function",
        find: 'checkFunction(run, "server.use()");',
        replace: "",
      },
      { breaks: "an unknown option is refused", find: "if (surplus !== undefined) {", replace: "if (false) {" },
      {
        breaks: "a context factory is a function",
        find: 'if (context !== undefined && typeof context !== "function") {',
        replace: "if (false) {",
      },
      {
        breaks: "a contract that defineContract() did not return is refused",
        find: 'if (!isMarked(contract, "contract")) {',
        replace: "if (false) {",
      },
    ],
  },
  {
    file: "src/server/implement.ts",
    tests: ["server/implement_test.ts", "server/fragment_test.ts"],
    mutants: [
      {
        breaks: "a fragment must be at the place of its node",
        find: "if (fragment.node === node) found.fragment(fragment);",
        replace: "if (true) found.fragment(fragment);",
      },
      {
        breaks: "a missing or wrong handler is refused",
        find: 'if (typeof entry === "function") found.handler(',
        replace: "if (true) found.handler(",
      },
      {
        breaks: "an unknown handler is refused",
        find: "if (!Object.hasOwn(nodes, child)) yield",
        replace: "if (false) yield",
      },
      {
        breaks: "a handler must be an own property",
        find: "Object.hasOwn(entries, child) ? entries[child] : undefined",
        replace: "entries[child]",
      },
      {
        breaks: "all problems are listed at once",
        find: "const amiss = [...pair({ node, key }, tree, found)];",
        replace: "const amiss = [...pair({ node, key }, tree, found)].slice(0, 1);",
      },
    ],
  },
  {
    file: "src/server/endpoint.ts",
    tests: [
      "server/endpoint_test.ts",
      "server/result_test.ts",
      "fetch/on_error_test.ts",
      "fetch/decode_request_test.ts",
      "server/middleware_test.ts",
    ],
    mutants: [
      {
        breaks: "an object that cannot be inspected is not a result",
        find:
          "  try {\n    if (isResult(thrown)) return thrown;\n  } catch {\n    // a revoked Proxy throws when its type is tested\n  }",
        replace: "  if (isResult(thrown)) return thrown;",
      },
      {
        breaks: "a handler may throw its result",
        find: "if (isResult(thrown)) return thrown;",
        replace: "",
      },
      {
        breaks: "an undeclared query is not passed",
        find: "if (has.query) this.query = slots.query;",
        replace: "this.query = slots.query;",
      },
      {
        breaks: "an undeclared body is not passed",
        find: "if (has.body) this.body = slots.body;",
        replace: "this.body = slots.body;",
      },
      {
        breaks: "parameters are passed without a schema",
        find: "node.params !== undefined || parameterNames(node.path).length > 0",
        replace: "node.params !== undefined",
      },
      {
        breaks: "a handler's signal is the request's",
        find: "get signal(): AbortSignal {\n    return this.#call.request.signal;",
        replace: "get signal(): AbortSignal {\n    return new AbortController().signal;",
      },
    ],
  },
  {
    file: "src/fetch/context.ts",
    tests: ["server/context_test.ts", "fetch/context_input_test.ts", "fetch/disconnect_test.ts"],
    mutants: [
      {
        breaks: "no context runs if the client disconnects while contextInput runs",
        find: "return unlessDisconnected(input, request);",
        replace: "return input;",
      },
      {
        breaks: "contextInput overrides neither request nor route nor signal nor caller",
        find: "if (!reserved.includes(key)) setOwn(",
        replace: "setOwn(",
      },
      {
        breaks: "a context is an object",
        find: 'if (typeof made === "object" && made !== null) return made;',
        replace: "return made as object;",
      },
      {
        breaks: "contextInput receives all arguments of the runtime",
        find: "contextInput(request, ...runtime)",
        replace: "contextInput(request)",
      },
      {
        breaks: "no handler runs if the client disconnects while its context runs",
        find:
          `return unlessDisconnected(\n      whenReady(context, (context) => toObject(context, 'defineServer(): "context"')),\n      source.request,\n    );`,
        replace: `return whenReady(context, (context) => toObject(context, 'defineServer(): "context"'));`,
      },
    ],
  },
];
