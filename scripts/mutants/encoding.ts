/** Breaks the promises about responses: statuses, representations, headers, HEAD and native responses. */
import { type MutatedFile } from "./mutant.ts";

export const encoding: readonly MutatedFile[] = [
  {
    file: "src/wire/strict_json.ts",
    tests: ["wire/encode_json_test.ts"],
    mutants: [{
      breaks: "undefined is not JSON",
      find: "if (text === undefined) throw",
      replace: "if (false) throw",
    }, {
      breaks: "values that JSON would write as null are found",
      find: 'text.includes("null") || ',
      replace: "",
    }, {
      breaks: "values that JSON would write as {} are found",
      find: ' || text.includes("{}")',
      replace: "",
    }, {
      breaks: "an error contains the path of the value",
      find: "holders.length > 0 && holders.at(-1) !== this",
      replace: "false",
    }, {
      breaks: "an invalid date is refused",
      find: "holder[key] instanceof Date",
      replace: "false",
    }, {
      breaks: "values that objects omit are refused in a list",
      find: "isLeftOut && Array.isArray(holder)",
      replace: "isLeftOut",
    }, {
      breaks: "an object without fields that is not plain is refused",
      find: "&& !safeKinds.has(kindOf(value))",
      replace: "&& safeKinds.has(kindOf(value))",
    }],
  },
  {
    file: "src/wire/encode_json.ts",
    tests: ["wire/encode_json_test.ts"],
    mutants: [
      {
        breaks: "a number that is not finite is not plain data",
        find: "|| Number.isFinite(value);",
        replace: '|| typeof value === "number";',
      },
      {
        breaks: "the result of toJSON is checked",
        find: 'if (typeof (value as { readonly toJSON?: unknown }).toJSON === "function") return false;',
        replace: "",
      },
      {
        breaks: "a value of any depth is encoded",
        find: "if (value !== null) left.push(value);\n    return true;",
        replace: "return value === null || takeParts(value, left);",
      },
      {
        breaks: "a list is checked, including its holes",
        find: "index < value.length; index++) if",
        replace: "index < value.length; index++) if (index in value) if",
      },
      {
        breaks: "a Map is not plain data",
        find: 'return !isEmpty || kindOf(value) === "Object";',
        replace: "return true;",
      },
    ],
  },
  {
    file: "src/fetch/encode_response.ts",
    tests: [
      "fetch/encode_response_test.ts",
      "fetch/response_headers_test.ts",
      "fetch/encode_raw_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/head_test.ts",
      "server/result_test.ts",
      "client/representations_test.ts",
    ],
    mutants: [
      {
        breaks: "an undeclared status is 500",
        find: "const encode = encoders.get(result.status);",
        replace: "const encode = encoders.get(result.status) ?? encoders.values().next().value;",
      },
      {
        breaks: "a refused result closes its stream",
        find: "closeSource(result.body);\n    throw undeclaredStatusError(",
        replace: "throw undeclaredStatusError(",
      },
      {
        breaks: "a value that is not a result is closed",
        find: "closeSource(result);\n      throw notAResultError",
        replace: "throw notAResultError",
      },
    ],
  },
  {
    file: "src/fetch/check_result.ts",
    tests: [
      "fetch/encode_response_test.ts",
      "fetch/response_headers_test.ts",
      "fetch/encode_raw_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/head_test.ts",
      "server/result_test.ts",
      "client/codec_test.ts",
    ],
    mutants: [
      {
        breaks: "a body that its schema refuses is 500",
        find: "if (checked.issues) throw new",
        replace: "if (false) throw new",
      },
      {
        breaks: "a sender encodes by its codec",
        find: "isCodec(schema) ? toEncodingCheck(schema) : toCheck(schema)",
        replace: "toCheck(schema)",
      },
    ],
  },
  {
    file: "src/fetch/append_headers.ts",
    tests: ["fetch/response_headers_test.ts", "fetch/head_test.ts"],
    mutants: [
      {
        breaks: "the declared content type always wins",
        find: '(hasContent && field === "content-type")',
        replace: '(hasContent && field === "Content-Type")',
      },
      {
        breaks: "a list is several fields",
        find: 'typeof value === "string" ? [value] : value',
        replace: "[String(value)]",
      },
      {
        breaks: "an invalid header value is 500",
        find: "if (!isFieldValue(text)) {",
        replace: "if (false) {",
      },
      { breaks: "an undefined header is omitted", find: "if (value === undefined || (", replace: "if ((" },
      {
        breaks: "a Headers object is refused, not dropped",
        find: "if (added instanceof Headers) throw",
        replace: "if (false) throw",
      },
      {
        breaks: "a handler's content-length for HEAD replaces the computed one",
        find: 'if (field === "content-length") target.delete(field);',
        replace: "",
      },
    ],
  },
  {
    file: "src/fetch/encode_raw.ts",
    tests: ["fetch/encode_raw_test.ts", "fetch/socket_stream_test.ts"],
    mutants: [
      {
        breaks: "a native response has the declared status",
        find: "if (body.status !== status)",
        replace: "if (false)",
      },
      {
        breaks: "a native response that was read is refused",
        find: 'return body.bodyUsed ? "it was',
        replace: 'return false ? "it was',
      },
      {
        breaks: "a native response keeps its content type",
        find: 'appendHeaders(fields, headers, fields.has("content-type"));',
        replace: "appendHeaders(fields, headers, false);",
      },
      {
        breaks: "a native response to HEAD is sent without its body",
        find: "return isHead ? dropBody(response) : response;",
        replace: "return response;",
      },
      {
        breaks: "a WebSocket upgrade is returned unchanged",
        find: "if (status === 101) return native;",
        replace: "if (status === 101) return new Response(null, { status: 200 });",
      },
    ],
  },
  {
    file: "src/fetch/respond.ts",
    tests: [
      "fetch/head_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/encode_raw_test.ts",
      "client/max_body_bytes_test.ts",
    ],
    mutants: [
      {
        breaks: "a stream's producer is closed at once for HEAD",
        find: "if (body instanceof ReadableStream) return dropBody(new Response(body, init));",
        replace: "",
      },
      { breaks: "a dropped body is cancelled", find: "response.body.cancel().catch(() => {});", replace: "" },
      {
        breaks: "HEAD has a content-length",
        find: 'if (body !== null) fields.set("content-length", String(byteLength(body)));',
        replace: "",
      },
      {
        breaks: "HEAD is answered without a body",
        find: "if (isHead) return respondToHead(body, init);",
        replace: "",
      },
      {
        breaks: "the content of a blob does not count as in memory",
        find: "return isInMemoryContent(body) ?",
        replace: "return body !== null ?",
      },
    ],
  },
  {
    file: "src/fetch/representations.ts",
    tests: ["fetch/problem_test.ts"],
    mutants: [
      {
        breaks: "a problem without a schema is completed",
        find: "encodeProblem(completeProblem(value, status))",
        replace: "encodeProblem(value)",
      },
      {
        breaks: "a problem with a schema is sent as the schema's output",
        find: "planWhole(schema ? encodeProblem",
        replace: "planWhole(false ? encodeProblem",
      },
    ],
  },
  {
    file: "src/wire/entity_tag.ts",
    tests: ["wire/entity_tag_test.ts", "fetch/conditional_test.ts"],
    mutants: [
      {
        breaks: "an entity tag must be complete",
        find: '/^(?:W\\/)?("[!#-~\\u0080-\\u00ff]*")$/',
        replace: '/^(?:W\\/)?("[!#-~\\u0080-\\u00ff]*")/',
      },
      { breaks: "members are separated by commas", find: "(?=,|$)/y", replace: "/y" },
      {
        breaks: "a malformed list is ignored",
        find: "/^[\\t ,]*$/.test(text.slice(end)) ? tags : []",
        replace: "tags",
      },
    ],
  },
  {
    file: "src/wire/http_date.ts",
    tests: ["wire/http_date_test.ts", "fetch/conditional_test.ts"],
    mutants: [
      { breaks: "a date must be exact", find: " && new Date(time).toUTCString() === fixed", replace: "" },
      { breaks: "a year has four digits", find: "fixed.length === 29 && ", replace: "" },
      { breaks: "a year of two digits may be of the past", find: "thisYear + 50)", replace: "thisYear + 500)" },
      { breaks: "a day may have one digit in asctime", find: 'day.replace(" ", "0")', replace: "day" },
      { breaks: "a date of RFC 850 is read", find: "if (obsolete) {", replace: "if (false) {" },
    ],
  },
  {
    file: "src/fetch/deprecation.ts",
    tests: ["fetch/deprecation_test.ts"],
    mutants: [
      {
        breaks: "a deprecation is sent in whole seconds",
        find: "Math.floor(Date.parse(since) / 1000)",
        replace: "Date.parse(since) / 1000",
      },
      { breaks: "a sunset is sent", find: 'if (end !== undefined) headers.set("sunset", end);', replace: "" },
      { breaks: "a link is sent once", find: ' && !headers.get("link")?.includes(target)', replace: "" },
      {
        breaks: "a link is added to the handler's own",
        find: 'headers.append("link", target)',
        replace: 'headers.set("link", target)',
      },
      {
        breaks: "deprecated: true sends no fields",
        find: 'if (typeof deprecated !== "object") return undefined;',
        replace:
          'if (!deprecated) return undefined; if (typeof deprecated !== "object") return planDeprecation({ deprecated: { since: "2026-06-01" } } as RouteNode);',
      },
    ],
  },
  {
    file: "src/fetch/conditional.ts",
    tests: ["fetch/conditional_test.ts"],
    mutants: [
      { breaks: "names of fields are compared without case", find: "last-modified)$/i", replace: "last-modified)$/" },
      { breaks: "* matches any state", find: 'if (noneMatch === "*")', replace: "if (false)" },
      {
        breaks: "* does not match without a validator",
        find: "return tag !== undefined || modified !== undefined;",
        replace: "return true;",
      },
      {
        breaks: "If-None-Match takes precedence over If-Modified-Since",
        find: "if (noneMatch !== null) return",
        replace: "if (noneMatch !== null && modifiedSince === null) return",
      },
      { breaks: "the same second is not modified", find: "modified <= since", replace: "modified < since" },
      { breaks: "later changes are modified", find: "modified <= since", replace: "modified !== since" },
      {
        breaks: "a 304 omits content fields",
        find: "for (const name of contentFields) response.headers.delete(name);",
        replace: "",
      },
    ],
  },
  {
    file: "src/fetch/plan_result.ts",
    tests: ["fetch/conditional_test.ts"],
    mutants: [
      { breaks: "other statuses and methods are never 304", find: "if (!mayRevalidate) return build;", replace: "" },
      { breaks: "an unsent producer is closed", find: "close?.(body);", replace: "" },
    ],
  },
  {
    file: "src/wire/byte_length.ts",
    tests: ["fetch/head_test.ts", "client/request_bodies_test.ts"],
    mutants: [
      {
        breaks: "the length is counted in bytes",
        find: "return new TextEncoder().encode(content).byteLength;",
        replace: "return content.length;",
      },
      {
        breaks: "the bytes of a Blob are counted",
        find: "content instanceof Blob ? content.size",
        replace: "content instanceof Blob ? 0",
      },
    ],
  },
  {
    file: "src/server/result.ts",
    tests: ["server/result_test.ts", "server/middleware_test.ts"],
    mutants: [
      {
        breaks: "response() refuses an undeclared status",
        find: "if (!declared.has(status)) {",
        replace: "if (false) {",
      },
      {
        breaks: "an Error or a Response is not a result",
        find: "!(value instanceof Error || isResponse(value))",
        replace: "true",
      },
    ],
  },
  {
    file: "src/fetch/plan_result.ts",
    tests: [
      "fetch/encode_response_test.ts",
      "fetch/response_headers_test.ts",
      "fetch/encode_raw_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/head_test.ts",
      "client/representations_test.ts",
    ],
    mutants: [
      {
        breaks: "a failed encoding closes its stream",
        find: "closeSource(result.body);\n      throw error;",
        replace: "throw error;",
      },
      {
        breaks: "response schemas run",
        find: "send(outputOf(checked, what), headers, exchange)",
        replace: "send(body, headers, exchange)",
      },
      {
        breaks: "a response is the output of its schema",
        find: "send(outputOf(checked, what), headers, exchange)",
        replace: "(outputOf(checked, what), send(body, headers, exchange))",
      },
      {
        breaks: "header schemas run",
        find: "if (!check) return build;",
        replace: "return build;",
      },
      {
        breaks: "an asynchronous failure of encoding closes its stream",
        find: "attempt(() => encode(result, exchange), (error) => {",
        replace: "attempt(() => [encode(result, exchange)], (error) => {",
      },
    ],
  },
  {
    file: "src/fetch/encode_whole.ts",
    tests: [
      "fetch/encode_response_test.ts",
      "fetch/response_headers_test.ts",
      "fetch/encode_raw_test.ts",
      "fetch/encode_stream_test.ts",
      "fetch/head_test.ts",
      "client/representations_test.ts",
    ],
    mutants: [
      {
        breaks: "text of another status than 200 keeps its status",
        find: "status === 200 && contentType",
        replace: "contentType",
      },
      {
        breaks: "text of another content type keeps it",
        find: "contentType === typeOfText()",
        replace: 'contentType?.startsWith("text/")',
      },
      {
        breaks: "bytes that are declared as text keep the content type",
        find: 'isOfText && typeof content === "string" ? undefined : init',
        replace: "isOfText ? undefined : init",
      },
      {
        breaks: "an empty response with a body is refused",
        find: "throw new ResultError(`An empty response must not have a body, got ${describeResult(body)}`);",
        replace: "return null;",
      },
    ],
  },
  {
    file: "src/representation/custom.ts",
    tests: ["representation/custom_test.ts", "representation/libraries_test.ts"],
    mutants: [
      {
        breaks: "encode() must return well-formed text",
        find: 'typeof content === "string" && content.isWellFormed()',
        replace: 'typeof content === "string"',
      },
      {
        breaks: "encode() must return text, bytes or a Blob",
        find: "throw new TypeError(`encode() must return a string, a Uint8Array or a Blob, got ${found}`);",
        replace: "return content as string;",
      },
      {
        breaks: "encode() may return a promise",
        find: "whenReady(encode(value), checkContent)",
        replace: "checkContent(encode(value))",
      },
      {
        breaks: "a decoded value with more than 1,000 levels is refused",
        find: "mayBeTooDeep ? whenReady(value, refuseDeep) : value",
        replace: "value",
      },
      {
        breaks: "a decoded value of 1,000 levels reaches its schema",
        find: "depth === maxLevels",
        replace: "depth === maxLevels - 1",
      },
      {
        breaks: "a shared part of a decoded value is visited once",
        find: "known.add(each);",
        replace: "",
      },
      {
        breaks: "maps and sets are levels of a decoded value",
        find: "isCollection(each) ? each.values() : Object.values(each)",
        replace: "Object.values(each)",
      },
      {
        breaks: "functions of a representation are called without this",
        find: "decode: (content: Uint8Array<ArrayBuffer>) => decode(content),",
        replace: "decode,",
      },
    ],
  },
  {
    file: "src/is_instance.ts",
    tests: ["representation/custom_test.ts", "client/codec_test.ts"],
    mutants: [
      { breaks: "a revoked Proxy may be thrown", find: "return false;", replace: "throw value;" },
    ],
  },
];
