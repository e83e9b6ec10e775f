/** Compares fields by name: path parameters, queries, headers and cookies. All of them are sent as text. */
import { type JsonSchema, toSchema } from "../json_schema/json.ts";
import type { ApiValue } from "./api.ts";
import type { Change } from "./change.ts";
import { schemaMembers } from "./read_contract.ts";
import { compareSlot, type Effort } from "./slot_changes.ts";

/** An undeclared slot: it sends nothing and ignores what is sent to it. */
const undeclared: ApiValue = { schema: { type: "object", properties: {} } };

interface FieldsPair {
  readonly route: string;
  readonly slot: string;
  readonly isRequest: boolean;
  readonly before: ApiValue | undefined;
  readonly after: ApiValue | undefined;
  /** Tests whether a field that is read as a list may be sent as a single value. Default: none may. */
  readonly mayBeList?: (name: string) => boolean;
}

export function compareFields(
  { route, slot, isRequest, before: was = undeclared, after: is = undeclared, mayBeList = () => false }: FieldsPair,
  effort: Effort,
): Change[] {
  if (was === is) return [];
  const [sent, read] = isRequest ? [was, is] : [is, was];
  const [values, fields] = [schemaMembers(sent.schema), schemaMembers(read.schema)];
  const texts = Object.entries(values).flatMap(([name, value]) => {
    const text = toText(value, fields[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  const lists = Object.entries(values).filter(([name, value]) =>
    mayBeList(name) && single.has(typeOf(value)) && typeOf(fields[name]) === "array"
  ).map(([name, value]) => [name, { type: "array", prefixItems: [value], minItems: 1, maxItems: 1 }] as const);
  const written = withMembers(sent, [...texts, ...lists]);
  const [before, after] = isRequest ? [written, read] : [read, written];
  const rule = isRequest ? "request-widened" : "response-narrowed";
  const message = isRequest ? "may be any text now" : "is no longer any text";
  return [
    ...compareSlot({ route, slot, isRequest, before, after }, effort),
    ...texts.map(([name]): Change => ({ verdict: "source", rule, route, where: `${slot} /${name}`, message })),
  ];
}

function withMembers(value: ApiValue, members: readonly (readonly [name: string, schema: JsonSchema])[]): ApiValue {
  const { schema, problem } = value;
  if (typeof schema === "boolean" || members.length === 0) return value;
  return { schema: { ...schema, properties: { ...schemaMembers(schema), ...Object.fromEntries(members) } }, problem };
}

/** Returns the schema of numbers or booleans as that of their texts, if they are read as any text; or of a list. */
function toText(sent: JsonSchema, read: JsonSchema | undefined): JsonSchema | undefined {
  if (typeof sent === "boolean" || typeof read !== "object") return undefined;
  if (typeOf(sent) === "array" && typeOf(read) === "array") {
    const items = toText(toSchema(sent.items ?? true), toSchema(read.items ?? true));
    return items === undefined ? undefined : { ...sent, items };
  }
  const isText = typeOf(read) === "string" && !restrictions.some((keyword) => read[keyword] !== undefined);
  if (!isText || typeOf(sent) === "string" || !single.has(typeOf(sent))) return undefined;
  const { deprecated, default: usual } = sent;
  return {
    type: "string",
    ...(deprecated !== undefined && { deprecated }),
    ...(usual !== undefined && { default: usual }),
  };
}

/** Keywords of which the text of a number may break one. */
const restrictions = ["enum", "const", "pattern", "format", "minLength", "maxLength", "not", "allOf", "anyOf", "oneOf"];

const single: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean"]);

function typeOf(schema: JsonSchema | undefined): unknown {
  return typeof schema === "object" ? schema.type : undefined;
}
