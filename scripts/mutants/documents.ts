/** How the promises of OpenAPI documents and of the docs page break. */
import { type MutatedFile } from "./mutant.ts";

export const documents: readonly MutatedFile[] = [
  {
    file: "src/openapi/operation.ts",
    tests: [
      "openapi/document_test.ts",
      "openapi/content_test.ts",
      "openapi/parameters_test.ts",
      "openapi/responses_test.ts",
      "openapi/schema_libraries_test.ts",
    ],
    mutants: [
      {
        breaks: "a limit is said of a body",
        find: "maxBytes === undefined ? words : addSentence",
        replace: "true ? words : addSentence",
      },
      { breaks: "an optional body is not required", find: "required: !optional", replace: "required: true" },
      {
        breaks: "an operation's id is its dotted key",
        find: "operationId = route.key",
        replace: "operationId = route.path",
      },
      { breaks: "an operation's tag is its first key", find: "tags = [group]", replace: "tags = [route.key]" },
    ],
  },
  {
    file: "src/openapi/responses.ts",
    tests: [
      "openapi/document_test.ts",
      "openapi/content_test.ts",
      "openapi/parameters_test.ts",
      "openapi/responses_test.ts",
      "openapi/schema_libraries_test.ts",
    ],
    mutants: [
      { breaks: "413 and 415 are listed for routes with a body", find: "...(route.body ? [", replace: "...(false ? [" },
      { breaks: "500 is listed for every route", find: "[500, failed],", replace: "" },
      {
        breaks: "a declared problem stands beside the adapter's own",
        find: "const content = own?.example === undefined ? listed : addProblem(listed, own.example, around);",
        replace: "const content = listed;",
      },
      {
        breaks: "a status without content lists none",
        find: "declared === undefined || isBodiless(status)",
        replace: "declared === undefined",
      },
    ],
  },
  {
    file: "src/openapi/content.ts",
    tests: [
      "openapi/document_test.ts",
      "openapi/content_test.ts",
      "openapi/parameters_test.ts",
      "openapi/responses_test.ts",
      "openapi/schema_libraries_test.ts",
    ],
    mutants: [
      {
        breaks: "representations are listed by essence",
        find: "[mediaTypeEssence(contentType)]",
        replace: "[contentType]",
      },
    ],
  },
  {
    file: "src/openapi/parameters.ts",
    tests: [
      "openapi/document_test.ts",
      "openapi/content_test.ts",
      "openapi/parameters_test.ts",
      "openapi/responses_test.ts",
      "openapi/schema_libraries_test.ts",
    ],
    mutants: [
      {
        breaks: "headers that OpenAPI says by other means are left out",
        find: 'new Set(["accept", "authorization", "content-type"])',
        replace: 'new Set(["accept"])',
      },
      {
        breaks: "a list is written as a list",
        find: '...(isList(schema) && { style: "form", explode: true }),',
        replace: "",
      },
      {
        breaks: "a path parameter is required",
        find: 'in: "path", ...toField(schema, true)',
        replace: 'in: "path", ...toField(schema, false)',
      },
    ],
  },
  {
    file: "src/openapi/check_document.ts",
    tests: [
      "openapi/document_test.ts",
      "openapi/content_test.ts",
      "openapi/parameters_test.ts",
      "openapi/responses_test.ts",
      "openapi/schema_libraries_test.ts",
    ],
    mutants: [
      { breaks: "QUERY is refused by name in 3.1", find: 'version === "3.1" && unknown.length > 0', replace: "false" },
      {
        breaks: "one operation id for two routes is refused",
        find: "if (earlier !== undefined) {",
        replace: "if (false) {",
      },
      { breaks: "a security scheme is declared", find: "if (missing === undefined) continue;", replace: "continue;" },
    ],
  },
  {
    file: "src/openapi/document.ts",
    tests: [
      "openapi/document_test.ts",
      "openapi/content_test.ts",
      "openapi/parameters_test.ts",
      "openapi/responses_test.ts",
      "openapi/schema_libraries_test.ts",
    ],
    mutants: [
      {
        breaks: "routes of one shape share one path item",
        find: "const first = firstPaths.get(shape) ?? path;",
        replace: "const first = path;",
      },
      { breaks: "a document is frozen", find: "Object.freeze(value)", replace: "value" },
    ],
  },
  {
    file: "src/openapi/convert_schema.ts",
    tests: [
      "openapi/document_test.ts",
      "openapi/content_test.ts",
      "openapi/parameters_test.ts",
      "openapi/responses_test.ts",
      "openapi/schema_libraries_test.ts",
    ],
    mutants: [
      {
        breaks: "a codec is described by its wire schema",
        find: "(isCodec(schema) ? schema.wire : schema)",
        replace: "(isCodec(schema) ? schema.application : schema)",
      },
      {
        breaks: "requests are described by input, responses by output",
        find: "standard.jsonSchema[direction](",
        replace: "standard.jsonSchema.output(",
      },
    ],
  },
  {
    file: "src/openapi/docs_page.ts",
    tests: ["openapi/docs_page_test.ts"],
    mutants: [
      { breaks: "no document breaks out of its script", find: "/[<>&\\u2028\\u2029]/g", replace: "/[&]/g" },
      { breaks: "no title breaks out of its element", find: '.replaceAll("<", "&lt;")', replace: "" },
      { breaks: "no option breaks out of its attribute", find: '.replaceAll(\'"\', "&quot;")', replace: "" },
      { breaks: "a nonce is Base64 text", find: "if (nonce !== undefined && !/", replace: "if (false && !/" },
    ],
  },
  {
    file: "src/openapi/representations.ts",
    tests: ["openapi/document_test.ts", "openapi/content_test.ts", "openapi/responses_test.ts"],
    mutants: [
      {
        breaks: "a representation of the user's with the structure of JSON is listed by its schema",
        find: "descriptions[structure ?? kind]",
        replace: "descriptions[kind]",
      },
      {
        breaks: "a limit of binary content is its maxLength",
        find: "...(maxBytes !== undefined && { maxLength: maxBytes })",
        replace: "",
      },
      {
        breaks: "a sentence follows a whole one",
        find: 'description.replace(/[^.!?]$/, "$&.")',
        replace: "description",
      },
      {
        breaks: "streams of items are itemSchema in 3.2",
        find: 'version === "3.1" ? { schema: item } : { itemSchema: item }',
        replace: "{ schema: item }",
      },
      {
        breaks: "lists of a form are written value by value",
        find: "if (lists.length === 0) return {};",
        replace: "return {};",
      },
    ],
  },
];
