/**
 * What the OpenAPI document of the contract needs: `deno task diff` compares it with openapi.json, the document of the
 * last release. A package converts Valibot's schemas; the schema of the events is written by hand, and so is its JSON
 * Schema.
 *
 * @module
 */
import type { SchemaProvider } from "@scope/api/openapi";
import { toJsonSchema } from "@valibot/to-json-schema";

export { contract } from "./contract.ts";

const text = { type: "string" };
const people = {
  type: "object",
  properties: { type: { const: "people" }, names: { type: "array", items: text } },
  required: ["type", "names"],
};
const message = {
  type: "object",
  properties: { type: { const: "message" }, author: text, text, at: { type: "string", format: "date-time" } },
  required: ["type", "author", "text", "at"],
};

const isTyping = { type: "object", properties: { isTyping: { const: true } }, required: ["isTyping"] };
const typing = { type: "object", properties: { name: text }, required: ["name"] };

const schema: SchemaProvider = ({ query, headers, body }, slot) => {
  if (slot === 200) return { oneOf: [people, message] };
  if (slot === "101.fromClient") return isTyping;
  if (slot === "101.fromServer") return typing;
  const slots = { query, headers, body: body?.schema } as const;
  const declared = slots[slot as keyof typeof slots] as Parameters<typeof toJsonSchema>[0] | undefined;
  return declared && { ...toJsonSchema(declared, { typeMode: "input", errorMode: "ignore" }) }; // it knows no trim
};

export const openApiOptions = { info: { title: "The chat example", version: "1.0.0" }, schema };
