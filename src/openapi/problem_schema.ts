import { type JsonSchemaObject } from "../json_schema/json_schema.ts";

/** The schema of a problem document (RFC 9457), with the members that this package adds. */
export const problemSchema: JsonSchemaObject = {
  title: "Problem",
  description: "What went wrong (RFC 9457).",
  type: "object",
  properties: {
    type: { type: "string", format: "uri-reference", description: "Which kind of problem it is." },
    title: { type: "string", description: "The kind of problem in a few words." },
    status: { type: "integer", description: "The status of the response." },
    detail: { type: "string", description: "What is particular about this occurrence." },
    instance: { type: "string", format: "uri-reference", description: "This occurrence." },
    code: { type: "string", description: "Which problem it is, for programs.", examples: ["invalid-request"] },
    issues: {
      type: "array",
      description: "The first reasons why the request was refused; detail counts them where there are more.",
      items: {
        type: "object",
        properties: {
          location: { type: "string", description: "The part of the request.", examples: ["body"] },
          path: { type: "array", items: { type: ["string", "integer"] }, description: "The keys that lead to it." },
          pointer: { type: "string", description: "The same as a JSON Pointer (RFC 6901).", examples: ["/name"] },
          message: { type: "string", description: "What is wrong." },
        },
        required: ["location", "path", "pointer", "message"],
      },
    },
  },
};
