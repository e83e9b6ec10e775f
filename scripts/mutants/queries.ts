/** Breaks the promises about the options of TanStack Query. */
import { type MutatedFile } from "./mutant.ts";

const tests = ["tanstack_query/tanstack_query_test.ts"];

export const queries: readonly MutatedFile[] = [
  {
    file: "src/tanstack_query/calls.ts",
    tests,
    mutants: [
      { breaks: "only calls of a client are accepted", find: "if (!node) {", replace: "if (false) {" },
      {
        breaks: "a route without inputs receives only its options",
        find: "hasInput ? send :",
        replace: "true ? send :",
      },
    ],
  },
  {
    file: "src/tanstack_query/query_key.ts",
    tests,
    mutants: [
      { breaks: "keys have the parts of a route's key", find: 'key.split(".")', replace: "[key]" },
      { breaks: "every input has its own query key", find: "[...parts, toKeyValue(input, key)]", replace: "parts" },
      { breaks: "a bigint may be in a key", find: 'typeof value === "bigint" ||', replace: "" },
      {
        breaks: "numbers that JSON cannot represent are distinguished",
        find: '|| (typeof value === "number" && !Number.isFinite(value))',
        replace: "",
      },
      { breaks: "dates are distinguished", find: "|| hasJson(value)", replace: "" },
      {
        breaks: "lists are searched",
        find: "value.map((item) => toKeyValue(item, key))",
        replace: "value",
      },
      { breaks: "inputs that JSON drops are refused", find: "if (isPlain(value)) {", replace: "if (true) {" },
    ],
  },
  {
    file: "src/tanstack_query/query_options.ts",
    tests,
    mutants: [
      { breaks: "a cancelled query aborts its request", find: "as object, signal }", replace: "as object }" },
      { breaks: "options reach the call", find: "...options as object, signal", replace: "signal" },
      { breaks: "an empty body is data", find: "body === undefined ? null : body", replace: "body" },
      { breaks: "streams are not kept", find: '  refuseStreams(node, "queryOptions");\n', replace: "" },
      {
        breaks: "a route without inputs takes its options first",
        find: "hasInput ? args : [undefined, ...args]",
        replace: "args",
      },
    ],
  },
  {
    file: "src/tanstack_query/infinite_query_options.ts",
    tests,
    mutants: [
      {
        breaks: "pages have a key of their own",
        find: 'input(undefined)), "infinite"]',
        replace: "input(undefined))]",
      },
      {
        breaks: "a cancelled infinite query aborts its request",
        find: "{ ...options, signal }",
        replace: "{ ...options }",
      },
      { breaks: "options reach the call of a page", find: "{ ...options, signal }", replace: "{ signal }" },
      { breaks: "pages follow their parameter", find: "send(input(pageParam)", replace: "send(input(undefined)" },
      { breaks: "next sees the parameter of its page", find: "<Call>, pageParam)", replace: "<Call>, undefined)" },
      {
        breaks: "streams are not kept as pages",
        find: '  refuseStreams(node, "infiniteQueryOptions");\n',
        replace: "",
      },
      { breaks: "null ends the pages", find: " ?? undefined", replace: "" },
    ],
  },
  {
    file: "src/tanstack_query/next_link_query.ts",
    tests,
    mutants: [
      { breaks: "the query of a link ends before its fragment", find: "[^#]*)/", replace: ".*)/" },
      { breaks: "a question mark in a fragment does not start a query", find: "^[^?#]*", replace: "" },
    ],
  },
  {
    file: "src/wire/links.ts",
    tests,
    mutants: [
      {
        breaks: "links of other resources are ignored",
        find: 'if (parameters.has("anchor")) continue;',
        replace: "",
      },
      {
        breaks: "relation types are compared without case",
        find: '.get("rel")?.toLowerCase()',
        replace: '.get("rel")?',
      },
      { breaks: "a link has several relation types", find: ".split(/\\s+/)", replace: "" },
      { breaks: "the first of several relations counts", find: "if (!parameters.has(key)) ", replace: "" },
      { breaks: "names of parameters are compared without case", find: "name.toLowerCase()", replace: "name" },
      { breaks: "text in quotation marks may be escaped", find: '?.replace(/\\\\(.)/gs, "$1")', replace: "" },
      {
        breaks: "a quoted comma does not end a link",
        find: '|"(?:[^"\\\\]|\\\\.)*"?)*)/gs;\n\n/** A parameter',
        replace: ")*)/gs;\n\n/** A parameter",
      },
    ],
  },
  {
    file: "src/tanstack_query/mutation_options.ts",
    tests,
    mutants: [
      {
        breaks: "options reach the call of a mutation",
        find: "send(input, options)",
        replace: "send(input, undefined)",
      },
    ],
  },
];
