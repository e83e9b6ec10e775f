/** Breaks the promises about clients: URLs, headers, bodies, which responses count, errors, signals and uploads. */
import { type MutatedFile } from "./mutant.ts";

export const clients: readonly MutatedFile[] = [
  {
    file: "src/wire/pathname.ts",
    tests: ["client/encode_url_test.ts", "wire/pathname_test.ts", "round_trip_test.ts"],
    mutants: [
      {
        breaks: "a client refuses parameters that URLs resolve away",
        find: 'text === "" || text === "." || text === ".."',
        replace: 'text === ""',
      },
      { breaks: "a client refuses an empty parameter", find: 'text === "" || text === "."', replace: 'text === "."' },
      {
        breaks: "a client escapes parameters",
        find: "return encodeURIComponent(text);",
        replace: "return encodeURI(text);",
      },
      { breaks: "a client refuses a lone surrogate in a path", find: " || !text.isWellFormed()", replace: "" },
    ],
  },
  {
    file: "src/client/rivals.ts",
    tests: ["client/rivals_test.ts", "round_trip_test.ts"],
    mutants: [
      {
        breaks: "a client reaches the route that is called, or refuses",
        find: "if (rival) throw",
        replace: "if (false) throw",
      },
      {
        breaks: "a client accepts parameters that reach their route",
        find: 'return differing !== undefined && "literal" in differing;',
        replace: "return true;",
      },
      {
        breaks: "a HEAD route's rivals are GET routes too",
        find: '|| (node.method === "HEAD" && method === "GET")',
        replace: "",
      },
    ],
  },
  {
    file: "src/wire/show_credential.ts",
    tests: ["client/credentials_test.ts"],
    mutants: [
      {
        breaks: "credentials in header fields win over the client's",
        find: "if (places.some(({ read }) => read(headers) !== undefined)) return own;",
        replace: "",
      },
      {
        breaks: "a header field set to undefined suppresses its credential",
        find: "if (present === null && namesHeader(ownSources, field)) continue;",
        replace: "",
      },
      {
        breaks: "a scheme without a value is skipped",
        find: "if (value === undefined) continue;",
        replace: "if (value === undefined) return own;",
      },
      {
        breaks: "a call sends only one credential",
        find: "// format() checks it\n      return headers;",
        replace: "// format() checks it",
      },
      {
        breaks: "a cookie is added to those in the header fields",
        find: "format(value as never, present)",
        replace: "format(value as never, null)",
      },
      {
        breaks: "a credential may be a promise",
        find: "return await source();",
        replace: "return source();",
      },
      {
        breaks: "messages never contain what a credential function threw",
        find: "the function of the credential ${JSON.stringify(name)} threw`",
        replace: "${cause}`",
      },
    ],
  },
  {
    file: "src/client/credentials.ts",
    tests: ["client/credentials_test.ts"],
    mutants: [
      {
        breaks: "only the contract's schemes have credentials",
        find: 'checkKeys(credentials, [...names], "credential", cannotCreate)',
        replace: "(credentials ?? {})",
      },
      {
        breaks: "custom schemes have no client credentials",
        find: "credential ? name : []",
        replace: "[name]",
      },
    ],
  },
  {
    file: "src/client/encode_request.ts",
    tests: [
      "client/media_ranges_test.ts",
      "client/merge_headers_test.ts",
      "client/call_test.ts",
      "client/redirect_test.ts",
      "client/form_test.ts",
      "client/codec_test.ts",
      "client/foreign_response_test.ts",
      "client/request_bodies_test.ts",
      "client/upload_test.ts",
    ],
    mutants: [
      {
        breaks: "a body of more bytes than maxBytes is not sent",
        find: "if (maxBytes !== undefined) checkMaxBytes(content, maxBytes);",
        replace: "",
      },
      {
        breaks: "a body of exactly maxBytes is sent",
        find: "if (length > maxBytes)",
        replace: "if (length >= maxBytes)",
      },
      {
        breaks: "a route's headers win over a caller's",
        find: "[general, body?.defaults, options.headers, fields, body?.fields]",
        replace: "[fields, general, body?.defaults, options.headers, body?.fields]",
      },
      {
        breaks: "a call's headers win over the client's",
        find: "[general, body?.defaults, options.headers, fields, body?.fields]",
        replace: "[options.headers, general, body?.defaults, fields, body?.fields]",
      },
      {
        breaks: "the content type is the declaration's",
        find: "[general, body?.defaults, options.headers, fields, body?.fields]",
        replace:
          '(body?.fields?.["content-type"] ? [body.fields, general, options.headers, fields] : [general, body?.defaults, options.headers, fields, body?.fields])',
      },
      {
        breaks: "a call's headers win over the type of a Blob",
        find: "[general, body?.defaults, options.headers, fields, body?.fields]",
        replace: "[general, options.headers, fields, body?.defaults, body?.fields]",
      },
      {
        breaks: "a call's init wins over the client's",
        find: "{ ...settings.init, ...options.init, redirect,",
        replace: "{ ...options.init, ...settings.init, redirect,",
      },
      {
        breaks: "init does not change the method, headers or signal",
        find: "{ ...settings.init, ...options.init, redirect, method: node.method, headers, signal }",
        replace: "{ redirect, method: node.method, headers, signal, ...settings.init, ...options.init }",
      },
      {
        breaks: "redirects are followed only if init says so",
        find: '?? "manual"',
        replace: '?? "follow"',
      },
      {
        breaks: "a call's redirect wins over the client's",
        find: "options.init?.redirect ?? settings.init?.redirect",
        replace: "settings.init?.redirect ?? options.init?.redirect",
      },
      {
        breaks: "a request has the call's signal",
        find: "headers, signal };",
        replace: "headers };",
      },
      {
        breaks: "a caller's header does not remove the boundary of form data",
        find: 'fields: { "content-type": isTypedByPlatform ? undefined : contentType }',
        replace: 'fields: isTypedByPlatform ? {} : { "content-type": contentType }',
      },
      {
        breaks: "an optional body may be omitted",
        find: 'if (optional && input.body === undefined) return { fields: { "content-type": undefined } };',
        replace: "",
      },
      {
        breaks: "init does not change the body",
        find: "{ ...init, body: body?.content, ...upload?.init }",
        replace: "{ body: body?.content, ...init, ...upload?.init }",
      },
      {
        breaks: "a declared content type does not remove the boundary of form data",
        find: "isTypedByPlatform ? undefined : contentType",
        replace: "contentType",
      },
      {
        breaks: "a call without its optional body sends no content type",
        find: 'if (optional && input.body === undefined) return { fields: { "content-type": undefined } };',
        replace: "if (optional && input.body === undefined) return { fields: {} };",
      },
    ],
  },
  {
    file: "src/client/encode_slot.ts",
    tests: [
      "client/merge_headers_test.ts",
      "client/call_test.ts",
      "client/form_test.ts",
      "client/codec_test.ts",
      "client/foreign_response_test.ts",
      "client/request_bodies_test.ts",
      "client/encode_url_test.ts",
      "wire/pathname_test.ts",
      "round_trip_test.ts",
    ],
    mutants: [
      {
        breaks: "a client encodes by codecs",
        find: "codec ? (value) => codec.encode(value, name) : (value) => value",
        replace: "(value) => value",
      },
    ],
  },
  {
    file: "src/client/encode_url.ts",
    tests: [
      "client/merge_headers_test.ts",
      "client/call_test.ts",
      "client/form_test.ts",
      "client/codec_test.ts",
      "client/foreign_response_test.ts",
      "client/request_bodies_test.ts",
      "client/encode_url_test.ts",
      "wire/pathname_test.ts",
      "round_trip_test.ts",
      "client/settings_test.ts",
    ],
    mutants: [
      {
        breaks: "parameters are own properties",
        find: "Object.hasOwn(values, name) ? values[name] : undefined",
        replace: "values[name]",
      },
      {
        breaks: "a parameter is text",
        find: "isTextValue(value) ? encodeSegment(String(value)) : undefined",
        replace: "encodeSegment(String(value))",
      },
      { breaks: "literals are escaped", find: "encodeURI(segment.literal)", replace: "segment.literal" },
      {
        breaks: "a URL without a query ends without a question mark",
        find: 'fields.length === 0 ? "" : ',
        replace: "",
      },
    ],
  },
  {
    file: "src/client/merge_headers.ts",
    tests: ["client/merge_headers_test.ts"],
    mutants: [
      { breaks: "a later header replaces an earlier", find: "merged.delete(name);", replace: "" },
      {
        breaks: "an invalid header value is refused",
        find: "if (texts?.every(isExactFieldValue)) return texts;",
        replace: "if (texts) return texts;",
      },
    ],
  },
  {
    file: "src/client/call_plan.ts",
    tests: [
      "client/call_test.ts",
      "client/signals_test.ts",
      "client/timeout_test.ts",
      "client/error_test.ts",
      "client/item_streams_test.ts",
      "client/around_test.ts",
      "client/foreign_response_test.ts",
    ],
    mutants: [
      {
        breaks: "a timeout is distinguished from an abort",
        find: "return timeout?.aborted",
        replace: "return !timeout",
      },
      { breaks: "an aborted call is not a network error", find: "if (signal?.aborted) {", replace: "if (false) {" },
      {
        breaks: "a ClientError of another call is the cause of this call's own",
        find: "isInstance(cause, ClientError) && cause.route === route",
        replace: "isInstance(cause, ClientError)",
      },
    ],
  },
  {
    file: "src/client/call.ts",
    tests: [
      "client/client_test.ts",
      "client/call_test.ts",
      "client/codec_test.ts",
      "client/settings_test.ts",
      "client/signals_test.ts",
      "client/timeout_test.ts",
      "client/item_streams_test.ts",
      "client/error_test.ts",
      "client/upload_test.ts",
      "client/result_test.ts",
      "client/foreign_response_test.ts",
      "client/merge_headers_test.ts",
      "client/max_body_bytes_test.ts",
    ],
    mutants: [
      {
        breaks: "nothing is sent if a signal aborts while a call is prepared",
        find: "signal?.throwIfAborted();\n  const sent",
        replace: "const sent",
      },
      {
        breaks: "a late response is cancelled",
        find: "if (signal?.aborted) discardBody(response);",
        replace: "",
      },
      {
        breaks: "a call without response rejects when it is aborted",
        find: "await untilAborted(signal, exchange(plan, call, outgoing, upload))",
        replace: "await exchange(plan, call, outgoing, upload)",
      },
      {
        breaks: "url() leaves no unhandled rejection of an asynchronous codec",
        find: "Promise.resolve(url).then(undefined, () => {});",
        replace: "",
      },
      {
        breaks: "an upload ends with its call",
        find: "    release();\n    upload?.end();\n    throw",
        replace: "    release();\n    throw",
      },
      {
        breaks: "a response that does not need the upload ends it",
        find: "    release();\n    upload?.end();\n    return",
        replace: "    release();\n    return",
      },
      {
        breaks: "a completed call clears its timer",
        find: "    release();\n    upload?.end();\n    return",
        replace: "    upload?.end();\n    return",
      },
      {
        breaks: "a failed call clears its timer",
        find: "    release();\n    upload?.end();\n    throw",
        replace: "    upload?.end();\n    throw",
      },
      {
        breaks: "a body that is read later keeps its upload and its timeout",
        find: "if (responses.get(result.status)?.representation.readLater) return result;",
        replace: "",
      },
      {
        breaks: "a group with a route then cannot be awaited",
        find: "if (isThen) refuseAwait(plan.route, args);",
        replace: "",
      },
      {
        breaks: "input that cannot be encoded is invalid-input",
        find: "throw outgoing || signal?.aborted ? explainFailure(cause) : toInvalidInput(plan, cause);",
        replace: "throw explainFailure(cause);",
      },
      {
        breaks: "synchronous failures are explained too",
        find: "return Promise.reject(toInvalidInput(plan, cause));",
        replace: "return Promise.reject(cause);",
      },
      {
        breaks: "request() that fails ends the upload that it started",
        find: "upload?.end();\n    throw toInvalidInput",
        replace: "throw toInvalidInput",
      },
    ],
  },
  {
    file: "src/signals.ts",
    tests: ["client/signals_test.ts", "client/timeout_test.ts", "client/item_streams_test.ts"],
    mutants: [
      {
        breaks: "a call is over when its signal aborts",
        find: "if (!signal || !isPromise(work)) return work;",
        replace: "return work;",
      },
      {
        breaks: "a caller's signal counts in addition to a timeout",
        find: "AbortSignal.any([one, other])",
        replace: "other",
      },
      {
        breaks: "a timeout counts in addition to a caller's signal",
        find: "AbortSignal.any([one, other])",
        replace: "one",
      },
      {
        breaks: "a completed call removes its abort listener",
        find: '.finally(() => signal.removeEventListener("abort", abort))',
        replace: "",
      },
      { breaks: "invalid timeouts are refused", find: "milliseconds >= 0 && ", replace: "" },
    ],
  },
  {
    file: "src/client/decode_response.ts",
    tests: [
      "client/media_ranges_test.ts",
      "client/decode_response_test.ts",
      "client/excerpt_test.ts",
      "client/foreign_response_test.ts",
      "client/representations_test.ts",
      "client/codec_test.ts",
      "client/item_streams_test.ts",
      "client/timeout_test.ts",
      "client/error_test.ts",
    ],
    mutants: [
      {
        breaks: "another content type is not the declared body",
        find: ": received === expected;",
        replace: ": true;",
      },
      {
        breaks: "another spelling of a content type is the same",
        find: "const received = mediaTypeEssence(stated);",
        replace: "const received = stated;",
      },
      {
        breaks: "a client does not accept +json as application/json",
        find: ": received === expected;",
        replace: ': received === expected || received.endsWith("+json");',
      },
      {
        breaks: "a problem document is not an empty response",
        find: "? received !== problemType",
        replace: "? true",
      },
      {
        breaks: "an undeclared status is unexpected-status",
        find: 'plan ? "unexpected-content-type" : "unexpected-status"',
        replace: 'plan ? "unexpected-content-type" : "network"',
      },
      {
        breaks: "a client decodes by codecs",
        find: "codecClientOf(schema)?.decode ?? ((value) => value)",
        replace: "(value) => value",
      },
      {
        breaks: "a response with invalid headers is released",
        find: "const { text } = await readExcerpt(response, signal);\n    throw refuse(cause, text);",
        replace: "throw refuse(cause, undefined);",
      },
      {
        breaks: "a client ignores the body of a response to HEAD",
        find: "isHead ? empty : declared.representation",
        replace: "declared.representation",
      },
      { breaks: "cookies are a list", find: '"set-cookie" in fields ? {', replace: "false ? {" },
      {
        breaks: "the content type of a response to HEAD does not matter",
        find: "isOfAnyType: isHead || representation.isNative === true",
        replace: "isOfAnyType: representation.isNative === true",
      },
    ],
  },
  {
    file: "src/client/read_whole.ts",
    tests: [
      "client/decode_response_test.ts",
      "client/max_body_bytes_test.ts",
      "client/representations_test.ts",
      "client/timeout_test.ts",
      "client/memory_test.ts",
    ],
    mutants: [
      {
        breaks: "a body that was cut off at the limit is refused",
        find: "if (complete) return bytes;",
        replace: "return bytes;",
      },
      {
        breaks: "the text that a mounted handler has in memory is limited",
        find: "byteLength(text) > maxBodyBytes",
        replace: "false",
      },
      {
        breaks: "the platform reads bodies that a mounted handler has in memory",
        find: "isInMemory(response) || isShort",
        replace: "isShort",
      },
      {
        breaks: "a body that is too long is distinguished from an abort",
        find: "signal?.aborted ? signal.reason : toTooLong",
        replace: "signal ? signal.reason : toTooLong",
      },
      {
        breaks: "a response of a greater Content-Length is refused without reading",
        find: "if (contentLengthOf(response.headers) > maxBodyBytes) {",
        replace: "if (false) {",
      },
      {
        breaks: "a response of exactly the limit passes",
        find: "if (contentLengthOf(response.headers) > maxBodyBytes) {",
        replace: "if (contentLengthOf(response.headers) >= maxBodyBytes) {",
      },
      {
        breaks: "a chunked body is counted, whatever length it declares",
        find: '!headers.has("transfer-encoding") && ',
        replace: "",
      },
      {
        breaks: "a compressed body is counted after decompression",
        find: ' && !headers.has("content-encoding")',
        replace: "",
      },
      {
        breaks: "a body that was read before is not empty",
        find: "if (response.bodyUsed) throw",
        replace: "if (false) throw",
      },
    ],
  },
  {
    file: "src/client/describe_response.ts",
    tests: ["client/redirect_test.ts"],
    mutants: [
      {
        breaks: "a message quotes only part of a header field",
        find: "const quotedLength = 200;",
        replace: "const quotedLength = 100_000;",
      },
      { breaks: "a message contains only printable ASCII", find: "/[^ -~…]/g", replace: "/[^ -\uffff]/g" },
      {
        breaks: "a hidden redirect is described",
        find: 'const isHidden = type === "opaqueredirect";',
        replace: "const isHidden = false;",
      },
    ],
  },
  {
    file: "src/client/excerpt.ts",
    tests: ["client/excerpt_test.ts", "client/foreign_response_test.ts", "representation/custom_test.ts"],
    mutants: [
      {
        breaks: "bytes that a decoder transferred are described as empty",
        find: 'if (bytes.byteLength === 0) return "";',
        replace: "",
      },
      {
        breaks: "an error's text has at most 8 KiB",
        find: "const textBytes = 8 * 1024;",
        replace: "const textBytes = 9 * 1024;",
      },
      {
        breaks: "a body that stalls is not waited for",
        find: "setTimeout(() => stalled.abort(), patience)",
        replace: "setTimeout(() => {}, patience)",
      },
      { breaks: "a timer does not outlive its call", find: "clearTimeout(timer);", replace: "" },
      { breaks: "an endless problem document is not parsed", find: "isProblem && complete ?", replace: "isProblem ?" },
      {
        breaks: "a body that breaks off does not change the error",
        find: "return { response }; // the body",
        replace: "throw new Error(); // the body",
      },
      {
        breaks: "a truncated character is dropped",
        find: "{ stream: bytes.byteLength >= textBytes }",
        replace: "{}",
      },
    ],
  },
  {
    file: "src/representation/item_stream.ts",
    tests: ["client/item_streams_test.ts", "client/server_sent_events_test.ts"],
    mutants: [
      {
        breaks: "return() releases the connection",
        find: "isLeft = true;\n      reader.cancel().catch(() => {});",
        replace: "isLeft = true;",
      },
      {
        breaks: "a bad item releases the connection",
        find: "  } finally {\n    reader.cancel().catch(() => {}); // errors of the source are ignored\n  }",
        replace: "  } finally {\n    // nothing\n  }",
      },
      {
        breaks: "a byte order mark at the start is dropped",
        find: 'text = text.replace(/^\\uFEFF/, "");',
        replace: "",
      },
      {
        breaks: "a truncated stream fails",
        find: 'decoder.decode() !== "" || records.isPartial()',
        replace: 'decoder.decode() !== ""',
      },
      {
        breaks: "a truncated character fails",
        find: 'decoder.decode() !== "" || records.isPartial()',
        replace: "records.isPartial()",
      },
      { breaks: "an item that is ready after return() is dropped", find: "if (isLeft()) return;", replace: "" },
      {
        breaks: "an abort ends the wait for a codec",
        find: "isPromise(decoded) ? await untilAborted(signal, Promise.resolve(decoded)) : decoded",
        replace: "await decoded",
      },
      {
        breaks: "an item that is ready after an abort is dropped",
        find: "signal?.throwIfAborted();",
        replace: "",
      },
      {
        breaks: "a stream that was left does not count as truncated",
        find: "if (!isLeft() && (",
        replace: "if ((",
      },
    ],
  },
  {
    file: "src/client/result.ts",
    tests: ["client/result_test.ts", "client/call_test.ts"],
    mutants: [
      {
        breaks: "unwrap() accepts only 2xx",
        find: "status >= 200 && status <= 299",
        replace: "status >= 200 && status <= 399",
      },
      {
        breaks: "an error of unwrap() names its route",
        find: "Object.defineProperty(result, calledRoute, { value: route });",
        replace: "",
      },
      {
        breaks: "the route of a result is not enumerable",
        find: "{ value: route }",
        replace: "{ value: route, enumerable: true }",
      },
    ],
  },
  {
    file: "src/client/settings.ts",
    tests: ["client/settings_test.ts", "client/redirect_test.ts", "client/max_body_bytes_test.ts"],
    mutants: [
      {
        breaks: "a runtime whose Request drops the redirect receives it as an option",
        find: "request.redirect === redirect ? fetch(request) : ",
        replace: "true ? fetch(request) : ",
      },
      {
        breaks: "a baseUrl with a query or fragment is refused",
        find: "(?:\\/+[^/?#]+)*)\\/*$/",
        replace: "(?:\\/+[^/?#]+)*)/",
      },
      { breaks: "baseUrl and path are joined by one slash", find: ")*)\\/*$/", replace: ")*\\/*)$/" },
      { breaks: "a baseUrl with credentials is refused", find: "[^/?#@]+", replace: "[^/?#]+" },
      {
        breaks: "the global fetch is looked up at each call",
        find: "send ? (request) => send(request) : sendByPlatform",
        replace: "send ?? fetch",
      },
      { breaks: "a baseUrl must be http or https", find: "/^(https?:", replace: "/^([a-z]+:" },
      {
        breaks: "an unknown option of a client is refused",
        find: 'checkKeys(options, optionNames, "option", cannotCreate);',
        replace: "",
      },
      {
        breaks: "a whole body has 64 MiB at most by default",
        find: "maxBodyBytes = 64 * 2 ** 20",
        replace: "maxBodyBytes = Infinity",
      },
    ],
  },
  {
    file: "src/representation/upload.ts",
    tests: ["client/upload_test.ts", "fetch/upload_test.ts"],
    mutants: [
      {
        breaks: "a completed call ends its upload",
        find: 'end: () => own.abort(new DOMException("The call has ended", "AbortError")),',
        replace: "end: () => {},",
      },
      {
        breaks: "an abort ends an upload",
        find: "callSignal ? AbortSignal.any([callSignal, own.signal]) : own.signal",
        replace: "own.signal",
      },
      {
        breaks: "a producer's error fails the call",
        find: "if (!failure) throw error;",
        replace: "throw error;",
      },
      {
        breaks: "a producer's error fails a call even after a response",
        find: "if (!failure) return response;",
        replace: "return response;",
      },
      {
        breaks: "an abort is not a failure of the producer",
        find: "if (!signal.aborted) failure = { cause };",
        replace: "failure = { cause };",
      },
      {
        breaks: "empty chunks are skipped",
        find: "step.value.byteLength === 0 ? next() : step",
        replace: "false ? next() : step",
      },
      {
        breaks: "an upload contains only bytes",
        find: "encode: checkChunk,",
        replace: "encode: (item) => item as Uint8Array<ArrayBuffer>,",
      },
      {
        breaks: "a body that is not a stream is refused",
        find: "  checkSource(source);\n",
        replace: "",
      },
      {
        breaks: "a response to a part of an upload is discarded",
        find: "discardBody(response);",
        replace: "",
      },
      {
        breaks: "a call that failed ends its upload",
        find: "own.abort(error);",
        replace: "",
      },
    ],
  },
  {
    file: "src/representation/upload.ts",
    tests: ["client/upload_test.ts", "client/around_test.ts"],
    mutants: [{
      breaks: "a stream that a Request does not hold is not sent as its name",
      find: "if (!request.body) throw",
      replace: "if (false) throw",
    }, { breaks: "a Blob for a stream is sent as a whole", find: " && !isInstance(source, Blob)", replace: "" }],
  },
  {
    file: "src/client/is_error_of.ts",
    tests: ["client/is_error_of_test.ts"],
    mutants: [
      {
        breaks: "isErrorOf() rejects errors of other calls",
        find: "return route?.key === node.key && ",
        replace: "return route?.path !== undefined || ",
      },
      {
        breaks: "isErrorOf() rejects errors that are not a ClientError",
        find: "return false;",
        replace: "return true;",
      },
    ],
  },
  {
    file: "src/client/field_errors.ts",
    tests: ["client/field_errors_test.ts"],
    mutants: [
      {
        breaks: "a field has all of its messages",
        find: "if (others) others.push(message);",
        replace: "if (others) return {};",
      },
      { breaks: "fields have dotted names", find: 'path.join(".")', replace: 'path.join("/")' },
    ],
  },
  {
    file: "src/client/call_around.ts",
    tests: ["client/around_test.ts"],
    mutants: [
      {
        breaks: "the first function around is the outermost",
        find: "settings.around.reduceRight(",
        replace: "settings.around.reduce(",
      },
      {
        breaks: "an outcome has a declared status",
        find: "if (outcome && responses.has(outcome.status)) return outcome;",
        replace: "if (outcome) return outcome;",
      },
      {
        breaks: "an error of an attempt reaches the caller unchanged",
        find: "if (isOwnError(route, cause)) throw cause;\n    throw call",
        replace: "throw call",
      },
      {
        breaks: "a function around that ends with its signal is aborted",
        find: "throw call.signal?.aborted ? explain(plan, call, cause, undefined) : toInvalidOutcome(plan, cause);",
        replace: "throw toInvalidOutcome(plan, cause);",
      },
      {
        breaks: "an abort ends the functions around a call",
        find: "await untilAborted(signal, run())",
        replace: "await run()",
      },
      {
        breaks: "a timeout has the last failure as its cause",
        find: "isOwnError(route, attempted.last) ? attempted.last : cause",
        replace: "cause",
      },
      {
        breaks: "an abandoned attempt leaves no unhandled rejection",
        find: "made.catch(() => {});",
        replace: "",
      },
      {
        breaks: "attempts after the end of the call are refused",
        find: "if (attempted.isOver) throw fail(",
        replace: "if (false) throw fail(",
      },
      {
        breaks: "a second attempt with a stream is refused",
        find: "if (attempted.made++ > 0 && attempted.isSentOnce) {",
        replace: "if (false) {",
      },
      {
        breaks: "a stream is closed if no attempt sent it",
        find: "if (attempted.made === 0) body?.leave?.(input.body);",
        replace: "",
      },
    ],
  },
  {
    file: "src/client/around.ts",
    tests: ["client/around_test.ts"],
    mutants: [
      {
        breaks: "around must be functions",
        find: 'if (typeof each !== "function") {',
        replace: "if (false) {",
      },
      {
        breaks: "around may name only routes of the contract",
        find: "if (unknown !== undefined) {",
        replace: "if (false) {",
      },
    ],
  },
  {
    file: "src/representation/track_results.ts",
    tests: ["client/around_test.ts"],
    mutants: [
      { breaks: "a result that arrives after the end is closed", find: "if (isOver) close(own);", replace: "" },
      {
        breaks: "a stream releases its call when it ends",
        find: "if (own === kept) release();",
        replace: "",
      },
      {
        breaks: "results that the caller does not receive are closed",
        find: "if (own !== kept) close(own);",
        replace: "",
      },
      {
        breaks: "the timeout continues while the caller reads a stream",
        find: "return kept?.isOpen === true;",
        replace: "return false;",
      },
    ],
  },
  {
    file: "src/representation/silence.ts",
    tests: ["client/silence_test.ts"],
    mutants: [
      {
        breaks: "a silent stream is cancelled",
        find: "closeProducer(bytes, error);",
        replace: "",
      },
      { breaks: "received bytes clear the silence timer", find: "clearTimeout(timer);", replace: "" },
      {
        breaks: "leaving a stream with silence cancels it",
        find: "return: (reason) => bytes.return?.(reason)",
        replace: "return: () => {}",
      },
    ],
  },
  {
    file: "src/client/read_call.ts",
    tests: ["client/max_body_bytes_test.ts"],
    mutants: [
      {
        breaks: "a call's limit wins over the client's",
        find: "return { input, options, silence, maxBodyBytes,",
        replace: "return { input, options, silence, maxBodyBytes: defaults.maxBodyBytes,",
      },
    ],
  },
  {
    file: "src/client/check_options.ts",
    tests: [
      "client/client_test.ts",
      "client/call_test.ts",
      "client/settings_test.ts",
      "client/error_test.ts",
      "client/max_body_bytes_test.ts",
    ],
    mutants: [
      {
        breaks: "undeclared slots are refused",
        find: "!allowed.includes(key)",
        replace: "false",
      },
      {
        breaks: "an input must be an object",
        find: 'if (typeof value !== "object" || value === null) {',
        replace: "if (false) {",
      },
      {
        breaks: "an invalid limit of a call is refused",
        find: "(limit as number) >= 0",
        replace: "true",
      },
    ],
  },
  {
    file: "src/representation/raw.ts",
    tests: [
      "client/representations_test.ts",
      "client/decode_response_test.ts",
      "client/foreign_response_test.ts",
      "server/sources_test.ts",
      "client/timeout_test.ts",
      "client/upload_test.ts",
    ],
    mutants: [
      {
        breaks: "a raw response is the native one",
        find: "receive: ({ response }: Incoming) => response,",
        replace: "receive: ({ response }: Incoming) => new Response(response.body, response),",
      },
      {
        breaks: "a raw response may have any content type",
        find: "isNative: true,",
        replace: "",
      },
      { breaks: "a raw response is read later", find: "readLater: trackResults,", replace: "" },
    ],
  },
  {
    file: "src/representation/byte_stream.ts",
    tests: [
      "client/representations_test.ts",
      "client/item_streams_test.ts",
      "client/memory_test.ts",
      "client/timeout_test.ts",
      "server/sources_test.ts",
      "client/upload_test.ts",
      "client/no_body_stream_test.ts",
    ],
    mutants: [
      {
        breaks: "a response without a body stream does not count as an empty stream",
        find: "if (body === undefined) throw",
        replace: "if (false) throw",
      },
      {
        breaks: "a caller that keeps chunks does not keep their buffers",
        find: "encode: takeChunk,",
        replace: "encode: (item) => item as Uint8Array<ArrayBuffer>,",
      },
      { breaks: "a stream of bytes is read later", find: "readLater: trackResults,", replace: "" },
      {
        breaks: "a stream of bytes that has ended releases its call",
        find: ", onEnd: release }",
        replace: " }",
      },
      {
        breaks: "a stream of bytes that breaks off is an error of the call",
        find: "signal, explain, onEnd",
        replace: "signal, explain: (cause) => cause, onEnd",
      },
      {
        breaks: "an empty stream of bytes is a stream",
        find: "body ?? new Blob().stream()",
        replace: "body!",
      },
    ],
  },
  {
    file: "src/wire/discard_body.ts",
    tests: [
      "client/decode_response_test.ts",
      "client/representations_test.ts",
      "client/max_body_bytes_test.ts",
      "client/timeout_test.ts",
    ],
    mutants: [
      {
        breaks: "the body of an empty response is cancelled",
        find: "response.body?.cancel().catch(() => {});",
        replace: "",
      },
      {
        breaks: "a body that fails while it is cancelled is ignored",
        find: ".catch(() => {})",
        replace: "",
      },
    ],
  },
  {
    file: "src/representation/problem.ts",
    tests: ["client/problem_test.ts", "client/representations_test.ts", "fetch/encode_response_test.ts"],
    mutants: [
      {
        breaks: "a problem document must be an object",
        find: 'if (typeof value === "object" && value !== null && !Array.isArray(value)) return encodeJson(value);',
        replace: "return encodeJson(value);",
      },
      {
        breaks: "a problem without a schema has the members of its type",
        find: "incoming.isDescribed ? readJson : decodeProblem",
        replace: "receiveJson",
      },
      {
        breaks: "a problem with a schema is decoded unchanged",
        find: "incoming.isDescribed ? readJson : decodeProblem",
        replace: "decodeProblem",
      },
      {
        breaks: "a problem that is not an object is refused",
        find: 'throw new TypeError("A problem document must be a JSON object");',
        replace: "return document;",
      },
    ],
  },
];
