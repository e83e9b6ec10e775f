/** Breaks the promises about tools for language models. */
import { type MutatedFile } from "./mutant.ts";

const tests = ["mcp/mcp_tools_test.ts", "mcp/describe_tool_test.ts", "mcp/call_tool_test.ts"];

export const tools: readonly MutatedFile[] = [
  {
    file: "src/mcp/mcp_tools.ts",
    tests,
    mutants: [
      {
        breaks: "tools of one name are refused",
        find: "if (rival) cannotMakeTool",
        replace: "if (false) cannotMakeTool",
      },
      { breaks: "the list is the host's to change", find: "structuredClone(tool)", replace: "tool" },
      { breaks: "a tool has a description", find: 'description.trim() === ""', replace: "false" },
      { breaks: "streams are refused when they are made", find: "  refuseContents(route);\n", replace: "" },
      {
        breaks: "a name that is not text is a result",
        find: "JSON.stringify(String(name))",
        replace: "JSON.stringify(name)",
      },
      { breaks: "slim contracts are refused", find: 'if (!isMarked(contract, "contract"))', replace: "if (false)" },
      { breaks: "fetch is asked for", find: 'if (typeof fetch !== "function")', replace: "if (false)" },
    ],
  },
  {
    file: "src/mcp/check_route.ts",
    tests,
    mutants: [
      { breaks: "names have no dots", find: 'key.replaceAll(".", "_")', replace: "key" },
      { breaks: "names have at most 128 characters", find: "{1,128}", replace: "{1,}" },
      { breaks: "names have the characters of the protocol", find: "/^[\\w-]{1,128}$/", replace: "/^[^]{1,128}$/" },
      { breaks: "uploads are refused", find: "if (unfitBody !== undefined)", replace: "if (false)" },
      {
        breaks: "bodies of several media types are refused",
        find: 'if (typeof body?.contentType === "object")',
        replace: "if (false)",
      },
      { breaks: "streams are refused", find: "if (unfit !== undefined)", replace: "if (false)" },
    ],
  },
  {
    file: "src/mcp/contents.ts",
    tests,
    mutants: [
      { breaks: "a problem document is JSON", find: "problem: { isJson: true }", replace: "problem: {}" },
      { breaks: "a representation may have the structure of JSON", find: "structure ?? kind", replace: "kind" },
    ],
  },
  {
    file: "src/mcp/describe_tool.ts",
    tests,
    mutants: [
      { breaks: "QUERY changes nothing", find: ', "QUERY"]', replace: "]" },
      { breaks: "DELETE may destroy", find: 'method !== "POST" && {', replace: "false && {" },
      { breaks: "PATCH is not idempotent", find: '(method === "PUT" || method === "DELETE")', replace: "true" },
      {
        breaks: "references are resolved in the tool",
        find: 'createComponents("#/$defs/")',
        replace: "createComponents()",
      },
      { breaks: "a schema stands itself where it is one", find: "isReference ? lookup", replace: "false ? lookup" },
      { breaks: "definitions come along", find: "used.length === 0 ?", replace: "true ?" },
      {
        breaks: "definitions that nothing refers to are left out",
        find: "reachable(schema, definitions)",
        replace: "Object.keys(definitions)",
      },
      {
        breaks: "references that lead nowhere are refused",
        find: "if (findDefinition(reference, definitions)) continue;",
        replace: "continue;",
      },
      {
        breaks: "path parameters are asked for",
        find: "describeParams(route, schemas), true)",
        replace: "describeParams(route, schemas), false)",
      },
      {
        breaks: "a query is asked for where it has to be there",
        find: ".some((field) => field.required)",
        replace: ".some(() => false)",
      },
      { breaks: "an optional body is not asked for", find: "!route.body.optional)", replace: "true)" },
      {
        breaks: "a model has no other arguments",
        find: "...members, additionalProperties: false",
        replace: "...members",
      },
      {
        breaks: "parameters that a schema does not name are text",
        find: 'others = { type: "string" }',
        replace: "others = {}",
      },
      { breaks: "a body without a schema is what it is", find: '? {} : { type: "string" }', replace: "? {} : {}" },
      { breaks: "a body is described", find: "body.description === undefined ? schema", replace: "true ? schema" },
      { breaks: "HEAD has no body", find: ' || route.method === "HEAD"', replace: "" },
      {
        breaks: "an output schema holds for every success",
        find: "!described.every(isDescribed)",
        replace: "!described.some(isDescribed)",
      },
      {
        breaks: "lists are wrapped",
        find: "const isWrapped = !described.every(",
        replace: "const isWrapped = false && !described.every(",
      },
      { breaks: "unions of objects are not wrapped", find: "[anyOf, oneOf].some(", replace: "[].some(" },
      { breaks: "intersections of objects are not wrapped", find: "allOf.some(below)", replace: "false" },
    ],
  },
  {
    file: "src/mcp/call_tool.ts",
    tests,
    mutants: [
      {
        breaks: "a model writes what stands on the wire",
        find: "isCodec(schema) ? schema.wire",
        replace: "false ? schema",
      },
      {
        breaks: "headers are the host's",
        find: "    headers: undefined,\n    body:",
        replace: "    headers: node.headers,\n    body:",
      },
      { breaks: "a model writes no options of a call", find: "slots.length > 0 ? [input] : []", replace: "[input]" },
      { breaks: "an abort is no result", find: 'error.code === "aborted"', replace: "false" },
      { breaks: "the caller's signal aborts", find: "{ signal, headers });", replace: "{ headers });" },
      { breaks: "the host's headers are sent", find: "{ signal, headers });", replace: "{ signal });" },
      { breaks: "what is missing is said", find: "if (missing !== undefined)", replace: "if (false)" },
      { breaks: "surplus path parameters are refused", find: 'if ("params" in properties)', replace: "if (false)" },
      { breaks: "lists are not arguments", find: "given === null || Array.isArray(given)", replace: "given === null" },
      { breaks: "surplus arguments are refused", find: "if (surplus === undefined)", replace: "if (true)" },
      {
        breaks: "a declared 5xx tells nothing",
        find: "status >= 500 || body === undefined",
        replace: "body === undefined",
      },
      { breaks: "an undeclared 5xx tells nothing", find: "problem && status < 500", replace: "problem" },
      {
        breaks: "a declared 4xx is an error",
        find: "return { content, isError: true };\n  if",
        replace: "return { content };\n  if",
      },
      { breaks: "text is not structured", find: "if (!isJson) return { content };", replace: "" },
      {
        breaks: "results are wrapped as their schema says",
        find: "isWrapped ? { result: value }",
        replace: "false ? { result: value }",
      },
      { breaks: "structured content is an object", find: "isObject(structuredContent) ?", replace: "true ?" },
      {
        breaks: "an answer that cannot be read is an error",
        find: 'if (isSuccessful({ status })) return "The',
        replace: 'if (false) return "The',
      },
      { breaks: "issues are told", find: "encodeJson(problem)", replace: "statusPhrase(status)" },
      { breaks: "what a client refuses is told", find: 'if (code === "invalid-input")', replace: "if (false)" },
    ],
  },
];
