/** Breaks the promises about slim contracts. */
import { type MutatedFile } from "./mutant.ts";

export const slim: readonly MutatedFile[] = [
  {
    file: "src/slim/slim_contract.ts",
    tests: ["slim/slim_contract_test.ts"],
    mutants: [
      { breaks: "keys of slim contracts are dotted", find: "`${dotted}.`", replace: "dotted" },
      { breaks: "credentials keep their place", find: "{ name, credential }", replace: "{ name }" },
      {
        breaks: "a body may be optional",
        find: "headers, optional, maxBytes };",
        replace: "headers, optional: false, maxBytes };",
      },
      {
        breaks: "a body has a limit",
        find: "headers, optional, maxBytes };",
        replace: "headers, optional, maxBytes: undefined };",
      },
      {
        breaks: "a problem with a schema is received unchanged",
        find: "schema: codec ?? described",
        replace: "schema: codec",
      },
      {
        breaks: "a declared content type is kept",
        find: "return { representation, contentType,",
        replace: "return { representation, contentType: representation.contentType,",
      },
      {
        breaks: "headers are declared",
        find: "schema: codec ?? described, headers,",
        replace: "schema: codec ?? described, headers: undefined,",
      },
    ],
  },
  {
    file: "src/slim/write_slim_contract.ts",
    tests: ["slim/write_slim_contract_test.ts"],
    mutants: [
      { breaks: "local names are unique", find: "&& !taken.has(reference.name)", replace: "" },
      { breaks: "the whole contract has its own local name", find: 'name === "whole" ?', replace: "false ?" },
      {
        breaks: "each name is imported once",
        find: "return [...unique].toSorted",
        replace: "return [...unique, ...unique].toSorted",
      },
    ],
  },
  {
    file: "src/slim/describe_rows.ts",
    tests: ["slim/write_slim_contract_test.ts"],
    mutants: [
      {
        breaks: "a codec that is not exported is refused",
        find: "return name === undefined\n",
        replace: "return false\n",
      },
      { breaks: "the first of two names is written", find: ".toSorted().filter(", replace: ".filter(" },
      { breaks: "a limit is written", find: "maxBytes === undefined ? undefined", replace: "true ? undefined" },
      { breaks: "an optional body is written", find: 'optional ? "true" : undefined', replace: "undefined" },
      {
        breaks: "a default content type is not written",
        find: "if (contentType === usual) return undefined;",
        replace: "",
      },
      { breaks: "a problem with a schema is marked as described", find: "readsSchema.has(kind)", replace: "false" },
    ],
  },
  {
    file: "src/slim/code.ts",
    tests: ["slim/write_slim_contract_test.ts"],
    mutants: [
      { breaks: "lines are not too long", find: "before.length + line.length < lineWidth", replace: "true" },
      { breaks: "a key __proto__ stays a key", find: 'if (key === "__proto__")', replace: "if (false)" },
    ],
  },
];
