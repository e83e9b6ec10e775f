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
      { breaks: "the host may change the list", find: "structuredClone(tool)", replace: "tool" },
      { breaks: "a tool has a description", find: 'description.trim() === ""', replace: "false" },
      { breaks: "streams are refused when they are made", find: "  refuseContents(route);\n", replace: "" },
      {
        breaks: "an invalid name returns an error result",
        find: "JSON.stringify(String(name))",
        replace: "JSON.stringify(name)",
      },
      { breaks: "slim contracts are refused", find: 'if (!isMarked(contract, "contract"))', replace: "if (false)" },
      { breaks: "fetch is required", find: 'if (typeof fetch !== "function")', replace: "if (false)" },
    ],
  },
  {
    file: "src/mcp/check_route.ts",
    tests,
    mutants: [
      { breaks: "names do not contain dots", find: 'key.replaceAll(".", "_")', replace: "key" },
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
      { breaks: "QUERY is read-only", find: ', "QUERY"]', replace: "]" },
      { breaks: "DELETE may destroy", find: 'method !== "POST" && {', replace: "false && {" },
      { breaks: "PATCH is not idempotent", find: '(method === "PUT" || method === "DELETE")', replace: "true" },
      {
        breaks: "references are resolved in the tool",
        find: 'createComponents("#/$defs/")',
        replace: "createComponents()",
      },
      { breaks: "a referenced schema is inlined", find: "isReference ? lookup", replace: "false ? lookup" },
      { breaks: "definitions are included", find: "used.length === 0 ?", replace: "true ?" },
      {
        breaks: "unused definitions are omitted",
        find: "reachable(schema, definitions)",
        replace: "Object.keys(definitions)",
      },
      {
        breaks: "references to missing definitions are refused",
        find: "if (findDefinition(reference, definitions)) continue;",
        replace: "continue;",
      },
      {
        breaks: "path parameters are required",
        find: "describeParams(route, schemas), true)",
        replace: "describeParams(route, schemas), false)",
      },
      {
        breaks: "a query with required fields is required",
        find: ".some((field) => field.required)",
        replace: ".some(() => false)",
      },
      { breaks: "an optional body of a tool is not required", find: "!route.body.optional)", replace: "true)" },
      {
        breaks: "a model cannot pass other arguments",
        find: "...members, additionalProperties: false",
        replace: "...members",
      },
      {
        breaks: "unnamed parameters are text",
        find: 'others = { type: "string" }',
        replace: "others = {}",
      },
      { breaks: "a body without a schema is text or JSON", find: '? {} : { type: "string" }', replace: "? {} : {}" },
      { breaks: "a body is described", find: "body.description === undefined ? schema", replace: "true ? schema" },
      { breaks: "HEAD has no output schema", find: ' || route.method === "HEAD"', replace: "" },
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
        breaks: "a model writes wire values",
        find: "isCodec(schema) ? schema.wire",
        replace: "false ? schema",
      },
      {
        breaks: "only the host sets headers",
        find: "    headers: undefined,\n    body:",
        replace: "    headers: node.headers,\n    body:",
      },
      {
        breaks: "a model cannot set the options of a call",
        find: "slots.length > 0 ? [input] : []",
        replace: "[input]",
      },
      { breaks: "an abort rejects", find: 'error.code === "aborted"', replace: "false" },
      { breaks: "the caller's signal aborts", find: "{ signal, headers });", replace: "{ headers });" },
      { breaks: "the host's headers are sent", find: "{ signal, headers });", replace: "{ signal });" },
      { breaks: "a missing argument is named", find: "if (missing !== undefined)", replace: "if (false)" },
      { breaks: "surplus path parameters are refused", find: 'if ("params" in properties)', replace: "if (false)" },
      { breaks: "lists are not arguments", find: "args === null || Array.isArray(args)", replace: "args === null" },
      { breaks: "surplus arguments are refused", find: "if (surplus === undefined)", replace: "if (true)" },
      {
        breaks: "a declared 5xx reveals nothing",
        find: "status >= 500 || body === undefined",
        replace: "body === undefined",
      },
      { breaks: "an undeclared 5xx reveals nothing", find: "problem && status < 500", replace: "problem" },
      {
        breaks: "a declared 4xx is an error",
        find: "return { content, isError: true };\n  if",
        replace: "return { content };\n  if",
      },
      { breaks: "text is not structured", find: "if (!isJson) return { content };", replace: "" },
      {
        breaks: "results are wrapped like their schema",
        find: "isWrapped ? { result: value }",
        replace: "false ? { result: value }",
      },
      { breaks: "structured content is an object", find: "isObject(structuredContent) ?", replace: "true ?" },
      {
        breaks: "a response that cannot be read is an error",
        find: 'if (isSuccessful({ status })) return "The',
        replace: 'if (false) return "The',
      },
      { breaks: "issues are included", find: "encodeJson(problem)", replace: "statusPhrase(status)" },
      { breaks: "the client's refusals are explained", find: 'if (code === "invalid-input")', replace: "if (false)" },
    ],
  },
];
