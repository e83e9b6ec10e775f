/** The changes of schemas that the comparison knows, each with its meaning in a request and in a response. */
import { type Contract, defineContract, request, response, route } from "@scope/api";
import type { JsonSchemaObject } from "../../src/tools/json_schema/json.ts";
import { fromJsonSchema } from "./from_json_schema.ts";

/** One change of a schema. */
export interface Row {
  /** A description. */
  readonly name: string;
  /** The member `a` before the change; the whole object, if it has a type. */
  readonly before: JsonSchemaObject;
  /** The member `a` after the change; the whole object, where it has a type. */
  readonly after: JsonSchemaObject;
  /** The findings in a request: verdict, rule and place, one line for each change. */
  readonly inRequest: readonly string[];
  /** The findings in a response. */
  readonly inResponse: readonly string[];
}

const string = { type: "string" };
const number = { type: "number" };
const list = { type: "array", items: string };

/** An object with one required member, and another that is required or optional. */
function object(b?: "required" | "optional", rest: object = {}): JsonSchemaObject {
  return {
    type: "object",
    properties: { a: string, ...(b && { b: string }) },
    required: b === "required" ? ["a", "b"] : ["a"],
    ...rest,
  };
}

function tagged(...kinds: readonly string[]): readonly JsonSchemaObject[] {
  return kinds.map((kind) => ({
    type: "object",
    properties: { kind: { const: kind }, size: number },
    required: ["kind"],
  }));
}

/** A change that accepts fewer values breaks senders, and its reverse breaks receivers. */
function narrower(name: string, before: JsonSchemaObject, after: JsonSchemaObject, place = "/a"): readonly Row[] {
  return [
    {
      name,
      before,
      after,
      inRequest: [`breaking request-narrowed ${place}`],
      inResponse: [`compatible response-narrowed ${place}`],
    },
    {
      name: `${name}, the reverse`,
      before: after,
      after: before,
      inRequest: [`compatible request-widened ${place}`],
      inResponse: [`breaking response-widened ${place}`],
    },
  ];
}

/** Changes that do not show in any value. */
function silent(name: string, before: JsonSchemaObject, after: JsonSchemaObject): Row {
  return { name, before, after, inRequest: [], inResponse: [] };
}

