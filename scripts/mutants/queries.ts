/** How the promises of the options of TanStack Query break. */
import { type MutatedFile } from "./mutant.ts";

const tests = ["tanstack_query/tanstack_query_test.ts"];

export const queries: readonly MutatedFile[] = [
  {
    file: "src/tanstack_query/calls.ts",
    tests,
    mutants: [
      { breaks: "only calls of a client are taken", find: "if (!node) throw", replace: "if (false) throw" },
      {
        breaks: "a route without inputs is given its options alone",
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
      { breaks: "every input is a query of its own", find: "[...parts, toKeyValue(input, key)]", replace: "parts" },
      { breaks: "a bigint may be in a key", find: 'typeof value === "bigint" ||', replace: "" },
      {
        breaks: "numbers that JSON does not hold are told apart",
        find: '|| (typeof value === "number" && !Number.isFinite(value))',
        replace: "",
      },
      { breaks: "dates are told apart", find: "|| hasJson(value)", replace: "" },
      {
        breaks: "lists are looked through",
        find: "value.map((item) => toKeyValue(item, key))",
        replace: "value",
      },
      { breaks: "inputs that JSON hides are refused", find: "if (isPlain(value)) {", replace: "if (true) {" },
    ],
  },
  {
    file: "src/tanstack_query/query_options.ts",
    tests,
    mutants: [
      { breaks: "a cancelled query aborts its request", find: "as object, signal }", replace: "as object }" },
      { breaks: "options reach the call", find: "...options as object, signal", replace: "signal" },
      { breaks: "an empty body is data", find: "body === undefined ? null : body", replace: "body" },
      { breaks: "streams are not kept", find: "  refuseStreams(node);\n", replace: "" },
      {
        breaks: "a route without inputs takes its options first",
        find: "hasInput ? given : [undefined, ...given]",
        replace: "given",
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
