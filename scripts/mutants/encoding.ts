/** Breaks the promises about responses: statuses, representations, headers, HEAD and native responses. */
import { type MutatedFile } from "./mutant.ts";

export const encoding: readonly MutatedFile[] = [
  {
    file: "src/wire/strict_json.ts",
    tests: ["wire/encode_json_test.ts"],
    mutants: [{
      breaks: "JSON has no undefined",
      find: "if (text === undefined) throw",
      replace: "if (false) throw",
    }, {
      breaks: "what JSON would write as null is looked for",
      find: 'text.includes("null") || ',
      replace: "",
    }, {
      breaks: "what JSON would write as {} is looked for",
      find: ' || text.includes("{}")',
      replace: "",
    }, {
      breaks: "an error says where the value is",
      find: "holders.length > 0 && holders.at(-1) !== this",
      replace: "false",
    }, {
      breaks: "an invalid date is refused",
      find: "holder[key] instanceof Date",
      replace: "false",
    }, {
      breaks: "what is left out of an object is refused in a list",
      find: "isLeftOut && Array.isArray(holder)",
      replace: "isLeftOut",
    }, {
      breaks: "an object without fields that is no plain one is refused",
      find: "&& !safeKinds.has(kindOf(value))",
      replace: "&& safeKinds.has(kindOf(value))",
    }],
  },
  {
    file: "src/wire/encode_json.ts",
    tests: ["wire/encode_json_test.ts"],
    mutants: [
      {
        breaks: "a number that is not finite is no plain data",
        find: "|| Number.isFinite(value);",
        replace: '|| typeof value === "number";',
      },
      {
        breaks: "what toJSON gives is looked at",
        find: 'if (typeof (value as { readonly toJSON?: unknown }).toJSON === "function") return false;',
        replace: "",
      },
      {
        breaks: "a value of any depth is written",
        find: "if (value !== null) left.push(value);\n    return true;",
        replace: "return value === null || takeParts(value, left);",
      },
      {
        breaks: "a list is looked at, with its holes",
        find: "index < value.length; index++) if",
        replace: "index < value.length; index++) if (index in value) if",
      },
      {
        breaks: "a Map is no plain data",
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
        breaks: "a refused result closes what it would have sent",
        find: "closeSource(result.body);\n    throw undeclaredStatus(",
        replace: "throw undeclaredStatus(",
      },
      {
        breaks: "what is no result closes what it would have sent",
        find: "closeSource(result);\n      throw noResult",
        replace: "throw noResult",
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
        breaks: "a header that no field can carry is 500",
        find: "if (!isFieldValue(text)) {",
        replace: "if (false) {",
      },
      { breaks: "undefined is left out", find: "if (value === undefined || (", replace: "if ((" },
      {
        breaks: "a Headers object is refused, not dropped",
        find: "if (given instanceof Headers) throw",
        replace: "if (false) throw",
      },
      {
        breaks: "the length that a handler gives HEAD replaces the counted one",
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
        find: 'return body.bodyUsed ? "it has',
        replace: 'return false ? "it has',
      },
      {
        breaks: "a native response keeps its content type",
        find: 'appendHeaders(fields, headers, fields.has("content-type"));',
        replace: "appendHeaders(fields, headers, false);",
      },
      {
        breaks: "a native response to HEAD has no body",
        find: "return isHead ? dropBody(response) : response;",
        replace: "return response;",
      },
      {
        breaks: "a WebSocket upgrade is handed on untouched",
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
        breaks: "HEAD tells the length",
        find: 'if (body !== null) fields.set("content-length", String(byteLength(body)));',
        replace: "",
      },
      {
        breaks: "HEAD is answered without a body",
        find: "if (isHead) return respondToHead(body, init);",
        replace: "",
      },
      {
        breaks: "the content of a blob is not taken for content in memory",
        find: "return isHeld(body) ?",
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
        breaks: "a problem with a schema is sent as the schema gives it",
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
        breaks: "an entity tag is whole",
        find: '/^(?:W\\/)?("[!#-~\\u0080-\\u00ff]*")$/',
        replace: '/^(?:W\\/)?("[!#-~\\u0080-\\u00ff]*")/',
      },
      { breaks: "members are separated by commas", find: "(?=,|$)/y", replace: "/y" },
      {
        breaks: "a malformed list has no tags",
        find: "/^[\\t ,]*$/.test(text.slice(end)) ? tags : []",
        replace: "tags",
      },
    ],
  },
  {
    file: "src/wire/http_date.ts",
    tests: ["wire/http_date_test.ts", "fetch/conditional_test.ts"],
    mutants: [
      { breaks: "a date is exact", find: " && new Date(time).toUTCString() === fixed", replace: "" },
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
        breaks: "a deprecation is said in whole seconds",
        find: "Math.floor(Date.parse(since) / 1000)",
        replace: "Date.parse(since) / 1000",
      },
      { breaks: "a sunset is said", find: 'if (end !== undefined) headers.set("sunset", end);', replace: "" },
      { breaks: "a link is said once", find: ' && !headers.get("link")?.includes(target)', replace: "" },
      {
        breaks: "a link stands beside the handler's own",
        find: 'headers.append("link", target)',
        replace: 'headers.set("link", target)',
      },
      {
        breaks: "true alone says nothing",
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
        breaks: "* matches no state without a validator",
        find: "return tag !== undefined || modified !== undefined;",
        replace: "return true;",
      },
      {
        breaks: "an If-Modified-Since does not count beside an If-None-Match",
        find: "if (noneMatch !== null) return",
        replace: "if (noneMatch !== null && modifiedSince === null) return",
      },
      { breaks: "the same second is not modified", find: "modified <= since", replace: "modified < since" },
      { breaks: "later changes are seen", find: "modified <= since", replace: "modified !== since" },
      {
        breaks: "a 304 has no fields of content",
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
      { breaks: "a producer that is not sent is closed", find: "close?.(body);", replace: "" },
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
        breaks: "an Error or a Response is no result",
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
        breaks: "a failed encoding closes what it would have sent",
        find: "closeSource(result.body);\n      throw error;",
        replace: "throw error;",
      },
      {
        breaks: "response schemas run",
        find: "send(outputOf(checked, what), headers, exchange)",
        replace: "send(body, headers, exchange)",
      },
      {
        breaks: "a response is what its schema gives",
        find: "send(outputOf(checked, what), headers, exchange)",
        replace: "(outputOf(checked, what), send(body, headers, exchange))",
      },
      {
        breaks: "header schemas run",
        find: "if (!check) return build;",
        replace: "return build;",
      },
      {
        breaks: "an encoding that fails late closes what it would have sent",
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
        breaks: "an empty response has no body",
        find: "throw new ResultError(`An empty response has no body, not ${describeValue(body)}`);",
        replace: "return null;",
      },
    ],
  },
  {
    file: "src/representation/custom.ts",
    tests: ["representation/custom_test.ts", "representation/libraries_test.ts"],
    mutants: [
      {
        breaks: "encode returns text that UTF-8 carries",
        find: 'typeof content === "string" && content.isWellFormed()',
        replace: 'typeof content === "string"',
      },
      {
        breaks: "encode returns text, bytes or a Blob",
        find: "throw new TypeError(`encode() must return well-formed text, a Uint8Array or a Blob, not ${found}`);",
        replace: "return content as string;",
      },
      {
        breaks: "an encode that returns a promise is waited for before its content is checked",
        find: "whenReady(encode(value), checkContent)",
        replace: "checkContent(encode(value))",
      },
      {
        breaks: "a decoded value of more than 1,000 levels reaches no schema",
        find: "mayBeTooDeep ? whenReady(value, refuseDeep) : value",
        replace: "value",
      },
      {
        breaks: "a decoded value of 1,000 levels reaches its schema",
        find: "depth === maxLevels",
        replace: "depth === maxLevels - 1",
      },
      {
        breaks: "what occurs several times in a decoded value is looked through once",
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
