import { type JsonSchemaObject } from "../json_schema/json_schema.ts";

/** The schema of a problem document (RFC 9457), with the members that this package adds. */
export const problemSchema: JsonSchemaObject = {
  title: "Problem",
  description: "An error (RFC 9457).",
  type: "object",
  properties: {
    type: { type: "string", format: "uri-reference", description: "The type of the problem." },
    title: { type: "string", description: "A short summary of the type of problem." },
    status: { type: "integer", description: "The status of the response." },
    detail: { type: "string", description: "An explanation of this occurrence." },
    instance: { type: "string", format: "uri-reference", description: "A URI of this occurrence." },
    code: { type: "string", description: "A code of the problem, for programs.", examples: ["invalid-request"] },
    issues: {
      type: "array",
      description: "The first reasons why the request is invalid. If there are more, detail counts them.",
      items: {
        type: "object",
        properties: {
          location: { type: "string", description: "The part of the request.", examples: ["body"] },
          path: {
            type: "array",
            items: { type: ["string", "integer"] },
            description: "The path to the invalid value.",
          },
          pointer: { type: "string", description: "The path as a JSON Pointer (RFC 6901).", examples: ["/name"] },
          message: { type: "string", description: "The error message." },
        },
        required: ["location", "path", "pointer", "message"],
      },
    },
  },
};
