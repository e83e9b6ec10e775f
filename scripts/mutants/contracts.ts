/** Breaks the promises about contracts: which declarations are refused, inheritance, codecs and frozen data. */
import { type MutatedFile } from "./mutant.ts";

export const contracts: readonly MutatedFile[] = [
  {
    file: "src/describe_value.ts",
    tests: ["setup_messages_test.ts"],
    mutants: [
      {
        breaks: "a message shows a short text that was passed",
        find: 'typeof value === "string" ? JSON.stringify(value) : describeConfidential(value)',
        replace: "describeConfidential(value)",
      },
      {
        breaks: "a message does not show a text that may be confidential",
        find: 'if (typeof value === "string") return "a string";',
        replace: 'if (typeof value === "string") return value;',
      },
      {
        breaks: "an array is named as such",
        find: 'Array.isArray(value) ? "an array" : "an object"',
        replace: '"an object"',
      },
    ],
  },
  {
    file: "src/contract/deprecation.ts",
    tests: ["contract/deprecation_test.ts"],
    mutants: [
      {
        breaks: "a sunset is not before its since",
        find: 'checkTime(sunset, "sunset", where) < start',
        replace: "false",
      },
      {
        breaks: "a sunset may be at the time of its since",
        find: 'checkTime(sunset, "sunset", where) < start',
        replace: 'checkTime(sunset, "sunset", where) <= start',
      },
      {
        breaks: "a date exists",
        find: " && new Date(time).toISOString().startsWith(text.slice(0, 19))",
        replace: "",
      },
      { breaks: "a time is in UTC", find: "(?:\\.\\d{1,3})?Z)?$/", replace: "(?:\\.\\d{1,3})?Z?)?$/" },
      {
        breaks: "a link must fit in a header",
        find: "link !== undefined && !isLink(link)",
        replace: "link !== undefined && false",
      },
      {
        breaks: "a link is well-formed",
        find: 'URL.canParse(text, "https://localhost")',
        replace: "true",
      },
      {
        breaks: "a deprecation is copied",
        find: "return Object.freeze({ ...deprecated });",
        replace: "return deprecated;",
      },
    ],
  },
  {
    file: "src/contract/request.ts",
    tests: ["contract/request_test.ts"],
    mutants: [
      {
        breaks: "a limit is a whole number from 0",
        find: "!(Number.isSafeInteger(maxBytes) && maxBytes >= 0)",
        replace: "!Number.isSafeInteger(maxBytes)",
      },
      {
        breaks: "a limit of zero bytes is allowed",
        find: "maxBytes >= 0",
        replace: "maxBytes > 0",
      },
    ],
  },
  {
    file: "src/contract/check_path.ts",
    tests: ["contract/path_parameters_test.ts", "contract/resolve_test.ts", "contract/duplicate_routes_test.ts"],
    mutants: [
      { breaks: "a path with a percent sign is refused", find: "[/%/,", replace: "[/%%%/," },
      { breaks: "a path with ? or # is refused", find: "[/[?#]/,", replace: "[/[?]/," },
      { breaks: "a path with a backslash is refused", find: "[/\\\\/,", replace: "[/\\\\{9}/," },
      { breaks: "a path with a C1 control character is refused", find: "/\\p{Cc}/u", replace: "/[\\0-\\x1f\\x7f]/u" },
      { breaks: "a path with a lone surrogate is refused", find: "/\\p{Surrogate}/u", replace: "/$^/u" },
      { breaks: "a path with an empty segment is refused", find: "[/\\/\\/+/, ", replace: "[/(?!)/, " },
      { breaks: "a path with a dot segment is refused", find: "[/(?<=^|\\/)\\.\\.?(?=\\/|$)/, ", replace: "[/(?!)/, " },
      { breaks: "a parameter's name is well-formed", find: "[A-Za-z_]\\w*(?:", replace: ".*(?:" },
      { breaks: "a path names a parameter once", find: "[/(?<=^|\\/)(:[^/]+)(?=", replace: "[/(?!)(:[^/]+)(?=" },
    ],
  },
  {
    file: "src/contract/resolve.ts",
    tests: [
      "contract/deprecation_test.ts",
      "contract/resolve_test.ts",
      "contract/responses_test.ts",
      "contract/contract_test.ts",
      "contract/docs_test.ts",
    ],
    mutants: [{
      breaks: "a deprecation is inherited",
      find: "deprecated ?? here.deprecated",
      replace: "deprecated",
    }, {
      breaks: "a nearer response wins",
      find: "mergeResponses(responses, here.responses)",
      replace: "mergeResponses(here.responses, responses)",
    }],
  },
  {
    file: "src/contract/route.ts",
    tests: ["contract/responses_test.ts", "contract/route_test.ts"],
    mutants: [{
      breaks: "a route has responses",
      find: "if (Object.keys(responses).length === 0) {",
      replace: "if (false) {",
    }],
  },
  {
    file: "src/contract/resolve.ts",
    tests: [
      "contract/deprecation_test.ts",
      "contract/resolve_test.ts",
      "contract/duplicate_routes_test.ts",
      "contract/router_test.ts",
      "contract/path_parameters_test.ts",
      "contract/contract_test.ts",
      "contract/full_path_test.ts",
    ],
    mutants: [
      {
        breaks: "a full path names a parameter once",
        find: "checkPath(path, where",
        replace: "if (false) checkPath(path, where",
      },
      { breaks: "two routes of one method and path are refused", find: "if (earlier) {", replace: "if (false) {" },
      {
        breaks: "two paths that differ only in parameter names are the same",
        find: 'path.replaceAll(/\\/:[^/]+/g, "/:")',
        replace: "path",
      },
      {
        breaks: "a contract has routes",
        find: "if (Object.keys(routes).length === 0) {",
        replace: "if (false) {",
      },
      {
        breaks: "an entry is a route or a router",
        find: 'if (!isMarked(declared, "route declaration")) cannotDeclare(',
        replace: "if (false) cannotDeclare(",
      },
      { breaks: "keys are dotted", find: "`${here.key}.${key}`", replace: "key" },
    ],
  },
  {
    file: "src/contract/contract.ts",
    tests: ["contract/contract_test.ts", "contract/path_parameters_test.ts"],
    mutants: [
      {
        breaks: "a base path with a parameter is refused",
        find: "if (parameterNames(path).length === 0) return path;",
        replace: "return path;",
      },
    ],
  },
  {
    file: "src/contract/responses.ts",
    tests: ["contract/responses_test.ts", "contract/contract_test.ts"],
    mutants: [
      { breaks: "a status is from 200 to 599", find: "/^[2-5]\\d\\d$/", replace: "/^[1-5]\\d\\d$/" },
      {
        breaks: "only native responses may declare 101",
        find: 'status === "101" && representation?.isNative',
        replace: 'status === "101"',
      },
    ],
  },
  {
    file: "src/contract/route.ts",
    tests: ["contract/route_test.ts", "contract/declared_test.ts"],
    mutants: [
      {
        breaks: "GET and HEAD cannot declare a body",
        find: 'const hasBody = method !== "GET" && method !== "HEAD";',
        replace: 'const hasBody = method !== "GET";',
      },
      {
        breaks: "a slot is a schema",
        find: "if (options[slot] !== undefined) checkSchema(",
        replace: "if (false) checkSchema(",
      },
      {
        breaks: "a bare schema is a JSON body",
        find: "if (isSchema(body)) return json(body as Schema<never>);",
        replace: "",
      },
      {
        breaks: "a body is a declaration or a schema",
        find: 'cannotDeclare(where, `"body" must',
        replace: 'return undefined; cannotDeclare(where, `"body" must',
      },
    ],
  },
  {
    file: "src/contract/declared.ts",
    tests: ["contract/declared_test.ts", "contract/router_test.ts"],
    mutants: [
      {
        breaks: "an unknown option of a declaration is refused",
        find: "if (allowed.includes(key)) continue;",
        replace: "continue;",
      },
      {
        breaks: "an unknown option's nearest is suggested",
        find: "distance(one) - distance(other)",
        replace: "distance(other) - distance(one)",
      },
      { breaks: "options cannot be an array", find: "|| Array.isArray(value)) {", replace: ") {" },
      {
        breaks: "an instance of a class is not a plain object",
        find: "prototype !== null && Object.getPrototypeOf(prototype) !== null",
        replace: "false",
      },
    ],
  },
  {
    file: "src/contract/check_content_type.ts",
    tests: ["contract/media_type_test.ts"],
    mutants: [
      {
        breaks: "a content type is a media type",
        find: 'typeof contentType === "string" && contentTypePattern.test(contentType)',
        replace: "true",
      },
      {
        breaks: "a media type's parameters are printable",
        find: "[\\t -~]*)?$/",
        replace: ".*)?$/",
      },
    ],
  },
  {
    file: "src/contract/codec.ts",
    tests: ["contract/codec_test.ts", "client/codec_test.ts", "client/call_test.ts", "client/decode_response_test.ts"],
    mutants: [
      {
        breaks: "the second schema of a codec runs",
        find: "whenReady(convert(checked.value as never), second)",
        replace: "whenReady(convert(checked.value as never), (value) => ({ value }))",
      },
      {
        breaks: "a codec encodes by application schema, encode, wire schema",
        find: "chain(toCheck(application), encode, toCheck(wire))",
        replace: "chain(toCheck(wire), encode, toCheck(application))",
      },
      {
        breaks: "a codec does not convert what its schema refuses",
        find: "checked.issues ? checked : whenReady(",
        replace: "whenReady(",
      },
      { breaks: "a codec of a codec is refused", find: "if (isCodec(schema)) {", replace: "if (false) {" },
      {
        breaks: "a client refuses input that its codecs refuse",
        find: "if (checked.issues) throw",
        replace: "if (false) throw",
      },
      {
        breaks: "a client does not run the server's schemas",
        find:
          "return schema && isCodec(schema) ? (schema as Codec & { readonly client: CodecClient }).client : undefined;",
        replace: "return schema && createCodecClient(toCheck(schema), toCheck(schema));",
      },
    ],
  },
  {
    file: "src/mark.ts",
    tests: [
      "contract/router_test.ts",
      "contract/route_test.ts",
      "contract/declared_test.ts",
      "contract/contract_test.ts",
    ],
    mutants: [
      {
        breaks: "declarations are frozen",
        find: "return Object.freeze(data) as Data & Marked<Kind>;",
        replace: "return data as Data & Marked<Kind>;",
      },
    ],
  },
  {
    file: "src/path.ts",
    tests: ["contract/resolve_test.ts", "contract/full_path_test.ts"],
    mutants: [
      {
        breaks: "slashes at either end of a part do not matter",
        find: "const below = trimSlashes(path);",
        replace: "const below = path;",
      },
    ],
  },
  {
    file: "src/contract/bodiless.ts",
    tests: ["contract/responses_test.ts", "openapi/responses_test.ts"],
    mutants: [
      {
        breaks: "205 and 304 cannot have a body",
        find: "status === 204 || status === 205 || status === 304",
        replace: "status === 204",
      },
    ],
  },
  {
    file: "src/contract/representation.ts",
    tests: ["contract/representation_test.ts"],
    mutants: [
      {
        breaks: "a representation cannot be a form, events or NDJSON",
        find: "if (notWhole.test(mediaTypeEssence(contentType))) {",
        replace: "if (notWhole.test(contentType)) {",
      },
      {
        breaks: "a representation has both functions",
        find: 'if (typeof method !== "function")',
        replace: "if (method === undefined)",
      },
      {
        breaks: "request.as() accepts only a representation()",
        find: 'if (isMarked(value, "representation")) return;',
        replace: 'if (typeof value === "object" && value !== null && "encode" in value) return;',
      },
    ],
  },
];
