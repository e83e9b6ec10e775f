/**
 * Breaks the promises about decoding: slots, the list rule, headers, which values are collected and which are refused.
 */
import { type MutatedFile } from "./mutant.ts";

export const decoding: readonly MutatedFile[] = [
  {
    file: "src/pointer.ts",
    tests: ["wire/problem_test.ts"],
    mutants: [
      {
        breaks: "a pointer escapes ~ before /",
        find: '.replaceAll("~", "~0").replaceAll("/", "~1")',
        replace: '.replaceAll("/", "~1").replaceAll("~", "~0")',
      },
    ],
  },
  {
    file: "src/issue.ts",
    tests: ["wire/problem_test.ts", "fetch/issues_test.ts", "client/codec_test.ts", "fetch/encode_response_test.ts"],
    mutants: [
      {
        breaks: "a symbol in an issue's path is formatted by its description",
        find: 'typeof key === "symbol" ? String(key.description) : key',
        replace: "key as string",
      },
      {
        breaks: "at most 20 issues are read",
        find: "length: Math.min(issues.length, limit)",
        replace: "length: issues.length",
      },
      {
        breaks: "a path ends where its pointer has 300 characters",
        find: "if (longer.length > maxLength) break;",
        replace: "if (longer.length > maxLength + 1) break;",
      },
      {
        breaks: "keys after one that does not fit are omitted too",
        find: "if (longer.length > maxLength) break;",
        replace: "if (longer.length > maxLength) continue;",
      },
      {
        breaks: "a message has 300 characters",
        find: "message: cut(issue.message)",
        replace: "message: issue.message",
      },
      {
        breaks: "a message does not end with a lone surrogate",
        find: "text.codePointAt(maxLength - 1)! > 0xffff ? maxLength - 1 : maxLength",
        replace: "maxLength",
      },
      {
        breaks: "20 issues are reported, not more",
        find: "maxIssues = 20",
        replace: "maxIssues = 21",
      },
      {
        breaks: "messages and pointers have 300 characters",
        find: "maxLength = 300",
        replace: "maxLength = 301",
      },
      {
        breaks: "a summary of issues contains their number",
        find: "issues.length > sentences.length ?",
        replace: "false ?",
      },
    ],
  },
  {
    file: "src/fetch/decode_request.ts",
    tests: [
      "fetch/decode_request_test.ts",
      "fetch/decode_body_test.ts",
      "fetch/headers_slot_test.ts",
      "fetch/check_fields_test.ts",
      "fetch/disconnect_test.ts",
      "server/endpoint_test.ts",
    ],
    mutants: [
      {
        breaks: "a body that its schema refuses does not reach a handler",
        find: "if (body.issues) return refuse(",
        replace: "if (body.issues && false) return refuse(",
      },
      {
        breaks: "a slot that its schema refuses does not reach a handler",
        find: "if (!params.issues && !query.issues && !headers.issues) {",
        replace: "if (!query.issues && !headers.issues) {",
      },
      {
        breaks: "the issues of every slot are collected",
        find:
          'const parts = [["params", params.issues], ["query", query.issues], ["headers", headers.issues]] as const;',
        replace: 'const parts = [["params", params.issues], ["query", query.issues]] as const;',
      },
      {
        breaks: "a handler receives the output of the params schema, even undefined",
        find: "params: params.value,",
        replace: "params: params.value ?? {},",
      },
      {
        breaks: "the body is not read if an earlier slot failed",
        find: "slots instanceof Stop ? slots : whenReady(decodeBody(request), addBody,",
        replace:
          "slots instanceof Stop ? whenReady(decodeBody(request), () => slots) : whenReady(decodeBody(request), addBody,",
      },
      {
        breaks: "a schema that throws is a failure, whatever the other slots contain",
        find: "if (query instanceof Failure) return query;",
        replace: "if (query instanceof Failure && !params?.issues) return query;",
      },
      {
        breaks: "a schema that rejects leaves no unhandled rejection",
        find: "attempt(() => check(readHeaders(headers, names)), toDecodeFailure)",
        replace: "check(readHeaders(headers, names)) as Checked",
      },
      {
        breaks: "a headers schema receives only the declared fields",
        find: "const names = declaredKeys(schema);",
        replace: "const names = undefined;",
      },
      {
        breaks: "headers with invalid names are refused at mount",
        find: "if (/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return;",
        replace: "return;",
      },
      {
        breaks: "no handler runs if the client disconnects while a schema runs",
        find:
          "unlessDisconnected(\n      all.then(([params, query, headers]) => collectSlots({ params, query, headers })),\n      request,\n    )",
        replace: "all.then(([params, query, headers]) => collectSlots({ params, query, headers }))",
      },
      {
        breaks: "a query follows the list rule",
        find: "checkFields(check, parseQuery(queryOf(url)))",
        replace: "check(parseQuery(queryOf(url)))",
      },
      {
        breaks: "a handler sees its schema's output",
        find: "return (_, raw) => attempt(() => check(raw), toDecodeFailure);",
        replace: "return (_, raw) => attempt(() => Object.assign(check(raw), { value: raw }), toDecodeFailure);",
      },
    ],
  },
  {
    file: "src/fetch/check_fields.ts",
    tests: ["fetch/check_fields_test.ts", "fetch/decode_request_test.ts"],
    mutants: [
      {
        breaks: "a refused single value is offered once more as a list",
        find: "first.issues ? offerLists(check, fields, first.issues) : first",
        replace: "first",
      },
      {
        breaks: "accepted fields are offered unchanged",
        find: "refused.has(key) ? [value] : value",
        replace: "!Array.isArray(value) ? [value] : value",
      },
      {
        breaks: "the first offer's issues are reported, except the resolved ones",
        find: "{ issues: remainingIssues(first, second.issues, refused) }",
        replace: "{ issues: second.issues }",
      },
      {
        breaks: "resolved issues are not reported",
        find: "return !offered.has(key) || stillRefused.has(key);",
        replace: "return true;",
      },
      {
        breaks: "no list is offered if it could not resolve an issue",
        find: "if (refused.size === 0) return { issues: first };",
        replace: "",
      },
      {
        breaks: "an inherited key is not offered as a list",
        find: "Object.hasOwn(fields, key) && !Array.isArray(fields[key])",
        replace: "!Array.isArray(fields[key])",
      },
    ],
  },
  {
    file: "src/wire/text_fields.ts",
    tests: [
      "wire/query_test.ts",
      "fetch/check_fields_test.ts",
      "fetch/decode_body_test.ts",
      "client/encode_url_test.ts",
      "wire/headers_test.ts",
    ],
    mutants: [
      {
        breaks: "a key __proto__ does not change the prototype",
        find: 'if (key === "__proto__") {',
        replace: 'if (key === "") {',
      },
      {
        breaks: "a key that occurs twice is a list",
        find: "else setOwn(fields, name, [present, value]);",
        replace: "else setOwn(fields, name, value);",
      },
      {
        breaks: "lists keep their order",
        find: "if (Array.isArray(present)) present.push(value);",
        replace: "if (Array.isArray(present)) present.unshift(value);",
      },
      {
        breaks: "a key constructor is a key like any other",
        find: "if (!Object.hasOwn(fields, name)) return",
        replace: "if (!(name in fields)) return",
      },
      {
        breaks: "a client omits undefined",
        find: "if (value === undefined) return [];",
        replace: 'if (value === undefined) return [""];',
      },
      {
        breaks: "a client refuses lists of values that are not text",
        find: "return value.every(isTextValue) ? value.map(String) : undefined;",
        replace: "return value.map(String);",
      },
      {
        breaks: "a client refuses a lone surrogate",
        find: "if (pairs.every(([name, text]) => name.isWellFormed() && text.isWellFormed())) return pairs;",
        replace: "return pairs;",
      },
    ],
  },
  {
    file: "src/wire/query.ts",
    tests: ["wire/query_test.ts", "fetch/check_fields_test.ts"],
    mutants: [
      { breaks: "a plus is a space", find: 'text.includes("+") ? text.replaceAll("+", " ") : text', replace: "text" },
      {
        breaks: "a malformed escape is kept as URLSearchParams keeps it",
        find: "for (const [name, value] of new URLSearchParams(`?${query}`)) addField(fields, name, value);",
        replace: "",
      },
      {
        breaks: "a field's name ends at its first equals sign",
        find: 'field.indexOf("=")',
        replace: 'field.lastIndexOf("=")',
      },
      { breaks: "an empty field is ignored", find: "if (end > start) {", replace: "if (end >= start) {" },
      {
        breaks: "a name without equals sign has the empty value",
        find: "const nameEnd = equals === -1 ? field.length : equals;",
        replace: "const nameEnd = equals === -1 ? 0 : equals;",
      },
      {
        breaks: "a query is encoded like a form",
        find: 'encodeURIComponent(text).replaceAll("%20", "+")',
        replace: "encodeURIComponent(text)",
      },
      {
        breaks: "a query's fields are escaped when written",
        find: 'encodeURIComponent(text).replaceAll("%20", "+")',
        replace: 'encodeURI(text).replaceAll("%20", "+")',
      },
    ],
  },
  {
    file: "src/wire/headers.ts",
    tests: [
      "wire/headers_test.ts",
      "fetch/headers_slot_test.ts",
      "fetch/response_headers_test.ts",
      "client/merge_headers_test.ts",
    ],
    mutants: [
      {
        breaks: "repeated headers are joined",
        find: "Object.hasOwn(record, name) ? `${record[name]}, ${value}` : value",
        replace: "value",
      },
      {
        breaks: "an absent header stays absent",
        find: "if (value !== null) setOwn(record, name, value);",
        replace: 'setOwn(record, name, value ?? "");',
      },
      {
        breaks: "a header value with a control character is refused",
        find: "/^[\\t\\u0020-\\u007e\\u0080-\\u00ff]*$/",
        replace: "/^[\\t\\u0000-\\u007e\\u0080-\\u00ff]*$/",
      },
      {
        breaks: "a header value with a character above 0xFF is refused",
        find: "/^[\\t\\u0020-\\u007e\\u0080-\\u00ff]*$/",
        replace: "/^[\\t\\u0020-\\u007e\\u0080-\\uffff]*$/",
      },
      {
        breaks: "a client refuses spaces that Fetch would trim",
        find: "isFieldValue(value) && !/^[\\t ]|[\\t ]$/.test(value)",
        replace: "isFieldValue(value)",
      },
    ],
  },
  {
    file: "src/wire/problem.ts",
    tests: [
      "fetch/decode_request_test.ts",
      "fetch/decode_body_test.ts",
      "fetch/max_body_bytes_test.ts",
      "fetch/check_fields_test.ts",
      "fetch/issues_test.ts",
      "wire/problem_test.ts",
      "fetch/problem_test.ts",
      "client/excerpt_test.ts",
      "client/problem_test.ts",
    ],
    mutants: [
      {
        breaks: "the handler's members override those of the status",
        find: "return { type, title, status, ...members };",
        replace: "return { ...problem, type, title, status: ofStatus };",
      },
      {
        breaks: "a problem with toJSON is sent unchanged",
        find: ' || "toJSON" in problem) return problem',
        replace: ") return problem",
      },
      {
        breaks: "a problem may be omitted",
        find: "if (problem === undefined) return completeProblem({}, ofStatus);",
        replace: "",
      },
      {
        breaks: "the title of a problem is the phrase of its status",
        find: "title = statusPhrase(ofStatus)",
        replace: 'title = "Problem"',
      },
      { breaks: "an array is not a problem", find: " || Array.isArray(document)", replace: "" },
      { breaks: "a problem's members have their types", find: ".filter(isOfItsType)", replace: "" },
      { breaks: "each issue of a problem has its type", find: " && value.every(isProblemIssue)", replace: "" },
      {
        breaks: "20 issues are reported for all slots together",
        find: "firstIssues(all, maxIssues - issues.length)",
        replace: "firstIssues(all, maxIssues)",
      },
      {
        breaks: "all issues are counted",
        find: "count += all.length;",
        replace: "count += Math.min(all.length, maxIssues);",
      },
      { breaks: "a body too large is 413", find: '"body-too-large": 413', replace: '"body-too-large": 400' },
      {
        breaks: "an issue contains its location",
        find: "return { location, ...summarizeIssue(issue) };",
        replace: 'return { location, ...summarizeIssue(issue), pointer: "" };',
      },
      { breaks: "a problem's status is a number", find: 'name === "status" ? isNumber(value) : ', replace: "" },
    ],
  },
];
