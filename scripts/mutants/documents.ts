/** Breaks the promises about OpenAPI documents and the docs page. */
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
        breaks: "the limit of a body is described",
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
      "openapi/security_test.ts",
      "openapi/responses_test.ts",
      "openapi/schema_libraries_test.ts",
    ],
    mutants: [
      {
        breaks: "challenges are optional for a declared response",
        find: "isDeclared ? field :",
        replace: "false ? field :",
      },
      {
        breaks: "a declared header field is listed once",
        find: ".filter(([name]) => !names.includes(name))",
        replace: "",
      },
      {
        breaks: "a declared problem is listed in addition to the adapter's own",
        find: "const content = own?.example === undefined ? listed : addProblem(listed, own.example, around);",
        replace: "const content = listed;",
      },
      {
        breaks: "a status without content lists no content",
        find: "declared === undefined || isBodiless(status)",
        replace: "declared === undefined",
      },
    ],
  },
  {
    file: "src/openapi/own_answers.ts",
    tests: ["openapi/responses_test.ts", "openapi/security_test.ts"],
    mutants: [
      { breaks: "413 and 415 are listed for routes with a body", find: "...(route.body ? [", replace: "...(false ? [" },
      { breaks: "500 is listed for every route", find: "[500, failed],", replace: "" },
      {
        breaks: "the server's own responses are not listed if refusals is false",
        find: "if (!around.hasRefusals) return new Map();",
        replace: "",
      },
      { breaks: "401 is listed", find: "...(unauthorized ? [", replace: "...(false ? [" },
      {
        breaks: "401 is listed for a cookie if a credential is required",
        find: "!needsNone || !kindRules[kind].isLenient",
        replace: "!kindRules[kind].isLenient",
      },
      {
        breaks: "401 is not listed if a refused credential counts as absent",
        find: "!needsNone || !kindRules[kind].isLenient",
        replace: "true",
      },
      {
        breaks: "403 is listed for credentials that browsers attach",
        find: "requirements.some(({ scheme }) => isForgeable(scheme, route))",
        replace: "false",
      },
      {
        breaks: "403 is listed only for required scopes",
        find: "requirements.filter(({ scopes }) => scopes.length > 0)",
        replace: "requirements.filter(({ scheme }) => scheme.scopes.length > 0)",
      },
      {
        breaks: "only bearer tokens have a challenge in a 403",
        find: "scoped.some(({ scheme: { kind } }) => kindRules[kind].hasScopeChallenge)",
        replace: "scoped.length > 0",
      },
    ],
  },
  {
    file: "src/openapi/security.ts",
    tests: ["openapi/security_test.ts"],
    mutants: [
      {
        breaks: "only bearer tokens have a format",
        find: 'name === "bearer" ? format : undefined',
        replace: "format",
      },
      {
        breaks: "the scopes of a flow are its own, or the scheme's",
        find: "{ scopes: own, ...flow }",
        replace: "{ ...flow, scopes: own }",
      },
      {
        breaks: "a caller without a credential is an empty requirement",
        find: 'if (isMarked(entry, "no security")) return {};',
        replace: 'if (isMarked(entry, "no security")) return { none: [] };',
      },
      {
        breaks: "a contract without security omits the security schemes",
        find: "if (schemes.length === 0) return undefined;",
        replace: "",
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
        breaks: "headers that OpenAPI describes elsewhere are omitted",
        find: 'new Set(["accept", "authorization", "content-type"])',
        replace: 'new Set(["accept"])',
      },
      {
        breaks: "a list parameter is exploded",
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
      {
        breaks: "a document cannot break out of its script element",
        find: "/[<>&\\u2028\\u2029]/g",
        replace: "/[&]/g",
      },
      { breaks: "a title cannot break out of its element", find: '.replaceAll("<", "&lt;")', replace: "" },
      { breaks: "an option cannot break out of its attribute", find: '.replaceAll(\'"\', "&quot;")', replace: "" },
      { breaks: "a nonce is Base64 text", find: "if (nonce !== undefined && !/", replace: "if (false && !/" },
    ],
  },
  {
    file: "src/openapi/representations.ts",
    tests: ["openapi/document_test.ts", "openapi/content_test.ts", "openapi/responses_test.ts"],
    mutants: [
      {
        breaks: "a custom representation with the structure of JSON is described by its schema",
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
        breaks: "lists in a form are exploded",
        find: "if (lists.length === 0) return {};",
        replace: "return {};",
      },
    ],
  },
];