/** Every row. */
export const rows: readonly Row[] = [
  {
    name: "a required member is added",
    before: object(),
    after: object("required"),
    inRequest: ["breaking request-narrowed /b"],
    inResponse: ["compatible response-widened /b"],
  },
  {
    name: "an optional member is added",
    before: object(),
    after: object("optional"),
    inRequest: ["compatible request-widened /b"],
    inResponse: ["compatible response-widened /b"],
  },
  ...narrower("a member becomes required", object("optional"), object("required"), "/b"),
  {
    name: "a required member is removed",
    before: object("required"),
    after: object(),
    inRequest: ["compatible request-narrowed /b"],
    inResponse: ["breaking response-widened /b"],
  },
  {
    name: "an optional member is removed",
    before: object("optional"),
    after: object(),
    inRequest: ["compatible request-narrowed /b"],
    inResponse: ["compatible response-narrowed /b"],
  },
  {
    name: "a member is removed where objects are closed",
    before: object("optional", { additionalProperties: false }),
    after: object(undefined, { additionalProperties: false }),
    inRequest: ["breaking request-narrowed /b"],
    inResponse: ["compatible response-narrowed /b"],
  },
  {
    name: "a member is added where objects are closed",
    before: object(undefined, { additionalProperties: false }),
    after: object("optional", { additionalProperties: false }),
    inRequest: ["compatible request-widened /b"],
    inResponse: ["compatible response-widened /b"],
  },
  ...narrower("a type is taken away", { type: ["string", "number"] }, string),
  ...narrower("a value of an enum is taken away", { enum: ["x", "y"] }, { enum: ["x"] }),
  ...narrower("a const is set", string, { const: "x" }),
  ...narrower("null is no longer allowed", { type: ["string", "null"] }, string),
  ...narrower("a minimum is set", number, { ...number, minimum: 1 }),
  ...narrower("a minimum is tightened", { ...number, minimum: 1 }, { ...number, minimum: 2 }),
  ...narrower("a maximum is set", number, { ...number, maximum: 1 }),
  ...narrower("an exclusive bound is set", { ...number, minimum: 1 }, { ...number, exclusiveMinimum: 1 }),
  ...narrower("a number becomes an integer", number, { type: "integer" }),
  ...narrower("a step is set", { type: "integer" }, { type: "integer", multipleOf: 2 }),
  ...narrower("a shortest length is set", string, { ...string, minLength: 1 }),
  ...narrower("a longest length is tightened", { ...string, maxLength: 9 }, { ...string, maxLength: 8 }),
  ...narrower("a pattern is set", string, { ...string, pattern: "^x" }),
  ...narrower("a format is set", string, { ...string, format: "email" }),
  ...narrower("fewest items are set", list, { ...list, minItems: 1 }),
  ...narrower("most items are set", list, { ...list, maxItems: 1 }),
  ...narrower("items must be unique", list, { ...list, uniqueItems: true }),
  ...narrower("items are narrowed", list, { ...list, items: { ...string, minLength: 1 } }, "/a/*"),
  ...narrower("a branch of a union is removed", { anyOf: tagged("x", "y") }, { anyOf: tagged("x") }),
  ...narrower("a branch of a oneOf is removed", { oneOf: tagged("x", "y") }, { oneOf: tagged("y") }),
  {
    name: "a pattern is changed to one that a value was found for",
    before: { ...string, pattern: "^[a-z]+$" },
    after: { ...string, pattern: "^[0-9]+$" },
    inRequest: ["breaking request-narrowed /a"],
    inResponse: ["breaking response-widened /a"],
  },
  {
    name: "a pattern is changed to one that accepts more, as their automata prove",
    before: { ...string, pattern: "^[a-z]+$" },
    after: { ...string, pattern: "^[a-z0-9]*$" },
    inRequest: ["compatible request-widened /a"],
    inResponse: ["breaking response-widened /a"],
  },
  {
    name: "a pattern is changed to one that no automaton expresses, and no value was found for",
    before: { ...string, pattern: "^[a-z]+$" },
    after: { ...string, pattern: "^[a-z0-9]*(?<!-)$" },
    inRequest: ["unproven request-changed /a"],
    inResponse: ["breaking response-widened /a"],
  },
  {
    name: "a default is added",
    before: object("optional"),
    after: { ...object("optional"), properties: { a: string, b: { ...string, default: "x" } } },
    inRequest: ["compatible default-changed /b"],
    inResponse: [],
  },
  {
    name: "a default is changed",
    before: { ...string, default: "x" },
    after: { ...string, default: "y" },
    inRequest: ["compatible default-changed /a"],
    inResponse: [],
  },
  silent("oneOf becomes anyOf", { oneOf: tagged("x", "y") }, { anyOf: tagged("x", "y") }),
  silent("branches change their order", { anyOf: tagged("x", "y") }, { anyOf: tagged("y", "x") }),
  silent("values change their order", { enum: ["x", "y"] }, { enum: ["y", "x"] }),
  silent("what is inline is referred to", object("optional"), {
    $ref: "#/$defs/it",
    type: "object",
    $defs: { it: object("optional") },
  }),
  silent("words change", { ...string, title: "A" }, { ...string, description: "An a", examples: ["a"] }),
];

/** A schema in an object's member, unless it is an object itself. */
function wrap(schema: JsonSchemaObject): JsonSchemaObject {
  return schema.type === "object" ? schema : { type: "object", properties: { a: schema }, required: ["a"] };
}

/** A validator of a row's schema; the format that a row has is asserted, as libraries do. */
export function schemaOf(schema: JsonSchemaObject): ReturnType<typeof fromJsonSchema<{ readonly a?: unknown }>> {
  const isEmail = schema.format === "email";
  return fromJsonSchema(wrap(schema), ({ a }) => isEmail && !/^[^@\s]+@[^@\s]+$/.test(String(a)));
}

/** A contract whose route takes a body of a schema. */
export function taking(schema: JsonSchemaObject): Contract {
  const body = request.json(schemaOf(schema));
  return defineContract({ routes: { it: route.post("/it", { body, responses: { 204: response.empty() } }) } });
}

/** A contract whose route responds with a body of a schema. */
export function giving(schema: JsonSchemaObject): Contract {
  return defineContract({ routes: { it: route.get("/it", { responses: { 200: response.json(schemaOf(schema)) } }) } });
}
