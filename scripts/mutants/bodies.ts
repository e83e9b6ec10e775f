/** Breaks the promises about request bodies: media types, limits, optional bodies, streams, forms and multipart. */
import { type MutatedFile } from "./mutant.ts";

export const bodies: readonly MutatedFile[] = [
  {
    file: "src/fetch/decode_body.ts",
    tests: [
      "fetch/security_test.ts",
      "fetch/decode_body_test.ts",
      "fetch/media_type_test.ts",
      "fetch/media_ranges_test.ts",
      "fetch/optional_body_test.ts",
      "fetch/max_body_bytes_test.ts",
      "fetch/body_stream_test.ts",
      "fetch/preserve_request_body_test.ts",
      "fetch/form_test.ts",
      "fetch/disconnect_test.ts",
    ],
    mutants: [
      {
        breaks: "the limit of a body wins over the adapter's",
        find: "body.maxBytes ?? maxBodyBytes",
        replace: "Math.min(body.maxBytes ?? maxBodyBytes, maxBodyBytes)",
      },
      {
        breaks: "a body may have a limit",
        find: "body.maxBytes ?? maxBodyBytes",
        replace: "maxBodyBytes",
      },
      {
        breaks: "a body of another media type is 415",
        find: 'if (!isAbsent && !accepts(contentType)) return refuse("unsupported-media-type");',
        replace: "",
      },
      {
        breaks: "a body outside of a range is 415",
        find: "received !== null && isWithin(mediaTypeEssence(received), contentType)",
        replace: "received !== null",
      },
      {
        breaks: "only application/json admits +json",
        find: '(declared === "application/json" && jsonSuffixed',
        replace: "(jsonSuffixed",
      },
      {
        breaks: "+json is admitted for application/json",
        find: 'return essence === declared || (declared === "application/json"',
        replace: 'return essence === declared || (declared === "text/json"',
      },
      {
        breaks: "a greater Content-Length is refused without reading",
        find: 'if (isLimited && contentLengthOf(request.headers) > maxBytes) return refuse("body-too-large");',
        replace: "",
      },
      {
        breaks: "a Content-Length of exactly the limit passes",
        find: "contentLengthOf(request.headers) > maxBytes",
        replace: "contentLengthOf(request.headers) >= maxBytes",
      },
      {
        breaks: "an optional body with a Content-Length is not absent",
        find: "body.optional && contentType === null && contentLengthOf(request.headers) === 0",
        replace: "body.optional && contentType === null",
      },
      {
        breaks: "an optional body may be absent",
        find: "const isAbsent = body.optional &&",
        replace: "const isAbsent = !body.optional && body.optional &&",
      },
      {
        breaks: "an optional body with bytes but without a media type is 415",
        find: 'complete ? absent : refuse("unsupported-media-type")',
        replace: "absent",
      },
      {
        breaks: "preserveRequestBody leaves the body readable",
        find: "preserveRequestBody ? request.clone() : request",
        replace: "request",
      },
      {
        breaks: "preserveRequestBody refuses a body that was used",
        find: "return bodyUsed || body?.locked === true;",
        replace: "return false;",
      },
      {
        breaks: "fields of a body follow the list rule",
        find: 'if (representation.describes !== "fields") return check;',
        replace: "return check;",
      },
      {
        breaks: "a refused read does not reach a schema",
        find: "content instanceof Stop ? content : unlessDisconnected(",
        replace: "unlessDisconnected(",
      },
      {
        breaks: "no handler runs if the client disconnects while a body's schema runs",
        find: "unlessDisconnected(attempt(() => check(content), toDecodeFailure), request)",
        replace: "attempt(() => check(content), toDecodeFailure)",
      },
      {
        breaks: "a +json type has a type and a subtype",
        find: "/^[!#$%&'*+.^_`|~0-9a-z-]+\\/[!#$%&'*+.^_`|~0-9a-z-]+\\+json$/",
        replace: "/\\+json$/",
      },
      {
        breaks: "a body without a media type is 415",
        find: "if (received === null) return false;",
        replace: "if (received === null) return true;",
      },
    ],
  },
  {
    file: "src/wire/media_ranges.ts",
    tests: ["wire/media_ranges_test.ts", "client/media_ranges_test.ts", "fetch/media_ranges_test.ts"],
    mutants: [
      {
        breaks: "a problem document does not match a range",
        find: "essence === problemType ? ranges.includes(problemType) : ",
        replace: "",
      },
      {
        breaks: "text that is not a media type does not match a range",
        find: "essencePattern.test(essence) && ",
        replace: "",
      },
      { breaks: "a range ends at its slash", find: "range.slice(0, -1)", replace: "range.slice(0, -2)" },
      { breaks: "a list may have ranges", find: 'range.endsWith("/*") && ', replace: "false && " },
    ],
  },
  {
    file: "src/representation/media_ranges.ts",
    tests: ["contract/media_ranges_test.ts", "client/media_ranges_test.ts"],
    mutants: [
      {
        breaks: "a list with duplicates is refused",
        find: "if (ranges.includes(range)) refuse(",
        replace: "if (false) refuse(",
      },
      {
        breaks: "the content type of a Blob is sent",
        find: 'content instanceof Blob && content.type !== ""',
        replace: "false",
      },
      {
        breaks: "a client does not send a content type outside of the ranges",
        find: "stated !== null && isWithin(mediaTypeEssence(stated), ranges)",
        replace: "stated !== null",
      },
    ],
  },
  {
    file: "src/fetch/plan_init.ts",
    tests: ["fetch/media_ranges_test.ts"],
    mutants: [
      {
        breaks: "a content type outside of a range is a failure",
        find: "stated !== null && isResponseWithin(mediaTypeEssence(stated), ranges)",
        replace: "stated !== null",
      },
    ],
  },
  {
    file: "src/wire/media_type.ts",
    tests: [
      "fetch/media_type_test.ts",
      "client/foreign_response_test.ts",
      "wire/multipart_test.ts",
      "hostile/media_types_test.ts",
    ],
    mutants: [
      { breaks: "media types are compared case-insensitively", find: ".toLowerCase();", replace: ";" },
      {
        breaks: "media types are compared by essence",
        find: "export function mediaTypeEssence(contentType: string): string {",
        replace:
          "export function mediaTypeEssence(contentType: string): string {\n  if (contentType) return contentType.toLowerCase();",
      },
      {
        breaks: "several media types in one header are invalid",
        find: "severalTypes.test(contentType)",
        replace: "false",
      },
      {
        breaks: "spaces around a media type are ignored",
        find: "export function mediaTypeEssence(contentType: string): string {",
        replace:
          "export function mediaTypeEssence(contentType: string): string {\n  if (/[ \\t];|^[ \\t]|[ \\t]$/.test(contentType)) return contentType;",
      },
      {
        breaks: "a quoted comma does not separate media types",
        find: '/^(?:[^",]|"(?:[^"\\\\]|\\\\.)*")*,/',
        replace: "/,/",
      },
      {
        breaks: "the first of two parameters of one name counts",
        find: "if (!parameters.has(name!)) parameters.set(",
        replace: "if (name) parameters.set(",
      },
    ],
  },
  {
    file: "src/wire/read_bytes.ts",
    tests: ["wire/read_bytes_test.ts", "fetch/max_body_bytes_test.ts", "client/no_body_stream_test.ts"],
    mutants: [
      {
        breaks: "a body without a stream is read as a whole",
        find: "const body = isPlatforms ? undefined : response.body;",
        replace: "const body = isPlatforms ? undefined : response.body ?? null;",
      },
      {
        breaks: "a body without a stream is limited",
        find: "complete: bytes.byteLength <= limits.maxBytes",
        replace: "complete: true",
      },
      {
        breaks: "an error's text is limited even if the body is not a stream",
        find: "bytes.subarray(0, limits.maxBytes)",
        replace: "bytes",
      },
      {
        breaks: "exactly maxBodyBytes passes",
        find: "value.byteLength <= left",
        replace: "value.byteLength < left",
      },
      {
        breaks: "reading stops at the limit",
        find: "if (isOfBytes && value.byteLength <= left) continue;",
        replace: "if (isOfBytes) continue;",
      },
      {
        breaks: "a chunk's bytes are kept, not its buffer",
        find:
          "const block = new Uint8Array(Math.max(rest.byteLength, Math.min(this.length - rest.byteLength, maxRoom)));",
        replace: "const block = rest as Uint8Array<ArrayBuffer>;",
      },
      {
        breaks: "past the limit the source is cancelled",
        find: "      cancel();\n      if (isOfBytes) return",
        replace: "      if (isOfBytes) return",
      },
      {
        breaks: "a chunk that is not bytes is refused",
        find: "const isOfBytes = isBytes(value);",
        replace: "const isOfBytes = true;",
      },
      {
        breaks: "reading ends when its signal aborts",
        find: 'signal?.addEventListener("abort", cancel, { once: true });',
        replace: "",
      },
      {
        breaks: "a completed read removes its abort listener",
        find: 'signal?.removeEventListener("abort", cancel);',
        replace: "",
      },
      {
        breaks: "every byte arrives at its place",
        find: "offset += block.byteLength;",
        replace: "offset += block.byteLength && 1;",
      },
    ],
  },
  {
    file: "src/fetch/read_body.ts",
    tests: [
      "fetch/max_body_bytes_test.ts",
      "fetch/form_test.ts",
      "fetch/decode_body_test.ts",
      "fetch/security_test.ts",
      "hostile/memory_test.ts",
      "representation/custom_test.ts",
    ],
    mutants: [
      {
        breaks: "a body that was partly read before is refused",
        find: 'if (request.bodyUsed) return refuse("invalid-body");',
        replace: "",
      },
      {
        breaks: "no handler runs if the client disconnects while its body is decoded",
        find: "unlessDisconnected(decoder.decode(content, { contentType, isDescribed, representation }), request)",
        replace: "decoder.decode(content, { contentType, isDescribed, representation })",
      },
      {
        breaks: "a chunked body without a limit is copied as it arrives",
        find: 'request.headers.has("transfer-encoding")',
        replace: "false",
      },
      {
        breaks: "a body past the limit is 413",
        find: 'return complete ? decode(bytes, request) : refuse("body-too-large");',
        replace: "return decode(bytes, request);",
      },
      {
        breaks: "the limit counts for a body without a schema",
        find: "if (maxBytes !== Infinity) return",
        replace: "if (maxBytes !== Infinity && body.schema) return",
      },
    ],
  },
  {
    file: "src/fetch/body_stream.ts",
    tests: [
      "fetch/body_stream_test.ts",
      "fetch/upload_test.ts",
      "fetch/upload_echo_test.ts",
      "hostile/memory_test.ts",
    ],
    mutants: [
      {
        breaks: "a handler that keeps chunks does not keep their buffers",
        find: "const bytes = takeChunk(item);",
        replace: "const bytes = item as Uint8Array<ArrayBuffer>;",
      },
      { breaks: "a stream of exactly the limit passes", find: "if (left < 0) throw", replace: "if (left <= 0) throw" },
      { breaks: "a stream is counted as it is read", find: "left -= bytes.byteLength;", replace: "" },
      {
        breaks: "413 is distinguished from a stream that broke off",
        find: 'isTooLong ? refuse("body-too-large") : stopUnreadable(cause, request)',
        replace: "stopUnreadable(cause, request)",
      },
      {
        breaks: "the response is 413 unless the handler returned a declared result",
        find: 'end.phase === "handler" ? bodyStop?.()?.stop ?? end : end',
        replace: "end",
      },
      {
        breaks: "an undeclared status is reported, whatever happened to the stream",
        find: 'end.phase === "handler" ?',
        replace: "true ?",
      },
      {
        breaks: "an echo of an aborted upload is not an error",
        find: "bodyStop?.()?.isTooLong === false",
        replace: "false",
      },
      {
        breaks: "onError receives the failure of an echo that is cut off at the limit",
        find: "bodyStop?.()?.isTooLong === false",
        replace: "bodyStop?.() !== undefined",
      },
      {
        breaks: "a stream that someone read of is 400",
        find: 'if (bodyUsed || body?.locked) return refuse("invalid-body");',
        replace: "",
      },
    ],
  },
  {
    file: "src/wire/read_json.ts",
    tests: ["hostile/nesting_test.ts", "wire/parse_json_test.ts"],
    mutants: [
      { breaks: "JSON of a response has 1,000 levels at most", find: "isTooDeep(value, maxLevels)", replace: "false" },
      { breaks: "JSON of a response of 1,000 levels passes", find: "levels === 0 ||", replace: "levels === 1 ||" },
    ],
  },
  {
    file: "src/wire/parse_json.ts",
    tests: ["wire/parse_json_test.ts", "hostile/nesting_test.ts"],
    mutants: [
      { breaks: "JSON has 1,000 levels at most", find: "mayBeTooDeep && isTextTooDeep(text)", replace: "false" },
      { breaks: "JSON of 1,000 levels passes", find: "if (++level > maxLevels)", replace: "if (++level >= maxLevels)" },
      {
        breaks: "brackets in strings do not count as levels",
        find: "else if (code === 0x22) {",
        replace: "else if (false) {",
      },
      {
        breaks: "an escaped quotation mark does not end a string",
        find: "while (isEscaped(text, at));",
        replace: "while (false);",
      },
      {
        breaks: "an escaped backslash does not escape a quotation mark",
        find: "return (index - start) % 2 === 1;",
        replace: "return index > start;",
      },
      { breaks: "a level ends with its bracket", find: "level--;", replace: "level;" },
    ],
  },
  {
    file: "src/wire/multipart.ts",
    tests: ["wire/multipart_test.ts", "fetch/form_test.ts", "form_round_trip_test.ts"],
    mutants: [
      {
        breaks: "truncated form data is refused",
        find: "if (end === -1) break;",
        replace: "if (end === -1) return parts;",
      },
      {
        breaks: "a parameter that occurs twice is refused",
        find: 'if (parameters.has(key)) malformed("a parameter occurs twice");',
        replace: "",
      },
      {
        breaks: "known header fields of a part may occur only once",
        find: "if (fields[member] !== undefined) malformed(`a part has two content-${member} fields`);",
        replace: "",
      },
      {
        breaks: "a boundary must be the only text on its line",
        find: 'if (!matches(bytes, newline, lineEnd)) malformed("a boundary is not alone on its line");',
        replace: "",
      },
      {
        breaks: "a file with only filename* is refused",
        find: 'if (each.startsWith("filename*")) malformed("a file lacks a plain name");',
        replace: "",
      },
      { breaks: "NUL in a part's header is refused", find: "[^\\0\\r\\n]*)$/", replace: "[^\\r\\n]*)$/" },
      {
        breaks: "a quotation mark after a backslash does not end a name",
        find: "quoted?.replaceAll('\\\\\"', '\"')",
        replace: "quoted",
      },
      {
        breaks: "a quotation mark after a backslash ends a name before a semicolon",
        find: "(?![ \\t]*(?:;|$))",
        replace: "",
      },
      { breaks: "a file's type is a media type", find: "normalizeMediaType(type)", replace: "type" },
      {
        breaks: "a text keeps its byte order mark",
        find: 'return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);',
        replace: "return new TextDecoder().decode(bytes);",
      },
      { breaks: "a boundary has at most 70 characters", find: "{1,70}", replace: "{1,700}" },
      {
        breaks: "a file without a type is text/plain",
        find: 'type = "text/plain" }',
        replace: 'type = "" }',
      },
      {
        breaks: "a part without a name is refused",
        find: 'parameters.get("name") ?? malformed("a field lacks a name")',
        replace: 'parameters.get("name") ?? ""',
      },
      {
        breaks: "a part that is not form data is refused",
        find: 'malformed("a part is not a field of a form");',
        replace: 'return ["", ""];',
      },
      {
        breaks: "text after the last boundary is ignored",
        find: "if (isLast) return parts;",
        replace: "if (isLast && lineEnd + 2 >= bytes.length) return parts;",
      },
      {
        breaks: "names of parameters are case-insensitive",
        find: "const key = name!.toLowerCase();",
        replace: "const key = name!;",
      },
      {
        breaks: "white space may follow a boundary",
        find: "at++;\n  return at;",
        replace: "break;\n  return at;",
      },
      {
        breaks: "a line of a part's header that is not a field is refused",
        find: 'headerField.exec(line) ?? malformed("a part has a line that is not a header field")',
        replace: 'headerField.exec(line) ?? ["", ""]',
      },
      {
        breaks: "a malformed parameter is refused",
        find: 'parameter.exec(text) ?? malformed("a parameter is malformed");',
        replace: "parameter.exec(text) ?? [];\n    if (name === undefined) break;",
      },
      {
        breaks: "content without its boundary is refused",
        find: 'return malformed("it is incomplete, or lacks its boundary");',
        replace: "return parts;",
      },
      {
        breaks: "parts keep their order",
        find: "parts.push(toPart(",
        replace: "parts.unshift(toPart(",
      },
    ],
  },
  {
    file: "src/representation/form_data.ts",
    tests: ["form_round_trip_test.ts", "client/form_test.ts", "fetch/form_test.ts"],
    mutants: [
      {
        breaks: "a client refuses names that form data would change",
        find: 'if (!/["\\r\\n\\0]/.test(name)) return;',
        replace: "if (name) return;",
      },
      {
        breaks: "a client refuses file names that form data would change",
        find: 'if (typeof value !== "string") checkName(value.name);',
        replace: "",
      },
      {
        breaks: "a client refuses a lone surrogate in the name of a field of form data",
        find: "if (!name.isWellFormed()) refuseSurrogate();",
        replace: "",
      },
      {
        breaks: "a client refuses a lone surrogate in form data",
        find: "if (!text.isWellFormed()) refuseSurrogate();",
        replace: "",
      },
      {
        breaks: "form data follows the list rule",
        find: 'describes: "fields"',
        replace: 'describes: "value"',
      },
    ],
  },
  {
    file: "src/representation/form.ts",
    tests: ["form_round_trip_test.ts", "fetch/form_test.ts"],
    mutants: [
      {
        breaks: "a form keeps a byte order mark",
        find: 'new TextDecoder("utf-8", { ignoreBOM: true })',
        replace: "new TextDecoder()",
      },
      {
        breaks: "a form follows the list rule",
        find: 'describes: "fields"',
        replace: 'describes: "value"',
      },
    ],
  },
  {
    file: "src/fetch/representations.ts",
    tests: ["fetch/form_test.ts", "fetch/decode_body_test.ts", "form_round_trip_test.ts"],
    mutants: [
      {
        breaks: "form data without a schema is a FormData",
        find: "isDescribed ? decodeFormData(content, contentType) : readFormData(content, contentType)",
        replace: "decodeFormData(content, contentType)",
      },
    ],
  },
  {
    file: "src/representation/json.ts",
    tests: [
      "representation/whole_body_test.ts",
      "fetch/decode_body_test.ts",
      "fetch/encode_response_test.ts",
      "client/request_bodies_test.ts",
    ],
    mutants: [
      {
        breaks: "JSON drops a byte order mark",
        find: "parseJson(new TextDecoder().decode(content))",
        replace: 'parseJson(new TextDecoder("utf-8", { ignoreBOM: true }).decode(content))',
      },
    ],
  },
  {
    file: "src/representation/text.ts",
    tests: [
      "representation/whole_body_test.ts",
      "fetch/decode_body_test.ts",
      "fetch/encode_response_test.ts",
      "client/request_bodies_test.ts",
    ],
    mutants: [
      {
        breaks: "text keeps a byte order mark",
        find: 'new TextDecoder("utf-8", { ignoreBOM: true }).decode(content)',
        replace: "new TextDecoder().decode(content)",
      },
      {
        breaks: "text is well-formed",
        find: 'if (typeof value === "string" && value.isWellFormed()) return value;',
        replace: 'if (typeof value === "string") return value;',
      },
      {
        breaks: "text is text",
        find: 'if (typeof value === "string" && value.isWellFormed()) return value;',
        replace: "return String(value);",
      },
    ],
  },
  {
    file: "src/representation/bytes.ts",
    tests: [
      "representation/whole_body_test.ts",
      "fetch/decode_body_test.ts",
      "fetch/encode_response_test.ts",
      "client/request_bodies_test.ts",
    ],
    mutants: [
      {
        breaks: "bytes are bytes",
        find: 'throw new TypeError("A body of bytes must be a Uint8Array");',
        replace: "return String(value) as never;",
      },
    ],
  },
];
