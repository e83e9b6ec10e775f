import type { RouteNode } from "@scope/api";
import type { JsonSchemaObject, SchemaSlot } from "@scope/api/mock";

const text = { type: "string" };
const people = {
  properties: { type: { const: "people" }, names: { type: "array", items: text } },
  required: ["type", "names"],
};
const message = {
  properties: { type: { const: "message" }, author: text, text, at: { type: "string", format: "date-time" } },
  required: ["type", "author", "text", "at"],
};
const name = { type: "string", pattern: "^\\S+$", maxLength: 40 };
const named = { type: "object", properties: { name }, required: ["name"] };

/** The JSON Schemas of examples/chat, whose own schemas do not convert. */
const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "say body": { type: "object", properties: { author: name, text: name }, required: ["author", "text"] },
  "say headers": { type: "object", properties: { "idempotency-key": { type: "string", format: "uuid" } } },
  "listen query": named,
  "listen headers": {
    type: "object",
    properties: { "last-event-id": { type: "string", pattern: "^\\d{1,15}-\\d{1,15}$" } },
  },
  "listen 200": { type: "object", oneOf: [people, message] },
  "typing query": named,
  "typing 101.fromServer": { type: "object", properties: { name }, required: ["name"] },
  "typing 101.fromClient": { type: "object", properties: { isTyping: { const: true } }, required: ["isTyping"] },
};

/** The option `schema` for examples/chat. */
export function chatSchema({ key }: RouteNode, slot: SchemaSlot): JsonSchemaObject | undefined {
  return schemas[`${key} ${slot}`];
}
